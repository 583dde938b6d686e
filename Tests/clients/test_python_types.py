"""The words of `Sources/python`: what type checkers and calls refuse, and that all parts of Mynah use the same ones."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import generate
import mynah as package
from contract import Contract
from devices import TOPIC, unique_id
from inner_pytest import PACKAGE
from mynah import keywords, presets
from mynah.documents import camel_case
from server import REPOSITORY, Mynah, binary, clean_environment
from waiting import RUN_SECONDS

OF_ALL_COMMANDS = {"url", "readyFile", "json", "version", "help"}

GOOD = """
import asyncio
from datetime import datetime, timedelta
from pathlib import Path

from mynah import Mynah, RunningServer, StartedServer, aio


def arrange(mynah: Mynah, when: datetime) -> None:
    phone = mynah.device("com.example.app", platform="iOS", focus={"name": "Work", "apps": ["com.example.app"]})
    phone.change(online=False, focus=None).install("com.example.other", permissions={"alertStyle": "none"})
    mynah.fault("slow", delay=timedelta(seconds=5), topic="com.example.app", active_from=when)
    mynah.fault("ExpiredProviderToken", times=2)
    mynah.fault(403, reason="InvalidProviderToken", payload={"/aps/category": {"prefix": "NEWS"}})
    mynah.fault([503, "stall", {"type": "tls", "alert": "handshake_failure"}], then="repeat")
    mynah.expect(topic={"not": "other"}, status=[200, 410], since=when, screen={"/title": "News"}, within="1s")
    mynah.notifications(reason={"not": ["BadTopic"]}, payload={"/aps/badge": 3}, shown=True)
    mynah.devices(sort="lastPush", order="desc", fleet="van", after=None)
    sent = mynah.send(token=phone.token, payload={"aps": {}}, priority=5)
    seconds: float = (mynah.clock.now - when).total_seconds()
    online: bool = phone.document["online"]
    print(sent.status, seconds, online, mynah.server.status()["counts"]["received"])
    for event in mynah.events(event="fault"):
        print(event.id)


async def wait(mynah: aio.Mynah, folder: Path) -> None:
    phone: aio.Device = await mynah.device("com.example.app")
    titles: list[str | None] = [shown.title for shown in (await phone.screen()).notifications]
    await mynah.expect(topic="com.example.app", screen={"/title": titles[0] or ""})
    async for event in mynah.events():
        print(event.data)
    async with aio.StartedServer(folder, devices="strict", seed=7) as server:
        print(await server.scope("a").clock.now, server.pid)


with StartedServer(Path("x"), devices="strict", tls_name=["a", "b"], idle_timeout=timedelta(hours=1)) as started:
    arrange(started.scope("a"), datetime.now())
    asyncio.run(wait(aio.MynahServer(started.place).scope("a"), Path("y")))
"""
# Each with the line's code that mypy reports.
BAD = {
    'mynah.device("a.b", platfrom="iOS")': "call-arg",
    'mynah.device("a.b", platform="Symbian")': "arg-type",
    'mynah.device("a.b").change(onlin=True)': "call-arg",
    'mynah.devices(sort="lastpush")': "arg-type",
    "mynah.devices(after=1)": "arg-type",
    'mynah.device("a.b").install("a.b", appname="A")': "call-arg",
    'mynah.expect(topik="a.b")': "call-arg",
    "mynah.expect(topic=None)": "arg-type",
    'mynah.notifications(topic={"prefix": "a"})': "arg-type",
    'mynah.fault("slwo")': "arg-type",
    'mynah.fault("slow", dealy="5s")': "call-arg",
    'mynah.fault(403, reason="ExpiredToken2")': "arg-type",
    "mynah.fault({'type': 'respnd'})": "typeddict|arg-type",
    "mynah.send(tokne='x')": "call-arg",
    "StartedServer(Path('x'), devices='strct')": "arg-type",
    "StartedServer(Path('x'), sede=7)": "call-arg",
    'mynah.device("a.b").document["onlin"]': "typeddict-item",
    'int(mynah.clock.freeze().now)': "call-overload|arg-type",
}


def mypy(folder: Path, text: str) -> list[str]:
    """The errors that mypy reports about a module."""
    (folder / "module.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), "module.py"],
        cwd=folder,
        env=clean_environment(MYPYPATH=str(PACKAGE)),
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return [line for line in done.stdout.splitlines() if ": error: " in line]


def test_mypy_takes_what_is_right_and_refuses_each_misspelling(tmp_path: Path) -> None:
    assert mypy(tmp_path, GOOD) == []
    head = "from pathlib import Path\nfrom mynah import Mynah, StartedServer\n\ndef test(mynah: Mynah) -> None:\n"
    errors = mypy(tmp_path, head + "".join(f"    {line}\n" for line in BAD))
    found = {int(error.split(":")[1]): error for error in errors}
    for number, (line, code) in enumerate(BAD.items(), head.count("\n") + 1):
        assert re.search(rf"\[({code})", found.get(number, "")), f"{line}: {found.get(number, 'no error')}"


@pytest.fixture
def scoped(mynah: Mynah) -> Iterator[package.Mynah]:
    """The server as one test sees it."""
    with mynah.scope(unique_id("scope")) as scoped:
        yield scoped


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda mynah: mynah.device(TOPIC, platfrom="iOS"), r"device\(\) got .*'platfrom': did you mean 'platform'\?"),
        (lambda mynah: mynah.expect(topik=TOPIC), r"expect\(\) got .*'topik': did you mean 'topic'\?"),
        (lambda mynah: mynah.expect(wihtin="1s"), r"expect\(\) got .*'wihtin': did you mean 'within'\?"),
        (lambda mynah: mynah.wait(topik=TOPIC), r"wait\(\) got .*'topik': did you mean 'topic'\?"),
        (lambda mynah: mynah.check(topik=TOPIC), r"check\(\) got .*'topik': did you mean 'topic'\?"),
        (lambda mynah: mynah.notifications(tpoic=TOPIC), r"notifications\(\) got .*: did you mean 'topic'\?"),
        (lambda mynah: mynah.events(tpoic=TOPIC), r"events\(\) got .*: did you mean 'topic'\?"),
        (lambda mynah: mynah.devices(zzz=1), r"devices\(\) got .*'zzz': expected .*, cursor, device, "),
        (lambda mynah: mynah.remove_devices(usr="kim"), r"remove_devices\(\) got .*: did you mean 'user'\?"),
        (lambda mynah: mynah.fault("slwo"), "unknown preset or reason 'slwo': did you mean 'slow'"),
        (lambda mynah: mynah.fault("resetStream"), "unknown preset or reason 'resetStream': did you mean 're"),
        (lambda mynah: mynah.fault("zzzz"), "unknown preset or reason 'zzzz': expected 400, 403, .*, a reason of APNs"),
        (lambda mynah: mynah.fault([503, "stal"]), "unknown preset or reason 'stal': did you mean 'stall'"),
        (lambda mynah: mynah.fault([503], delay="1s"), "delay: expected as a member of the action's object, or"),
        (lambda mynah: mynah.fault({"type": "stall"}, deliver=True), "deliver: expected as a member of the action"),
        (lambda mynah: mynah.fault("slow", dealy="5s"), r"fault\(\) got .*'dealy': did you mean 'delay'\?"),
        (lambda mynah: mynah.send(tokn="x"), r"send\(\) got .*: did you mean 'token'\?"),
        (lambda mynah: mynah.server.issue_certificate(TOPIC, dys=1), "did you mean 'days'"),
        (lambda mynah: mynah.server.connections(tem="x"), "did you mean 'team'"),
    ],
)
def test_a_misspelling_is_not_sent(call: Any, message: str, scoped: package.Mynah) -> None:
    with pytest.raises(TypeError, match=message) as error:
        call(scoped)
    assert isinstance(error.value, package.ArgumentError)


def test_a_misspelt_setting_makes_no_folder(tmp_path: Path) -> None:
    with pytest.raises(package.ArgumentError, match="did you mean 'seed'"):
        package.StartedServer(tmp_path / "server", sede=7)  # type: ignore[call-arg]
    assert not list(tmp_path.iterdir())


def test_a_wrong_value_is_refused_in_the_api_s_words(scoped: package.Mynah) -> None:
    with pytest.raises(package.ControlError, match='POST /v1/faults was answered 400: /action/dela') as error:
        scoped.fault({"type": "respond", "status": 503, "dela": "5s"})
    assert error.value.field == "/action/dela"
    with pytest.raises(package.ControlError) as error:
        scoped.fault("stall", by="5s")
    assert error.value.field == "/action/by"


# Faults by the names of `mynah fault add`


def without_counters(fault: package.Fault) -> dict[str, Any]:
    """What a rule does."""
    own = ("id", "scope", "createdAt", "matched", "fired", "remaining", "words")
    return {name: value for name, value in fault.document.items() if name not in own}


@pytest.mark.parametrize("name", [*presets.PRESETS, "ExpiredProviderToken", "Shutdown"])
def test_a_preset_makes_the_rule_of_the_command(name: str, scoped: package.Mynah, mynah: Mynah) -> None:
    # A rule on connections would disturb others.
    mine = scoped.fault(name, scope=None, enabled=False)
    made = subprocess.run(
        [str(binary()), "fault", "add", name, "--url", mynah.control_url, "--topic", "never"],
        capture_output=True, text=True, check=False, env=clean_environment(),
    )  # fmt: skip
    identifier = made.stdout.split()[0] if made.returncode == 0 else None
    if identifier is None:
        # Connections have no topic.
        assert mine.match["event"] != "request" and "topic" in made.stderr
        return
    theirs = scoped.find_fault(identifier)
    theirs.remove()
    assert mine.action == theirs.action and mine.match["event"] == theirs.match["event"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("slow", {"delay": "5s"}), "slow --delay 5s"),
        (("late", {"by": "2m", "times": 3}), "late --by 2m --times 3"),
        ((403, {"reason": "ExpiredProviderToken"}), "403 --reason ExpiredProviderToken"),
        (("503", {"body": "busy", "skip": 1}), "503 --body busy --skip 1"),
        (("410", {"timestamp": 5, "deliver": True}), "410 --timestamp 5 --deliver"),
        (("reset", {"code": "CANCEL", "probability": 0.5}), "reset --code CANCEL --probability 0.5"),
        (("goaway", {"debug": "x", "two_step": True}), "goaway --debug x --two-step"),
        (("goaway", {"after_pushes": 10, "last_stream_id": 3}), "goaway --after 10 --last-stream-id 3"),
        (("close", {"after_bytes": 9, "name": "cut"}), "close --after-bytes 9 --name cut"),
        (("streams", {"max_concurrent_streams": 7}), "streams --limit 7"),
        (("throttle", {"bytes_per_second": 10, "chunk": 2}), "throttle --rate 10 --chunk 2"),
        (("stall", {"active_from": "2030-01-01T00:00:00Z"}), "stall --from 2030-01-01T00:00:00Z"),
    ],
)
def test_options_are_members_of_the_rule(
    options: tuple[Any, dict[str, Any]], words: str, scoped: package.Mynah, mynah: Mynah
) -> None:
    mine = scoped.fault(options[0], topic="never", **options[1])
    command = [str(binary()), "fault", "add", *words.split(), "--topic", "never", "--scope", scoped.name]
    made = subprocess.run(
        [*command, "--url", mynah.control_url], capture_output=True, text=True, check=True, env=clean_environment()
    )
    assert without_counters(mine) == without_counters(scoped.find_fault(made.stdout.split()[0]))


# One vocabulary


def test_what_is_made_from_the_document_and_the_program_is_up_to_date(mynah: Mynah) -> None:
    made = dict(generate.modules(mynah.control_url, str(binary())))
    different = [str(path.relative_to(REPOSITORY)) for path, text in made.items() if path.read_text() != text]
    assert different == [] and len(made) > 8, "run Sources/helpers/generate.py"


def names(kind: type) -> set[str]:
    """The members of a TypedDict as the API writes them."""
    return {camel_case(name) for name in kind.__annotations__}


def flags(*command: str) -> set[str]:
    """The flags in a command's help, as the API writes them."""
    told = subprocess.run([str(binary()), *command, "--help"], capture_output=True, text=True, check=True).stdout
    return {camel_case(flag.replace("-", "_")) for flag in re.findall(r"^  (?:-\w, )?--([a-z-]+)", told, re.MULTILINE)}


def test_filters_have_the_names_of_the_api_and_the_commands(scoped: package.Mynah) -> None:
    filters = names(keywords.Filters) | {"scope"}
    with pytest.raises(package.ControlError) as error:
        scoped.control.post("/v1/expectations", {"match": {"nothing": 1}})
    assert filters == set(error.value.allowed)
    of_lists = names(keywords.ListFilters) | {"scope"}
    # These are only for bodies.
    assert filters - of_lists == {"payloadIncludes", "headers", "q"} and of_lists < filters
    options = {"within", "settle", "count", "exactly", "max", "after", "file", "data", "report", "annotations", "name"}
    assert flags("expect") - options - OF_ALL_COMMANDS == of_lists


def test_a_fault_s_filters_are_those_known_of_a_request(scoped: package.Mynah) -> None:
    known = names(keywords.FaultFilters)
    values: dict[str, Any] = {"pushType": "alert", "priority": 5, "environment": "sandbox", "connection": 1, "kind": "push"}
    values |= {"token": "ab" * 32, "payload": {"/a": 1}, "payloadIncludes": {"a": 1}, "headers": {"a": "b"}}
    values |= {"apnsId": str(uuid.uuid4()), "uniqueId": str(uuid.uuid4()), "team": "TEAM123456", "keyId": "ABC123DEFG"}
    for name in names(keywords.Filters):
        body = {"action": {"type": "stall"}, "match": {name: values.get(name, "x")}, "enabled": False}
        answer = scoped.control.ask("PUT", f"/v1/faults/{scoped.name}", body=body)
        assert (answer.status < 300) == (name in known), f"{name}: {answer.body!r}"
    scoped.find_fault(scoped.name).remove()


def test_presets_have_the_names_of_the_page(mynah: Mynah) -> None:
    made = mynah.control.ask("GET", "/assets/made/presets.js").body.decode()
    groups = json.loads(made.removeprefix("export const presetGroups = ").removesuffix(";\n"))
    page = {one["name"] for group in groups for one in group["presets"]}
    assert set(presets.PRESETS) == page - set(presets.REASONS)


def test_device_members_have_the_names_of_the_command() -> None:
    known = names(keywords.DeviceSettings) | {"count", "scope", "online"}
    # Flags for parts of a member, or for one of its values.
    spelled = {"language": "languages", "app": "registrations", "offline": "online"}
    spelled |= {"unlocked": "locked", "unmuted": "muted", "focusApp": "focus", "focusPerson": "focus"}
    spelled |= {"summaryTime": "summary", "summaryApp": "summary"}
    told = {spelled.get(flag, flag) for flag in flags("device", "add") - OF_ALL_COMMANDS}
    # An id is the command's argument; activities are for fixtures.
    assert told <= known and known - told == {"id", "activities"}


def test_device_filters_have_the_names_of_the_command() -> None:
    filters = names(keywords.DeviceFilters) | {"scope"}
    # One device is for `mynah device show`; the page alone asks which devices have names.
    assert flags("device", "list") - OF_ALL_COMMANDS - {"offline"} == filters - {"device", "named"}


def test_settings_are_the_flags_of_serve() -> None:
    settings = {camel_case(name) for name in keywords.ServerSettings.__annotations__}
    assert settings == flags("serve") - OF_ALL_COMMANDS - {"config"}


def test_an_expectation_has_the_members_of_the_api(contract: Contract) -> None:
    members = set(contract.document["components"]["schemas"]["Expectation"]["properties"])
    limits = contract.resolved(contract.document["components"]["schemas"]["Expectation"]["properties"]["count"])
    taken = set(package.Mynah.expect.__annotations__) - {"return", "filters", "count", "exactly", "max"}
    assert {camel_case(name) for name in taken} == members - {"count"}
    assert {"min", "max", "exactly"} == set(limits["properties"])
