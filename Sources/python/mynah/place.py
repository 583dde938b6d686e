"""Where a server is, and what a provider needs for it."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

from .errors import MynahError, hides_frames
from .signing import SigningKey

__tracebackhide__ = hides_frames

# The lifetime of a provider token here: APNs accepts it for an hour, and refuses a new one within 20 minutes
# (TooManyProviderTokenUpdates).
TOKEN_SECONDS = 50 * 60


@dataclass
class Place:
    """A server's addresses and files; the blocking and the async view of a server share one."""

    # The URL of the control API, and its bearer token.
    url: str
    token: Optional[str] = field(repr=False)
    # For pushes.
    host: str
    port: int
    ca_file: Path
    # `None` if the server uses its user's own keys (`--auth-key`).
    key_file: Optional[Path]
    signing_key: Optional[SigningKey]
    # Its log, which grows; empty for a server that was not started here.
    log_lines: Sequence[str] = field(default=(), repr=False)
    # The newest provider token, and when it was issued.
    _issued: Optional[tuple[int, str]] = field(default=None, init=False, repr=False)

    def provider_token(self, now: int) -> str:
        """The provider token at a time in seconds since 1970."""
        if self._issued is None or not 0 <= now - self._issued[0] < TOKEN_SECONDS:
            self._issued = (now, self.own_key.provider_token(now))
        return self._issued[1]

    @property
    def own_key(self) -> SigningKey:
        """The development key; an error if there is none."""
        if self.signing_key is None:
            raise MynahError("the server uses its user's own keys, which it doesn't hand out")
        return self.signing_key

    @property
    def own_key_file(self) -> Path:
        """The development key's file; an error if there is none."""
        if self.key_file is None:
            raise MynahError("the server uses its user's own keys, which it doesn't hand out")
        return self.key_file

    def ssl_context(self) -> ssl.SSLContext:
        """A context that trusts only this server, and asks for HTTP/2."""
        context = ssl.create_default_context(cafile=str(self.ca_file))
        context.set_alpn_protocols(["h2"])
        return context
