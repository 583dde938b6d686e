"""A server that is started for the tests, or a running one."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from . import schemas
from .control import ControlAPI
from .documents import checked, plain
from .errors import MynahError, UnavailableError, hides_frames
from .keywords import SWITCHES, ServerSettings
from .place import Place
from .process import Process, clean_environment
from .server import MynahServer
from .signing import SigningKey

if TYPE_CHECKING:
    from typing_extensions import Unpack

__tracebackhide__ = hides_frames

_LOG = logging.getLogger("mynah")


class StartedServer(MynahServer):
    """A `mynah serve` on free ports that is ready."""

    def __init__(
        self,
        folder: Path,
        *flags: str,
        variables: Optional[Mapping[str, str]] = None,
        binary: Union[str, Path, None] = None,
        **settings: Unpack[ServerSettings],
    ) -> None:
        """Starts it with settings (`devices="strict"`) or flags (`"--devices", "strict"`), in a folder as its home.

        Of the variables `MYNAH_…` it gets only those in `variables`. Raises `StartError` with its output if it doesn't
        start.
        """
        # It runs there, so a relative path would be another one for it.
        self.folder = folder = folder.resolve()
        ready_file = folder / "ready.json"
        free: ServerSettings = {"port": 0, "control_port": 0, "state_dir": folder / "state"}
        given = {**free, **checked(StartedServer, settings, ServerSettings)}
        folder.mkdir(parents=True, exist_ok=True)
        # So that it doesn't read the user's mynah.yaml, and the user's commands don't find it.
        home = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)}
        self.process = Process(
            ["serve", *flags_of(given), "--ready-file", str(ready_file), *flags],
            environment=clean_environment(**home, **(variables or {})),
            cwd=folder,
            binary=binary,
        )
        try:
            self.ready_line = self.process.wait_for_line("mynah ready")
            self.ready: dict[str, Any] = json.loads(ready_file.read_text())
            super().__init__(self._place(_token([*flags_of(given), *flags], variables or {})))
        except BaseException:
            self.process.kill()
            raise

    def _place(self, token: Optional[str]) -> Place:
        ready, key = self.ready, None
        key_file = None if ready["keyFile"] is None else Path(ready["keyFile"])
        if key_file is not None:
            key = SigningKey(ready["keyId"], ready["teamId"], key_file.read_text())
        return Place(
            ready["controlUrl"], token, "localhost", ready["port"], Path(ready["caFile"]), key_file, key,
            self.process.errors,
        )  # fmt: skip

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        return self.process.child.pid

    def stop(self, number: int = signal.SIGTERM) -> None:
        """Stops the server with a signal; an error if it has ended already, or exits with another code than 0."""
        if not self.process.is_running:
            raise MynahError(f"mynah had exited with code {self.process.wait()}\n{self.process.log()}")
        self.process.signal(number)
        try:
            code = self.process.wait()
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise MynahError(f"mynah did not exit after {signal.Signals(number).name}\n{self.process.log()}") from None
        if code != 0:
            raise MynahError(f"exit code {code} after {signal.Signals(number).name}\n{self.process.log()}")

    def close(self) -> None:
        self.stop()


class RunningServer(MynahServer):
    """A server that was started elsewhere: by `mynah exec`, in a container, by hand."""

    def __init__(
        self,
        url: str,
        folder: Path,
        *,
        token: Optional[str] = None,
        host: Optional[str] = None,
        port: Optional[int] = None,
    ) -> None:
        """Connects to its control API, and writes its CA and its key to the folder.

        `host` and `port` are for pushes, if they differ from the URL's host and the port that the server binds, as a
        container's published port does.
        """
        control = ControlAPI(url, token)
        status = control.get("/v1/status")
        if status.get("name") != "mynah":
            raise UnavailableError(f"the server at {url} is not Mynah")
        version = str(status["version"])
        if _release(version) != _release(schemas.VERSION):
            hint = f"install version {version} of the package, or start mynah {schemas.VERSION}"
            raise UnavailableError(
                f"the server at {url} is mynah {version}: expected {schemas.VERSION}, as this package; {hint}"
            )
        credentials = control.get("/v1/credentials")
        folder.mkdir(parents=True, exist_ok=True)
        ca_file = folder / "ca.pem"
        ca_file.write_text(credentials["ca"])
        key_file = key = None
        if credentials["key"] is not None:
            key = SigningKey(credentials["keyId"], credentials["teamId"], credentials["key"])
            key_file = folder / f"AuthKey_{key.key_id}.p8"
            key_file.touch(mode=0o600)
            key_file.write_text(key.pem)
        bound = status["ports"]["apns"][0]
        super().__init__(Place(control.url, token, host or control.host, port or bound, ca_file, key_file, key))

    @classmethod
    def from_environment(cls, folder: Path, variables: Optional[Mapping[str, str]] = None) -> RunningServer:
        """The server at `MYNAH_URL`, which `mynah exec` sets.

        Also reads `MYNAH_CONTROL_TOKEN`, `MYNAH_APNS_HOST` and `MYNAH_APNS_PORT`. Raises `MynahError` for a wrong port,
        but ignores a URL, which Kubernetes sets for a service named `mynah-apns`.
        """
        return cls(**named(variables), folder=folder)


def named(variables: Optional[Mapping[str, str]]) -> dict[str, Any]:
    """The server that environment variables name."""
    # Docker leaves the CR of a file of variables with Windows' line ends.
    variables = {name: value.strip() for name, value in (os.environ if variables is None else variables).items()}
    port = variables.get("MYNAH_APNS_PORT") or None
    if port is not None and "://" in port:
        _LOG.warning("ignored MYNAH_APNS_PORT=%s, which Kubernetes or a container link set for a service", port)
        port = None
    if port is not None and not (port.isdecimal() and 0 < int(port) < 65536):
        raise MynahError(f"invalid MYNAH_APNS_PORT={port}: expected a port from 1 to 65535")
    return {
        "url": variables["MYNAH_URL"],
        "token": variables.get("MYNAH_CONTROL_TOKEN") or None,
        "host": variables.get("MYNAH_APNS_HOST") or None,
        "port": None if port is None else int(port),
    }


def flags_of(settings: Mapping[str, Any]) -> list[str]:
    """Settings as flags of `mynah serve`."""
    flags: list[str] = []
    for name, value in settings.items():
        flag = "--" + name.replace("_", "-")
        if name in SWITCHES:
            flags += [flag] if value else []
            continue
        for one in value if isinstance(value, (list, tuple)) else [value]:
            text = ("on" if one else "off") if isinstance(one, bool) else str(plain(one))
            flags += [flag, text]
    return flags


def _release(version: str) -> str:
    """The part of a version within which the API stays the same."""
    return ".".join(version.split(".")[:2])


def _token(flags: Sequence[str], variables: Mapping[str, str]) -> Optional[str]:
    """The control token in a server's flags or variables."""
    for flag, following in zip(flags, (*flags[1:], "")):
        name, joined, value = flag.partition("=")
        if name == "--control-token":
            return value if joined else following
    return variables.get("MYNAH_CONTROL_TOKEN")
