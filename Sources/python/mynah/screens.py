"""Apps on devices, what arrived on them, and what their users see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Optional

from . import schemas
from .documents import Record, read
from .snapshots import RegistrationMembers


@dataclass(frozen=True)
class Registration(RegistrationMembers, Record):
    """An app on a device, and its token, if it has one."""

    # The server's JSON.
    document: schemas.Registration = field(repr=False, compare=False)


@dataclass(frozen=True)
class ShownNotification(Record):
    """A notification as the user sees it."""

    sequence: int
    apns_id: str
    # The collapse id, without one the apns-id.
    identifier: str
    topic: str
    title: Optional[str]
    subtitle: Optional[str]
    body: Optional[str]
    # Whether title, subtitle and body are hidden.
    preview_hidden: bool
    # What was heard.
    sound: Optional[Mapping[str, Any]]
    thread_id: Optional[str]
    category: Optional[str]
    actions: Sequence[Mapping[str, Any]]
    # The button that opens the app, by action-loc-key.
    action_title: Optional[str]
    interruption_level: str
    relevance_score: Optional[float]
    collapse_id: Optional[str]
    mutable_content: str
    shown_at: datetime
    updated_at: Optional[datetime]
    # The stack it is in.
    group: str
    # {"actions"}; None without a banner.
    banner: Optional[Mapping[str, Any]]
    # "banner" or "alert"; None without a banner.
    alert_style: Optional[str]
    lock_screen: bool
    notification_center: bool
    # Whether its banner is on the paired watch instead of the phone.
    on_watch: bool
    # Who sent it, in place of the app's name.
    sender: Optional[str]
    attachments: Sequence[str]
    # The payload's members beside aps.
    details: Mapping[str, Any]
    warnings: Sequence[str]
    document: schemas.ScreenNotification = field(repr=False, compare=False)


@dataclass(frozen=True)
class Activity(Record):
    """A Live Activity on a device."""

    id: str
    topic: str
    environment: str
    # "active", "stale", "ended" or "dismissed".
    state: str
    # None, like `attributes`, if a push to an unknown token told of it.
    attributes_type: Optional[str]
    attributes: Optional[Mapping[str, Any]]
    content_state: Mapping[str, Any]
    started_at: datetime
    # The timestamp of the newest message applied.
    timestamp: Optional[datetime]
    stale_date: Optional[datetime]
    ended_at: Optional[datetime]
    # When it leaves the lock screen, or left it.
    dismissal_date: Optional[datetime]
    relevance_score: Optional[float]
    # With which it is updated.
    token: Optional[str]
    # The broadcast channel that it follows.
    channel: Optional[str]
    # Its newest content states, oldest first: "event", "at", "sequence", "contentState".
    history: Sequence[Mapping[str, Any]]
    document: schemas.LiveActivity = field(repr=False, compare=False)


@dataclass(frozen=True)
class Screen:
    """What the user sees: the top of the screen first, and the numbers on the icons by topic."""

    at: datetime
    badges: Mapping[str, int]
    notifications: tuple[ShownNotification, ...]
    # The stacks: "topic", "threadId", "count", "sequences", and "summary", the line below.
    groups: Sequence[Mapping[str, Any]]
    # What came in a scheduled summary, by sequence, the most relevant first; and what waits for the next one.
    summary: Sequence[int]
    held: Sequence[Mapping[str, Any]]
    # The Live Activities, the most relevant first; those that are dismissed are not there.
    activities: tuple[Activity, ...]
    # The times that a push woke an app in the background.
    wakes: Sequence[Mapping[str, Any]]
    # What apps learned of the user's actions.
    responses: Sequence[Mapping[str, Any]]
    # What was heard, the first first: "sequence", "topic", "at", "sound".
    sounds: Sequence[Mapping[str, Any]]
    # The number of notifications that were removed to make room.
    evicted: int
    document: schemas.Screen = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Screen:
        """Reads the server's JSON."""
        shown = tuple(ShownNotification.of(one) for one in document["notifications"])
        activities = tuple(Activity.of(one) for one in document["activities"])
        return read(cls, document, notifications=shown, activities=activities)
