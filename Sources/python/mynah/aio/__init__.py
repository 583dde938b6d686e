"""The classes of `mynah` for asyncio: the same names, with coroutines where those of `mynah` wait.

In pytest, use the fixture `aio_mynah`; without it, begin with `await StartedServer(…)` or `await RunningServer(…)`.
"""

from .clock import Clock
from .control import ControlAPI
from .devices import Device
from .faults import Fault
from .scoped import Mynah
from .server import MynahServer
from .starting import RunningServer, StartedServer

__all__ = ["Clock", "ControlAPI", "Device", "Fault", "Mynah", "MynahServer", "RunningServer", "StartedServer"]
