"""Runs the steps of a job of GitHub Actions here: what is in `run`, and composite actions of this repository."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import yaml

from server import REPOSITORY, clean_environment
from waiting import RUN_SECONDS

# An action of this repository, as others name it.
OWN_ACTION = re.compile(r"[^/]+/mynah/(docker/actions/[^@]+)@v\d")
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


def load(path: Path) -> dict[str, Any]:
    """A workflow or an action; the key `on`, which YAML 1.1 reads as a boolean, is of no use here."""
    document: dict[str, Any] = yaml.safe_load(path.read_text())
    return document


class Job:
    """A job in a workspace of its own: its variables, the results of its steps, its summary."""

    def __init__(self, folder: Path, **variables: str) -> None:
        """`variables` are what expressions may name, like `vars.NAME` with a double underscore for the point."""
        self.workspace = folder / "workspace"
        self.temporary = folder / "temporary"
        self.workspace.mkdir(parents=True)
        self.temporary.mkdir()
        self.summary = folder / "summary.md"
        self.summary.touch()
        self.names = {name.replace("__", "."): value for name, value in variables.items()}
        self.path: list[str] = []
        self.environment: dict[str, str] = {}
        self.output = ""
        self.failed = False

    def run(self, steps: list[dict[str, Any]], **overriding: str) -> None:
        """Runs steps; after one that fails, only those with `if: always()`.

        A step that uses something of another repository is left out. `overriding` has the last word on variables.
        """
        for step in steps:
            if self.failed and step.get("if") != "always()":
                continue
            if "run" in step:
                self._run(step, {}, overriding)
            elif own := OWN_ACTION.match(step["uses"]):
                inputs = {key: self._text(value, {}) for key, value in step.get("with", {}).items()}
                self.use(REPOSITORY / own[1], step.get("id"), **inputs)

    def use(self, action: Path, identifier: str | None = None, **inputs: str) -> dict[str, str]:
        """Runs a composite action; its outputs."""
        document = load(action / "action.yml")
        assert set(inputs) <= set(document["inputs"]), inputs
        names = {f"inputs.{name}": str(given["default"]) for name, given in document["inputs"].items()}
        names |= {f"inputs.{name}": value for name, value in inputs.items()}
        for step in document["runs"]["steps"]:
            if not self._run(step, names, {"GITHUB_ACTION_PATH": str(action)}):
                break
        outputs = {name: self._text(given["value"], names) for name, given in document["outputs"].items()}
        self.names |= {f"steps.{identifier}.outputs.{name}": value for name, value in outputs.items()}
        return outputs

    def _run(self, step: dict[str, Any], names: dict[str, str], further: dict[str, str]) -> bool:
        """Whether the step succeeds."""
        files = {name: self.temporary / name for name in ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH")}
        for file in files.values():
            file.write_text("")
        runner = {name: str(file) for name, file in files.items()}
        runner |= {"RUNNER_TEMP": str(self.temporary), "GITHUB_STEP_SUMMARY": str(self.summary)}
        runner |= {"GITHUB_ACTIONS": "true", "HOME": str(self.temporary), "XDG_RUNTIME_DIR": str(self.temporary)}
        names = names | {"job.status": "failure" if self.failed else "success"}
        own = {name: self._text(str(value), names) for name, value in step.get("env", {}).items()}
        paths = {"PATH": os.pathsep.join([*reversed(self.path), os.environ["PATH"]])}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", self._text(step["run"], names)],
            cwd=self.workspace,
            env=clean_environment(**(paths | runner | self.environment | own | further)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=RUN_SECONDS,
            check=False,
        )
        self.output += done.stdout
        self.failed = self.failed or done.returncode != 0
        self.environment |= pairs(files["GITHUB_ENV"])
        self.path += files["GITHUB_PATH"].read_text().splitlines()
        outputs = pairs(files["GITHUB_OUTPUT"]).items()
        if "id" in step:
            self.names |= {f"steps.{step['id']}.outputs.{key}": value for key, value in outputs}
        return done.returncode == 0

    def _text(self, text: str, names: dict[str, str]) -> str:
        """A text with the values of its expressions; one that is not known is empty, as on GitHub."""
        return EXPRESSION.sub(lambda found: (self.names | names).get(found[1], ""), str(text))


def pairs(file: Path) -> dict[str, str]:
    """The `name=value` lines of a file of a step."""
    return dict(line.split("=", 1) for line in file.read_text().splitlines())
