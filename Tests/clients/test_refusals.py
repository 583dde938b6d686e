"""Calls of the control API that are wrong, each with the answer that says what is wrong and what would be right.

`fixtures/control-api/refusals.json` has them in an order in which they are played: later ones are about what earlier ones
made. A text or list that ends with … is the beginning of one that names whatever there is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from control import Answer
from server import Mynah

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "fixtures/control-api/refusals.json").read_text(encoding="utf-8")
)
REST = "…"


def begins(found: str, expected: str) -> bool:
    return found.startswith(expected.removesuffix(REST)) if expected.endswith(REST) else found == expected


def begins_list(found: list[str] | None, expected: list[str] | None) -> bool:
    if expected is None or found is None or expected[-1] != REST:
        return found == expected
    return found[: len(expected) - 1] == expected[:-1]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[Answer]:
    """What a new server answers to all calls, one after the other."""
    mynah = Mynah(tmp_path_factory.mktemp("mynah"))
    try:
        return [ask(mynah, case) for case in CASES]
    finally:
        mynah.stop()


def ask(mynah: Mynah, case: dict[str, Any]) -> Answer:
    method, path = case["call"].split(" ", 1)
    body = case["text"].encode() if "text" in case else case.get("body")
    return mynah.control.ask(method, path, body=body, headers=case.get("headers"))


@pytest.mark.parametrize("number", range(len(CASES)), ids=[case["call"] for case in CASES])
def test_a_wrong_call_is_told_what_would_be_right(answers: list[Answer], number: int) -> None:
    case, answer = CASES[number], answers[number]
    assert answer.status == case["status"], answer
    if answer.status < 400:
        return
    problem = answer.problem(case["status"])
    assert problem["type"] == f"urn:mynah:problem:{case['type']}"
    assert begins(problem["detail"], case["detail"]), problem["detail"]
    assert problem["field"] == case.get("field")
    assert begins_list(problem["allowed"], case.get("allowed")), problem["allowed"]


def test_a_query_that_is_too_long_is_told_the_limit(mynah: Mynah) -> None:
    answer = mynah.control.ask("GET", "/v1/notifications?q=" + 20_000 * "a")
    assert "expected at most 16384 bytes" in answer.problem(414)["detail"]


def test_a_body_that_is_too_large_is_told_the_limit(mynah: Mynah) -> None:
    answer = mynah.control.ask("POST", "/v1/devices", body=bytes(6_000_000))
    assert "expected at most 5242880 bytes" in answer.problem(413)["detail"]
