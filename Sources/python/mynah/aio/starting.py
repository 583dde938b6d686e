"""A server that is started for the tests, or a running one, for asyncio.

The program is started and stopped in a thread, since that waits for its output.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Optional, TypeVar, Union

from .. import server as blocking
from .. import starting
from ..documents import checked
from ..errors import MynahError, hides_frames
from ..keywords import ServerSettings
from ..process import Process
from .server import MynahServer

if TYPE_CHECKING:
    from typing_extensions import Unpack

__tracebackhide__ = hides_frames

_Server = TypeVar("_Server", bound=blocking.MynahServer)
_Self = TypeVar("_Self", bound="_Awaited[Any]")


class _Awaited(MynahServer, Generic[_Server]):
    """A server that is there once it has been awaited, or entered by `async with`."""

    def __init__(self, find: Callable[[], _Server]) -> None:
        self._find = find
        self._found: Optional[_Server] = None

    def __await__(self: _Self) -> Generator[Any, None, _Self]:
        return self.__aenter__().__await__()

    async def __aenter__(self: _Self) -> _Self:
        if self._found is None:
            found = await asyncio.to_thread(self._find)
            super().__init__(found.place)
            self._found = found
        return self

    @property
    def _server(self) -> _Server:
        if self._found is None:
            raise MynahError(f"await {type(self).__name__}(…), or enter it by async with, before you use it")
        return self._found


class StartedServer(_Awaited[starting.StartedServer]):
    """A `mynah serve` on free ports: `await StartedServer(folder)`, or `async with StartedServer(folder) as server`."""

    def __init__(
        self,
        folder: Path,
        *flags: str,
        variables: Optional[Mapping[str, str]] = None,
        binary: Union[str, Path, None] = None,
        **settings: Unpack[ServerSettings],
    ) -> None:
        """Will start it like `mynah.StartedServer`; awaiting it raises `StartError` if it doesn't start."""
        checked(StartedServer, settings, ServerSettings)
        super().__init__(
            lambda: starting.StartedServer(folder, *flags, variables=variables, binary=binary, **settings)
        )
        self.folder = folder.resolve()

    @property
    def process(self) -> Process:
        """The server's process."""
        return self._server.process

    @property
    def ready(self) -> dict[str, Any]:
        """The ready file's content."""
        return self._server.ready

    @property
    def ready_line(self) -> str:
        """The line by which it said that it is ready."""
        return self._server.ready_line

    @property
    def pid(self) -> int:
        """The id of the server's process."""
        return self._server.pid

    async def stop(self, number: int = signal.SIGTERM) -> None:
        """Stops the server with a signal; an error if it has ended already, or exits with another code than 0."""
        await asyncio.to_thread(self._server.stop, number)

    async def close(self) -> None:
        await self.stop()


class RunningServer(_Awaited[starting.RunningServer]):
    """A server that was started elsewhere: `await RunningServer(url, folder)`."""

    def __init__(
        self,
        url: str,
        folder: Path,
        *,
        token: Optional[str] = None,
        host: Optional[str] = None,
        port: Optional[int] = None,
    ) -> None:
        """Will connect to its control API, and write its CA and its key to the folder.

        `host` and `port` are for pushes, if they differ from the URL's host and the port that the server binds, as a
        container's published port does.
        """
        super().__init__(lambda: starting.RunningServer(url, folder, token=token, host=host, port=port))

    @classmethod
    def from_environment(cls, folder: Path, variables: Optional[Mapping[str, str]] = None) -> RunningServer:
        """The server at `MYNAH_URL`, as `mynah.RunningServer.from_environment` finds it."""
        return cls(**starting.named(variables), folder=folder)
