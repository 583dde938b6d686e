// Tells how much of the C heap of a process is in use, without the process knowing: a library to be preloaded.
//
// A thread of its own reads from the FIFO that HEAP_REQUESTS names. For each byte it writes a line to the file that
// HEAP_REPORT names: the bytes in use, those that are free, and those that malloc has from the kernel.
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *report(void *unused) {
    (void)unused;
    // For writing, too, so that the end of one request is not the end of the file.
    int requests = open(getenv("HEAP_REQUESTS"), O_RDWR | O_CLOEXEC);
    char byte;
    while (requests >= 0 && read(requests, &byte, 1) == 1) {
        struct mallinfo2 info = mallinfo2();
        FILE *file = fopen(getenv("HEAP_REPORT"), "ae");
        if (file == NULL) break;
        fprintf(file, "%zu %zu %zu\n", info.uordblks + info.hblkhd, info.fordblks, info.arena + info.hblkhd);
        fclose(file);
    }
    return NULL;
}

__attribute__((constructor)) static void begin(void) {
    if (getenv("HEAP_REQUESTS") == NULL || getenv("HEAP_REPORT") == NULL) return;
    // Signals are for the process's own threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    if (pthread_create(&thread, NULL, report, NULL) == 0) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
