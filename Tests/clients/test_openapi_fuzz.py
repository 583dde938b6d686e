"""Schemathesis makes calls of the OpenAPI document, good ones and bad ones, and looks at what comes back."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from contract import Contract
from server import Mynah
from waiting import HANG_SECONDS

HERE = Path(__file__).resolve().parent
# Beside those of api_fuzz.py, whose contract holds schemas of answers more strictly than Schemathesis does. A call that
# breaks its schema must be refused, and never with a 5xx.
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "refuses_what_breaks_its_schema",
    "unsupported_method",
    "allow_header_conformance",
    "keeps_the_contract",
    "names_what_is_wrong",
]
EXAMPLES = 10
# After them it hangs: some 26,000 calls take minutes, and beside other load have taken nine.
SECONDS = 2000
SEED = 20_190_625
# Rules have as many fields as all other bodies together; the halves can run at the same time.
RULES = "^/v1/(faults|scenarios)"


def endless(contract: Contract) -> list[str]:
    """The ids of operations that are answered for ever: streams of events."""
    return [
        operation["operationId"]
        for _, _, operation in contract.operations()
        if any("text/event-stream" in response.get("content", {}) for response in operation["responses"].values())
    ]


@pytest.mark.minutes
@pytest.mark.parametrize("paths", ["--include-path-regex", "--exclude-path-regex"], ids=["rules", "others"])
def test_no_call_that_can_be_thought_of_breaks_the_api(
    own_mynah: Callable[..., Mynah], contract: Contract, tmp_path: Path, paths: str
) -> None:
    mynah = own_mynah("--seed", "1")
    device = mynah.control.post("/v1/devices", {"id": "0", "registrations": [{"topic": "com.example.app"}]})
    assert device["id"] == "0"
    command = [
        *[sys.executable, "-m", "schemathesis.cli", "--no-color", "run", f"{mynah.control_url}/openapi.json"],
        *["--checks", ",".join(CHECKS), "--phases", "examples,coverage,fuzzing", "--mode", "all"],
        *["--max-examples", str(EXAMPLES), "--seed", str(SEED), "--no-shrink"],
        *["--generation-database", "none", "--suppress-health-check", "all", "--continue-on-failure"],
        *["--request-timeout", str(HANG_SECONDS), "--workers", "1", "--warnings", "off"],
        *[paths, RULES],
        *[part for operation in endless(contract) for part in ("--exclude-operation-id", operation)],
    ]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(HERE), "SCHEMATHESIS_HOOKS": "api_fuzz", "HOME": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-4000:]
    # The server is as well as before: it answers, and has no log line of a call that failed.
    assert mynah.control.ask("GET", "/livez").status == 200
    assert not [line for line in mynah.process.errors if "a control call failed" in line]
