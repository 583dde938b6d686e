"""The Node package: its archive, servers that it starts and finds, its types, and the glue for test runners."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from languages import install_node, npm, run
from mynah import ControlAPI, UnavailableError
from server import REPOSITORY, Mynah, binary, clean_environment
from waiting import HANG_SECONDS, RUN_SECONDS, until

PACKAGE = REPOSITORY / "Sources" / "node"
pytestmark = [
    pytest.mark.xdist_group("node"),
    pytest.mark.skipif(shutil.which("node") is None or shutil.which("npm") is None, reason="without node and npm"),
]
TOPIC = "com.example.app"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the package and nothing else."""
    folder = tmp_path_factory.mktemp("node-project")
    install_node(folder)
    return folder


@pytest.fixture
def project(installed: Path, tmp_path: Path) -> Path:
    """A project of this test's own."""
    (tmp_path / "node_modules").symlink_to(installed / "node_modules")
    return tmp_path


def node(project: Path, text: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a module."""
    (project / "module.mjs").write_text(text)
    return subprocess.run(
        ["node", *arguments, "module.mjs"],
        cwd=project,
        env=clean_environment(**{"MYNAH_BINARY": str(binary()), **environment}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )


def result_of(project: Path, text: str, *arguments: str, **environment: str) -> Any:
    """What a module prints as JSON."""
    done = node(project, text, *arguments, **environment)
    assert done.returncode == 0, done
    return json.loads(done.stdout)


# The archive


def test_its_archive_has_what_it_needs_and_nothing_else(tmp_path: Path) -> None:
    [told] = json.loads(npm(tmp_path, "pack", str(PACKAGE), "--dry-run", "--json"))
    packed = {one["path"] for one in told["files"]}
    there = {str(file.relative_to(PACKAGE)) for file in PACKAGE.rglob("*") if file.is_file()}
    assert packed == there and {"package.json", "README.md", "index.mjs", "types/schemas.d.ts"} <= packed
    description = json.loads((PACKAGE / "package.json").read_text())
    assert not [name for name in description if name.endswith("ependencies") or name == "scripts"]


def test_its_version_is_the_program_s() -> None:
    told = run(str(binary()), "--version", cwd=PACKAGE).strip()
    assert json.loads((PACKAGE / "package.json").read_text())["version"] == told


def test_both_kinds_of_modules_have_the_same_names(project: Path) -> None:
    text = """
        import { createRequire } from "node:module";
        import * as module from "mynah";
        const required = createRequire(import.meta.url)("mynah");
        const names = Object.keys(module).filter((name) => !["default", "module.exports"].includes(name));
        const same = names.every((name) => module[name] === required[name]);
        console.log(JSON.stringify([names, Object.keys(required).sort(), same]));
    """
    names, required, same = result_of(project, text)
    assert sorted(names) == required and same and "openScope" in names


# Servers


def test_a_server_is_started_with_settings_and_ends(project: Path) -> None:
    text = """
        import { existsSync, readFileSync } from "node:fs";
        import { startServer } from "mynah";
        const names = ["a.test", "b.test"];
        const settings = { devices: "strict", seed: 7, documentedReasons: true, tlsName: names, logLevel: "debug" };
        const server = await startServer(settings);
        const { seed } = await server.status();
        const [ca, key] = [server.caFile, server.keyFile].map((file) => readFileSync(file, "utf8"));
        const files = [ca === server.ca, key === server.signingKey];
        const { url, host } = server;
        await server.close();
        const isLogged = server.logLines.length > 0;
        console.log(JSON.stringify({ seed, files, isLogged, url, host }));
    """
    told = result_of(project, text)
    assert (told["seed"], told["files"], told["isLogged"], told["host"]) == (7, [True, True], True, "localhost")
    with pytest.raises(UnavailableError):
        ControlAPI(told["url"]).get("/v1/status")


@pytest.mark.parametrize("number", [None, signal.SIGKILL, signal.SIGTERM], ids=["by itself", "killed", "terminated"])
def test_a_server_ends_with_the_process_that_has_started_it(project: Path, number: int | None) -> None:
    stays = "" if number is None else "setInterval(() => {}, 1000);"
    (project / "module.mjs").write_text(
        f'import {{ startServer }} from "mynah";\nconsole.log((await startServer()).url);\n{stays}'
    )
    environment = clean_environment(MYNAH_BINARY=str(binary()))
    command = ["node", "module.mjs"]
    with subprocess.Popen(command, cwd=project, env=environment, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        url = child.stdout.readline().strip()
        if number is not None:
            assert ControlAPI(url).get("/v1/status")["name"] == "mynah"
            child.send_signal(number)
        child.wait(timeout=HANG_SECONDS)

    def is_gone() -> bool:
        try:
            ControlAPI(url).get("/v1/status")
        except UnavailableError:
            return True
        return False

    until(is_gone, "the server to end")


@pytest.mark.parametrize(
    ("settings", "environment", "kind", "message"),
    [
        ("{ sede: 7 }", {}, "ArgumentError", 'unknown option "sede": did you mean "seed"?'),
        ('{ seed: "x" }', {}, "StartError", "--seed"),
        ("{}", {"MYNAH_BINARY": "/nowhere/mynah"}, "StartError", "MYNAH_BINARY=/nowhere/mynah is not executable"),
        ('{ binary: "/nowhere/mynah" }', {}, "StartError", "/nowhere/mynah cannot be run"),
        ('{ binary: "/bin/false" }', {}, "StartError", "mynah ended with 1"),
    ],
)
def test_a_server_that_does_not_start_says_why(
    settings: str, environment: dict[str, str], kind: str, message: str, project: Path
) -> None:
    text = f"""
        import {{ startServer }} from "mynah";
        const error = await startServer({settings}).catch((error) => error);
        console.log(JSON.stringify([error.name, error.message]));
    """
    name, told = result_of(project, text, **environment)
    assert name == kind and message in told


def test_without_a_program_it_says_what_to_set(project: Path) -> None:
    text = """
        import { openScope } from "mynah";
        console.log(JSON.stringify((await openScope().catch((error) => error)).message));
    """
    path = str(Path(shutil.which("node") or "").parent)
    (project / "module.mjs").write_text(text)
    environment = {"PATH": path, "HOME": str(project)}
    if shutil.which("mynah", path=path):
        pytest.skip("mynah is beside node")
    done = subprocess.run(
        ["node", "module.mjs"], cwd=project, env=environment, capture_output=True, text=True, timeout=RUN_SECONDS,
        check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == (
        "mynah is not on the PATH: set MYNAH_BINARY to the program, or MYNAH_URL to a running server"
    )


def test_the_server_of_the_environment_is_found(project: Path, own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--control-token", "secret")
    text = """
        import { connectFromEnvironment, openScope } from "mynah";
        const scope = await openScope("a name: with / much in it, that is longer than a scope's name may be");
        await scope.device("com.example.app");
        const names = (await scope.server.scopes()).items.map((one) => one.name);
        const message = (error) => error.message;
        const refused = await connectFromEnvironment({ MYNAH_URL: scope.server.url }).catch((error) => error);
        const port = await connectFromEnvironment({ ...process.env, MYNAH_APNS_PORT: "x" }).catch(message);
        const ignored = await connectFromEnvironment({ ...process.env, MYNAH_APNS_PORT: "tcp://10.0.0.1:2197" });
        const { host, name } = scope;
        console.log(JSON.stringify({ name, names, host, refused: refused.status, port, ignored: ignored.port }));
        await scope.remove();
    """
    named = {"MYNAH_URL": mynah.control_url + "/\r", "MYNAH_CONTROL_TOKEN": "secret", "MYNAH_APNS_HOST": "localhost"}
    told = result_of(project, text, **named)
    assert told["names"] == [told["name"]] and len(told["name"]) == 64 and told["name"].startswith("a-name-with-much")
    assert (told["host"], told["refused"], told["ignored"]) == ("localhost", 401, mynah.port)
    assert told["port"] == "invalid MYNAH_APNS_PORT=x: expected a port from 1 to 65535"


def test_a_call_that_is_not_answered_in_time_says_so(project: Path, server: Mynah) -> None:
    text = f"""
        import {{ ControlAPI }} from "mynah";
        const control = new ControlAPI("{server.control_url}");
        const query = {{ wait: "60s", count: 1000000 }};
        const call = control.call("GET", "/v1/notifications", {{ query, timeout: 50 }});
        console.log(JSON.stringify(await call.catch((error) => [error.name, error.message])));
    """
    name, message = result_of(project, text)
    assert name == "UnavailableError"
    assert message == f"GET /v1/notifications: no answer from {server.control_url} within 0.05 s"


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ('new ControlAPI("https://a.test")', '"https://a.test": expected a URL like http://127.0.0.1:8197'),
        ('new ControlAPI("nothing")', 'wrong control API "nothing"'),
        ('await new ControlAPI("http://127.0.0.1:1").get("/a b")', 'wrong path "/a b"'),
        ("await openScope({})", "wrong test: expected the context of node:test or Vitest, or a name"),
    ],
)
def test_wrong_arguments_say_what_is_right(expression: str, message: str, project: Path) -> None:
    text = f"""
        import {{ ControlAPI, openScope }} from "mynah";
        const called = async () => {{ {expression}; }};
        console.log(JSON.stringify(await called().catch((error) => [error.name, error.message])));
    """
    name, told = result_of(project, text)
    assert name == "ArgumentError" and message in told


# Test runners

RUNNER = """
import assert from "node:assert/strict";
import { test } from "node:test";
import { openScope, startServer } from "mynah";

for (const number of [1, 2]) {
  test(`test ${number}`, { concurrency: 2 }, async (t) => {
    const mynah = await openScope(t);
    const phone = await mynah.device("com.example.app", { user: "kim" });
    await mynah.send({ token: phone.token, topic: "com.example.app", payload: { aps: { alert: "hi" } } });
    assert.equal((await mynah.expect({ topic: "com.example.app" })).push.device, phone.id);
    assert.equal((await mynah.devices({ user: "kim" })).matched, 1);
  });
}

test("scopes are removed with their tests", async (t) => {
  const mynah = await openScope(t);
  assert.deepEqual((await mynah.server.scopes()).items, []);
});

test("a server of its own", async (t) => {
  const server = await startServer();
  t.after(() => server.close());
  await (await openScope(t, { server })).device("com.example.app");
});

test("an unmet expectation", async (t) => {
  const mynah = await openScope(t);
  await mynah.expect({ topic: "com.example.app", within: "0s" });
});
"""


def test_node_s_runner_has_a_scope_for_each_test(project: Path) -> None:
    (project / "it.test.mjs").write_text(RUNNER)
    done = subprocess.run(
        ["node", "--test"], cwd=project, env=clean_environment(MYNAH_BINARY=str(binary())), capture_output=True,
        text=True, timeout=RUN_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 1 and "pass 4\n" in done.stdout and "fail 1\n" in done.stdout, done.stdout
    assert "unmet: 0 pushes matched; expected at least 1 within 0s" in done.stdout


def test_a_scope_of_vitest_ends_by_its_context(project: Path, server: Mynah) -> None:
    text = """
        import { openScope } from "mynah";
        let atEnd;
        const mynah = await openScope({ task: { name: "of Vitest" }, onTestFinished: (end) => { atEnd = end; } });
        await mynah.device("com.example.app");
        const before = (await mynah.devices()).matched;
        await atEnd();
        console.log(JSON.stringify([mynah.name.startsWith("of-Vitest-"), before, (await mynah.devices()).matched]));
    """
    assert result_of(project, text, MYNAH_URL=server.control_url) == [True, 1, 0]


def test_a_scope_is_removed_from_a_server_that_goes_on(project: Path, server: Mynah) -> None:
    text = """
        import { connect, openScope } from "mynah";
        let atEnd;
        const found = await connect(process.env.MYNAH_URL);
        const context = { task: { name: "" }, onTestFinished: (end) => { atEnd = end; } };
        const mynah = await openScope(context, { server: found });
        await mynah.device("com.example.app");
        // Nothing was started here, so that nothing ends.
        await found.close();
        await atEnd();
        console.log(JSON.stringify((await mynah.devices()).matched));
    """
    assert result_of(project, text, MYNAH_URL=server.control_url) == 0


def test_a_server_for_all_files_is_found_by_them_and_ends(project: Path) -> None:
    # As Jest and Vitest call it.
    text = """
        import setup from "mynah/global-setup";
        import teardown from "mynah/global-teardown";
        import { ControlAPI, sharedServer } from "mynah";
        const fromSetup = await setup();
        const { url } = await sharedServer();
        const { MYNAH_URL, MYNAH_KEY_ID } = process.env;
        await teardown();
        const gone = await new ControlAPI(url).get("/v1/status").catch((error) => error.name);
        console.log(JSON.stringify([url === MYNAH_URL, MYNAH_KEY_ID.length, fromSetup === teardown, gone]));
    """
    assert result_of(project, text) == [True, 10, True, "UnavailableError"]


def test_scopes_and_servers_are_disposed_of(project: Path) -> None:
    text = """
        import { startServer } from "mynah";
        if (Symbol.asyncDispose === undefined) { console.log("null"); process.exit(); }
        const server = await startServer();
        const mynah = server.scope("a");
        await mynah.device("com.example.app");
        const removed = await mynah[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
        console.log(JSON.stringify(removed.devices));
    """
    assert result_of(project, text) in (1, None)


# Types

GOOD = """
import { ControlAPI, Device, ExpectationUnmet, Mynah, MynahServer, openScope, startServer } from "mynah";

async function arrange(mynah: Mynah, when: Date): Promise<void> {
  const settings = { platform: "iOS", focus: { name: "Work" }, online: false } as const;
  const phone: Device = await mynah.device("com.example.app", settings);
  await (await phone.change({ online: false, focus: null })).install("com.example.other", { appName: "Other" });
  await mynah.fault("slow", { delay: "5s", topic: "com.example.app", activeFrom: when });
  await mynah.fault("ExpiredProviderToken", { times: 2 });
  await mynah.fault(403, { reason: "InvalidProviderToken", payload: { "/aps/category": { prefix: "NEWS" } } });
  await mynah.fault([503, "stall", { type: "tls", alert: "handshake_failure" }], { then: "repeat", scope: null });
  await mynah.expect({ topic: { not: "other" }, status: [200, 410], since: when, screen: { "/title": "a" } });
  await mynah.expect({ inOrder: [{ status: 200 }], scope: null });
  for (const push of await mynah.notifications({ reason: { not: ["BadTopic"] }, payload: { "/aps/badge": 3 } })) {
    const status: number | null = push.status ?? null;
    console.log(status, push.header("apns-topic"));
  }
  await mynah.devices({ sort: "lastPush", order: "desc", fleet: "van" });
  const sent = await mynah.send({ token: phone.token, payload: { aps: {} }, priority: 5 });
  const milliseconds: number = (await mynah.clock.now()).getTime() - when.getTime();
  const online: boolean = phone.online;
  console.log(sent.status, milliseconds, online, (await mynah.server.status()).counts.received);
  for await (const event of mynah.events({ event: "fault" })) console.log(event.id);
  const titles: (string | null)[] = (await phone.screen()).notifications.map((shown) => shown.title);
  await phone.act((await phone.screen()).notifications[0], "reply", titles[0] ?? "");
  await phone.clear({ topic: "com.example.app" });
}

async function start(): Promise<MynahServer> {
  const server = await startServer({ devices: "strict", tlsName: ["a", "b"], documentedReasons: true });
  await arrange(server.scope("a"), new Date());
  await arrange(await openScope("b", { server }), new Date());
  try {
    await new ControlAPI(server.url, { token: "x" }).get("/v1/status", { limit: 1 });
  } catch (error) {
    if (error instanceof ExpectationUnmet) console.log(error.result.nearest[0].differences[0].field);
  }
  return server;
}

void start();
"""
# Each is an error.
BAD = (
    'mynah.device("a.b", { platfrom: "iOS" })',
    'mynah.device("a.b", { platform: "Symbian" })',
    'mynah.devices({ sort: "lastpush" })',
    'mynah.expect({ topik: "a.b" })',
    "mynah.expect({ topic: null })",
    'mynah.notifications({ topic: { prefix: "a" } })',
    'mynah.fault("slwo")',
    'mynah.fault("slow", { dealy: "5s" })',
    'mynah.fault(403, { reason: "ExpiredToken2" })',
    'mynah.fault({ type: "respnd" })',
    'mynah.send({ tokne: "x" })',
    'startServer({ devices: "strct" })',
    "startServer({ sede: 7 })",
    "mynah.clock.advance(5)",
    'openScope({ name: "x" })',
)
OPTIONS = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022"]
WAYS = {
    "by require": ["--module", "commonjs", "--moduleResolution", "node"],
    "by import": ["--module", "node16", "--moduleResolution", "node16"],
}
needs_compiler = pytest.mark.skipif(shutil.which("tsc") is None, reason="without tsc")


def tsc(project: Path, text: str, name: str, way: str) -> list[str]:
    """The errors of TypeScript's compiler."""
    # What Node has, as far as it is used here.
    (project / "console.d.ts").write_text("declare const console: { log(...values: unknown[]): void };\n")
    (project / name).write_text(text)
    done = subprocess.run(
        ["tsc", *OPTIONS, *WAYS[way], "console.d.ts", name], cwd=project, env=clean_environment(), capture_output=True,
        text=True, timeout=RUN_SECONDS, check=False,
    )  # fmt: skip
    return [line for line in done.stdout.splitlines() if "error TS" in line]


@needs_compiler
@pytest.mark.parametrize("way", WAYS)
def test_the_compiler_takes_what_is_right_and_refuses_each_misspelling(way: str, project: Path) -> None:
    name = "module.mts" if way == "by import" else "module.ts"
    assert tsc(project, GOOD, name, way) == []
    head = 'import { Mynah, openScope, startServer } from "mynah";\ndeclare const mynah: Mynah;\n'
    found = tsc(project, head + "".join(f"void {line};\n" for line in BAD), name, way)
    lines = {int(error.partition("(")[2].partition(",")[0]) for error in found}
    right = [line for number, line in enumerate(BAD, head.count("\n") + 1) if number not in lines]
    assert right == []


@needs_compiler
def test_every_member_has_a_type(project: Path) -> None:
    text = """
        import * as mynah from "mynah";
        const names = {};
        const kinds = ["Mynah", "MynahServer", "Device", "Fault", "Clock", "ControlAPI", "Page", "ExpectationResult"];
        for (const kind of kinds) {
          const members = new Set();
          for (let one = mynah[kind].prototype; one !== Object.prototype; one = Object.getPrototypeOf(one)) {
            Object.getOwnPropertyNames(one).forEach((name) => members.add(name));
          }
          names[kind] = [...members].filter((name) => name !== "constructor");
        }
        const exported = Object.keys(mynah).filter((name) => !["default", "module.exports"].includes(name));
        console.log(JSON.stringify([exported, names]));
    """
    exported, members = result_of(project, text)
    pairs = [("Page<unknown>" if kind == "Page" else kind, one) for kind in members for one in members[kind]]
    lines = [f"type T{number} = {kind}[{json.dumps(member)}];" for number, (kind, member) in enumerate(pairs)]
    head = f"import {{ {', '.join(exported)} }} from 'mynah';\n"
    values = f"export const all: unknown[] = [{', '.join(exported)}];\n"
    assert tsc(project, head + values + "\n".join(lines) + "\nexport {};\n", "module.ts", "by require") == []
    assert len(lines) > 100
