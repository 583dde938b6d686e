"""`mynah serve` as a service: what it tells the service manager (`sd_notify(3)`), and Kubernetes' variables."""

from __future__ import annotations

import json
import re
import signal
import socket
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import kubernetes_validate
import pytest
import yaml

from commandline import CONFIGURATION, FINE, FREE_PORTS, Command, Serve
from documentation import blocks
from server import REPOSITORY, Mynah
from waiting import HANG_SECONDS


@pytest.fixture(params=["a path", "an abstract name"])
def manager(request: pytest.FixtureRequest) -> Iterator[tuple[socket.socket, str]]:
    """A service manager's socket, and its address as `NOTIFY_SOCKET` has it."""
    # The path of a socket is short, which those of pytest are not everywhere.
    with tempfile.TemporaryDirectory(prefix="mynah-") as folder, closing(
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    ) as listener:
        address = f"{folder}/notify" if request.param == "a path" else f"@mynah-{uuid.uuid4()}"
        listener.bind(address.replace("@", "\0"))
        listener.settimeout(HANG_SECONDS)
        yield listener, address


@pytest.mark.measures
def test_the_service_manager_is_told_when_it_is_ready_and_when_it_stops(
    manager: tuple[socket.socket, str], serve: Serve, tmp_path: Path
) -> None:
    listener, address = manager
    process = serve("serve", *FREE_PORTS, "--ready-file", "ready.json", NOTIFY_SOCKET=address)
    assert listener.recv(4096) == b"READY=1"
    # Everything else was there before.
    assert json.loads((tmp_path / "ready.json").read_text())["port"]
    process.wait_for_line("mynah ready")
    process.signal(signal.SIGTERM)
    assert listener.recv(4096) == b"STOPPING=1"
    assert process.wait() == FINE
    assert not [line for line in process.errors if "NOTIFY_SOCKET" in line]


@pytest.mark.parametrize("address", ["/nowhere/notify", "relative", "/" + "a" * 200], ids=["gone", "relative", "long"])
def test_a_service_manager_that_cannot_be_told_is_a_warning(serve: Serve, address: str) -> None:
    process = serve("serve", *FREE_PORTS, NOTIFY_SOCKET=address)
    process.wait_for_line("mynah ready")
    process.signal(signal.SIGTERM)
    assert process.wait() == FINE
    warnings = [line for line in process.errors if f"NOTIFY_SOCKET={address}" in line]
    assert len(warnings) == 2 and all(" warning " in line for line in warnings), process.errors


LINKS = {
    "MYNAH_PORT": "tcp://10.0.0.1:2197",
    "MYNAH_SERVICE_HOST": "10.0.0.1",
    "MYNAH_SERVICE_PORT": "2197",
    "MYNAH_SERVICE_PORT_CONTROL": "8197",
    "MYNAH_PORT_2197_TCP": "tcp://10.0.0.1:2197",
    "MYNAH_PORT_2197_TCP_PROTO": "tcp",
    "MYNAH_PORT_2197_TCP_PORT": "2197",
    "MYNAH_PORT_2197_TCP_ADDR": "10.0.0.1",
    "MYNAH_CONTROL_PORT": "tcp://10.0.0.2:8197",
    "MYNAH_APNS_PORT": "tcp://10.0.0.3:2197",
}


def test_links_of_services_leave_an_image_s_settings_as_they_are(
    serve: Serve, mynah_command: Command, tmp_path: Path
) -> None:
    (tmp_path / "defaults.yaml").write_text("port: [0, 0]\ncontrol-port: 0\n")
    process = serve("serve", "--ready-file", "ready.json", MYNAH_DEFAULTS="defaults.yaml", **LINKS)
    process.wait_for_line("mynah ready")
    ready = json.loads((tmp_path / "ready.json").read_text())
    assert len(ready["ports"]) == 2 and 8197 != ready["controlPort"]
    process.wait_for_error("Kubernetes")
    (line,) = [line for line in process.errors if "Kubernetes" in line]
    assert all(name in line for name in LINKS)
    assert not [line for line in process.errors if " warning " in line]
    push = ["--topic", "com.example.app", "--alert", "hi", "--to", "00" * 32]
    sent = mynah_command("send", "--url", ready["controlUrl"], *push, **LINKS)
    assert sent.returncode == FINE, sent
    assert "ignored MYNAH_APNS_PORT=tcp://10.0.0.3:2197" in sent.stderr


def manifests() -> dict[str, list[dict[str, Any]]]:
    """The objects of the documented manifests."""
    (text,) = blocks("RunOnKubernetes", "yaml")
    cluster = (REPOSITORY / "docker" / "cluster" / "kubernetes.yaml").read_text()
    return {"one server": list(yaml.safe_load_all(text)), "a cluster": list(yaml.safe_load_all(cluster))}


@pytest.mark.parametrize("name", manifests())
@pytest.mark.parametrize("version", ["1.31", kubernetes_validate.latest_version()])
def test_the_objects_of_the_documented_manifests_fit_their_schema(name: str, version: str) -> None:
    for item in manifests()[name]:
        kubernetes_validate.validate(item, version, strict=True)


def test_a_cluster_of_the_documented_manifest_outlives_a_node() -> None:
    items = {(item["kind"], item["metadata"]["name"]): item for item in manifests()["a cluster"]}
    for kind, name in [("StatefulSet", "nats"), ("Deployment", "mynah")]:
        assert items[kind, name]["spec"]["replicas"] == 3
        selected = items[kind, name]["spec"]["selector"]
        budget = items["PodDisruptionBudget", name]["spec"]
        assert budget == {"minAvailable": 2, "selector": selected}
        assert items["Service", name]["spec"]["selector"] == selected["matchLabels"]
    (container,) = items["Deployment", "mynah"]["spec"]["template"]["spec"]["containers"]
    variables = {variable["name"]: variable.get("value") for variable in container["env"]}
    assert variables["MYNAH_CLUSTER_REPLICAS"] == "3"
    urls = variables["MYNAH_CLUSTER"].split(",")
    assert urls == [f"nats://nats-{number}.nats:4222" for number in range(3)]


@pytest.mark.parametrize("name", manifests())
def test_the_documented_manifests_fit_the_image(mynah: Mynah, name: str) -> None:
    found = {item["kind"]: item for item in manifests()[name] if item["metadata"]["name"] == "mynah"}
    deployment, service = found["Deployment"], found["Service"]
    pod = deployment["spec"]["template"]
    assert service["spec"]["selector"].items() <= pod["metadata"]["labels"].items()
    assert pod["spec"]["enableServiceLinks"] is False
    (container,) = pod["spec"]["containers"]
    ports = {port["containerPort"] for port in container["ports"]}
    assert ports == {port["port"] for port in service["spec"]["ports"]}
    dockerfile = (REPOSITORY / "docker" / "Dockerfile").read_text()
    assert ports <= {int(port) for port in re.findall(r"^EXPOSE (\d+)$", dockerfile, re.MULTILINE)}
    probes = [container[f"{kind}Probe"]["httpGet"] for kind in ("startup", "readiness", "liveness")]
    assert {probe["port"] for probe in probes} == {8197}
    assert [httpx.get(mynah.url + probe["path"]).status_code for probe in probes] == [200, 200, 200]


def test_a_file_of_defaults_that_is_not_there_is_named(mynah_command: Command) -> None:
    done = mynah_command("serve", *FREE_PORTS, MYNAH_DEFAULTS="none.yaml")
    assert done.returncode == CONFIGURATION and "MYNAH_DEFAULTS: there is no file none.yaml" in done.stderr
