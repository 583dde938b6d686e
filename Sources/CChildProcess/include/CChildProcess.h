#pragma once

#include <signal.h>
#include <sys/types.h>

/// Starts a program that gets `death_signal` when the calling thread ends before it, on Linux.
///
/// `posix_spawn` can't ask for that signal, and Swift can't call `fork`. The child's signals are unblocked, and those
/// that have a handler here, or are in `defaults`, get their default action.
///
/// - `programs`: paths to try in this order, up to a null pointer, as `execvp` tries those of `PATH`.
/// - `error`: set to the error number when nothing was started.
/// - Returns: the child's process id, or -1.
pid_t child_process_start(char *const *programs, char *const *arguments, char *const *variables,
                          const sigset_t *defaults, int death_signal, int *error);
