"""A server that is started for the tests, or a running one."""

from __future__ import annotations

import json
import logging
import os
import signal
import ssl
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Optional, TypeVar, Union
from urllib.parse import quote

from .channels import Channel
from .control import ControlAPI
from .documents import time
from .errors import MynahError, UnavailableError
from .process import Process, clean_environment
from .scoped import Mynah
from .signing import SigningKey

# The lifetime of a provider token here: APNs accepts it for an hour, and refuses a new one within 20 minutes
# (TooManyProviderTokenUpdates).
TOKEN_SECONDS = 50 * 60

_LOG = logging.getLogger("mynah")

_Self = TypeVar("_Self", bound="MynahServer")


class MynahServer:
    """A server, for the code under test and its tests."""

    def __init__(
        self,
        control: ControlAPI,
        *,
        host: str,
        port: int,
        ca_file: Path,
        key_file: Optional[Path],
        signing_key: Optional[SigningKey],
    ) -> None:
        self.control = control
        self.host = host
        self.port = port
        self.ca_file = ca_file
        self._key_file = key_file
        self._signing_key = signing_key
        self._token: Optional[tuple[int, str]] = None

    @property
    def url(self) -> str:
        """The URL of the control API."""
        return self.control.url

    @property
    def apns_url(self) -> str:
        """The URL for pushes: `https://localhost:2197`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"https://{host}:{self.port}"

    @property
    def signing_key(self) -> SigningKey:
        """The development key; an error if the server uses its user's own keys (`--auth-key`)."""
        if self._signing_key is None:
            raise MynahError("the server uses its user's own keys, which it doesn't hand out")
        return self._signing_key

    @property
    def key_file(self) -> Path:
        """The development key as an `AuthKey_<KEYID>.p8`."""
        if self._key_file is None:
            raise MynahError("the server uses its user's own keys, which it doesn't hand out")
        return self._key_file

    @property
    def key_id(self) -> str:
        """The id of the development key."""
        return self.signing_key.key_id

    @property
    def team_id(self) -> str:
        """The team of the development key."""
        return self.signing_key.team_id

    def provider_token(self) -> str:
        """A provider token that this server accepts, for `authorization: bearer …`.

        It stays the same for 50 minutes of the server's clock, as APNs requires.
        """
        now = int(time(self.control.get("/v1/status")["now"]).timestamp())
        if self._token is None or not 0 <= now - self._token[0] < TOKEN_SECONDS:
            self._token = (now, self.signing_key.provider_token(now))
        return self._token[1]

    def ssl_context(self) -> ssl.SSLContext:
        """A context that trusts only this server, and asks for HTTP/2."""
        context = ssl.create_default_context(cafile=str(self.ca_file))
        context.set_alpn_protocols(["h2"])
        return context

    def scope(self, name: str) -> Mynah:
        """The server as one test sees it; a context manager that removes the test's devices and faults."""
        return Mynah(self, name)

    def create_channel(
        self,
        bundle_id: str,
        *,
        environment: str = "sandbox",
        message_storage_policy: int = 0,
        channel_id: Optional[str] = None,
    ) -> Channel:
        """Creates a broadcast channel, as a provider does, but with an id of one's choice if that is given."""
        document = {
            "bundleId": bundle_id,
            "environment": environment,
            "messageStoragePolicy": message_storage_policy,
            "id": channel_id,
        }
        return Channel.of(self.control.post("/v1/channels", document))

    def channels(self) -> list[Channel]:
        """All broadcast channels, those of providers too, in the order of their creation."""
        channels: list[Channel] = []
        query = {"limit": "1000"}
        while True:
            page = self.control.get("/v1/channels", query)
            channels += map(Channel.of, page["items"])
            if page["nextCursor"] is None:
                return channels
            query["cursor"] = page["nextCursor"]

    def channel(self, channel_id: str) -> Channel:
        """One broadcast channel; a `ControlError` with status 404 for an unknown one."""
        return Channel.of(self.control.get(f"/v1/channels/{quote(channel_id, safe='')}"))

    def delete_channel(self, channel_id: str) -> Channel:
        """Deletes a broadcast channel: a broadcast to it is ChannelNotRegistered from then on."""
        return Channel.of(self.control.delete(f"/v1/channels/{quote(channel_id, safe='')}"))

    @property
    def log_lines(self) -> Sequence[str]:
        """The server's log; empty for a server that was not started here."""
        return ()

    def close(self) -> None:
        """Stops the server if it was started here."""

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


class StartedServer(MynahServer):
    """A `mynah serve` on free ports that is ready."""

    def __init__(
        self,
        folder: Path,
        *flags: str,
        environment: Optional[Mapping[str, str]] = None,
        binary: Union[str, Path, None] = None,
    ) -> None:
        """Starts it with further flags, in a folder for its keys and as its home.

        Of the variables `MYNAH_…` it gets only those in `environment`. Raises `StartError` with its output if it
        doesn't start.
        """
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        ready_file = folder / "ready.json"
        own = ["--port", "0", "--control-port", "0", "--state-dir", str(folder / "state")]
        # So that it doesn't read the user's mynah.yaml, and the user's commands don't find it.
        home = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)}
        self.process = Process(
            ["serve", *own, "--ready-file", str(ready_file), *flags],
            environment=clean_environment(**home, **(environment or {})),
            cwd=folder,
            binary=binary,
        )
        try:
            self.ready_line = self.process.wait_for_line("mynah ready")
            self.ready: dict[str, Any] = json.loads(ready_file.read_text())
            self._connect(token=_given(flags, environment or {}))
        except BaseException:
            self.process.kill()
            raise

    def _connect(self, token: Optional[str]) -> None:
        ready, key = self.ready, None
        key_file = None if ready["keyFile"] is None else Path(ready["keyFile"])
        if key_file is not None:
            key = SigningKey(ready["keyId"], ready["teamId"], key_file.read_text())
        super().__init__(
            self.open_control(ready["controlUrl"], token),
            host="localhost",
            port=ready["port"],
            ca_file=Path(ready["caFile"]),
            key_file=key_file,
            signing_key=key,
        )

    def open_control(self, url: str, token: Optional[str]) -> ControlAPI:
        """Makes the value of `control`."""
        return ControlAPI(url, token)

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        return self.process.child.pid

    @property
    def log_lines(self) -> Sequence[str]:
        return self.process.errors

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
        status, credentials = control.get("/v1/status"), control.get("/v1/credentials")
        if status.get("name") != "mynah":
            raise UnavailableError(f"the server at {url} is not Mynah")
        folder.mkdir(parents=True, exist_ok=True)
        ca_file = folder / "ca.pem"
        ca_file.write_text(credentials["ca"])
        key_file = key = None
        if credentials["key"] is not None:
            key = SigningKey(credentials["keyId"], credentials["teamId"], credentials["key"])
            key_file = folder / f"AuthKey_{key.key_id}.p8"
            key_file.touch(mode=0o600)
            key_file.write_text(key.pem)
        super().__init__(
            control,
            host=host or control.host,
            port=port or status["ports"]["apns"][0],
            ca_file=ca_file,
            key_file=key_file,
            signing_key=key,
        )

    @classmethod
    def from_environment(cls, folder: Path, variables: Optional[Mapping[str, str]] = None) -> RunningServer:
        """The server at `MYNAH_URL`, which `mynah exec` sets.

        Also reads `MYNAH_CONTROL_TOKEN`, `MYNAH_APNS_HOST` and `MYNAH_APNS_PORT`. Raises `MynahError` for a wrong port,
        but ignores a URL, which Kubernetes sets for a service named `mynah-apns`.
        """
        variables = os.environ if variables is None else variables
        port = variables.get("MYNAH_APNS_PORT") or None
        if port is not None and "://" in port:
            _LOG.warning("ignored MYNAH_APNS_PORT=%s, which Kubernetes or a container link set for a service", port)
            port = None
        if port is not None and not (port.isdecimal() and 0 < int(port) < 65536):
            raise MynahError(f"invalid MYNAH_APNS_PORT={port}: expected a port from 1 to 65535")
        return cls(
            variables["MYNAH_URL"],
            folder,
            token=variables.get("MYNAH_CONTROL_TOKEN") or None,
            host=variables.get("MYNAH_APNS_HOST") or None,
            port=None if port is None else int(port),
        )


def _given(flags: tuple[str, ...], environment: Mapping[str, str]) -> Optional[str]:
    """The control token in a server's flags or environment."""
    for flag, following in zip(flags, (*flags[1:], "")):
        name, joined, value = flag.partition("=")
        if name == "--control-token":
            return value if joined else following
    return environment.get("MYNAH_CONTROL_TOKEN")
