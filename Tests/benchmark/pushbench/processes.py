"""A server as a child process, and what the kernel knows about it."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time

# Enough for valgrind on a busy machine; a server that needs longer is broken.
READY_SECONDS_MAX = 300
# Longer than the grace that a server gives to open streams, and than valgrind needs to write its counts.
STOP_SECONDS_MAX = 300

# Many of the kernel's ticks of 10 ms.
IDLE_SECONDS = 0.5


class BenchmarkError(Exception):
    """Something that makes the figures worthless; the text is for the user."""


def busy_seconds() -> float:
    """For how long the machine's processors have not been idle, all added up, a hypervisor's other guests included."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system, _, _, *interrupts_and_steal = (int(field) for field in file.readline().split()[1:9])
    return (user + nice + system + sum(interrupts_and_steal)) / os.sysconf("SC_CLK_TCK")


class ServerProcess:
    """Runs a command until the end of a `with` block and reads its figures from /proc."""

    def __init__(self, command, working_folder=None):
        self.command = command
        self.working_folder = working_folder
        self.output = []
        self._line_arrived = threading.Condition()
        self._closed = False

    def __enter__(self):
        self._errors = tempfile.TemporaryFile()
        self.started = time.monotonic()
        self._child = subprocess.Popen(
            self.command,
            cwd=self.working_folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            # Its own group: Ctrl-C reaches the benchmark, which then stops the server.
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read_output, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_):
        if self._child.poll() is None:
            self._child.send_signal(signal.SIGTERM)
            try:
                self._child.wait(STOP_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        self._reader.join()
        self._child.stdout.close()
        self._errors.close()

    @property
    def pid(self):
        return self._child.pid

    def wait_for_line(self, beginning):
        """Seconds from start until a line of stdout began with a text."""
        deadline = self.started + READY_SECONDS_MAX
        with self._line_arrived:
            while True:
                for seconds, line in self.output:
                    if line.startswith(beginning):
                        return seconds
                remaining = deadline - time.monotonic()
                if self._closed or remaining <= 0:
                    raise self.failure(f"did not print a line that begins with '{beginning}'")
                self._line_arrived.wait(remaining)

    def wait_until(self, question, what):
        """The first answer of a question that is not None; for servers that do not say when they are ready."""
        deadline = self.started + READY_SECONDS_MAX
        while self._child.poll() is None and time.monotonic() < deadline:
            answer = question()
            if answer is not None:
                return answer
            time.sleep(0.005)
        raise self.failure(what)

    def listening_port(self):
        """The TCP port of 127.0.0.1 on which the process listens, or None."""
        try:
            links = [os.readlink(entry.path) for entry in os.scandir(f"/proc/{self.pid}/fd")]
        except OSError:
            return None
        inodes = {link[len("socket:["):-1] for link in links if link.startswith("socket:[")}
        with open("/proc/net/tcp", encoding="ascii") as table:
            for fields in (line.split() for line in table.readlines()[1:]):
                listens = fields[3] == "0A"
                if listens and fields[9] in inodes:
                    return int(fields[1].split(":")[1], 16)
        return None

    def cpu_seconds(self):
        """User and kernel time of all threads so far; the kernel counts in ticks of mostly 10 ms."""
        return sum(self.user_and_kernel_seconds())

    def user_and_kernel_seconds(self):
        """The two apart."""
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as file:
            # The name in parentheses may hold spaces; utime and stime are fields 14 and 15 of the line.
            fields = file.read().rpartition(")")[2].split()
        return tuple(int(field) / os.sysconf("SC_CLK_TCK") for field in fields[11:13])

    def written_bytes(self):
        """What the process has had written to disks so far."""
        return self._input_and_output("write_bytes")

    def read_calls(self):
        """How often the process has read from a file or socket so far."""
        return self._input_and_output("syscr")

    def _input_and_output(self, field):
        with open(f"/proc/{self.pid}/io", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(f"{field}:"))

    @contextlib.contextmanager
    def cache_misses(self):
        """Counts what the caches had not until the end of a `with` block; gives a function that returns it, or None where
        the machine or its hypervisor doesn't count."""
        found = []
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(folder, "counted")
            command = ["perf", "stat", "--field-separator", ",", "--event", "cache-misses", "--pid", str(self.pid)]
            counter = subprocess.Popen(
                [*command, "--output", output], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            ) if shutil.which("perf") else None
            try:
                yield lambda: found[0] if found else None
            finally:
                if counter:
                    counter.send_signal(signal.SIGINT)
                    counter.wait()
                    with contextlib.suppress(FileNotFoundError), open(output, encoding="utf-8") as file:
                        values = [line.split(",")[0] for line in file if "cache-misses" in line]
                        found += [int(value) for value in values if value.isdigit()]

    def wait_until_idle(self):
        """Returns when the process has used no CPU time for a while."""
        before = None
        while (now := self.cpu_seconds()) != before:
            before = now
            time.sleep(IDLE_SECONDS)

    def memory_bytes(self, field):
        """`VmHWM` (peak) or `VmRSS` (now) of /proc/<pid>/status."""
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            for line in file:
                if line.startswith(field + ":"):
                    return int(line.split()[1]) * 1024
        raise self.failure(f"has no {field}")

    def failure(self, what):
        """An error with what the process last said."""
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").splitlines()[-10:]
        said += [line for _, line in self.output[-10:]]
        state = self._child.poll()
        ended = "" if state is None else f" (it ended with {state})"
        return BenchmarkError("\n  ".join([f"{self.command[0]} {what}{ended}"] + said))

    def _read_output(self):
        for line in self._child.stdout:
            with self._line_arrived:
                self.output.append((time.monotonic() - self.started, line.rstrip("\n")))
                self._line_arrived.notify_all()
        with self._line_arrived:
            self._closed = True
            self._line_arrived.notify_all()
