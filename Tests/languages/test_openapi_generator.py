"""The clients that openapi-generator makes of the OpenAPI document for Go and TypeScript: they compile and work."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from languages import run
from server import Mynah, clean_environment
from waiting import RUN_SECONDS

TOPIC = "com.example.generated"
# What each program prints: the device's first topic, the ids of one rule and of two, and what came of two expectations.
TOLD = [TOPIC, "once", "a b", True, False]

GO_PROGRAM = """
package main

import (
	"context"
	"encoding/json"
	"os"

	client "github.com/example/client"
)

const topic = "com.example.generated"

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func fault(id string) client.FaultSpecification {
	rule, topics := client.NewFaultSpecification(), topic
	rule.SetId(id)
	rule.SetMatch(client.FaultMatch{Topic: matcher(&topics)})
	action := client.NewFaultAction(client.FAULTACTIONTYPE_RESPOND)
	action.SetStatus(503)
	rule.SetAction(*action)
	return *rule
}

func matcher(text *string) client.NullableMatcher {
	one := client.StringAsMatcher(text)
	return *client.NewNullableMatcher(&one)
}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	api, ctx := client.NewAPIClient(configuration), context.Background()

	order := client.NewDeviceSpecification()
	order.SetId("kim")
	order.SetRegistrations([]client.RegistrationSpecification{*client.NewRegistrationSpecification(topic)})
	added, _, err := api.DevicesAPI.AddDevice(ctx).DeviceSpecification(*order).Execute()
	device := must(added, err).Device

	once, _, err := api.FaultsAPI.PutFault(ctx, "once").FaultSpecification(fault("once")).Execute()
	must(once, err)
	// The generator's client for Go takes a list alone.
	two, _, err := api.FaultsAPI.AddFaults(ctx).RequestBody([]any{fault("a"), fault("b")}).Execute()
	must(two, err)

	expected := func(least int32, statuses ...string) bool {
		topics := topic
		count := client.NewExpectationCount()
		count.SetMin(least)
		expectation := client.NewExpectation()
		expectation.SetMatch(client.Match{Topic: matcher(&topics)})
		expectation.SetCount(*count)
		expectation.SetWithin("0s")
		result, _, err := api.PushesAPI.Expect(ctx).Expectation(*expectation).Execute()
		return must(result, err).Met
	}
	page := two.FaultPage.Items
	told := []any{
		device.Registrations[0].Topic, once.GetId(), page[0].GetId() + " " + page[1].GetId(), expected(0), expected(1),
	}
	must(0, json.NewEncoder(os.Stdout).Encode(told))
}
"""

TYPESCRIPT_PROGRAM = """
import { Configuration, DevicesApi, FaultActionType, FaultSpecification, FaultsApi, PushesApi } from "./client";

// What Node has, as far as it is used here.
declare const process: { argv: string[] };

const topic = "com.example.generated";

function fault(id: string): FaultSpecification {
  return { id, match: { topic }, action: { type: FaultActionType.Respond, status: 503 } };
}

async function main(): Promise<void> {
  const configuration = new Configuration({ basePath: process.argv[2] });
  const [devices, faults, pushes] =
    [new DevicesApi(configuration), new FaultsApi(configuration), new PushesApi(configuration)];

  const device = await devices.addDevice({ deviceSpecification: { id: "kim", registrations: [{ topic }] } });
  const once = await faults.addFaults({ requestBody: fault("once") });
  const two = await faults.addFaults({ requestBody: [fault("a"), fault("b")] });
  // One or many: the compiler knows which of them has these members.
  if (!("registrations" in device) || !("id" in once) || !("items" in two)) throw new Error("a list, or none");

  const expected = async (min: number): Promise<boolean> =>
    (await pushes.expect({ expectation: { match: { topic }, count: { min }, within: "0s" } })).met;
  const ids = two.items.map((rule) => rule.id).join(" ");
  console.log(JSON.stringify([device.registrations[0].topic, once.id, ids, await expected(0), await expected(1)]));
}

void main();
"""


@pytest.fixture(scope="module")
def mynah(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mynah]:
    server = Mynah(tmp_path_factory.mktemp("mynah"))
    yield server
    server.stop()


def generate(folder: Path, mynah: Mynah, language: str, *options: str) -> None:
    """Makes the client in the folder `client` of a folder."""
    (folder / "openapi.json").write_text(json.dumps(mynah.control.get("/openapi.json")))
    run(
        str(Path(sys.executable).with_name("openapi-generator-cli")), "generate", "--input-spec", "openapi.json", "--generator-name", language,
        "--output", "client", *options, cwd=folder,
    )  # fmt: skip


def told(*command: str, cwd: Path, **environment: str) -> list[object]:
    """What a program prints, as JSON; its errors are those of the test."""
    done = subprocess.run(
        command, cwd=cwd, env=clean_environment(**environment), capture_output=True, text=True, timeout=RUN_SECONDS,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found: list[object] = json.loads(done.stdout)
    return found


@pytest.mark.xdist_group("go")
@pytest.mark.skipif(shutil.which("go") is None or shutil.which("java") is None, reason="without go and java")
def test_go_works(mynah: Mynah, tmp_path: Path) -> None:
    properties = "packageName=client,enumClassPrefix=true"
    generate(
        tmp_path, mynah, "go", "--git-user-id", "example", "--git-repo-id", "client",
        "--additional-properties", properties,
    )  # fmt: skip
    # Stands in for what the client takes from the network: it checks the patterns of fields before they are sent.
    validator = tmp_path / "validator"
    validator.mkdir()
    (validator / "go.mod").write_text("module gopkg.in/validator.v2\n\ngo 1.21\n")
    (validator / "validator.go").write_text("package validator\n\nfunc Validate(value any) error { return nil }\n")
    program = tmp_path / "program"
    program.mkdir()
    (program / "main.go").write_text(GO_PROGRAM)
    run("go", "mod", "init", "example.com/program", cwd=program)
    for module, folder in (("github.com/example/client", "../client"), ("gopkg.in/validator.v2", "../validator")):
        run("go", "mod", "edit", f"-replace={module}={folder}", cwd=program)
    run("go", "mod", "tidy", cwd=program, GOFLAGS="-mod=mod")
    mynah.control.post("/v1/reset", {})
    assert told("go", "run", ".", mynah.control_url, cwd=program) == TOLD


@pytest.mark.xdist_group("node")
@pytest.mark.skipif(
    any(shutil.which(program) is None for program in ("node", "tsc", "java")), reason="without node, tsc and java"
)
def test_typescript_works(mynah: Mynah, tmp_path: Path) -> None:
    generate(tmp_path, mynah, "typescript-fetch")
    (tmp_path / "program.ts").write_text(TYPESCRIPT_PROGRAM)
    # Before 4.9, the compiler doesn't know that a value has the member that `in` has found, which is then of any type.
    run(
        "tsc", "--strict", "--noImplicitAny", "false", "--noEmitOnError", "--target", "es2022", "--lib", "es2022,dom", "--module", "commonjs",
        "--moduleResolution", "node", "program.ts", cwd=tmp_path,
    )  # fmt: skip
    mynah.control.post("/v1/reset", {})
    assert told("node", "program.js", mynah.control_url, cwd=tmp_path) == TOLD
