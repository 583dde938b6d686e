"""Regular expressions in rules and expectations: none keeps others waiting, and a bad one is refused where it is given."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from commandline import CONFIGURATION, FREE_PORTS, Command
from conftest import unique_token
from faults import BUSY
from h2client import connect
from pattern_oracle import Pattern, Patterns
from pushes import push_each
from server import Mynah

# An engine that tries one way after the other is busy with 40 of these for days.
VICTIM = json.dumps({"aps": {"alert": "a" * 40 + "!"}}).encode()
LOOK_AHEAD = "^a(?=b)"
AT_FAULT = 'at character 3, the look-ahead "(?=" is not supported: expected'


def hostile(number: int) -> dict[str, Any]:
    """A condition on the payload, different for each number."""
    forms = ["^(a+)+b{}$", "(a|a)*{}b$", "(.*a){{12}}x{}", "^(a|aa)+{}$", "(a*)*b{}"]
    return {"payload": {"/aps/alert": {"regex": forms[number % len(forms)].format(number)}}}


def open_expectation(mynah: Mynah, number: int) -> HTTPConnection:
    """Asks for what never comes, and does not wait for the answer."""
    connection = HTTPConnection("127.0.0.1", mynah.control_port)
    connection.request("POST", "/v1/expectations", json.dumps({"match": hostile(number), "within": "600s"}))
    return connection


@pytest.mark.measures
def test_a_thousand_hostile_patterns_keep_nobody_waiting(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    rules = [{"match": hostile(number), "action": BUSY} for number in range(1000)]
    assert mynah.control.post("/v1/faults", rules)["matched"] == 1000
    with connect(mynah) as first, connect(mynah) as second, connect(mynah) as third:
        for connection in (first, second, third):
            assert connection.push(unique_token(), VICTIM).status == 200
        waiting = [open_expectation(mynah, number) for number in range(8)]
        assert mynah.control.ask("GET", "/livez").status == 200
        for connection in waiting[:4]:
            connection.close()
        for connection in (first, second, third):
            assert connection.push(unique_token(), VICTIM).status == 200
            assert connection.push(unique_token()).status == 200
        assert mynah.control.ask("GET", "/livez").status == 200
        answer = mynah.control.post("/v1/expectations", {"match": hostile(0), "within": "0s"})
        assert not answer["met"] and answer["nearest"], answer
        assert mynah.control.get("/v1/notifications", {"text": "aaaa"})["matched"] == 6
        assert mynah.control.ask("DELETE", "/v1/notifications?text=aaaa").status == 200
    # With four calls still open.
    mynah.stop()


# What matches

TEXTS = 60
PATTERNS = 250


def matched(mynah: Mynah, topic: str, pattern: Pattern, **further: Any) -> int | None:
    """How many of the texts sent to a topic match a pattern; none for one that is refused because it is too complex.

    One that is refused because it matches no text is to match none of these, either.
    """
    match = {"topic": topic, "payload": {"/text": {"regex": pattern.mynah}} | further}
    answer = mynah.control.ask("POST", "/v1/expectations", body={"match": match, "within": "0s"})
    if answer.status == 400:
        detail = answer.problem(400)["detail"]
        if detail.startswith("no text matches "):
            return 0
        assert "it is too complex" in detail, answer
        return None
    count: int = answer.json()["matched"]
    return count


@pytest.mark.parametrize("is_ascii", [True, False], ids=["ASCII", "Unicode"])
def test_random_patterns_match_what_another_engine_says(own_mynah: Callable[..., Mynah], is_ascii: bool) -> None:
    seed = random.randrange(1 << 32)
    maker = Patterns(seed, is_ascii=is_ascii)
    texts = [maker.text() for _ in range(TEXTS)]
    topic = f"com.example.seed{seed}"
    mynah = own_mynah()
    push_each(mynah, topic, [json.dumps({"text": text, "number": number}) for number, text in enumerate(texts)])
    judged = 0
    while judged < PATTERNS:
        pattern = maker.pattern()
        count = matched(mynah, topic, pattern)
        if count is None:
            continue
        judged += 1
        expected = [number for number, text in enumerate(texts) if pattern.matches(text)]
        if count != len(expected):
            found = [number for number in range(TEXTS) if matched(mynah, topic, pattern, **{"/number": number})]
            wrong = [texts[number] for number in set(found) ^ set(expected)]
            pytest.fail(f"seed {seed}: {pattern} is judged otherwise by the other engine for {wrong}")


# Where a pattern is given


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v1/faults", {"match": {"topic": {"regex": LOOK_AHEAD}}, "action": BUSY}, "/match/topic/regex"),
        (
            "/v1/faults",
            [{"action": BUSY}, {"match": {"topic": {"not": {"regex": LOOK_AHEAD}}}, "action": BUSY}],
            "/1/match/topic/not/regex",
        ),
        ("/v1/expectations", {"match": {"payload": {"/a": {"regex": LOOK_AHEAD}}}}, "/match/payload/~1a/regex"),
        ("/v1/expectations", {"inOrder": [{}, {"screen": {"/title": [{"regex": LOOK_AHEAD}]}}]}, "/inOrder/1/screen"),
        (
            "/v1/scenarios",
            {"name": "s", "steps": [{"add": [{"match": {"topic": {"regex": LOOK_AHEAD}}, "action": BUSY}]}]},
            "/steps/0/add/0/match/topic/regex",
        ),
    ],
    ids=["rule", "rules", "expectation", "steps", "scenario"],
)
def test_the_control_api_names_what_is_not_supported(mynah: Mynah, path: str, body: Any, field: str) -> None:
    answer = mynah.control.ask("POST", path, body=body)
    problem = answer.problem(400)
    assert problem["field"].startswith(field), problem
    assert AT_FAULT in problem["detail"], problem


RULE = {"match": {"topic": {"regex": LOOK_AHEAD}}, "action": BUSY}


@pytest.mark.parametrize(
    ("file", "content", "arguments"),
    [
        ("fixtures.json", {"faults": [RULE]}, ["serve", *FREE_PORTS, "--fixtures"]),
        ("scenario.json", {"name": "s", "steps": [{"add": [RULE]}]}, ["serve", *FREE_PORTS, "--scenario"]),
    ],
    ids=["fixtures", "scenario"],
)
def test_a_file_with_what_is_not_supported_ends_the_start(
    mynah_command: Command, tmp_path: Path, file: str, content: Any, arguments: list[str]
) -> None:
    (tmp_path / file).write_text(json.dumps(content))
    done = mynah_command(*arguments, file)
    assert done.returncode == CONFIGURATION, done
    assert "/match/topic/regex" in done.stderr and AT_FAULT in done.stderr, done.stderr


def test_an_expectation_in_a_file_names_what_is_not_supported(
    mynah: Mynah, mynah_command: Command, tmp_path: Path
) -> None:
    content = {"expectations": [{"name": "e", "match": {"topic": {"regex": LOOK_AHEAD}}}]}
    (tmp_path / "expectations.json").write_text(json.dumps(content))
    done = mynah_command("expect", "--file", "expectations.json", MYNAH_URL=mynah.control_url)
    assert done.returncode not in (0, 1), done
    assert AT_FAULT in done.stderr + done.stdout, done
