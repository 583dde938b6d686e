"""The calls that a package has for each language, where they differ from what the OpenAPI document says of them.

An operation of the document becomes a method of each package by the rule in `operations.py`, under its own id, unless a
row here makes another method of it, `BY_HAND` has a method that is written by hand in each language, so that a test can
see that it is there, or `NO_CALL` has its id.

A row names the request, and what a method takes and gives. An argument goes into the path if the path has its name,
else into the body or, of a request without one, into the query; the types are those of the OpenAPI document.

Names are the API's, which each language writes in its own case. `{self}` in a path is the object's id.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Optional


@dataclass(frozen=True)
class Argument:
    """An argument by position."""

    name: str
    # The API's name, if it differs.
    member: str = ""
    # The schema of its type, where the document has it nowhere else.
    type: str = "string"
    # A record that may be given in its place, and the member that is taken of it: "Activity.id".
    record: str = ""
    is_optional: bool = False
    # Whether it goes into the query of a request that has a body.
    is_query: bool = False
    # One, or several.
    is_list: bool = False
    default: Any = None

    @property
    def api_name(self) -> str:
        return self.member or self.name


@dataclass(frozen=True)
class Call:
    """One request of a class, as a method."""

    of: str
    name: str
    # "GET /v1/devices/{self}/inbox"
    request: str
    # What it does, in a sentence; names of calls and members are in backticks, in the API's case.
    does: str
    # What the method gives, of the answer:
    #   "Device", "Page Device", "List Registration", "Page Device of devices": records;
    #   "removed.devices": a number or an object in it; "document Status": all of it, as the schema has it;
    #   "text": it isn't JSON; "events": a stream; "time now": a member that is a time;
    #   "refresh": nothing, but the object is read again; "": nothing.
    gives: str = ""
    arguments: tuple[Argument, ...] = ()
    # Named arguments of the query; "after=lastEventId" is one with another name there.
    options: tuple[str, ...] = ()
    # A set of named arguments: filters go into the query, other sets into the body.
    keywords: str = ""
    # "given": the scope's own, unless `scope` is given, and without a value the whole server; "own": always its own.
    scope: str = ""
    # Members of the body that are always the same.
    fixed: dict[str, Any] = field(default_factory=dict)
    # Whether the apps of a new device are its registrations.
    has_apps: bool = False
    # Whether a list has as many items as the server gives, unless `limit` is given.
    is_full: bool = False

    @property
    def method(self) -> str:
        return self.request.partition(" ")[0]

    @property
    def path(self) -> str:
        return self.request.partition(" ")[2]

    @property
    def template(self) -> str:
        """The path without names, as the OpenAPI document can be searched for it."""
        return re.sub(r"\{\w+\}", "{}", self.path)

    @property
    def in_path(self) -> list[str]:
        """The names in the path."""
        return [name for name in re.findall(r"\{(\w+)\}", self.path) if name != "self"]

    def argument(self, name: str) -> Optional[Argument]:
        """The argument with this name in the API."""
        return next((one for one in self.arguments if one.api_name == name), None)


# The classes: what their calls begin with.
CLASSES = ("Mynah", "MynahServer", "Device", "Fault", "Clock")

PAGE = ("order", "limit", "cursor")
WAIT = ("wait", "count")

_id = Argument("id")
_topic = Argument("topic")
_apps = Argument("topics", is_list=True)
_activity = Argument("activity", member="activity", record="Activity.id")
_shown = Argument("notification", member="sequence", type="integer", record="ShownNotification.sequence")

CALLS = (
    # A scope: devices
    Call(
        "Mynah", "addDevices", "POST /v1/devices",
        "Makes many devices of a kind, with numbers behind `id`; gives the first 1,000.",
        "Page Device", (_id, Argument("count", type="integer"), _apps), keywords="DeviceSettings", scope="own",
        has_apps=True,
    ),
    Call(
        "Mynah", "putDevice", "PUT /v1/devices/{id}",
        "Makes a device with this id, in place of the one that has it.",
        "Device", (_id, _apps), keywords="DeviceSettings", scope="own", has_apps=True,
    ),
    Call(
        "Mynah", "findDevice", "GET /v1/devices/{id}",
        "The device with this id, in whatever scope; an error with status 404 for an unknown one.",
        "Device", (_id,),
    ),
    Call(
        "Mynah", "devices", "GET /v1/devices",
        "The devices by filters: by id, or by `sort`.",
        "Page Device", options=("sort", "after", *PAGE), keywords="DeviceFilters", scope="given", is_full=True,
    ),
    Call(
        "Mynah", "changeDevices", "PATCH /v1/devices",
        "Changes all devices, or those of a user, as a device's `change` does one; gives how many.",
        "changed.devices", (Argument("user", is_optional=True, is_query=True),), keywords="DeviceChanges",
        scope="given",
    ),
    Call(
        "Mynah", "removeDevices", "DELETE /v1/devices", "Removes devices by filters; gives how many.",
        "removed.devices", keywords="DeviceFilters", scope="given",
    ),
    Call(
        "Mynah", "startActivities", "POST /v1/activities",
        "Starts a Live Activity on each device of this scope, or of a `user` in it, as `startActivity` does on one.",
        "document StartedActivities", (_topic, Argument("attributesType")), ("user",), "ActivitySettings", "own",
    ),
    Call(
        "Mynah", "dismissActivities", "DELETE /v1/activities",
        "Dismisses the Live Activities of this scope, of a `user` in it, or on a `channel`; gives how many.",
        "removed.activities", options=("user", "channel"), scope="own",
    ),
    # A scope: faults and scenarios
    Call(
        "Mynah", "findFault", "GET /v1/faults/{id}",
        "The rule with this id, in whatever scope; an error with status 404 for an unknown one.", "Fault", (_id,),
    ),
    Call(
        "Mynah", "faults", "GET /v1/faults", "The rules in force by filters.",
        "Page Fault", options=PAGE, keywords="FaultListFilters", scope="given", is_full=True,
    ),
    Call(
        "Mynah", "removeFaults", "DELETE /v1/faults", "Removes rules by filters; gives how many.",
        "removed.faults", keywords="FaultListFilters", scope="given",
    ),
    Call(
        "Mynah", "removeScenario", "DELETE /v1/scenarios/{name}",
        "Ends a scenario of this scope, and removes its rules; gives how many of each kind.",
        "removed", (Argument("name"),), scope="own",
    ),
    # A scope: pushes
    Call(
        "Mynah", "send", "POST /v1/notifications",
        "Sends a push to a device or a channel over TLS and HTTP/2, as a provider does, and gives its answer.",
        "SentNotification", keywords="PushSettings",
    ),
    Call(
        "Mynah", "notifications", "GET /v1/notifications",
        "The pushes in the journal by filters, oldest first; with `wait`, once `count` match or with `timedOut`.",
        "Page Notification", options=("q", *WAIT, "after", *PAGE), keywords="ListFilters", scope="given", is_full=True,
    ),
    Call(
        "Mynah", "notification", "GET /v1/notifications/{id}",
        "A push by its sequence number, its apns-id (the latest one that has it) or its apns-unique-id.",
        "Notification", (Argument("id", type="string|integer"),),
    ),
    Call(
        "Mynah", "removeNotification", "DELETE /v1/notifications/{id}",
        "Removes a push, by what `notification` takes; an error with status 404 if the journal hasn't got it.",
        "", (Argument("id", type="string|integer"),),
    ),
    Call(
        "Mynah", "removeNotifications", "DELETE /v1/notifications",
        "Removes pushes from the journal by filters; gives how many.",
        "removed.notifications", options=("q",), keywords="ListFilters", scope="given",
    ),
    Call(
        "Mynah", "events", "GET /v1/events",
        "What happens, as it happens, by filters and kinds (`event`); with `after` later events than this come first.",
        "events", options=("q", "event", "after"), keywords="ListFilters", scope="given",
    ),
    # A device
    Call("Device", "refresh", "GET /v1/devices/{self}", "A new snapshot of the device.", "Device"),
    Call(
        "Device", "change", "PATCH /v1/devices/{self}",
        "Changes the device; stored pushes have been delivered when a change to `online` is answered.",
        "Device", keywords="DeviceChanges",
    ),
    Call("Device", "remove", "DELETE /v1/devices/{self}", "Removes the device."),
    Call(
        "Device", "events", "GET /v1/devices/{self}/stream",
        "What arrives on the device, and what changes on it, as it happens. With `connect` it is online until this is "
        "closed; `after` is the id of the last event that is known, 0 for everything in the inbox.",
        "events", options=("connect", "after=lastEventId"),
    ),
    Call("Device", "apps", "GET /v1/devices/{self}/registrations", "Its apps as they are now.", "List Registration"),
    Call(
        "Device", "app", "GET /v1/devices/{self}/registrations/{topic}",
        "An app as it is now; `environment` is by default the device's.",
        "Registration", (_topic,), ("environment",),
    ),
    Call(
        "Device", "install", "POST /v1/devices/{self}/registrations", "Installs an app, or launches it again.",
        "refresh", (_topic,), keywords="AppSettings",
    ),
    Call(
        "Device", "changeApp", "PATCH /v1/devices/{self}/registrations/{topic}", "Changes an app.",
        "refresh", (_topic,), ("environment",), "AppChanges",
    ),
    Call(
        "Device", "uninstall", "DELETE /v1/devices/{self}/registrations/{topic}",
        "Removes an app; its token is Unregistered from then on.", "refresh", (_topic,), ("environment",),
    ),
    Call(
        "Device", "inbox", "GET /v1/devices/{self}/inbox",
        "The arrivals in the order of delivery; with `wait`, once `count` arrived or with `timedOut`.",
        "Page Arrival", options=("q", "kind", *WAIT, "after", *PAGE), keywords="InboxFilters",
    ),
    Call("Device", "screen", "GET /v1/devices/{self}/screen", "What the user sees.", "Screen"),
    Call(
        "Device", "act", "POST /v1/devices/{self}/screen/{sequence}/actions",
        "Opens a notification, or chooses one of its actions, as the user does.",
        "", (_shown, Argument("action", is_optional=True, default="default"), Argument("text", is_optional=True)),
    ),
    Call(
        "Device", "dismiss", "DELETE /v1/devices/{self}/screen/{sequence}",
        "Clears a notification, as the user does.", "", (_shown,),
    ),
    Call(
        "Device", "activities", "GET /v1/devices/{self}/activities",
        "Its Live Activities, newest first, with those that are dismissed.", "List Activity",
    ),
    Call(
        "Device", "activity", "GET /v1/devices/{self}/activities/{activity}", "A Live Activity as it is now.",
        "Activity", (_activity,),
    ),
    Call(
        "Device", "startActivity", "POST /v1/devices/{self}/activities", "Starts a Live Activity as its app does.",
        "Activity", (_topic, Argument("attributesType")), keywords="ActivitySettings",
    ),
    Call(
        "Device", "updateActivity", "PATCH /v1/devices/{self}/activities/{activity}",
        "Changes what a Live Activity shows, as its app does.", "Activity", (_activity,), keywords="ActivityChanges",
    ),
    Call(
        "Device", "endActivity", "PATCH /v1/devices/{self}/activities/{activity}",
        "Ends a Live Activity as its app does, by default with four hours on the lock screen.",
        "Activity", (_activity,), keywords="ActivityChanges", fixed={"state": "ended"},
    ),
    Call(
        "Device", "dismissActivity", "DELETE /v1/devices/{self}/activities/{activity}",
        "Takes a Live Activity off the screen, as the user does.", "", (_activity,),
    ),
    Call(
        "Device", "subscriptions", "GET /v1/devices/{self}/subscriptions",
        "Its running Live Activities that follow channels, newest first.", "List Activity",
    ),
    Call(
        "Device", "subscribe", "POST /v1/devices/{self}/subscriptions",
        "Subscribes the device to a channel, by a Live Activity that its app starts.",
        "Activity", (Argument("channel"),), keywords="SubscriptionSettings",
    ),
    Call(
        "Device", "unsubscribe", "DELETE /v1/devices/{self}/subscriptions/{channel}",
        "Dismisses the Live Activities that follow a channel, as the user does; gives how many.",
        "removed.activities", (Argument("channel"),),
    ),
    # A fault
    Call("Fault", "refresh", "GET /v1/faults/{self}", "A new snapshot of the rule.", "Fault"),
    Call(
        "Fault", "change", "PATCH /v1/faults/{self}", "Changes members of the rule; gives the changed rule.",
        "Fault", keywords="FaultChanges",
    ),
    Call("Fault", "remove", "DELETE /v1/faults/{self}", "Removes the rule."),
    # A clock
    Call("Clock", "now", "GET /v1/clock", "The present time.", "time now", scope="own"),
    Call("Clock", "mode", "GET /v1/clock", "`real`, `offset` or `frozen`.", "mode", scope="own"),
    Call(
        "Clock", "freeze", "PUT /v1/clock", "Freezes the clock, now or at a time.",
        "ClockReport", (Argument("at", member="now", type="Time", is_optional=True),), scope="own",
        fixed={"mode": "frozen"},
    ),
    Call(
        "Clock", "run", "PUT /v1/clock", "Lets the clock run again from its present time.", "ClockReport", scope="own",
        fixed={"mode": "offset"},
    ),
    # The server
    Call(
        "MynahServer", "status", "GET /v1/status", "What it is and does: version, ports, clock, counts.",
        "document Status",
    ),
    Call("MynahServer", "metrics", "GET /metrics", "Its counters, in Prometheus's text format.", "text"),
    Call("MynahServer", "openapi", "GET /openapi.json", "The OpenAPI document of the control API.", "document OpenAPI"),
    Call("MynahServer", "index", "GET /v1/", "The paths of the control API.", "document Index"),
    Call(
        "MynahServer", "fixtures", "GET /v1/fixtures",
        "What is there now, or in a `scope`, as a document for `mynah serve --fixtures`.",
        "document Fixtures", options=("scope",),
    ),
    Call(
        "MynahServer", "credentials", "GET /v1/credentials", "The CA, and the development key with its ids.",
        "document Credentials",
    ),
    Call("MynahServer", "certificateAuthority", "GET /ca.pem", "The CA, PEM.", "text"),
    Call(
        "MynahServer", "reset", "POST /v1/reset",
        "Returns to the state of the start, of everything or of some kinds (`only`), or of a `scope`; gives how many "
        "of each kind were removed.",
        "removed", keywords="ResetSettings",
    ),
    Call(
        "MynahServer", "scopes", "GET /v1/scopes", "The scopes in use.", "Page ScopeUse", options=PAGE,
    ),
    Call(
        "MynahServer", "fleets", "GET /v1/fleets", "The fleets of devices, of all scopes.", "Page Fleet", options=PAGE,
    ),
    Call(
        "MynahServer", "createChannel", "POST /v1/channels",
        "Creates a broadcast channel, as a provider does, but with an `id` of one's choice if that is given.",
        "Channel", (Argument("bundleId"),), keywords="ChannelSettings",
    ),
    Call("MynahServer", "channel", "GET /v1/channels/{id}", "One broadcast channel.", "Channel", (_id,)),
    Call(
        "MynahServer", "deleteChannel", "DELETE /v1/channels/{id}",
        "Deletes a broadcast channel: a broadcast to it is ChannelNotRegistered from then on.", "Channel", (_id,),
    ),
    Call(
        "MynahServer", "deleteChannels", "DELETE /v1/channels", "Deletes all broadcast channels; gives how many.",
        "removed.channels",
    ),
    Call(
        "MynahServer", "keys", "GET /v1/keys",
        "The keys of provider tokens that the server accepts, and those that were revoked.", "Page Key", options=PAGE,
    ),
    Call("MynahServer", "key", "GET /v1/keys/{keyId}", "One key.", "Key", (Argument("keyId"),)),
    Call(
        "MynahServer", "addKey", "POST /v1/keys",
        "Adds a key; without a `publicKey` or `privateKey`, a new one, whose `privateKey` is in the answer.",
        "Key", keywords="KeySettings",
    ),
    Call(
        "MynahServer", "putKey", "PUT /v1/keys/{keyId}", "Adds a key with this id, or replaces the one that has it.",
        "Key", (Argument("keyId"),), keywords="KeySettings",
    ),
    Call(
        "MynahServer", "revokeKey", "DELETE /v1/keys/{keyId}",
        "Revokes a key: its tokens are InvalidProviderToken from then on.", "Key", (Argument("keyId"),),
    ),
    Call(
        "MynahServer", "certificates", "GET /v1/certificates", "The provider certificates that the server issued.",
        "Page Certificate", options=PAGE,
    ),
    Call(
        "MynahServer", "certificate", "GET /v1/certificates/{serialNumber}", "One provider certificate.",
        "Certificate", (Argument("serialNumber"),),
    ),
    Call(
        "MynahServer", "issueCertificate", "POST /v1/certificates",
        "Issues a provider certificate for topics, with its private key.",
        "Certificate", (Argument("topics", is_list=True),), keywords="CertificateSettings",
    ),
    Call(
        "MynahServer", "revokeCertificate", "DELETE /v1/certificates/{serialNumber}",
        "Revokes a provider certificate: a handshake with it fails from then on.",
        "Certificate", (Argument("serialNumber"),),
    ),
    Call(
        "MynahServer", "connections", "GET /v1/connections",
        "The open connections of providers by filters; with `wait`, once `count` match or with `timedOut`.",
        "Page Connection", options=(*WAIT, *PAGE), keywords="ConnectionFilters", is_full=True,
    ),
    Call(
        "MynahServer", "connection", "GET /v1/connections/{id}",
        "One open connection, by the number that pushes have as `connection`.",
        "Connection", (Argument("id", type="integer"),),
    ),
    Call(
        "MynahServer", "closeConnection", "DELETE /v1/connections/{id}",
        "Closes a connection with GOAWAY, or with `abort` resets it.",
        "", (Argument("connection", member="id", type="integer", record="Connection.id"),), ("abort",),
    ),
    Call(
        "MynahServer", "failedHandshakes", "GET /v1/failed-handshakes",
        "The newest connections that ended before their first request, and why.", "Page FailedHandshake", options=PAGE,
    ),
    Call(
        "MynahServer", "closedConnections", "GET /v1/closed-connections",
        "The latest connections of providers that have closed.", "Page ClosedConnection", options=PAGE,
    ),
    Call(
        "MynahServer", "scenarios", "GET /v1/scenarios",
        "The scenarios that run, all or those of a `scope`, or with `shipped` those that are part of the program.",
        "Page Scenario", options=("shipped", "scope", *PAGE),
    ),
    Call(
        "MynahServer", "scenario", "GET /v1/scenarios/{name}",
        "A scenario that runs, for the whole server or in a `scope`.",
        "Scenario", (Argument("name"),), ("scope",),
    ),
    Call(
        "MynahServer", "removeScenario", "DELETE /v1/scenarios/{name}",
        "Ends a scenario, and removes its rules; gives how many of each kind.",
        "removed", (Argument("name"),), ("scope",),
    ),
    Call(
        "MynahServer", "removeScenarios", "DELETE /v1/scenarios",
        "Ends all scenarios, or those of a `scope`, and removes their rules; gives how many of each kind.",
        "removed", options=("scope",),
    ),
    Call(
        "MynahServer", "magicTokens", "GET /v1/magic-tokens",
        "The device tokens and channels that are always answered the same.", "Page MagicToken", options=PAGE,
    ),
)

# Calls of more than one request, or with a form of their own in each language: the operations that they ask.
BY_HAND: dict[str, dict[str, tuple[str, ...]]] = {
    "Mynah": {
        "device": ("addDevice",), "fault": ("addFaults",), "putFault": ("putFault",),
        "startScenario": ("startScenario",), "expect": ("expect",), "check": ("expect",), "wait": ("expect",), "lastSequence": ("listNotifications",),
        "remove": ("deleteScope",), "providerToken": (),
    },
    "MynahServer": {
        "probe": ("livez", "healthz", "readyz"), "channels": ("listChannels",), "startScenario": ("startScenario",),
        "scope": (), "providerToken": (), "close": (),
    },
    "Device": {
        "tokenOf": (), "wait": ("listInbox",), "clear": ("clearScreen",), "setBadge": ("changeScreen",),
    },
    "Fault": {"wait": ("getFault",)},
    "Clock": {"advance": ("advanceClock",)},
}  # fmt: skip

# The page's own files, and its slider through a recorded run.
NO_CALL = {"page", "pageFile", "pageFolderFile", "setRecordedPlace"}

# Records: the name in the packages, where it isn't the schema's own.
RECORDS = {
    "Activity": "LiveActivity",
    "Certificate": "IssuedCertificate",
    "Key": "AddedKey",
    "ShownNotification": "ScreenNotification",
}
