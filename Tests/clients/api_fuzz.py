"""What Schemathesis is told before it tries the control API: which waits and fleets are too much, and the contract.

Loaded by Schemathesis itself; see test_openapi_fuzz.py.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import schemathesis
from schemathesis.specs.openapi.checks import negative_data_rejection

from contract import Contract

# Waiting and fleets are tested elsewhere; here every call should come back at once.
FLEET_MAX = 20
DURATIONS = ("wait", "within", "settle")
DURATION = re.compile(r"(\d+d)?(\d+h)?(\d+m)?(\d+s)?(\d+ms)?")


def shortened(fields: Any) -> Any:
    """The same with short waits and small fleets; what is no duration and no number stays, to be refused."""
    if not isinstance(fields, dict):
        return fields
    changed = dict(fields)
    for name in DURATIONS:
        value = changed.get(name)
        if isinstance(value, str) and value and DURATION.fullmatch(value):
            changed[name] = "1ms"
    count = changed.get("count")
    if isinstance(count, int) and count > FLEET_MAX:
        changed["count"] = FLEET_MAX
    return changed


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """Makes a call one that comes back at once."""
    if case.query:
        case.query = shortened(case.query)
    case.body = shortened(case.body)


@cache
def contract(document: Any) -> Contract:
    return Contract(document.value)


class Identified:
    """A document by its identity, since dictionaries have no hash."""

    def __init__(self, value: dict[str, Any]) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identified) and other.value is self.value


@schemathesis.check
def keeps_the_contract(context: Any, response: Any, case: Any) -> None:
    """Holds each answer against the document as the other tests do."""
    request = response.request
    headers = {name.lower(): value[0] for name, value in response.headers.items()}
    body = request.body.encode() if isinstance(request.body, str) else request.body
    contract(Identified(case.operation.schema.raw_schema)).check(
        request.method,
        request.path_url,
        body if isinstance(body, bytes) else None,
        response.status_code,
        headers,
        response.content,
    )


@schemathesis.check
def names_what_is_wrong(context: Any, response: Any, case: Any) -> None:
    """A refusal of a parameter or a field names it, and says what would be right."""
    if response.status_code != 400:
        return
    problem = response.json()
    kind = problem["type"].removeprefix("urn:mynah:problem:")
    if kind in ("unknown-parameter", "invalid-parameter", "unknown-field", "invalid-field"):
        assert problem["field"] is not None, problem
    assert len(problem["detail"].split()) > 3, problem


@schemathesis.check
def refuses_what_breaks_its_schema(context: Any, response: Any, case: Any) -> bool | None:
    """Schemathesis' own check, but for a body that may be left out and is."""
    request_body = case.operation.definition.raw.get("requestBody", {"required": True})
    if not response.request.body and not request_body.get("required"):
        return None
    return negative_data_rejection(context, response, case)
