"""How the control API writes what Python has types for: names, times, durations, filters."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any, Optional, TypeVar, Union

# A duration as the API writes it ("250ms", "5s", "1h30m"), or Python's own.
Duration = Union[str, timedelta]
# The keyword of filters whose values are keyed by JSON pointer.
POINTER_FILTERS = ("payload", "screen")

Shape = TypeVar("Shape")


def camel_case(name: str) -> str:
    """`apns_id` as the API writes it: `apnsId`."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def duration(value: Duration) -> str:
    """A duration as the API writes it, to the millisecond.

    A bare number is an error there, because nobody knows its unit.
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, timedelta):
        raise TypeError(f'{value!r} is no duration; a text with a unit ("5s") or a timedelta was expected')
    if value < timedelta(0):
        raise ValueError(f"{value!r} is negative")
    return f"{value // timedelta(milliseconds=1)}ms"


def optional_duration(value: Optional[Duration]) -> Optional[str]:
    """A duration, or nothing."""
    return None if value is None else duration(value)


def time(text: str) -> datetime:
    """A time of the API: RFC 3339 in UTC."""
    # Before 3.11 `fromisoformat` does not know Z.
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def optional_time(text: Optional[str]) -> Optional[datetime]:
    """A time, or nothing."""
    return None if text is None else time(text)


def time_text(value: datetime) -> str:
    """A time as the API writes it; one without a zone is local, as everywhere in Python."""
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def compact_json(value: Any) -> str:
    """JSON without spaces, as the server writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def plain(value: Any) -> Any:
    """A value for JSON: times and durations as the API writes them, tuples and sets as arrays."""
    if isinstance(value, datetime):
        return time_text(value)
    if isinstance(value, timedelta):
        return duration(value)
    if isinstance(value, Mapping):
        return {str(name): plain(member) for name, member in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(element) for element in value]
    return value


def members(values: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments as members of a JSON object; what is `None` was not given."""
    return {camel_case(name): plain(value) for name, value in values.items() if value is not None}


def match_document(filters: Mapping[str, Any]) -> dict[str, Any]:
    """Filters given as keyword arguments, as a `match` of the API.

    `None` is an error: a filter that silently is none matches more than was meant.
    """
    for name, value in filters.items():
        if value is None:
            raise TypeError(f"{name}=None filters nothing; {{'exists': False}} asks for pushes that have none")
    return members(filters)


def read(shape: type[Shape], document: Mapping[str, Any], /, **further: Any) -> Shape:
    """Makes a dataclass of the members of its names, and of `further` in their place; what is not there is `None`."""
    values = {
        field.name: document.get(camel_case(field.name))
        for field in dataclasses.fields(shape)  # type: ignore[arg-type]
        if field.init and field.name not in further
    }
    return shape(**values, **further)


def query(filters: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Filters as parameters of a URL: a list is any of its values, `{"not": value}` none of them.

    The other matchers (`prefix`, `contains`, `regex`, …) have no form there; they go into an expectation.
    """
    for name, value in match_document(filters).items():
        if name in POINTER_FILTERS:
            for pointer, one in value.items():
                yield from _parameters(f"{name}.{pointer}", one)
        else:
            yield from _parameters(name, value)


def _parameters(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        if set(value) != {"not"}:
            raise TypeError(f"{name}={value!r}: a list takes values and {{'not': …}}; expect() takes every matcher")
        name, value = "!" + name, value["not"]
    for one in value if isinstance(value, list) else [value]:
        yield name, one if isinstance(one, str) else compact_json(one)
