"""The calls that packages have of operations that no row of `calls.py` names: `Sources/helpers/operations.py`."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from calls import Argument, Call
from contract import Contract
from description import Description
from operations import further_calls, in_third_person


class Told(Description):
    """A document without a server."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document


def call_like(contract: Contract, method: str, path: str, another: str, **changes: Any) -> list[Call]:
    """The calls of a document with an operation at another path that is otherwise as a known one."""
    document = copy.deepcopy(contract.document)
    operation = {**document["paths"][path][method], "operationId": "another", **changes}
    document["paths"][another] = {method: operation}
    return list(further_calls(Told(document)))


def test_a_row_or_a_method_by_hand_has_each_operation(contract: Contract) -> None:
    assert list(further_calls(Told(contract.document))) == []


def test_a_call_of_a_device_takes_filters_by_name(contract: Contract) -> None:
    found = call_like(contract, "delete", "/v1/devices/{id}/screen", "/v1/devices/{id}/another", summary="Clear it")
    assert found == [
        Call(
            "Device", "another", "DELETE /v1/devices/{self}/another", "Clears it.", "removed",
            options=("topic", "identifier"),
        )
    ]  # fmt: skip


def test_a_call_takes_what_path_and_body_need_by_position(contract: Contract) -> None:
    path = "/v1/devices/{id}/screen/{sequence}/actions"
    answers = contract.document["paths"]["/v1/devices/{id}/screen"]["get"]["responses"]
    (found,) = call_like(contract, "post", path, "/v1/devices/{id}/another/{sequence}", responses=answers)
    assert (found.arguments, found.options, found.keywords, found.gives) == (
        (Argument("sequence", type="integer"), Argument("action"), Argument("text", is_optional=True)),
        (), "", "Screen",
    )  # fmt: skip


def test_a_call_of_anything_else_is_of_the_server(contract: Contract) -> None:
    (found,) = call_like(contract, "get", "/v1/closed-connections", "/v1/another")
    assert (found.of, found.gives, set(found.options)) == (
        "MynahServer", "Page ClosedConnection", {"order", "limit", "cursor"},
    )  # fmt: skip


def test_a_body_of_its_own_form_needs_a_row(contract: Contract) -> None:
    with pytest.raises(SystemExit, match="another has a body of its own form: give KEYWORDS"):
        call_like(contract, "post", "/v1/expectations", "/v1/another")


@pytest.mark.parametrize(
    ("summary", "sentence"),
    [
        ("Get a screen", "Gets a screen"), ("Open or dismiss it", "Opens or dismisses it"), ("Copy it", "Copies it"),
        ("Replay it", "Replays it"),
    ],
)  # fmt: skip
def test_a_summary_becomes_a_sentence(summary: str, sentence: str) -> None:
    assert in_third_person(summary) == sentence
