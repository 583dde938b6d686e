"""The action and the example workflow in `docker/actions`, executed step by step."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from documentation import blocks
from published_release import address, published
from release_repository import VERSION
from server import REPOSITORY, Mynah, binary
from workflow import Job, load
from waiting import RUN_SECONDS

ACTIONS = REPOSITORY / "docker" / "actions"
START, FINISH = ACTIONS / "mynah", ACTIONS / "mynah" / "finish"
WORKFLOW = ACTIONS / "example-workflow.yml"
__all__ = ["address", "published"]

STAND_IN = Path(__file__).with_name("docker_stand_in.py")

# What a project runs: its provider finds everything by its environment, the CA by that of curl.
PUSH_TESTS = """#!/bin/sh
set -e
token=$(mynah device add kim --app com.example.app | cut -d' ' -f2)
mynah fault list
for title in Hello Goodbye; do
    curl --silent --show-error --fail --http2 --header "authorization: bearer $(mynah token)" \
        --header "apns-topic: com.example.app" --header "apns-push-type: alert" \
        --data "{\\"aps\\":{\\"alert\\":\\"$title\\"}}" \
        "https://$MYNAH_APNS_HOST:$MYNAH_APNS_PORT/3/device/$token"
done
"""
EXPECTATIONS = """
within: 100ms
expectations:
  - name: the greeting is sent
    match: {topic: com.example.app, payload: {/aps/alert: Hello}}
  - name: "%s"
    match: {payload: {/aps/alert: "%s"}}
"""


def write_project(job: Job, second: str = "Goodbye") -> None:
    """The files of a repository that the workflow checks out."""
    tests = job.workspace / "run-push-tests"
    tests.write_text(PUSH_TESTS)
    tests.chmod(0o755)
    (job.workspace / "expectations.yaml").write_text(EXPECTATIONS % (second, second))


@pytest.fixture
def job(tmp_path: Path) -> Iterator[Job]:
    """A job with the stand-in for docker; a server that it leaves behind is ended, as the runner would."""
    job = Job(tmp_path)
    commands = tmp_path / "commands"
    commands.mkdir()
    docker = commands / "docker"
    docker.write_text(f'#!/bin/sh\nMYNAH_PROGRAM={binary()} exec {sys.executable} {STAND_IN} "$@"\n')
    docker.chmod(0o755)
    job.path.append(str(commands))
    yield job
    for file in job.temporary.rglob("pid"):
        subprocess.run(["kill", file.read_text().strip()], capture_output=True, check=False)


@pytest.fixture
def steps(address: str) -> list[dict[str, Any]]:
    """The steps of the example, whose action downloads from a release that is here."""
    found: list[dict[str, Any]] = load(WORKFLOW)["jobs"]["action"]["steps"]
    (start,) = [step for step in found if step.get("uses", "").endswith(f"docker/actions/mynah@v{VERSION}")]
    start["with"]["from"] = f"{address}/download"
    return found


def test_the_documented_steps_are_in_the_workflow() -> None:
    (page,) = blocks("RunInCI", "yaml", "GitHub Actions")
    # The workflow is of this repository, and has it checked out.
    shown = re.sub(r"OWNER/(mynah/\S+)@TAG", r"./\1", page)
    lines = [line.strip() for line in WORKFLOW.read_text().splitlines()]
    assert all(line.strip() in lines for line in shown.splitlines() if line.strip() and "#" not in line), shown


def test_the_example_runs(job: Job, steps: list[dict[str, Any]]) -> None:
    write_project(job)
    job.run(steps)
    assert not job.failed, job.output
    summary = job.summary.read_text()
    assert "### mynah expect: 2 of 2 met\n" in summary and "| 2 | 200  |\n" in summary
    report, dump = job.names["steps.mynah.outputs.report"], job.names["steps.mynah.outputs.dump"]
    (suite,) = ElementTree.parse(job.workspace / report).getroot().findall("testsuite")
    assert (suite.get("tests"), suite.get("failures")) == ("2", "0")
    pushes = [json.loads(line) for line in Path(dump).read_text().splitlines()]
    assert [push["payload"]["aps"]["alert"] for push in pushes] == ["Hello", "Goodbye"]
    with pytest.raises(httpx.ConnectError):
        httpx.get(job.environment["MYNAH_URL"] + "/livez")


def test_an_unmet_expectation_fails_the_job_and_is_annotated(job: Job, steps: list[dict[str, Any]]) -> None:
    write_project(job, second="Nothing")
    job.run(steps)
    assert job.failed
    assert "::error title=mynah expect%3A Nothing,file=expectations.yaml,line=6::unmet: 0 pushes matched" in job.output
    assert "### mynah expect: 1 of 2 met\n" in job.summary.read_text()
    assert Path(job.names["steps.mynah.outputs.dump"]).read_text().count("\n") == 2
    assert_kept(job, received=2)


def test_a_failed_step_is_finished_all_the_same(job: Job, steps: list[dict[str, Any]]) -> None:
    write_project(job)
    (job.workspace / "run-push-tests").write_text("#!/bin/sh\nexit 3\n")
    job.run(steps)
    assert job.failed and "::group::mynah's log" in job.output
    assert "### mynah expect: 0 of 2 met\n" in job.summary.read_text()
    assert_kept(job, received=0)


def assert_kept(job: Job, received: int) -> None:
    """Asserts that the whole run of a failed job can be opened, as the output and the summary say."""
    said = "the whole run is kept; once it is downloaded, this shows it: mynah open run.mynah"
    assert f"::notice title=mynah::{said}\n" in job.output and f"{said}\n" in job.summary.read_text()
    dump = [str(binary()), "dump", "--file", job.names["steps.mynah.outputs.run"]]
    done = subprocess.run(dump, capture_output=True, text=True, timeout=RUN_SECONDS, check=True)
    assert done.stdout.count("\n") == received


def test_the_run_is_not_kept_unless_it_is_wanted(job: Job) -> None:
    job.use(START, binary=str(binary()), keep="false")
    job.run([{"run": "exit 1"}])
    outputs = job.use(FINISH)
    assert outputs["run"] == "" and "mynah open" not in job.output
    assert not list(job.temporary.rglob("run.mynah*"))


@pytest.mark.parametrize("kind", ["image", "binary"])
def test_a_job_that_passes_leaves_no_run(job: Job, kind: str) -> None:
    job.use(START, **({"image": "mynah-image"} if kind == "image" else {"binary": str(binary())}))
    assert list(job.temporary.rglob("run.mynah"))
    assert job.use(FINISH)["run"] == "" and not job.failed, job.output
    assert not list((job.temporary / "mynah" / "data").rglob("*"))


def test_the_run_of_a_binary_is_kept(job: Job) -> None:
    job.use(START, binary=str(binary()))
    job.run([{"run": "exit 1"}])
    job.names["steps.mynah.outputs.run"] = job.use(FINISH)["run"]
    assert_kept(job, received=0)


@pytest.mark.parametrize("kind", ["image", "binary"])
def test_what_the_steps_behind_it_find(job: Job, kind: str) -> None:
    named = {"image": "mynah-image"} if kind == "image" else {"binary": str(binary())}
    outputs = job.use(START, **named, flags="--seed 42\n--devices strict")
    assert not job.failed, job.output
    found = job.environment
    status = httpx.get(found["MYNAH_URL"] + "/v1/status").json()
    assert status["seed"] == 42 and status["ports"]["apns"] == [int(found["MYNAH_APNS_PORT"])]
    credentials = httpx.get(found["MYNAH_URL"] + "/v1/credentials").json()
    assert Path(found["MYNAH_KEY_FILE"]).read_text() == credentials["key"]
    assert (found["MYNAH_KEY_ID"], found["MYNAH_TEAM_ID"]) == (credentials["keyId"], credentials["teamId"])
    ca = credentials["ca"].strip()
    for name in ("MYNAH_CA_FILE", "NODE_EXTRA_CA_CERTS", "DENO_CERT"):
        assert Path(found[name]).read_text().strip() == ca
    for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        text = Path(found[name]).read_text()
        assert ca in text and text.count("BEGIN CERTIFICATE") > 1
    variables = {"url": "MYNAH_URL", "host": "MYNAH_APNS_HOST", "port": "MYNAH_APNS_PORT", "key-id": "MYNAH_KEY_ID"}
    variables |= {"team-id": "MYNAH_TEAM_ID", "ca-file": "MYNAH_CA_FILE", "ca-bundle-file": "SSL_CERT_FILE"}
    variables["web-push-port"] = "MYNAH_WEB_PUSH_PORT"
    # Docker picks another port than that of the container's endpoints.
    assert found["MYNAH_WEB_PUSH_PORT"] == ("" if kind == "image" else str(status["ports"]["webPush"]))
    assert outputs == {name: found[variable] for name, variable in (variables | {"key-file": "MYNAH_KEY_FILE"}).items()}
    job.run([{"run": "mynah healthcheck"}])
    assert not job.failed, job.output
    outputs = job.use(FINISH)
    assert not job.failed and outputs["report"] == "", job.output
    assert Path(outputs["dump"]).read_text() == ""
    job.use(FINISH)
    assert job.failed and "no Mynah was started in this job, or it is finished" in job.output


def test_what_the_command_of_the_image_reads_and_writes(job: Job) -> None:
    job.use(START, image="mynah-image")
    write_project(job)
    job.run([{"run": "mynah certs provider --topic com.example.app --out ../made"}])
    job.run([{"run": 'openssl verify -CAfile "$MYNAH_CA_FILE" ../made/com.example.app.pem'}])
    assert not job.failed, job.output
    # The command is no reader of a loop's input.
    job.run([{"run": "seq 3 | while read -r number; do mynah device add kim-$number; done; mynah device show kim-3"}])
    body = """echo '{"aps":{"alert":"piped"}}' | mynah send --to $(printf '%064d' 7) --topic a.b --body @-"""
    job.run([{"run": body}, {"run": "mynah expect --payload /aps/alert=piped --within 180s --report ../reports/one.xml"}])
    assert not job.failed, job.output
    job.use(FINISH, expectations="expectations.yaml", report=str(job.temporary / "reports" / "two.xml"))
    assert "### mynah expect: 0 of 2 met" in job.summary.read_text()
    assert (job.workspace.parent / "reports" / "one.xml").exists()
    assert (job.temporary / "reports" / "two.xml").exists()


def test_trust_can_be_left_to_the_steps(job: Job) -> None:
    job.use(START, binary=str(binary()), trust="false")
    assert not job.failed and "MYNAH_CA_FILE" in job.environment and "SSL_CERT_FILE" not in job.environment
    job.use(START, binary=str(binary()))
    assert job.failed and "there is a Mynah in " in job.output


def test_other_systems_are_told(job: Job) -> None:
    job.environment["RUNNER_OS"] = "macOS"
    job.use(START, image="mynah-image")
    assert job.failed and "::error title=mynah::Mynah runs on Linux; this runner's system is macOS" in job.output


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"image": "mynah-image", "folder": "/__w/_temp/mynah"}, "title=mynah::image doesn't work in a job with"),
        ({"image": "remote-image"}, "with this job; image doesn't work in a job with container"),
        ({"image": "mynah-image", "flags": "--devcies strict"}, "--devcies"),
        ({"image": "unknown"}, "::error title=mynah::unknown could not be run"),
        ({"binary": str(binary()), "flags": "--devcies strict"}, "--devcies"),
        ({"binary": "./nothing"}, "::error title=mynah::./nothing is not executable"),
    ],
    ids=[
        "a job in a container",
        "a docker elsewhere",
        "a flag of the image",
        "no image",
        "a flag of the binary",
        "no binary",
    ],
)
def test_a_server_that_does_not_come_up_is_told(job: Job, inputs: dict[str, str], message: str) -> None:
    job.use(START, **inputs)
    assert job.failed and message in job.output, job.output
    assert job.environment == {}


def test_the_service_container_s_steps(tmp_path: Path, own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    job = Job(tmp_path / "job")
    write_project(job)
    job.path.append(str(binary().parent))
    work = load(WORKFLOW)["jobs"]["service"]
    assert set(work["services"]["mynah"]["ports"]) == {"2197:2197", "8197:8197"}
    found = {"MYNAH_URL": mynah.url, "MYNAH_APNS_PORT": str(mynah.port), "CURL_CA_BUNDLE": "ca.pem"}
    job.run(work["steps"], **found)
    assert not job.failed, job.output
    assert job.environment == {"MYNAH_KEY_ID": mynah.key_id, "MYNAH_TEAM_ID": mynah.team_id}
    assert (job.workspace / "AuthKey.p8").read_text().strip() == mynah.key_file.read_text().strip()
    job.run([{"run": "test -s ca.pem"}, {"run": "openssl pkey -in AuthKey.p8 -noout"}])
    assert not job.failed and os.path.getsize(job.workspace / "ca.pem"), job.output
