"""Converts names, times, durations and filters to and from the control API's form."""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import inspect
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any, Optional, TypeVar, Union

from .errors import ArgumentError, ControlError, hides_frames

__tracebackhide__ = hides_frames

# A time with its zone, or as RFC 3339 has it; a datetime without one is local, as usual in Python.
Time = Union[datetime, str]
# A duration as text ("250ms", "5s", "1h30m"), or Python's own.
Duration = Union[str, timedelta]
# Filters whose values have JSON pointers as keys.
POINTER_FILTERS = ("payload", "screen", "webPush")
# Stands behind the name of a filter in a URL whose value is a part of the field's text.
PART_MARK = "~"

Shape = TypeVar("Shape")


class Own:
    """The default of a call's `scope`: the test's own."""

    def __repr__(self) -> str:
        return "OWN"


OWN = Own()
Scope = Union[str, None, Own]


def camel_case(name: str) -> str:
    """`apns_id` as the API writes it: `apnsId`."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def duration(value: Duration) -> str:
    """A duration in the API's form, cut to milliseconds.

    A bare number is an error, because it has no unit.
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, timedelta):
        raise ArgumentError(f'wrong duration {value!r}: expected a text with a unit ("5s") or a timedelta')
    if value < timedelta(0):
        raise ArgumentError(f"negative duration {value!r}: expected zero or more")
    return f"{value // timedelta(milliseconds=1)}ms"


def optional_duration(value: Optional[Duration]) -> Optional[str]:
    """A duration in the API's form, or `None`."""
    return None if value is None else duration(value)


def time(text: str) -> datetime:
    """A time of the API: RFC 3339 in UTC."""
    # Before Python 3.11, `fromisoformat` doesn't support Z.
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def optional_time(text: Optional[str]) -> Optional[datetime]:
    """A time of the API, or `None`."""
    return None if text is None else time(text)


def time_text(value: datetime) -> str:
    """A time in the API's form; one without a zone is local, as usual in Python."""
    return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def compact_json(value: Any) -> str:
    """JSON without spaces, like the server's."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def plain(value: Any) -> Any:
    """A value for JSON: times and durations in the API's form, tuples and sets as arrays."""
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
    """Keyword arguments as members of a JSON object, without those that are `None`."""
    return {camel_case(name): plain(value) for name, value in values.items() if value is not None}


def changes_document(values: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments as members of a JSON object, also those that are `None`, which clears them."""
    return {camel_case(name): plain(value) for name, value in values.items()}


def match_document(filters: Mapping[str, Any]) -> dict[str, Any]:
    """Filters as keyword arguments, as a `match` of the API.

    `None` is an error: ignoring it would match more than intended.
    """
    for name, value in filters.items():
        if value is None:
            hint = "expected a value, or {'exists': False} for pushes without one"
            raise ArgumentError(f"wrong filter {name}=None: {hint}")
    return members(filters)


def read(shape: type[Shape], document: Mapping[str, Any], /, **further: Any) -> Shape:
    """Makes a dataclass of the members with its names; `further` takes precedence, missing ones are `None`.

    Fields of type `datetime` are read as times, and `document` becomes the document itself.
    """
    values: dict[str, Any] = {"document": document, **further}
    for field in dataclasses.fields(shape):  # type: ignore[arg-type]
        if field.init and field.name not in values:
            value = document.get(camel_case(field.name))
            is_time = field.type in ("datetime", "Optional[datetime]")
            values[field.name] = optional_time(value) if is_time else value
    names = {field.name for field in dataclasses.fields(shape) if field.init}  # type: ignore[arg-type]
    return shape(**{name: value for name, value in values.items() if name in names})


class Record:
    """A dataclass of an object's members."""

    @classmethod
    def of(cls: type[Shape], document: Mapping[str, Any]) -> Shape:
        """Reads the server's JSON."""
        return read(cls, document)


def checked(call: Callable[..., Any], given: Mapping[str, Any], *kinds: type) -> dict[str, Any]:
    """The keyword arguments of a call, after checking that they are members of the TypedDicts."""
    known = {name for kind in kinds for name in kind.__annotations__}
    wrong = [name for name in given if name not in known]
    if not wrong:
        return dict(given)
    named = inspect.signature(call).parameters.values()
    known |= {one.name for one in named if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)}
    nearest = difflib.get_close_matches(wrong[0], sorted(known), 1)
    hint = f"did you mean {nearest[0]!r}?" if nearest else f"expected {', '.join(sorted(known))}"
    raise ArgumentError(f"{call.__name__}() got an unexpected keyword argument {wrong[0]!r}: {hint}")


def query(filters: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Filters as parameters of a URL.

    A list matches any of its values, `{"not": value}` all others, `{"contains": text}` a part of the field's text. The
    other matchers (`prefix`, `regex`, …) are only for expectations.
    """
    for name, value in match_document(filters).items():
        # No condition at all would select everything.
        if value == {}:
            raise ArgumentError(f"wrong filter {name}={{}}: expected a condition in it")
        if name in POINTER_FILTERS:
            if not isinstance(value, Mapping):
                raise ArgumentError(
                    f"wrong filter {name}={value!r}: expected a dict of JSON pointers, as in {{'/aps/badge': 1}}"
                )
            for pointer, one in value.items():
                yield from _parameters(f"{name}.{pointer}", one)
        else:
            yield from _parameters(name, value)


def _parameters(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and set(value) == {"not"}:
        name, value = "!" + name, value["not"]
    if value == []:
        raise ArgumentError(f"wrong filter {name}=[]: expected a value in it")
    for one in value if isinstance(value, list) else [value]:
        mark = ""
        if isinstance(one, Mapping):
            if set(one) != {"contains"}:
                raise ArgumentError(
                    f"wrong filter {name}={one!r}: expected a value, {{'contains': …}} or {{'not': …}}; "
                    "only expect() has the other matchers"
                )
            mark, one = PART_MARK, one["contains"]
        # In a URL, it would be compared with the text null.
        if one is None:
            raise ArgumentError(
                f"wrong filter {name}=None: expected a value; only expect() can ask for what is not there"
            )
        yield name + mark, one if isinstance(one, str) else compact_json(one)


@contextlib.contextmanager
def explaining_scope(scope: Scope) -> Iterator[None]:
    """Adds to the refusal of a rule that can't have a scope what to pass in its place: nobody had asked for one."""
    try:
        yield
    except ControlError as error:
        if scope is OWN and (error.field or "").endswith("scope"):
            error.args = (f"{error}: pass scope=None, for a rule of the whole server",)
        raise
