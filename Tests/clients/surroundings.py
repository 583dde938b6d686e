"""What tests and the programs that they start run in: the same whatever the machine, and whoever started pytest."""

from __future__ import annotations

import os
import re
import resource
import signal
import tempfile

# Python ignores them itself; it gives programs that it starts the default.
IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)

# Variables that change what programs print, whom they trust, where they connect to and what they read at their start.
REMOVED = re.compile(
    r"(?i)(.*_proxy|LC_.*|LANGUAGE|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR.*|PY_COLORS|PYTEST_ADDOPTS|PYTEST_PLUGINS"
    r"|PYTHONWARNINGS|PYTHONSTARTUP|SSL_CERT_FILE|SSL_CERT_DIR|SSLKEYLOGFILE|CURL_CA_BUNDLE|CURL_HOME|REQUESTS_CA_BUNDLE"
    r"|NODE_EXTRA_CA_CERTS|NODE_OPTIONS|DENO_CERT|OPENSSL_CONF|BASH_ENV|ENV|CDPATH|ZDOTDIR|XDG_.*|NOTIFY_SOCKET"
    r"|GITHUB_.*|RUNNER_.*|MALLOC_.*|LD_PRELOAD)"
)
SET = {
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "xterm",
    # A name that nobody has is found to be so at once, also where no DNS server answers.
    "LOCALDOMAIN": "invalid",
    "RES_OPTIONS": "timeout:1 attempts:1",
}
UMASK = 0o022
_home = tempfile.TemporaryDirectory(prefix="mynah-home-", ignore_cleanup_errors=True)
# Tests and servers have hundreds of connections each.
DESCRIPTORS = 16_384


def settle(is_worker: bool) -> None:
    """Makes them so, for this process and what it starts from now on."""
    _settle_signals(is_worker)
    for name in [name for name in os.environ if REMOVED.fullmatch(name)]:
        del os.environ[name]
    os.environ.update(SET)
    # Without the user's .curlrc and .netrc.
    os.environ["HOME"] = _home.name
    os.umask(UMASK)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < DESCRIPTORS:
        most = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


def leave() -> None:
    """Removes the home folder."""
    _home.cleanup()


def _settle_signals(is_worker: bool) -> None:
    # A program inherits that a signal is ignored or blocked, but not that it has a handler: with one that does nothing,
    # this process ignores it as before, under nohup for example, and what it starts does not.
    ignored = {number for number in signal.valid_signals() if signal.getsignal(number) == signal.SIG_IGN}
    if is_worker:
        # Whether the end of the terminal ends the run is up to the process that has started the workers.
        ignored.add(signal.SIGHUP)
    for number in ignored.difference(IGNORED_BY_PYTHON):
        signal.signal(number, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
