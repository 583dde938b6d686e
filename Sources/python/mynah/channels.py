"""Broadcast channels (`/v1/channels`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Optional

from .documents import optional_time, read, time


@dataclass(frozen=True)
class Channel:
    """A broadcast channel of an app."""

    # 16 bytes in standard base64, as `apns-channel-id` has it.
    id: str
    bundle_id: str
    environment: str
    # 0: it stores nothing; 1: it stores the most recent message.
    message_storage_policy: int
    created_at: datetime
    # The number of accepted broadcasts.
    broadcasts: int
    # The running Live Activities that follow it, on all devices.
    followers: int
    # Until when it keeps its most recent message; `None` if it keeps none.
    stored_until: Optional[datetime]

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Channel:
        """Reads the server's JSON."""
        return read(
            cls,
            document,
            created_at=time(document["createdAt"]),
            stored_until=optional_time(document["storedUntil"]),
        )
