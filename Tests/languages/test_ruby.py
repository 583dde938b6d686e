"""The Ruby package: its archive, servers that it starts and finds, and the glue for Minitest and RSpec."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from languages import LANGUAGES, install_ruby, ruby_variables, run
from mynah import ControlAPI, UnavailableError
from server import REPOSITORY, Mynah, binary, clean_environment
from waiting import HANG_SECONDS, RUN_SECONDS, until

PACKAGE = REPOSITORY / "Sources" / "ruby"
MISSING = next(one for one in LANGUAGES if one.name == "ruby").missing
pytestmark = [
    pytest.mark.xdist_group("ruby"),
    pytest.mark.skipif(bool(MISSING), reason=f"without {', '.join(MISSING)}"),
]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the gem and nothing else."""
    folder = tmp_path_factory.mktemp("ruby-project")
    install_ruby(folder)
    return folder


@pytest.fixture
def project(installed: Path, tmp_path: Path) -> Path:
    """A project of this test's own."""
    (tmp_path / "gems").symlink_to(installed / "gems")
    return tmp_path


def environment_of(project: Path, **environment: str) -> dict[str, str]:
    return clean_environment(**{"MYNAH_BINARY": str(binary()), **ruby_variables(project), **environment})


def ruby(project: Path, text: str, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs a program."""
    (project / "program.rb").write_text(f"# frozen_string_literal: true\n{text}")
    return subprocess.run(
        [*(command or ("ruby", "-W")), "program.rb"],
        cwd=project,
        env=environment_of(project, **environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )


def result_of(project: Path, text: str, **environment: str) -> Any:
    """What a program prints as JSON; a warning of Ruby fails the test."""
    done = ruby(project, f'require "mynah"\n{text}', **environment)
    assert done.returncode == 0 and not done.stderr, done
    return json.loads(done.stdout)


# The archive


def test_its_archive_has_what_it_needs_and_nothing_else(installed: Path) -> None:
    specification = run(
        "gem", "specification", "mynah-apns.gem", "--ruby", cwd=installed, **ruby_variables(installed)
    )  # fmt: skip
    assert "add_dependency" not in specification and "add_runtime_dependency" not in specification
    [folder] = (installed / "gems" / "gems").iterdir()
    packed = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    there = {str(file.relative_to(PACKAGE)) for file in PACKAGE.rglob("*") if file.is_file()}
    assert packed == there - {"mynah-apns.gemspec"} and {"README.md", "lib/mynah/words.rb"} <= packed


def test_its_version_is_the_program_s(installed: Path) -> None:
    told = run(str(binary()), "--version", cwd=PACKAGE).strip()
    assert [one.name for one in (installed / "gems" / "gems").iterdir()] == [f"mynah-apns-{told}"]


def test_bundler_requires_it_by_its_name(project: Path) -> None:
    done = ruby(project, 'require "mynah-apns"\nputs Mynah::Words::VERSION')
    assert done.returncode == 0 and done.stdout.strip(), done


# Servers


def test_a_server_is_started_with_settings_and_ends(project: Path) -> None:
    text = """
        names = %w[a.test b.test]
        settings = { devices: "strict", seed: 7, documented_reasons: true, tls_name: names, log_level: "debug" }
        server = Mynah.start_server(**settings)
        files = [File.read(server.ca_file) == server.ca, File.read(server.key_file) == server.signing_key]
        seed = server.status["seed"]
        server.close
        server.close
        is_logged = !server.log_lines.empty?
        print JSON.generate(seed: seed, files: files, is_logged: is_logged, url: server.url, host: server.host)
    """
    told = result_of(project, text)
    assert (told["seed"], told["files"], told["is_logged"], told["host"]) == (7, [True, True], True, "localhost")
    with pytest.raises(UnavailableError):
        ControlAPI(told["url"]).get("/v1/status")


def test_the_folder_of_a_server_is_removed_with_it(project: Path) -> None:
    folder = project / "temporary"
    folder.mkdir()
    text = """
        server = Mynah.start_server
        print JSON.generate([File.file?(server.ca_file), Dir.children(ENV["TMPDIR"]).size])
    """
    assert result_of(project, text, TMPDIR=str(folder)) == [True, 2]
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("number", [None, signal.SIGKILL, signal.SIGTERM], ids=["by itself", "killed", "terminated"])
def test_a_server_ends_with_the_process_that_has_started_it(project: Path, number: int | None) -> None:
    stays = "" if number is None else "sleep"
    (project / "program.rb").write_text(f'require "mynah"\n$stdout.sync = true\nputs Mynah.start_server.url\n{stays}\n')
    command = ["ruby", "program.rb"]
    with subprocess.Popen(
        command, cwd=project, env=environment_of(project), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
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


def test_the_end_of_a_forked_process_leaves_the_server_alone(project: Path) -> None:
    text = """
        server = Mynah.start_server
        path = server.ca_file
        Process.wait(fork { Mynah.open_scope("child", server: server) { |mynah| mynah.device("a.b") } })
        print JSON.generate([$?.success?, server.probe, File.file?(path)])
    """
    assert result_of(project, text) == [True, "ready", True]


@pytest.mark.parametrize(
    ("settings", "environment", "kind", "message"),
    [
        ("sede: 7", {}, "ArgumentError", 'unknown keyword: sede; did you mean "seed"?'),
        ('seed: "x"', {}, "StartError", "--seed"),
        ("", {"MYNAH_BINARY": "/nowhere/mynah"}, "StartError", "MYNAH_BINARY=/nowhere/mynah is not executable"),
        ('binary: "/nowhere/mynah"', {}, "StartError", "/nowhere/mynah cannot be run"),
        ('binary: "/bin/false"', {}, "StartError", "mynah ended with 1"),
    ],
)
def test_a_server_that_does_not_start_says_why(
    settings: str, environment: dict[str, str], kind: str, message: str, project: Path
) -> None:
    folder = project / "temporary"
    folder.mkdir()
    text = f"""
        begin
          Mynah.start_server({settings})
        rescue Mynah::Error, Mynah::ArgumentError => error
          print JSON.generate([error.class.name, error.message])
        end
    """
    name, told = result_of(project, text, TMPDIR=str(folder), **environment)
    assert name == f"Mynah::{kind}" and message in told
    assert list(folder.iterdir()) == []


def test_without_a_program_it_says_what_to_set(project: Path) -> None:
    text = 'Mynah.open_scope rescue print(JSON.generate($!.message))\n'
    command = ["/usr/bin/env", f"PATH={project}", run("which", "ruby", cwd=PACKAGE).strip()]
    done = ruby(project, f'require "mynah"\n{text}', *command, MYNAH_BINARY="")
    assert json.loads(done.stdout) == (
        "mynah is not on the PATH: set MYNAH_BINARY to the program, or MYNAH_URL to a running server"
    )


def test_the_server_of_the_environment_is_found(project: Path, own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah("--control-token", "secret")
    text = """
        scope = Mynah.open_scope("a name: with / much in it, that is longer than a scope's name may be")
        scope.device("com.example.app")
        told = { name: scope.name, names: scope.server.scopes.map(&:name), host: scope.host }
        begin
          Mynah.connect_from_environment({ "MYNAH_URL" => scope.server.url })
        rescue Mynah::ControlError => error
          told[:refused] = error.status
        end
        begin
          Mynah.connect_from_environment(ENV.to_h.merge("MYNAH_APNS_PORT" => "x"))
        rescue Mynah::Error => error
          told[:port] = error.message
        end
        $stderr = File.open(File::NULL, "w")
        told[:ignored] = Mynah.connect_from_environment(ENV.to_h.merge("MYNAH_APNS_PORT" => "tcp://10.0.0.1:2197")).port
        scope.remove
        print JSON.generate(told)
    """
    named = {"MYNAH_URL": mynah.control_url + "/\r", "MYNAH_CONTROL_TOKEN": "secret", "MYNAH_APNS_HOST": "localhost"}
    told = result_of(project, text, **named)
    assert told["names"] == [told["name"]] and len(told["name"]) == 64 and told["name"].startswith("a-name-with-much")
    assert (told["host"], told["refused"], told["ignored"]) == ("localhost", 401, mynah.port)
    assert told["port"] == "invalid MYNAH_APNS_PORT=x: expected a port from 1 to 65535"


# Calls


def test_a_call_that_is_not_answered_in_time_says_so(project: Path, server: Mynah) -> None:
    text = f"""
        control = Mynah::ControlAPI.new("{server.control_url}")
        begin
          control.call("GET", "/v1/notifications", query: {{ wait: "60s", count: 1_000_000 }}, timeout: 0.05)
        rescue Mynah::UnavailableError => error
          print JSON.generate(error.message)
        end
    """
    message = result_of(project, text)
    assert message == f"GET /v1/notifications: no answer from {server.control_url} within 0.05 s"


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ('Mynah::ControlAPI.new("https://a.test")', '"https://a.test": expected a URL like http://127.0.0.1:8197'),
        ('Mynah::ControlAPI.new("nothing")', 'wrong control API "nothing"'),
        ('Mynah::ControlAPI.new("http://127.0.0.1:1").get("/a b")', 'wrong path "/a b"'),
        ('mynah.clock.advance', "advance: expected a duration, or to: with a time"),
        ('mynah.fault(:slwo)', 'did you mean "slow"?'),
        ('mynah.wait(max: 1)', "wait: unknown keyword: max"),
    ],
)
def test_wrong_arguments_say_what_is_right(expression: str, message: str, project: Path, server: Mynah) -> None:
    text = f"""
        mynah = Mynah.connect("{server.control_url}").scope("wrong")
        begin
          mynah.name
          {expression}
        rescue Mynah::ArgumentError => error
          print JSON.generate(error.message)
        end
    """
    assert message in result_of(project, text)


def test_values_have_ruby_s_types_and_names(project: Path, server: Mynah) -> None:
    text = f"""
        Mynah.open_scope("values", server: Mynah.connect("{server.control_url}")) do |mynah|
          phone = mynah.device("com.example.app", registrations: [{{ topic: "com.example.b", app_name: "B" }}])
          phone = phone.change_app("com.example.app", permissions: {{ show_previews: :never }})
          payload = {{ aps: {{ alert: "hi" }}, my_key: 1 }}
          sent = mynah.send(token: phone.token_of("com.example.b"), topic: "com.example.b", payload: payload)
          push = mynah.notification(sent.sequence)
          matched = case sent
                    in {{ status: 200, reason: }} then reason.inspect
                    end
          mynah.clock.freeze(Time.at(4_102_444_800))
          at = mynah.clock.now
          same = [phone.refresh == phone.refresh, phone.inspect.start_with?("#<Mynah::Device id: ")]
          told = [phone.apps.map(&:app_name), push.received_at.is_a?(Time), push.payload["my_key"], matched]
          told << at.year << same << push.header("apns-topic") << mynah.notifications.first.sequence.eql?(push.sequence)
          told << mynah.remove[:devices]
          print JSON.generate(told)
        end
    """
    names, *rest = result_of(project, text)
    assert sorted(name or "" for name in names) == ["", "B"]
    assert rest == [True, 1, "nil", 2100, [True, True], "com.example.b", True, 1]


def test_a_stream_ends_with_its_block_and_what_that_raises_is_passed_on(project: Path, server: Mynah) -> None:
    text = f"""
        Mynah.open_scope("stream", server: Mynah.connect("{server.control_url}")) do |mynah|
          phone = mynah.device("com.example.app")
          2.times {{ mynah.send(token: phone.token, topic: "com.example.app", payload: {{ aps: {{ alert: "hi" }} }}) }}
          taken = mynah.events(event: "notification", after: 0).lazy.map {{ |event| event.data["device"] }}.first(2)
          error = begin
            mynah.events(event: "notification", after: 0) {{ raise IOError, "mine" }}
          rescue IOError => raised
            raised.message
          end
          refused = mynah.events(event: "nothing").first rescue $!.status
          print JSON.generate([taken.uniq == [phone.id], error, refused])
        end
    """
    assert result_of(project, text) == [True, "mine", 400]


# Test frameworks

MINITEST = """
require "minitest/autorun"
require "mynah/minitest"

class PushTest < Minitest::Test
  include Mynah::Minitest
  parallelize_me!

  %w[kim lee].each do |user|
    define_method(:"test_#{user}") do
      phone = mynah.device("com.example.app", user: user)
      mynah.send(token: phone.token, topic: "com.example.app", payload: { aps: { alert: "hi" } })
      assert_equal phone.id, assert_push(topic: "com.example.app").push.device
      refute_push(topic: "com.example.other", within: "0s")
    end
  end

  def test_unmet
    assert_push(topic: "com.example.app", within: "0s")
  end

  def test_late
    mynah.device("com.example.app").wait(within: "1ms")
  end

  def test_nothing
  end
end
"""


def test_minitest_has_a_scope_for_each_test_and_failures_of_its_own(
    project: Path, own_mynah: Callable[..., Mynah]
) -> None:
    mynah = own_mynah()
    done = ruby(project, MINITEST, MYNAH_URL=mynah.control_url)
    assert done.returncode == 1 and not done.stderr, done
    assert mynah.control.get("/v1/scopes")["items"] == []
    assert "5 runs, 7 assertions, 2 failures, 0 errors, 0 skips" in done.stdout, done.stdout
    # Where the test is.
    assert "PushTest#test_unmet [program.rb:" in done.stdout and "PushTest#test_late [program.rb:" in done.stdout
    assert "unmet: 0 pushes matched; expected at least 1 within 0s" in done.stdout


RSPEC = """
require "mynah/rspec"

RSpec.describe "a push", :mynah do
  let(:phone) { mynah.device("com.example.app") }

  it "comes" do
    mynah.send(token: phone.token, topic: "com.example.app", payload: { aps: { alert: "hi" } })
    expect(mynah).to have_push(topic: "com.example.app")
    expect(mynah.name).to start_with("a-push-comes-")
  end

  it "doesn't come" do
    expect(mynah).to have_push(topic: "com.example.app", within: "0s")
  end

  it "comes, but shouldn't" do
    mynah.send(token: phone.token, topic: "com.example.app", payload: { aps: { alert: "hi" } })
    expect(mynah).not_to have_push(topic: "com.example.app", within: "0s")
  end
end

RSpec.describe "another group" do
  it("has none") { expect(respond_to?(:mynah)).to be(false) }
end
"""


def test_rspec_has_a_scope_for_each_example_and_a_matcher(project: Path, own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    done = ruby(project, RSPEC, "rspec", "--order", "defined", MYNAH_URL=mynah.control_url)
    assert done.returncode == 1 and not done.stderr, done
    assert mynah.control.get("/v1/scopes")["items"] == []
    assert "4 examples, 2 failures" in done.stdout, done.stdout
    assert "unmet: 0 pushes matched; expected at least 1 within 0s" in done.stdout
    assert "unmet: 1 push matched: " in done.stdout and "; expected none" in done.stdout
