// Shifts a program's wall clock by SHIFT_SECONDS: a library to be preloaded into a server.
//
// Only the program's own calls: its libraries wait by that clock, and the kernel's waits know nothing of the shift.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void *base_of(void *address) {
    Dl_info found;
    return dladdr(address, &found) ? found.dli_fbase : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME && base_of(__builtin_return_address(0)) == base_of((void *)getauxval(AT_ENTRY)))
        now->tv_sec += SHIFT_SECONDS;
    return result;
}
