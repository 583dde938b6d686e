"""Starts `mynah serve` on free ports and stops it the way an operator would: `mynah.StartedServer` with what only these
tests look at."""

from __future__ import annotations

import itertools
import os
import re
import signal
from datetime import datetime
from pathlib import Path

import mynah
import mynah.process
from mynah.process import clean_environment

from control import Control
from provider_token import Form, SigningKey, authorization
from waiting import HANG_SECONDS

# How often the log has a line for a warning that comes again and again.
REPEATS_SECONDS = 10
REPOSITORY = Path(__file__).resolve().parents[2]


def binary() -> Path:
    """The program under test: `MYNAH_BINARY`, else the newest kind of build that is there."""
    chosen = os.environ.get("MYNAH_BINARY")
    if chosen:
        return Path(chosen).resolve()
    builds = [REPOSITORY / ".build" / kind / "mynah" for kind in ("debug", "release")]
    return next((build for build in builds if build.exists()), builds[0])


class Process(mynah.process.Process):
    """A running command, for whose lines and end tests wait until it hangs."""

    def wait_for_line(self, prefix: str, seconds: float = HANG_SECONDS) -> str:
        return super().wait_for_line(prefix, seconds)

    def wait_for_error(self, part: str, seconds: float = HANG_SECONDS) -> str:
        return super().wait_for_error(part, seconds)

    def wait(self, seconds: float = HANG_SECONDS) -> int:
        return super().wait(seconds)

    def said(self, part: str) -> tuple[list[str], int]:
        """The warnings with a text, and how often it was said, after checking that they are few.

        One that comes again is counted, in a line every 10 s: a slow machine has more of these.
        """
        lines = [line for line in self.errors if part in line]
        repeats = [re.search(r" (\d+) more within ", line) for line in lines]
        times = [datetime.fromisoformat(line.split(" ", 1)[0]).timestamp() for line in lines]
        # At its end a server says at once what it has counted.
        regular = times[:-1] if times and repeats[-1] else times
        gaps = [later - earlier for earlier, later in itertools.pairwise(regular)]
        assert all(gap > REPEATS_SECONDS / 2 for gap in gaps), lines
        return lines, sum(int(count[1]) if count else 1 for count in repeats)


class Mynah(mynah.StartedServer):
    """A `mynah serve` that has said that it is ready."""

    control: Control

    def __init__(self, folder: Path, *flags: str, environment: dict[str, str] | None = None) -> None:
        if os.environ.get("MYNAH_TEST_DATA") and "--data" not in flags:
            # Every promise holds for a run that is kept, too.
            flags = (*flags, "--data", str(folder / "data"), "--sync", "normal")
        super().__init__(folder, "--cleartext-port", "0", *flags, variables=environment, binary=binary())
        self.process.__class__ = Process
        self.cleartext_port: int = self.ready["cleartextPort"]
        self.channels_port: int | None = self.ready["channelsPort"]
        self.proxy_port: int | None = self.ready["proxyPort"]
        self.control_port: int = self.ready["controlPort"]
        self.control_url: str = self.ready["controlUrl"]
        self.key = SigningKey.load(self.key_file, self.key_id, self.team_id)

    def open_control(self, url: str, token: str | None) -> Control:
        # Tests of the token write it into each call themselves.
        return Control(self.ready["controlPort"])

    def authorization(self, form: Form = Form(), issued_at: float | None = None) -> str:
        """An `authorization` value that this server accepts."""
        return authorization(self.key, form, issued_at)

    def resident_bytes(self) -> int:
        """How much memory the server's process holds, with the parts of its files that it has used so far."""
        return self._memory_bytes("VmRSS:")

    def anonymous_bytes(self) -> int:
        """How much of the memory is backed by no file: what a server holds more because of what came."""
        return self._memory_bytes("RssAnon:")

    def _memory_bytes(self, field: str) -> int:
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1]) * 1024
        raise AssertionError("the server's process is gone")

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Stops the server by a signal and checks that it ends with 0."""
        super().stop(number)


__all__ = ["REPOSITORY", "Mynah", "Process", "binary", "clean_environment"]
