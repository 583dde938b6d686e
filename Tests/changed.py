"""What a change can break: the plan of `Tests/run.sh --changed [COMMIT]`.

Prints a line for each part of Tests/run.sh that has something to do, the name and then its arguments, with tabs between
them. Swift tests are those of every target that depends on a changed one, by Package.swift. Client tests are those that
import a changed file, and those of the table below. The whole run remains what decides: this one answers in about two
minutes, and leaves out what takes longer.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[1]
CLIENTS = "Tests/clients"
USAGE_ERROR = 64

# Where a change is, and the client tests that see it first: the longest path that fits a file counts. What else
# Tests/clients has for the program is left to the whole run.
SEEN_BY: dict[str, list[str]] = {
    "Sources": ["test_curl", "test_cli", "test_control_api", "test_first_errors"],
    "Sources/APNsRules": ["test_fixtures_over_the_wire", "test_curl", "test_settings_of_pushes"],
    "Sources/APNsRules/WebPush": ["test_web_push*"],
    "Sources/Mynah": ["test_fixtures_over_the_wire", "test_control_api", "test_guarantees"],
    "Sources/Mynah/Channels": ["test_broadcast*"],
    "Sources/Mynah/Cluster": ["test_cluster*", "test_data"],
    "Sources/Mynah/Connection": ["test_fixtures_over_the_wire", "test_connection_life", "test_fault_frames"],
    "Sources/Mynah/Faults": ["test_fault*"],
    "Sources/Mynah/Journal": ["test_control_api", "test_expect", "test_events"],
    "Sources/Mynah/Listening": ["test_tls", "test_cleartext", "test_failed_handshakes", "test_serve_command"],
    "Sources/Mynah/Log": ["test_data", "test_open"],
    "Sources/Mynah/Mynah.docc": ["test_documentation"],
    "Sources/Mynah/Order": ["test_data", "test_open", "test_guarantees"],
    "Sources/Mynah/Proxy": ["test_proxy*", "test_intercept"],
    "Sources/Mynah/Trust": ["test_scoped_keys", "test_tls", "test_client_certificates", "test_certificate_*"],
    "Sources/MynahCLI": ["test_cli", "test_command_output", "test_serve_command", "test_first_errors"],
    "Sources/MynahCLI/Commands": ["test_cli", "test_command_output", "test_certs_command", "test_expect", "test_exec"],
    "Sources/MynahCLI/Compare": ["test_compare"],
    "Sources/MynahCLI/Completions": ["test_completions"],
    "Sources/MynahCLI/Expectations": ["test_expect"],
    "Sources/MynahCLI/Fixtures": ["test_fixtures_at_start", "test_scenarios"],
    "Sources/MynahCLI/Help": ["test_cli", "test_manual_pages"],
    "Sources/MynahCLI/Serve": ["test_serve_command", "test_bad_settings", "test_exec"],
    "Sources/MynahCLI/WebPush": ["test_web_push"],
    "Sources/MynahCLI/Settings": ["test_bad_settings", "test_serve_command"],
    "Sources/MynahClient": ["test_cli", "test_command_output", "test_compare", "test_python_types"],
    "Sources/MynahComparison": ["test_compare", "test_fixtures_over_the_wire"],
    "Sources/MynahControl": ["test_control_api", "test_openapi", "test_events", "test_access", "test_python_types"],
    "Sources/MynahControl/Metrics": ["test_metrics"],
    "Sources/MynahControl/OpenAPI": ["test_openapi", "test_python_types"],
    "Sources/MynahControl/Page": ["test_page*"],
    "Sources/MynahCore": ["test_fixtures_over_the_wire", "test_control_api", "test_guarantees"],
    "Sources/MynahCore/Channels": ["test_broadcast*", "test_page_channels"],
    "Sources/MynahCore/Devices": ["test_device*", "test_activities", "test_guarantees"],
    "Sources/MynahCore/Expectations": ["test_expect", "test_control_api"],
    "Sources/MynahCore/Faults": ["test_fault*", "test_scenarios", "test_choices"],
    "Sources/MynahCore/Journal": ["test_control_api", "test_expect", "test_events"],
    "Sources/MynahCore/Language": ["test_regular_expressions", "test_expect"],
    "Sources/MynahCore/Screen": ["test_screen*"],
    "Sources/MynahCore/WebPush": ["test_web_push*", "test_page_web_push"],
    "Sources/MynahCore/Time": ["test_clock", "test_device_fixtures_over_the_wire"],
    "Sources/MynahStore": ["test_data", "test_open", "test_cluster"],
    "Sources/MynahTrust": ["test_certs_command", "test_certificate_*", "test_bad_provider_files", "test_tls"],
    "Sources/MynahTrust/WebPush": ["test_web_push*"],
    "Sources/MynahWire": ["test_request_frames", "test_settings_frames", "test_protocol_errors", "test_closed_streams"],
    "Sources/MynahYAML": ["test_fixtures_at_start", "test_bad_settings"],
    "Sources/go": ["test_python_types"],
    "Sources/helpers": ["test_python_types"],
    "Sources/java": ["test_python_types"],
    "Sources/node": ["test_python_types"],
    "Sources/php": ["test_python_types"],
    "Sources/python": ["test_python_*"],
    "Sources/ruby": ["test_python_types"],
    "Sources/toolchain.sh": ["test_scripts"],
    "Sources/serve.sh": ["test_scripts"],
    "Tests/run.sh": ["test_scripts"],
    "Tests/changed.py": ["test_scripts"],
    "docker": ["test_scripts", "test_testcontainers", "test_github_action"],
    "docker/release": ["test_release_*", "test_scripts"],
    "docker/packages.versions": ["test_release_components", "test_scripts"],
    "fixtures/certificates": ["test_certificate_*"],
    "fixtures/devices": ["test_device_fixtures_over_the_wire"],
    "fixtures/patterns": ["test_regular_expressions"],
    "fixtures/provider-api": ["test_fixtures_over_the_wire", "test_compare"],
    "fixtures/proxy": ["test_proxy*"],
    "fixtures/scenarios": ["test_scenarios"],
    "fixtures/screen": ["test_screen_fixtures_over_the_wire"],
    "fixtures/web-push": ["test_web_push_fixtures_over_the_wire"],
    ".github": ["test_release_workflows", "test_release_versions"],
    "README.md": ["test_documentation"],
}

# What the packages for other languages are made of, and tested by.
LANGUAGES = (
    "Sources/go",
    "Sources/helpers",
    "Sources/java",
    "Sources/node",
    "Sources/php",
    "Sources/python",
    "Sources/ruby",
    "Tests/languages",
    "fixtures/helpers",
)

# Files that a target reads without depending on a target that has them, or whose target has another name.
READ_BY = {
    "fixtures": ["APNsRulesTests", "MynahTests", "MynahControlTests", "MynahComparisonTests"],
    "Sources/Mynah/Mynah.docc": ["MynahCLITests"],
    "fixtures/helpers": ["MynahTestingTests"],
    "fixtures/web-push": ["MynahCLITests"],
    "Tests/Support": ["MynahTestSupport"],
}


def output(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout


def base() -> str:
    """The newest commit that the upstream branch has as well; the last commit where there is no upstream branch."""
    merged = subprocess.run(
        ["git", "merge-base", "HEAD", "@{upstream}"], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    return merged.stdout.strip() or "HEAD"


def changed_files(commit: str) -> list[str]:
    """The files that differ from a commit, those that git doesn't know among them."""
    tracked = output("git", "diff", "--name-only", "--relative", commit, "--")
    untracked = output("git", "ls-files", "--others", "--exclude-standard")
    return sorted({*tracked.split("\n"), *untracked.split("\n")} - {""})


def is_below(file: str, folder: str) -> bool:
    return file == folder or file.startswith(f"{folder}/")


def longest(file: str, table: Iterable[str]) -> str | None:
    """The longest path of a table that a file is, or lies in."""
    return max((path for path in table if is_below(file, path)), key=len, default=None)


def dependents(changed: set[str], package: dict[str, Any]) -> set[str]:
    """The test targets that depend on one of the targets, or are one."""
    needs: dict[str, set[str]] = {}
    for target in package["targets"]:
        named = [*target["dependencies"], *(target.get("pluginUsages") or [])]
        kinds = ("byName", "plugin")
        needs[target["name"]] = {each[kind][0] for each in named for kind in kinds if kind in each}
    reached = set(changed)
    while more := {name for name, needed in needs.items() if needed & reached} - reached:
        reached |= more
    return {target["name"] for target in package["targets"] if target["type"] == "test"} & reached


def swift_tests(files: list[str], package: dict[str, Any]) -> set[str]:
    """The test targets that a change of these files concerns; what holds the repository in order is always one."""
    changed = set()
    for file in files:
        folder = longest(file, READ_BY)
        changed |= set(READ_BY[folder]) if folder else set()
        if file == "Package.swift":
            changed |= {target["name"] for target in package["targets"]}
        elif file.startswith(("Sources/", "Tests/")) and not (folder and folder.startswith("Sources")):
            changed.add(file.split("/")[1])
    return dependents(changed, package) | {"RepositoryTests"}


def imported(file: Path) -> set[str]:
    """The modules that a file of the client tests imports."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def client_tests(files: list[str]) -> set[str]:
    """The files of tests that a change of these files concerns."""
    imports = {file.stem: imported(file) for file in (REPOSITORY / CLIENTS).glob("*.py")}
    tests = {name for name in imports if name.startswith("test_")}
    reached = {Path(file).stem for file in files if is_below(file, CLIENTS) and file.endswith(".py")}
    reached &= set(imports)
    # What all tests import would be all tests: they are the whole run's.
    common = {"conftest", "server", "control", "contract"}
    while more := {name for name, modules in imports.items() if modules & (reached - common)} - reached:
        reached |= more
    if reached & common:
        reached |= {"test_curl", "test_cli", "test_control_api"}
    for file in files:
        if (path := longest(file, SEEN_BY)) is not None:
            reached |= {name for name in tests for pattern in SEEN_BY[path] if fnmatch(name, pattern)}
    return reached & tests


def plan(files: list[str]) -> list[list[str]]:
    """The parts that have something to do, each with its arguments."""
    if not files:
        return []
    package = json.loads(output("swift", "package", "dump-package"))
    parts = [["packages"]]
    swift = [file for file in files if file.endswith(".swift") and (REPOSITORY / file).exists()]
    if swift:
        parts.append(["format", *swift])
    tests = sorted(swift_tests(files, package))
    parts += [["build"], ["swift-tests", "--filter", f"^({'|'.join(tests)})\\."]]
    clients = sorted(client_tests(files))
    if clients:
        parts.append(["python-environment"])
        parts.append(["client-tests", "-n", "2", "--dist", "worksteal", *(f"{name}.py" for name in clients)])
    if any(is_below(file, folder) for file in files for folder in LANGUAGES):
        parts += [part for part in [["python-environment"]] if part not in parts] + [["languages"]]
    if any(is_below(file, "Sources/Mynah/Mynah.docc") for file in files):
        parts.append(["documentation"])
    return parts


def main(arguments: list[str]) -> int:
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(f"unexpected {' '.join(arguments)}: expected --changed and at most one commit", file=sys.stderr)
        return USAGE_ERROR
    commit = arguments[0] if arguments else base()
    command = ["git", "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"]
    known = subprocess.run(command, cwd=REPOSITORY, capture_output=True, check=False)
    if known.returncode != 0:
        print(f"unknown commit '{commit}': expected one that git has", file=sys.stderr)
        return USAGE_ERROR
    for part in plan(changed_files(commit)):
        print("\t".join(part))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
