// Makes the monotonic clock of event loops slow: a library to be preloaded into a server under callgrind.
//
// Callgrind makes a program about 50 times slower, but not its clock. A server that gives each connection a slice of time
// would do the work of one push in it in place of dozens, and the count would depend on the machine's speed. A clock that
// is slower by more than callgrind makes every slice long enough, on a busy machine too.
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { slowdown = 1000, second = 1000000000 };

static int64_t began;

static int64_t monotonic_clock(void) {
    struct timespec now = {0, 0};
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return now.tv_sec * (int64_t)second + now.tv_nsec;
}

__attribute__((constructor)) static void begin(void) { began = monotonic_clock(); }

// Other threads set the kernel's timers by the clock: with a slow one, all of them would be due at once, again and again.
static int is_event_loop(void) {
    static __thread int known = -1;
    if (known < 0) {
        char name[16] = "";
        prctl(PR_GET_NAME, name);
        known = !strncmp(name, "NIO-", 4);
    }
    return known;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (clock != CLOCK_MONOTONIC || !is_event_loop()) return syscall(SYS_clock_gettime, clock, now);
    int64_t time = began + (monotonic_clock() - began) / slowdown;
    now->tv_sec = time / second;
    now->tv_nsec = time % second;
    return 0;
}
