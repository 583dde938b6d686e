"""Clients that generators make of the OpenAPI document: nothing is left out of them, and they work with a server."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from contract import Contract
from h2client import connect
from server import Mynah
from waiting import HANG, RUN_SECONDS

TOPIC = "com.example.generated"


def generate(folder: Path, contract: Contract, module: str, *arguments: str) -> None:
    """Runs a generator, which must not warn; it finds `openapi.json` in the folder, and what formats its code."""
    (folder / "openapi.json").write_text(json.dumps(contract.document))
    path = os.pathsep.join([str(Path(sys.executable).parent), "/usr/bin", "/bin"])
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-m", module, *arguments],
        cwd=folder,
        env={"PATH": path, "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in (done.stdout + done.stderr).lower(), done.stdout + done.stderr


def imported(folder: Path, name: str) -> ModuleType:
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))


# A whole client: openapi-python-client


class Client:
    """The client of openapi-python-client, which has a module for each tag, operation and schema."""

    def __init__(self, url: str) -> None:
        self.client = imported_client("client").Client(base_url=url, raise_on_unexpected_status=True)
        self.models = imported_client("models")

    def call(self, tag: str, operation: str, *arguments: Any, **options: Any) -> Any:
        """The answer to an operation, as an object of the client's."""
        module = imported_client(f"api.{tag}.{operation}")
        return module.sync(*arguments, client=self.client, **options)


def imported_client(part: str) -> ModuleType:
    return importlib.import_module(f"generated_client.{part}")


@pytest.fixture(scope="module")
def generated(contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that openapi-python-client has filled."""
    folder = tmp_path_factory.mktemp("generated")
    arguments = ["--path", "openapi.json", "--meta", "none", "--output-path", "generated_client", "--fail-on-warning"]
    generate(folder, contract, "openapi_python_client", "generate", *arguments)
    return folder


@pytest.fixture
def client(generated: Path, own_mynah: Callable[..., Mynah]) -> Iterator[tuple[Client, Mynah]]:
    mynah = own_mynah()
    imported(generated, "generated_client")
    yield Client(mynah.control_url), mynah


def test_each_operation_and_each_schema_is_in_the_client(generated: Path, contract: Contract) -> None:
    # The names are put together differently; their letters are the same.
    def letters(name: str) -> str:
        return "".join(character for character in name.lower() if character.isalnum())

    operations = {letters(operation["operationId"]) for _, _, operation in contract.operations()}
    modules = {letters(path.stem) for path in (generated / "generated_client" / "api").glob("*/*.py")}
    assert operations <= modules
    schemas = contract.document["components"]["schemas"]
    types = {name for name, schema in schemas.items() if "properties" in schema or "enum" in schema}
    models = {letters(path.stem) for path in (generated / "generated_client" / "models").glob("*.py")}
    assert {letters(name) for name in types} <= models


def test_the_client_makes_changes_and_lists_devices(client: tuple[Client, Mynah]) -> None:
    client, mynah = client
    models = client.models
    app = models.RegistrationSpecification(topic=TOPIC)
    order = models.DeviceSpecification(id="gen", locked=True, power=models.Power.LOW, registrations=[app])
    made = client.call("devices", "add_device", body=order)
    assert isinstance(made, models.Device)
    assert (made.id, made.locked, made.power, made.registrations[0].topic) == ("gen", True, models.Power.LOW, TOPIC)
    # A change changes what it names and nothing else, although a client sends the defaults of the document.
    changed = client.call("devices", "change_device", "gen", body=models.DeviceChange(online=False))
    assert (changed.online, changed.locked, changed.power) == (False, True, models.Power.LOW)
    settings = models.AppSettings(permissions=models.Permissions(badge=False))
    client.call("devices", "change_registration", "gen", TOPIC, body=models.AppSettings(background_refresh=False))
    app = client.call("devices", "change_registration", "gen", TOPIC, body=settings)
    assert (app.background_refresh, app.permissions.badge, app.permissions.alert) == (False, False, True)
    page = client.call("devices", "list_devices", filters=models.ListDevicesFilters(device=["gen"]))
    assert [device.id for device in page.items] == ["gen"]
    assert page.items[0].inbox.count == mynah.control.get("/v1/devices/gen")["inbox"]["count"]
    assert client.call("devices", "get_device", "nobody").type_ == models.ProblemType.URNMYNAHPROBLEMNOT_FOUND


def test_the_client_lists_pushes_and_checks_an_expectation(client: tuple[Client, Mynah], token: str) -> None:
    client, mynah = client
    models = client.models
    with connect(mynah) as connection:
        connection.push(token, b'{"aps":{"alert":"hi"}}').assert_accepted()
    # Without any argument the client sends all defaults of the document, count among them.
    page = client.call("pushes", "list_notifications")
    assert (page.matched, page.timed_out, page.items[0].token) == (1, False, token)
    assert page.items[0].payload == mynah.control.push(token)["payload"] == {"aps": {"alert": "hi"}}
    filters = models.ListNotificationsFilters(token=[token], status=["410", "503"])
    assert client.call("pushes", "list_notifications", filters=filters, order=models.Order.DESC).items == []
    push = client.call("pushes", "get_notification", str(page.items[0].sequence))
    assert push.outcome == models.NotificationOutcome.DELIVERED
    payload = models.MatchPayload()
    payload["/aps/alert"] = [models.MatcherOperator(prefix="x"), models.MatcherOperator(prefix="h"), "ho"]
    wanted = models.Expectation(
        match=models.Match(token=token, payload=payload), count=models.ExpectationCount(exactly=1), within=HANG
    )
    result = client.call("pushes", "expect", body=wanted)
    assert (result.met, result.matched, result.items[0].token) == (True, 1, token)
    wanted.match.token, wanted.within = [token[::-1], "00" * 32], "0s"
    missed = client.call("pushes", "expect", body=wanted)
    assert not missed.met and missed.nearest[0].differences[0].field == "/token"


def test_the_client_makes_changes_and_lists_fault_rules(client: tuple[Client, Mynah], token: str) -> None:
    client, mynah = client
    models = client.models
    action = models.FaultAction(type_=models.FaultActionType.RESPOND, status=503, reason="ServiceUnavailable")
    rule = models.FaultSpecification(id="once", match=models.FaultMatch(token=token), times=1, rule_priority=3, action=action)
    made = client.call("faults", "add_faults", body=rule)
    assert isinstance(made, models.Fault) and (made.id, made.remaining, made.rule_priority) == ("once", 1, 3)
    with connect(mynah) as connection:
        connection.push(token).assert_refused(503, "ServiceUnavailable")
        connection.push(token).assert_accepted()
    changed = client.call("faults", "change_fault", "once", body=models.FaultChange(times=2))
    assert (changed.remaining, changed.rule_priority, changed.fired) == (1, 3, 1)
    assert [fault.id for fault in client.call("faults", "list_faults", event=[models.FaultEvent.REQUEST]).items] == [
        "once"
    ]
    late = models.FaultAction(type_=models.FaultActionType.GOAWAY, code=models.FaultActionCodeName.NO_ERROR)
    two = [models.FaultSpecification(id="a", action=late), models.FaultSpecification(id="b", action=late)]
    assert [fault.id for fault in client.call("faults", "add_faults", body=two).items] == ["a", "b"]
    assert client.call("faults", "get_fault", "a").action.to_dict() == mynah.control.get("/v1/faults/a")["action"]
    removed = client.call("faults", "delete_faults", fault=["a", "b"])
    assert removed.removed.additional_properties == {"faults": 2}


# Types alone: datamodel-code-generator


@pytest.fixture(scope="module")
def models(contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The module of pydantic models that datamodel-code-generator has made."""
    folder = tmp_path_factory.mktemp("models")
    arguments = ["--input", "openapi.json", "--input-file-type", "openapi", "--output", "generated_models.py"]
    options = ["--output-model-type", "pydantic_v2.BaseModel", "--formatters", "builtin"]
    generate(folder, contract, "datamodel_code_generator", *arguments, *options)
    return imported(folder, "generated_models")


def test_each_schema_is_one_type(models: ModuleType, contract: Contract) -> None:
    schemas = contract.document["components"]["schemas"]
    types = {name for name, schema in schemas.items() if "properties" in schema or "enum" in schema}
    made = {name for name, value in vars(models).items() if isinstance(value, type)}
    assert types <= made
    # No further type of the same schema, which generators number.
    assert {name for name in made - types if name[-1].isdigit() and name[:-1] in types} == set()


def test_the_types_make_bodies_and_read_answers(models: ModuleType, mynah: Mynah, token: str) -> None:
    def sent(body: Any) -> Any:
        return json.loads(body.model_dump_json(exclude_unset=True, by_alias=True))

    def call(method: str, path: str, body: Any = None) -> Any:
        answer = httpx.request(method, mynah.control_url + path, json=None if body is None else sent(body))
        assert answer.is_success, answer.text
        return answer.json()

    device = f"d-{token[:8]}"
    order = models.DeviceSpecification(id=device, registrations=[models.RegistrationSpecification(topic=TOPIC, token=token)])
    assert models.Device(**call("POST", "/v1/devices", order)).registrations[0].token == token
    change = models.DeviceChange(online=False, power=models.Power.low)
    assert models.Device(**call("PATCH", f"/v1/devices/{device}", change)).power is models.Power.low
    page = models.DevicePage(**call("GET", f"/v1/devices?device={device}"))
    assert [item.online for item in page.items] == [False]
    action = models.FaultAction(type=models.FaultActionType.respond, reason="Unregistered")
    rule = models.FaultSpecification(id=device, match=models.FaultMatch(token=token), action=action)
    assert models.Fault(**call("POST", "/v1/faults", rule)).enabled
    changed = models.Fault(**call("PATCH", f"/v1/faults/{device}", models.FaultChange(times=5)))
    assert (changed.remaining, changed.action.reason) == (5, "Unregistered")
    with connect(mynah) as connection:
        connection.push(token, topic=TOPIC).assert_refused(410, "Unregistered")
    assert device in {item.id for item in models.FaultPage(**call("GET", "/v1/faults?limit=1000")).items}
    pushes = models.NotificationPage(**call("GET", f"/v1/notifications?token={token}"))
    assert (pushes.matched, pushes.items[0].fault, pushes.items[0].status) == (1, device, 410)
    wanted = models.Expectation(match=models.Match(token=token, status=410), within="0s")
    result = models.ExpectationResult(**call("POST", "/v1/expectations", wanted))
    assert result.met and result.items[0].reason == "Unregistered"
    call("DELETE", f"/v1/faults/{device}")
