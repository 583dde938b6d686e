"""What came back on one stream, and whether it is framed as APNs frames it (`ProviderAPI#Responses`)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from hyperframe.frame import DataFrame, Frame, HeadersFrame


@dataclass
class Reply:
    """What came back on one stream."""

    fields: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""
    frames: list[Frame] = field(default_factory=list)
    is_ended: bool = False
    reset_code: int | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.is_ended or self.reset_code is not None

    @property
    def status(self) -> int:
        """The status; a stream that was reset has none."""
        assert self.fields, f"no header came, the stream was reset with code {self.reset_code}"
        return int(self.fields[0][1])

    def values(self, name: str) -> list[str]:
        """All values of a field."""
        return [value for field_name, value in self.fields if field_name == name]

    def value(self, name: str) -> str | None:
        """The one value of a field, or `None`."""
        values = self.values(name)
        assert len(values) <= 1, f"{name} came {len(values)} times"
        return values[0] if values else None

    @property
    def reason(self) -> str | None:
        """The refusal's reason."""
        return json.loads(self.body)["reason"] if self.body else None

    def assert_accepted(self) -> Reply:
        """Checks that this is APNs' 200: HEADERS with END_STREAM, no body."""
        assert self.status == 200, f"{self.status} {self.body!r}"
        assert self.is_ended and self.body == b""
        assert [type(frame) for frame in self.frames] == [HeadersFrame], self.frames
        assert "END_STREAM" in self.frames[0].flags
        return self

    def assert_refused(self, status: int, reason: str) -> Reply:
        """Checks that this is APNs' refusal: HEADERS, then exactly one DATA with END_STREAM, compact JSON."""
        assert (self.status, self.reason) == (status, reason), f"{self.status} {self.body!r}"
        assert [type(frame) for frame in self.frames] == [HeadersFrame, DataFrame], self.frames
        assert "END_STREAM" not in self.frames[0].flags and "END_STREAM" in self.frames[1].flags
        assert b" " not in self.body and len(self.body) <= 1024
        return self
