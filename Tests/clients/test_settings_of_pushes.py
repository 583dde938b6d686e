"""Flags that decide which pushes are refused: `--request-limit` (`ProviderAPI#Request-rates`) and `--team-topics`
(`ProviderAPI#Key-scopes`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from commandline import CONFIGURATION, FREE_PORTS, USAGE, Command
from conftest import unique_token
from h2client import connect
from server import Mynah


def test_pushes_beyond_the_request_limit_are_refused_until_its_time_is_over(
    mynah_with: Callable[..., Mynah], token: str
) -> None:
    mynah = mynah_with("--request-limit=2/10s")
    assert mynah.control.ask("PUT", "/v1/clock", body={"mode": "frozen"}).status == 200
    with connect(mynah) as connection, connect(mynah) as other:
        connection.push(token).assert_accepted()
        other.push(token).assert_accepted()
        for one in (connection, other):
            one.push(token).assert_refused(429, "TooManyRequests")
        connection.push(unique_token()).assert_accepted()
        mynah.control.post("/v1/clock/advance", {"by": "10s"})
        connection.push(token).assert_accepted()


def test_a_team_pushes_to_the_topics_of_its_apps_alone(mynah_with: Callable[..., Mynah]) -> None:
    mynah = mynah_with("--team-topics=com.example.app,com.example.other")
    with connect(mynah) as connection:
        connection.push(unique_token()).assert_accepted()
        connection.push(unique_token(), topic="com.example.other.voip", push_type="voip").assert_accepted()
        token = unique_token()
        connection.push(token, topic="com.example.third").assert_refused(400, "TopicDisallowed")
        detail = mynah.control.push(token)["timeline"][-1]["detail"]
        assert "com.example.third" in detail and "com.example.app, com.example.other" in detail


@pytest.mark.parametrize(
    ("flag", "value", "expected"),
    [
        ("--request-limit", "0/second", "like 60/minute"),
        ("--request-limit", "5", "like 60/minute"),
        ("--team-topics", "com.example app", "like com.example.app"),
        ("--team-topics", "", "like com.example.app"),
        ("--broadcast-apps", "com.example.app.voip", "a bundle id of letters, digits"),
        ("--broadcast-apps", "", "like com.example.app, without the suffix of a push type"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused(mynah_command: Command, flag: str, value: str, expected: str) -> None:
    done = mynah_command("serve", *FREE_PORTS, flag, value)
    assert done.returncode == USAGE, done
    assert flag in done.stderr and expected in done.stderr


@pytest.mark.parametrize(("setting", "wrong"), [("team-topics", "a b"), ("broadcast-apps", "com.example.app.voip")])
def test_a_wrong_topic_in_the_file_or_the_variable_is_refused(
    mynah_command: Command, tmp_path: Path, setting: str, wrong: str
) -> None:
    variable = "MYNAH_" + setting.upper().replace("-", "_")
    by_variable = mynah_command("serve", *FREE_PORTS, **{variable: f"com.example.app,{wrong}"})
    (tmp_path / "mynah.yaml").write_text(f"{setting}: [com.example.app, {wrong}]\n")
    by_file = mynah_command("serve", *FREE_PORTS)
    for done, named in ((by_variable, variable), (by_file, setting)):
        assert done.returncode == CONFIGURATION, done
        assert named in done.stderr and f'"{wrong}"' in done.stderr
