"""The last lines of a run: of each failed test its name, what was expected, and the command that runs it again."""

from __future__ import annotations

import shlex

import pytest
from _pytest.terminal import TerminalReporter

# More would push the first ones off the screen, and seldom have other causes.
FAILURES_MAX = 10
LINES_MAX = 4


def what_failed(report: pytest.TestReport | pytest.CollectReport) -> list[str]:
    """The lines of a report that say what was expected: pytest marks them by an E."""
    lines = [line[1:].strip() for line in report.longreprtext.splitlines() if line.startswith("E ")]
    return [line for line in lines if line][:LINES_MAX] or report.longreprtext.splitlines()[-1:]


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Writes those lines; `Tests/run.sh` finds them by their first character."""
    failures = [*terminalreporter.getreports("failed"), *terminalreporter.getreports("error")]
    for report in failures[:FAILURES_MAX]:
        terminalreporter.write_line(f"✘ {report.nodeid}")
        for line in what_failed(report):
            terminalreporter.write_line(f"✘   {line}")
        terminalreporter.write_line(f"✘   again: Tests/run.sh client-tests -- {shlex.quote(report.nodeid)}")
    if len(failures) > FAILURES_MAX:
        terminalreporter.write_line(f"✘ and {len(failures) - FAILURES_MAX} more")
