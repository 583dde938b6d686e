"""The vectors of `fixtures/helpers`, played with the package of each language: `README.md` says how."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import mynah
from calls import BY_HAND, CLASSES, NO_CALL, Call
from contract import Contract
from languages import Language, of_each_language
from recorder import Recorder, Request
from server import Mynah
from vectors import PLACEHOLDER, Play, Player, Vector, all_vectors, compare, compare_request

VECTORS = all_vectors()
# The names by which vectors know objects of a class.
OBJECTS = {"mynah": "Mynah", "server": "MynahServer", "clock": "Clock"}
# What Python has as attributes, for the code under test, and for its own form of programs.
PYTHON_ATTRIBUTES = {
    "apnsUrl", "caFile", "clock", "control", "host", "keyFile", "keyId", "logLines", "of", "openControl", "port",
    "signingKey", "sslContext", "teamId", "token", "url",
}  # fmt: skip


@pytest.mark.parametrize("vector", VECTORS, ids=str)
@pytest.mark.parametrize("language", of_each_language())
def test_a_package_plays_a_vector(
    language: Language, vector: Vector, players: Callable[[str], Player], recorder: Recorder, server: Mynah
) -> None:
    if language.missing:
        pytest.skip(f"without {', '.join(language.missing)}")
    if vector.is_untyped and language.is_typed:
        pytest.skip("the compiler refuses it")
    with Play(vector, players(language.name), recorder, server) as play:
        play.run()


# What vectors say of all calls


def class_of(on: str) -> str:
    """The class of an object by its name in vectors: `phone` is a device, `rule` a fault."""
    name = on.rpartition("/")[2]
    return OBJECTS.get(name) or ("Fault" if name.startswith("rule") else "Device")


def test_every_call_is_in_a_vector(calls: tuple[Call, ...]) -> None:
    called = {(class_of(on), call) for vector in VECTORS for on, call in vector.calls}
    wanted = {(call.of, call.name) for call in calls} | {(of, name) for of in BY_HAND for name in BY_HAND[of]}
    # A player begins with the one, and what it connects to isn't ended by the other.
    assert wanted - called == {("MynahServer", "scope"), ("MynahServer", "close")}


def test_every_call_of_python_is_a_call_of_all(calls: tuple[Call, ...]) -> None:
    for name in CLASSES:
        known = {call.name for call in calls if call.of == name} | set(BY_HAND[name])
        public = {camel_case(one) for one, _ in inspect.getmembers(getattr(mynah, name)) if not one.startswith("_")}
        fields = {camel_case(one) for one in getattr(getattr(mynah, name), "__dataclass_fields__", {})}
        others = public - known - fields - PYTHON_ATTRIBUTES
        assert not others, f"Sources/helpers/calls.py has no {others} of {name}"
        assert known <= public, f"the Python package has no {known - public} of {name}"


def camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def test_every_operation_is_in_a_vector(contract: Contract) -> None:
    requests = [
        one["to"].partition(" ")
        for vector in VECTORS
        for step in vector.steps
        for one in step.get("requests", [step["request"]] if "request" in step else [])
    ]
    found = [contract.operation(method, PLACEHOLDER.sub("x", path)) for method, _, path in requests]
    assert None not in found, requests[found.index(None)]
    reached = {one[1]["operationId"] for one in found if one is not None}
    operations = {one["operationId"] for method, _, one in contract.operations()}
    assert operations - reached == NO_CALL


# A vector that is wrong is noticed


@pytest.mark.parametrize(
    ("expected", "actual", "message"),
    [
        (1, 2, "2, expected 1"),
        ({"matches": "^a"}, "b", "'b': "),
        ({"has": ["a", "c"]}, "ab", "has no 'c'"),
        ({"a": 1}, {"a": 1, "b": 2}, "expected"),
    ],
)
def test_another_value_is_noticed(expected: Any, actual: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        compare("here", expected, actual)


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ({"to": "PUT /v1/x", "query": {"a": "1"}, "body": {"b": 1}}, "expected PUT /v1/x"),
        ({"to": "POST /v1/x", "body": {"b": 1}}, "the query"),
        ({"to": "POST /v1/x", "query": {"a": "1"}}, "the body"),
    ],
)
def test_another_request_is_noticed(expected: dict[str, Any], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        compare_request("here", expected, Request("POST", "/v1/x?a=1", b'{"b": 1}'))
