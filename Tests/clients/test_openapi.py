"""The OpenAPI document: that it is one, that it says all that there is, and that its check can fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from contract import BrokenContract, Contract
from server import Mynah

PROBLEM = {
    "type": "urn:mynah:problem:not-found",
    "title": "Not found",
    "status": 404,
    "detail": "there is none",
    "field": None,
    "allowed": None,
}
JSON = {"content-type": "application/json"}
PROBLEM_JSON = {"content-type": "application/problem+json"}


def test_it_is_a_document_of_openapi_3_1(contract: Contract) -> None:
    assert contract.document["openapi"].startswith("3.1.")
    assert [error.message for error in OpenAPIV31SpecValidator(contract.document).iter_errors()] == []


def test_every_operation_says_how_it_is_refused(contract: Contract) -> None:
    operations = list(contract.operations())
    assert len(operations) > 40
    for method, path, operation in operations:
        where = f"{method} {path}"
        assert operation["summary"] and operation["operationId"], where
        statuses = set(operation["responses"])
        assert any(status.startswith("2") for status in statuses), where
        assert {"400", "403", "413", "414"} <= statuses, where
        is_open = operation.get("security") == [{}]
        assert ("401" in statuses) != is_open, where
        for status in statuses:
            response = contract.resolved(operation["responses"][status])
            if status.startswith("4") and method != "HEAD":
                assert list(response["content"]) == ["application/problem+json"], f"{where} {status}"
    names = [operation["operationId"] for _, _, operation in operations]
    assert len(names) == len(set(names))


def test_what_it_says_of_the_token_is_so(contract: Contract, mynah_with: Any) -> None:
    mynah = mynah_with("--control-token", "s3cret")
    for method, path, operation in contract.operations():
        target = path.replace("{", "").replace("}", "")
        answer = mynah.control.ask(method, target)
        is_open = operation.get("security") == [{}]
        assert (answer.status == 401) != is_open, f"{method} {target}"


def test_each_answered_object_lists_its_members_as_required(contract: Contract) -> None:
    """Answers always carry all keys; what may be absent is named here. A schema that requests have too may be laxer."""
    optional = {("Notification", "payloadBase64"), ("Notification", "webPush"), ("AddedKey", "privateKey"), ("Fault", "timedOut")}
    # Only a frozen clock is worth keeping.
    optional |= {("Fixtures", "clock")}
    # Without a cluster a connection has no server to name.
    optional |= {("Connection", "server"), ("ClosedConnection", "server")}
    # Of a scenario that is shipped and does not run there is nothing to tell.
    optional |= {("Scenario", member) for member in ("startedAt", "stepsDone", "next", "rules", "problem")}
    answered = schemas_of(contract, "responses") - schemas_of(contract, "requestBody")
    assert len(answered) > 15
    for name in answered:
        schema = contract.document["components"]["schemas"][name]
        for member in schema.get("properties", {}):
            if (name, member) not in optional:
                assert member in schema.get("required", []), f"{name}.{member}"


def schemas_of(contract: Contract, part: str) -> set[str]:
    """The names of the schemas that a part of any operation uses."""
    found: set[str] = set()

    def visit(value: Any) -> None:
        if isinstance(value, dict):
            reference = value.get("$ref", "")
            name = reference.removeprefix("#/components/schemas/")
            if name not in found:
                if name != reference:
                    found.add(name)
                if reference:
                    visit(contract.resolved({"$ref": reference}))
            for further in value.values():
                visit(further)
        elif isinstance(value, list):
            for further in value:
                visit(further)

    for _, _, operation in contract.operations():
        visit(operation.get(part, {}))
    return found


@pytest.mark.parametrize(
    ("method", "target", "status", "headers", "answer"),
    [
        ("GET", "/v1/status", 418, JSON, {}),
        ("GET", "/v1/clock", 200, JSON, {"mode": "real"}),
        ("GET", "/v1/clock", 200, JSON, {"mode": "wrong", "now": "2027-01-01T00:00:00Z"}),
        ("GET", "/v1/clock", 200, JSON, {"mode": "real", "now": "2027-01-01T00:00:00Z", "further": 1}),
        ("GET", "/v1/clock", 200, {"content-type": "text/plain"}, {"mode": "real", "now": "2027-01-01T00:00:00Z"}),
        ("GET", "/v1/clock?what=1", 200, JSON, {"mode": "real", "now": "2027-01-01T00:00:00Z"}),
        ("GET", "/v1/nothing", 200, JSON, {}),
        ("GET", "/v1/nothing", 404, JSON, PROBLEM),
        ("GET", "/v1/nothing", 404, PROBLEM_JSON, PROBLEM | {"type": "urn:mynah:problem:other"}),
        ("GET", "/v1/devices/kim", 404, PROBLEM_JSON, {"title": "Not found"}),
        ("HEAD", "/livez", 200, JSON, {"status": "ready"}),
    ],
)
def test_the_check_of_answers_finds_what_is_not_described(
    contract: Contract, method: str, target: str, status: int, headers: dict[str, str], answer: Any
) -> None:
    with pytest.raises(BrokenContract):
        contract.check(method, target, None, status, headers, json.dumps(answer).encode())


def test_the_check_of_answers_takes_what_is_described(contract: Contract) -> None:
    clock = {"mode": "real", "now": "2027-01-01T00:00:00Z"}
    contract.check("GET", "/v1/clock?scope=t42", None, 200, JSON, json.dumps(clock).encode())
    contract.check("GET", "/v1/nothing", None, 404, PROBLEM_JSON, json.dumps(PROBLEM).encode())
    contract.check("GET", "/livez", None, 200, JSON, b'{"status":"ready","problem":null}')


def test_the_check_of_answers_is_made_on_every_call(mynah: Mynah, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    monkeypatch.setattr(Contract, "check", lambda self, method, target, *rest: checked.append(f"{method} {target}"))
    mynah.control.get("/v1/clock", {"scope": "t42"})
    assert checked == ["GET /v1/clock?scope=t42"]
