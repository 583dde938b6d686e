"""Mynah, an APNs on localhost, for Python: servers, received pushes, and the screens of devices.

In pytest, use the fixtures `mynah` and `mynah_server`; without it, begin with `StartedServer` or `RunningServer`.
"""

from .channels import Channel
from .clock import Clock, ClockReport
from .control import Answer, ControlAPI
from .devices import Activity, Device, Registration, Screen, ShownNotification
from .errors import ControlError, MynahError, StartError, UnavailableError
from .expectations import Difference, ExpectationResult, ExpectationUnmet, NearMiss
from .faults import Fault
from .notifications import Arrival, Credential, Notification, Page, TimelineEvent
from .process import Process
from .scoped import Mynah
from .server import MynahServer, RunningServer, StartedServer
from .signing import SigningKey

__all__ = [
    "Activity",
    "Answer",
    "Arrival",
    "Channel",
    "Clock",
    "ClockReport",
    "ControlAPI",
    "ControlError",
    "Credential",
    "Device",
    "Difference",
    "ExpectationResult",
    "ExpectationUnmet",
    "Fault",
    "Mynah",
    "MynahError",
    "MynahServer",
    "NearMiss",
    "Notification",
    "Page",
    "Process",
    "Registration",
    "RunningServer",
    "Screen",
    "ShownNotification",
    "SigningKey",
    "StartError",
    "StartedServer",
    "TimelineEvent",
    "UnavailableError",
]
