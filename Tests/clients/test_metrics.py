"""`/metrics` as Prometheus reads it, and the dashboard that asks it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable

import pytest
from prometheus_client.parser import text_string_to_metric_families

from control import Control
from devices import EventStream, add_device, token_of
from h2client import connect
from http1client import HTTP1Connection
from server import REPOSITORY, Mynah
from waiting import RUN_SECONDS, stopwatch

DASHBOARD = REPOSITORY / "docker" / "grafana-dashboard.json"
UNPACKED_PROMTOOL = REPOSITORY / ".build" / "prometheus" / "usr" / "bin" / "promtool"
TOPIC = "com.example.app"


def text(control: Control) -> str:
    answer = control.ask("GET", "/metrics")
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return answer.body.decode()


def values(control: Control) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every sample by its name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text(control))
        for sample in family.samples
    }


def value(control: Control, name: str, **labels: str) -> float:
    """One sample."""
    return values(control).get((name, tuple(sorted(labels.items()))), 0.0)


def test_prometheus_own_parser_reads_names_types_and_help(mynah: Mynah) -> None:
    families = list(text_string_to_metric_families(text(mynah.control)))
    names = [family.name for family in families]
    assert len(names) == len(set(names)) and len(names) >= 18
    for family in families:
        assert family.documentation and family.documentation.endswith("."), family.name
        assert family.type in ("counter", "gauge", "histogram"), family.name
        assert family.name.startswith(("mynah_", "process_")), family.name
        for sample in family.samples:
            assert sample.value >= 0, sample
    counters = {sample.name for family in families if family.type == "counter" for sample in family.samples}
    assert counters and all(name.endswith("_total") for name in counters)


def test_promtool_finds_nothing_to_complain_about(mynah: Mynah) -> None:
    promtool = shutil.which("promtool") or (str(UNPACKED_PROMTOOL) if UNPACKED_PROMTOOL.exists() else None)
    if promtool is None:
        pytest.skip("there is no promtool here")
    found = subprocess.run(
        [promtool, "check", "metrics"],
        input=text(mynah.control),
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )
    assert found.returncode == 0 and not found.stdout and not found.stderr, found.stdout + found.stderr


@pytest.mark.measures
def test_each_push_is_counted_by_its_answer_outcome_and_time(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah("--devices", "open")
    control = mynah.control
    elapsed = stopwatch()
    with connect(mynah) as connection:
        for _ in range(3):
            assert connection.push(token).status == 200
        assert connection.push("00fc").status == 400
        assert value(control, "mynah_connections_open") == 1
    assert value(control, "mynah_pushes_total", status="200", reason="") == 3
    assert value(control, "mynah_pushes_total", status="400", reason="BadDeviceToken") == 1
    assert value(control, "mynah_push_outcomes_total", outcome="delivered") == 3
    assert value(control, "mynah_push_outcomes_total", outcome="refused") == 1
    assert value(control, "mynah_push_reply_duration_seconds_count") == 4
    assert value(control, "mynah_push_reply_duration_seconds_bucket", le="+Inf") == 4
    assert 0 < value(control, "mynah_push_reply_duration_seconds_sum") < elapsed()
    assert value(control, "mynah_connections_opened_total") == 1
    assert value(control, "mynah_journal_entries") == 4
    assert value(control, "mynah_devices") == 1

    control.post("/v1/reset", {})
    assert value(control, "mynah_journal_entries") == 0
    assert value(control, "mynah_pushes_total", status="200", reason="") == 3, "a counter never goes back"


def test_a_push_over_http1_is_timed_too(own_mynah: Callable[..., Mynah], token: str) -> None:
    mynah = own_mynah()
    fields = [("authorization", mynah.authorization()), ("apns-topic", TOPIC)]
    with HTTP1Connection(mynah.cleartext_port) as connection:
        assert connection.ask("POST", f"/3/device/{token}", fields, b'{"aps":{"alert":"hi"}}').status == 200
    assert value(mynah.control, "mynah_push_reply_duration_seconds_count") == 1
    assert value(mynah.control, "mynah_pushes_total", status="200", reason="") == 1


def test_what_becomes_of_a_push_later_is_counted_when_it_happens(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    control = mynah.control
    device = add_device(mynah, online=False)
    with connect(mynah) as connection:
        assert connection.push(token_of(device)).status == 200
    assert value(control, "mynah_push_outcomes_total", outcome="stored") == 1
    assert value(control, "mynah_pushes_stored") == 1
    assert value(control, "mynah_push_outcomes_total", outcome="delivered") == 0
    assert control.ask("PATCH", f"/v1/devices/{device['id']}", body={"online": True}).status == 200
    assert value(control, "mynah_push_outcomes_total", outcome="delivered") == 1
    assert value(control, "mynah_pushes_stored") == 0


def test_the_reader_of_a_stream_is_counted_while_it_reads(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    device = add_device(mynah)
    with EventStream(mynah, f"/v1/devices/{device['id']}/stream") as stream:
        assert stream.response.status == 200
        # The first comment confirms that the server streams; the head alone does not.
        next(stream.events())
        assert value(mynah.control, "mynah_event_stream_readers") == 1


def test_every_query_of_the_dashboard_names_a_metric_that_is_there(mynah: Mynah) -> None:
    exported = {line.split()[2] for line in text(mynah.control).splitlines() if line.startswith("# TYPE ")}
    exported |= {f"{name}_{part}" for name in exported for part in ("bucket", "sum", "count")}
    dashboard = json.loads(DASHBOARD.read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    assert len(queries) >= 10
    for query in queries:
        # Names of metrics; functions, label names and durations are other words.
        names = re.findall(r"\b(?:mynah|process)_[a-z0-9_]+", query)
        assert names, query
        assert set(names) <= exported, query
    identifiers = [panel["id"] for panel in dashboard["panels"]]
    assert len(identifiers) == len(set(identifiers))
