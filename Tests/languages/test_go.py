"""The Go package: its archive, servers that it starts and finds, its types, and the package for tests."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from calls import BY_HAND, Call
from languages import GO_MODULE, install_go, run
from mynah import ControlAPI, UnavailableError
from server import REPOSITORY, Mynah, binary, clean_environment
from waiting import HANG_SECONDS, RUN_SECONDS, until

PACKAGE = REPOSITORY / "Sources" / "go"
METHODS = Path(__file__).parent / "programs" / "methods.go"
pytestmark = [
    pytest.mark.xdist_group("go"),
    pytest.mark.skipif(shutil.which("go") is None, reason="without go"),
]
# One program has them all, because each takes a second to link.
CASES = """
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	mynah "github.com/OWNER/mynah/Sources/go"
)

var ctx = context.Background()

func main() {
	told, err := cases[os.Args[1]]()
	if err != nil {
		told = []string{strings.TrimPrefix(strings.TrimPrefix(fmt.Sprintf("%T", err), "*"), "mynah."), err.Error()}
	}
	if err := json.NewEncoder(os.Stdout).Encode(told); err != nil {
		panic(err)
	}
}

func open() *mynah.Scope {
	server, err := mynah.ConnectFromEnvironment(ctx)
	if err != nil {
		panic(err)
	}
	return server.Scope("go")
}

var cases = map[string]func() (any, error){
	"settings": func() (any, error) {
		server, err := mynah.Start(ctx, mynah.StartOptions{
			Devices: "strict", Seed: mynah.Set(7), DocumentedReasons: true, TLSName: []string{"a.test", "b.test"},
			LogLevel: "debug", MagicTokens: mynah.Set(false), IdleTimeout: mynah.Set(5 * time.Minute),
		})
		if err != nil {
			return nil, err
		}
		status, err := server.Status(ctx)
		if err != nil {
			return nil, err
		}
		folder, err := os.MkdirTemp("", "mynah-files-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(folder)
		ca, err := server.CAFile(folder)
		if err != nil {
			return nil, err
		}
		key, err := server.KeyFile(folder)
		if err != nil {
			return nil, err
		}
		caText, _ := os.ReadFile(ca)
		keyText, _ := os.ReadFile(key)
		signingKey, err := server.SigningKey()
		if err != nil {
			return nil, err
		}
		told := map[string]any{
			"seed": status.Seed, "files": string(caText) == server.CA() && string(keyText) == signingKey,
			"url": server.URL(), "host": server.Host(),
		}
		err = server.Close()
		told["isLogged"] = len(server.LogLines()) > 0
		return told, err
	},
	"stay": func() (any, error) {
		server, err := mynah.Start(ctx)
		if err != nil {
			return nil, err
		}
		fmt.Println(server.URL())
		if len(os.Args) > 2 {
			select {}
		}
		os.Exit(0)
		return nil, nil
	},
	"wrong seed": func() (any, error) { return mynah.Start(ctx, mynah.StartOptions{Devices: "strct"}) },
	"plain":      func() (any, error) { return mynah.Start(ctx) },
	"nowhere":    func() (any, error) { return mynah.Start(ctx, mynah.StartOptions{Binary: "/nowhere/mynah"}) },
	"false":      func() (any, error) { return mynah.Start(ctx, mynah.StartOptions{Binary: "/bin/false"}) },
	"two options": func() (any, error) {
		return mynah.Start(ctx, mynah.StartOptions{}, mynah.StartOptions{})
	},
	"environment": func() (any, error) {
		server, err := mynah.ConnectFromEnvironment(ctx)
		if err != nil {
			return nil, err
		}
		return map[string]any{"host": server.Host(), "port": server.Port()}, nil
	},
	"https":   func() (any, error) { return mynah.NewControlAPI("https://a.test", "") },
	"nothing": func() (any, error) { return mynah.NewControlAPI("nothing", "") },
	"path": func() (any, error) {
		return nil, open().Server().Control().Call(ctx, "GET", "/a b", nil, nil)
	},
	"call": func() (any, error) {
		var told map[string]any
		body := map[string]any{"match": map[string]any{}, "within": 0 * time.Second, "count": map[string]int{"max": 0}}
		return told["met"], open().Server().Control().Call(ctx, "POST", "/v1/expectations", body, &told)
	},
	"in time": func() (any, error) {
		within, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		_, err := open().Notifications(within, mynah.NotificationsOptions{
			Wait: mynah.Set(time.Minute), Count: mynah.Set(1000000),
		})
		var unavailable *mynah.UnavailableError
		return []any{errors.As(err, &unavailable), errors.Is(err, context.DeadlineExceeded), err.Error()}, nil
	},
	"stream in time": func() (any, error) {
		within, cancel := context.WithCancel(ctx)
		stream, err := open().Events(within)
		if err != nil {
			return nil, err
		}
		cancel()
		hasNext := stream.Next()
		return []any{hasNext, errors.Is(stream.Err(), context.Canceled)}, nil
	},
	"closed stream": func() (any, error) {
		stream, err := open().Events(ctx)
		if err != nil {
			return nil, err
		}
		stream.Close()
		return []any{stream.Next(), stream.Err() == nil}, nil
	},
	"refused stream": func() (any, error) {
		return open().Events(ctx, mynah.EventsOptions{Event: []mynah.StreamEventsEvent{"nothing"}})
	},
	"no filter": func() (any, error) {
		var reason *string
		return open().Notifications(ctx, mynah.NotificationsOptions{Reason: reason})
	},
	"empty filter": func() (any, error) {
		return open().RemoveNotifications(ctx, mynah.RemoveNotificationsOptions{Topic: []string{}})
	},
	"empty payload": func() (any, error) {
		return open().RemoveNotifications(ctx, mynah.RemoveNotificationsOptions{Payload: map[string]any{}})
	},
	"matcher": func() (any, error) {
		return open().Notifications(ctx, mynah.NotificationsOptions{Topic: mynah.Prefix("com.")})
	},
	"no action": func() (any, error) { return open().Fault(ctx, nil) },
	"nested":    func() (any, error) { return open().Fault(ctx, mynah.Actions{mynah.Actions{mynah.Answer(503)}}) },
	"durations": func() (any, error) {
		var told []string
		for _, text := range []string{`"1d"`, `"1h30m"`, `"250ms"`, `"90s"`} {
			var duration mynah.Duration
			if err := json.Unmarshal([]byte(text), &duration); err != nil {
				return nil, err
			}
			told = append(told, duration.String())
		}
		var wrong mynah.Duration
		return told, json.Unmarshal([]byte(`"5 s"`), &wrong)
	},
	"duration": func() (any, error) {
		var told []string
		for _, one := range []time.Duration{0, 24 * time.Hour, 90 * time.Minute, 1500 * time.Millisecond} {
			told = append(told, mynah.Duration(one).String())
		}
		return told, nil
	},
	"server's rule": func() (any, error) {
		scope := open()
		rule, err := scope.Fault(ctx, mynah.PresetRefuse, mynah.FaultOptions{
			Scope: mynah.WholeServer, Enabled: mynah.Set(false),
		})
		if err != nil {
			return nil, err
		}
		if err := rule.Remove(ctx); err != nil {
			return nil, err
		}
		// The test has removed it.
		removed, err := scope.Remove(ctx)
		return removed["faults"], err
	},
}
"""


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program of a module that has the package, and nothing else."""
    folder = tmp_path_factory.mktemp("go-program")
    install_go(folder)
    (folder / "main.go").write_text(CASES.lstrip())
    run("go", "build", "-o", "program", ".", cwd=folder)
    return folder / "program"


def result_of(program: Path, case: str, **environment: str) -> Any:
    """What a case prints as JSON; an error is its type and its text."""
    done = subprocess.run(
        [program, case], cwd=program.parent, env=clean_environment(**{"MYNAH_BINARY": str(binary()), **environment}),
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=RUN_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def is_gone(url: str) -> bool:
    try:
        ControlAPI(url).get("/v1/status")
    except UnavailableError:
        return True
    return False


# The archive


def test_its_archive_has_what_it_needs_and_nothing_else(program: Path) -> None:
    # Of the program's installation.
    [archive] = program.parent.with_name(f"{program.parent.name}-archive").rglob("*.zip")
    packed = zipfile.ZipFile(archive).namelist()
    prefix = f"{GO_MODULE}@{archive.stem}/"
    there = {
        str(file.relative_to(PACKAGE))
        for file in PACKAGE.rglob("*")
        if file.is_file() and not file.is_relative_to(PACKAGE / "internal")
    }
    assert {name.removeprefix(prefix) for name in packed} == there and all(name.startswith(prefix) for name in packed)
    assert "require" not in (PACKAGE / "go.mod").read_text()


def test_its_files_are_as_gofmt_writes_them() -> None:
    player = Path(__file__).parent / "players" / "player.go"
    gofmt = Path(run("go", "env", "GOROOT", cwd=PACKAGE).strip()) / "bin" / "gofmt"
    assert run(str(gofmt), "-l", str(PACKAGE), str(player), str(METHODS), cwd=PACKAGE) == ""


def test_the_archive_needs_a_folder(tmp_path: Path) -> None:
    done = subprocess.run([PACKAGE / "pack.sh"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (64, "wrong arguments: expected one, the folder for the archive\n")


# Every call, in both packages


@pytest.mark.parametrize("folder", [PACKAGE, PACKAGE / "mynahtest"], ids=["mynah", "mynahtest"])
def test_both_packages_have_every_call(folder: Path, calls: tuple[Call, ...]) -> None:
    printed = run("go", "run", str(METHODS), str(folder), cwd=METHODS.parent)
    found = {(of, name.lower()) for of, name in json.loads(printed)}
    types = {"Mynah": "Scope", "MynahServer": "Server", "Device": "Device", "Fault": "Fault", "Clock": "Clock"}
    wanted = {(types[call.of], call.name.lower()) for call in calls}
    wanted |= {(types[of], name.lower()) for of in BY_HAND for name in BY_HAND[of]}
    # A test's server is for others too.
    own = set() if folder == PACKAGE else {("Server", "scope"), ("Server", "close"), ("Server", "providertoken")}
    # Of what both a scope and a server have.
    own |= {(of, "providertoken") for of in ("Scope", "Server")} if folder == PACKAGE else set()
    assert wanted - found == own


# Servers


def test_a_server_is_started_with_settings_and_ends(program: Path) -> None:
    told = result_of(program, "settings")
    assert (told["seed"], told["files"], told["isLogged"], told["host"]) == (7, True, True, "localhost")
    assert is_gone(told["url"])


@pytest.mark.parametrize("number", [None, signal.SIGKILL, signal.SIGTERM], ids=["by itself", "killed", "terminated"])
def test_a_server_ends_with_the_process_that_has_started_it(
    program: Path, tmp_path: Path, number: int | None
) -> None:
    environment = clean_environment(MYNAH_BINARY=str(binary()), TMPDIR=str(tmp_path))
    command = [str(program), "stay", *([] if number is None else ["until it is ended"])]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        url = child.stdout.readline().strip()
        if number is not None:
            assert ControlAPI(url).get("/v1/status")["name"] == "mynah"
            child.send_signal(number)
        child.wait(timeout=HANG_SECONDS)
    until(lambda: is_gone(url), "the server to end")
    until(lambda: not list(tmp_path.iterdir()), "its folder to be removed")


@pytest.mark.parametrize(
    ("case", "environment", "kind", "message"),
    [
        ("wrong seed", {}, "StartError", "--devices"),
        ("plain", {"MYNAH_BINARY": "/nowhere/mynah"}, "StartError", "MYNAH_BINARY=/nowhere/mynah is not executable"),
        ("plain", {"MYNAH_BINARY": "", "PATH": "/nowhere"}, "StartError",
         "mynah is not on the PATH: set MYNAH_BINARY to the program, or MYNAH_URL to a running server"),
        ("nowhere", {}, "StartError", "/nowhere/mynah cannot be run"),
        ("false", {}, "StartError", "mynah ended with 1"),
        ("two options", {}, "ArgumentError", "got 2 mynah.StartOptions: expected one"),
        ("environment", {}, "errors.errorString", "MYNAH_URL is not set: expected the URL of a control API"),
    ],
)  # fmt: skip
def test_a_server_that_does_not_start_says_why(
    case: str, environment: dict[str, str], kind: str, message: str, program: Path
) -> None:
    name, told = result_of(program, case, **environment)
    assert name == kind and message in told


def test_the_server_of_the_environment_is_found(program: Path, own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--control-token", "secret")
    named = {"MYNAH_URL": mynah.control_url + "/\r", "MYNAH_CONTROL_TOKEN": "secret", "MYNAH_APNS_HOST": "localhost"}
    assert result_of(program, "environment", **named) == {"host": "localhost", "port": mynah.port}
    ignored = result_of(program, "environment", **named, MYNAH_APNS_PORT="tcp://10.0.0.1:2197")
    assert ignored["port"] == mynah.port
    assert result_of(program, "environment", **named, MYNAH_APNS_PORT="x")[1] == (
        "invalid MYNAH_APNS_PORT=x: expected a port from 1 to 65535"
    )
    kind, message = result_of(program, "environment", MYNAH_URL=mynah.control_url)
    assert kind == "ControlError" and "401" in message


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("https", ["ArgumentError", 'wrong control API "https://a.test": expected a URL like http://127.0.0.1:8197']),
        ("nothing", ["ArgumentError", 'wrong control API "nothing": expected a URL like http://127.0.0.1:8197']),
        ("stream in time", [False, True]),
        ("closed stream", [False, True]),
        ("durations", ["errors.errorString", 'wrong duration "5 s": expected one like 250ms, 5s or 1h30m']),
        ("duration", ["0s", "24h", "5400s", "1500ms"]),
        ("server's rule", 0),
        ("no filter", ["ArgumentError",
                       "wrong filter reason: a nil *string: expected a value, Exists(false) as a filter, or None"]),
        ("empty filter", ["ArgumentError", "wrong filter topic: []: expected a value in it"]),
        ("empty payload", ["ArgumentError", "wrong filter payload: {}: expected a condition in it"]),
        ("matcher", ["ArgumentError",
                     "wrong filter topic: map[prefix:com.]: expected a value, Contains(…) or Not(…); only Expect has the "
                     "other matchers"]),
        ("no action", ["ArgumentError",
                       "wrong action nil: expected an Answer, a Preset, a Reason, a FaultAction or Actions"]),
        ("nested", ["ArgumentError", "wrong action [503]: expected a single one within Actions"]),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(case: str, expected: Any, program: Path, server: Mynah) -> None:
    assert result_of(program, case, MYNAH_URL=server.control_url) == expected


def test_a_call_that_is_not_answered_in_time_says_so(program: Path, server: Mynah) -> None:
    told = result_of(program, "in time", MYNAH_URL=server.control_url)
    why = f"GET /v1/notifications: no answer from {server.control_url}: context deadline exceeded"
    assert told == [True, True, why]


def test_a_refused_stream_says_why(program: Path, server: Mynah) -> None:
    kind, message = result_of(program, "refused stream", MYNAH_URL=server.control_url)
    assert kind == "ControlError" and "GET /v1/events was answered 400: event" in message


# Tests, and what the compiler refuses

RUNNER = """
package runner

import (
	"testing"
	"time"

	mynah "github.com/OWNER/mynah/Sources/go"
	"github.com/OWNER/mynah/Sources/go/mynahtest"
)

const topic = "com.example.app"

func TestScopes(t *testing.T) {
	for _, name := range []string{"first", "second: with / much in it, that is longer than a scope's name may be"} {
		name := name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apns := mynahtest.Open(t)
			if len(apns.Name()) > 64 {
				t.Fatal(apns.Name())
			}
			phone := apns.Device(topic, mynah.NewDeviceOptions{User: mynah.Set("kim")})
			apns.Send(mynah.PushSettings{Token: mynah.Set(phone.Token()), Topic: mynah.Set(topic), Payload: map[string]any{}})
			if got := *apns.Expect(mynah.Expectation{Topic: topic}).Push().Device; got != phone.ID {
				t.Fatal(got)
			}
			if got := apns.Devices(mynah.DevicesOptions{User: "kim"}).Items[0].Token(); got != phone.Token() {
				t.Fatal(got)
			}
		})
	}
}

func TestTheyAreRemovedWithTheirTests(t *testing.T) {
	if scopes := mynahtest.Open(t).Server().Scopes(); scopes.Matched != 0 {
		t.Fatal(scopes)
	}
}

func TestAServerOfItsOwn(t *testing.T) {
	server := mynahtest.Start(t, mynah.StartOptions{Seed: mynah.Set(7)})
	apns := mynahtest.OpenAt(t, server)
	if seed := apns.Server().Status().Seed; seed != 7 {
		t.Fatal(seed)
	}
}

func TestUnmet(t *testing.T) {
	mynahtest.Open(t).Expect(mynah.Expectation{Topic: topic, Within: mynah.Set(0 * time.Second)})
}
"""


def test_a_test_has_a_scope_and_fails_where_it_calls(program: Path, tmp_path: Path) -> None:
    for name in ("go.mod", "go.sum"):
        shutil.copy(program.with_name(name), tmp_path)
    text = RUNNER.lstrip()
    (tmp_path / "runner_test.go").write_text(text)
    done = subprocess.run(
        ["go", "test", "-vet=off", "-v", "-json", "."], cwd=tmp_path,
        env=clean_environment(MYNAH_BINARY=str(binary())), capture_output=True, text=True, timeout=RUN_SECONDS,
        check=False,
    )  # fmt: skip
    events = [json.loads(line) for line in done.stdout.splitlines()]
    ends = {event.get("Test"): event["Action"] for event in events if event["Action"] in ("pass", "fail")}
    output = "".join(event.get("Output", "") for event in events)
    good = ("TestScopes", "TestTheyAreRemovedWithTheirTests", "TestAServerOfItsOwn")
    assert [ends.get(name) for name in good] == ["pass"] * len(good), output
    line = text[: text.index(".Expect(mynah.Expectation{Topic: topic, Within")].count("\n") + 1
    assert ends["TestUnmet"] == "fail"
    assert f"runner_test.go:{line}: unmet: 0 pushes matched; expected at least 1 within 0s" in output


# Each is an error.
BAD = (
    'scope.Device(ctx, "a.b", mynah.NewDeviceOptions{Platfrom: mynah.Set(mynah.PlatformIOS)})',
    'scope.Device(ctx, "a.b", mynah.NewDeviceOptions{Platform: mynah.Set(mynah.PlatformSymbian)})',
    'scope.Device(ctx, "a.b", mynah.NewDeviceOptions{User: mynah.Set(5)})',
    "scope.Devices(ctx, mynah.DevicesOptions{Zzz: 1})",
    'scope.Expect(ctx, mynah.Expectation{Wihtin: mynah.Set(time.Second)})',
    "scope.Expect(ctx, mynah.Expectation{Within: mynah.Set(5)})",
    'scope.Expect(ctx, mynah.Expectation{Topik: "a.b"})',
    'scope.Notifications(ctx, mynah.NotificationsOptions{Tpoic: "a"})',
    'scope.Fault(ctx, "slow")',
    "scope.Fault(ctx, mynah.PresetSlwo)",
    'scope.Fault(ctx, mynah.PresetSlow, mynah.FaultOptions{Dealy: "5s"})',
    "scope.Fault(ctx, mynah.Answer(403), mynah.FaultOptions{Reason: mynah.Set(mynah.ReasonExpiredToken2)})",
    'scope.Send(ctx, mynah.PushSettings{Tokne: mynah.Set("x")})',
    'scope.Clock().Advance(ctx, "5s")',
    'scope.Server().IssueCertificate(ctx, []string{"a.b"}, mynah.CertificateSettings{Dys: mynah.Set(1)})',
    "mynah.Start(ctx, mynah.StartOptions{Sede: mynah.Set(7)})",
)


def test_the_compiler_refuses_each_misspelling(program: Path, tmp_path: Path) -> None:
    for name in ("go.mod", "go.sum"):
        shutil.copy(program.with_name(name), tmp_path)
    head = (
        'package bad\n\nimport (\n\t"context"\n\t"time"\n\n\tmynah "github.com/OWNER/mynah/Sources/go"\n)\n\nvar _ time.Duration\n\n'
        "func bad(ctx context.Context, scope *mynah.Scope) {\n"
    )
    (tmp_path / "bad.go").write_text(head + "".join(f"\t{line}\n" for line in BAD) + "}\n")
    done = subprocess.run(
        ["go", "build", "-gcflags=-e", "."], cwd=tmp_path, env=clean_environment(), capture_output=True, text=True,
        timeout=RUN_SECONDS, check=False,
    )  # fmt: skip
    lines = {int(number) for number in re.findall(r"^\./bad\.go:(\d+):", done.stderr, re.MULTILINE)}
    right = [line for number, line in enumerate(BAD, head.count("\n") + 1) if number not in lines]
    assert done.returncode != 0 and right == [], done.stderr
