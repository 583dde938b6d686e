// Shifts a program's wall clock by SHIFT_SECONDS, or by the number that the file SHIFT_FILE begins with: a library to be
// preloaded into a server.
//
// Only the program's own calls: its libraries wait by that clock, and the kernel's waits know nothing of the shift.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void *base_of(void *address) {
    Dl_info found;
    return dladdr(address, &found) ? found.dli_fbase : 0;
}

static long shift(void) {
#ifdef SHIFT_FILE
    char text[32] = "";
    int file = open(SHIFT_FILE, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
        close(file);
    }
    return atol(text);
#else
    return SHIFT_SECONDS;
#endif
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME && base_of(__builtin_return_address(0)) == base_of((void *)getauxval(AT_ENTRY)))
        now->tv_sec += shift();
    return result;
}
