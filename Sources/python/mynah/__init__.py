"""Mynah, an APNs on localhost, for Python: servers, received pushes, and the screens of devices.

In pytest, use the fixtures `mynah` and `mynah_server`; without it, begin with `StartedServer` or `RunningServer`.
`mynah.aio` has the same for asyncio.
"""

from .clock import Clock
from .control import ControlAPI
from .devices import Device
from .errors import ArgumentError, ControlError, MissingError, MynahError, StartError, UnavailableError, UnmetError
from .exchange import Answer, Event
from .expectations import Difference, ExpectationResult, ExpectationUnmet, NearMiss
from .faults import Fault
from .notifications import Arrival, Credential, Notification, Page, TimelineEvent
from .place import Place
from .process import Process
from .records import (
    Certificate,
    Channel,
    ClockReport,
    ClosedConnection,
    Connection,
    FailedHandshake,
    Fleet,
    Key,
    MagicToken,
    Scenario,
    ScopeUse,
    SentNotification,
)
from .scoped import Mynah
from .screens import Activity, Registration, Screen, ShownNotification
from .server import MynahServer
from .signing import SigningKey
from .starting import RunningServer, StartedServer

__all__ = [
    "Activity",
    "Answer",
    "ArgumentError",
    "Arrival",
    "Certificate",
    "Channel",
    "Clock",
    "ClockReport",
    "ClosedConnection",
    "Connection",
    "ControlAPI",
    "ControlError",
    "Credential",
    "Device",
    "Difference",
    "Event",
    "ExpectationResult",
    "ExpectationUnmet",
    "FailedHandshake",
    "Fault",
    "Fleet",
    "Key",
    "MagicToken",
    "MissingError",
    "Mynah",
    "MynahError",
    "MynahServer",
    "NearMiss",
    "Notification",
    "Page",
    "Place",
    "Process",
    "Registration",
    "RunningServer",
    "Scenario",
    "ScopeUse",
    "Screen",
    "SentNotification",
    "ShownNotification",
    "SigningKey",
    "StartError",
    "StartedServer",
    "TimelineEvent",
    "UnavailableError",
    "UnmetError",
]
