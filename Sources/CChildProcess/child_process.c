#define _GNU_SOURCE
#include "CChildProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

// As pipe2(report, O_CLOEXEC), which not every system has.
static int make_pipe(int report[2])
{
#ifdef __linux__
    return pipe2(report, O_CLOEXEC);
#else
    if (pipe(report) != 0) {
        return -1;
    }
    fcntl(report[0], F_SETFD, FD_CLOEXEC);
    fcntl(report[1], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

// Asks for a signal at the end of the parent; a system without such signals sends none.
static int signal_at_end_of_parent(int death_signal)
{
#ifdef __linux__
    return prctl(PR_SET_PDEATHSIG, death_signal);
#else
    (void)death_signal;
    return 0;
#endif
}

// Whether to try the next path after this error, as execvp(3) does.
static bool may_be_elsewhere(int error)
{
    return error == EACCES || error == ENOENT || error == ENOTDIR || error == ESTALE || error == ENODEV ||
           error == ETIMEDOUT;
}

// Runs in the child, where only async-signal-safe functions may be called: other threads may have held any lock.
static int become(char *const *programs, char *const *arguments, char *const *variables,
                  const sigset_t *defaults, int death_signal, pid_t parent)
{
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) != 0) {
            continue;
        }
        bool is_handled = action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
        if (is_handled || sigismember(defaults, number) == 1) {
            signal(number, SIG_DFL);
        }
    }
    if (signal_at_end_of_parent(death_signal) != 0) {
        return errno;
    }
    // If the parent ended before that call, no signal is sent.
    if (getppid() != parent) {
        return ESRCH;
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);

    int error = ENOENT;
    for (; *programs != NULL; programs++) {
        execve(*programs, arguments, variables);
        if (!may_be_elsewhere(errno)) {
            return errno;
        }
        // "Permission denied" says more than "not found".
        if (errno == EACCES) {
            error = EACCES;
        }
    }
    return error;
}

pid_t child_process_start(char *const *programs, char *const *arguments, char *const *variables,
                          const sigset_t *defaults, int death_signal, int *error)
{
    // The child reports its error number through this pipe; exec closes it.
    int report[2];
    if (make_pipe(report) != 0) {
        *error = errno;
        return -1;
    }
    pid_t parent = getpid();
    // Blocked, so that no handler of this process runs in the child.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) {
        int failure = become(programs, arguments, variables, defaults, death_signal, parent);
        ssize_t written = write(report[1], &failure, sizeof failure);
        _exit(written == sizeof failure ? 127 : 126);
    }
    int failure = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(report[1]);
    if (child > 0) {
        ssize_t count;
        do {
            count = read(report[0], &failure, sizeof failure);
        } while (count < 0 && errno == EINTR);
        if (count == sizeof failure) {
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
            }
            child = -1;
        }
    }
    close(report[0]);
    *error = failure;
    return child;
}
