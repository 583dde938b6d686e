"""What GitHub and others read of the repository: valid, pinned, and of the same versions everywhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from release_repository import facts
from server import REPOSITORY
from waiting import RUN_SECONDS
from workflow import load

GITHUB = REPOSITORY / ".github"
RELEASE, TEST = GITHUB / "workflows" / "release.yml", GITHUB / "workflows" / "test.yml"
ACTIONS = REPOSITORY / "docker" / "actions"


def tool(name: str, *arguments: str | Path) -> None:
    """Runs a checker of these tests' environment, which has to have no complaint."""
    program = Path(sys.executable).with_name(name)
    command = [str(program), *map(str, arguments)]
    done = subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, timeout=RUN_SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-workflows", [RELEASE, TEST, ACTIONS / "example-workflow.yml"]),
        ("github-actions", [ACTIONS / "mynah" / "action.yml", ACTIONS / "mynah" / "finish" / "action.yml"]),
        ("github-issue-forms", sorted(set((GITHUB / "ISSUE_TEMPLATE").glob("*.yml")) - {GITHUB / "ISSUE_TEMPLATE/config.yml"})),
        ("github-issue-config", [GITHUB / "ISSUE_TEMPLATE" / "config.yml"]),
        ("dependabot", [GITHUB / "dependabot.yml"]),
    ],
)
def test_the_files_are_what_github_reads(schema: str, files: list[Path]) -> None:
    assert files
    tool("check-jsonschema", "--builtin-schema", f"vendor.{schema}", *files)


def test_the_workflows_have_no_mistakes() -> None:
    # Without the checkers of scripts, which are not there everywhere.
    tool("actionlint", "-shellcheck=", "-pyflakes=", RELEASE, TEST, ACTIONS / "example-workflow.yml")


def test_the_workflows_give_nothing_away() -> None:
    tool("zizmor", "--offline", "--quiet", GITHUB, ACTIONS / "mynah")


def steps(workflow: Path) -> list[dict[str, Any]]:
    return [step for job in load(workflow)["jobs"].values() for step in job.get("steps", [])]


def test_actions_are_pinned_to_one_commit_with_its_version() -> None:
    pinned: dict[str, set[str]] = {}
    for workflow in (RELEASE, TEST):
        for line in workflow.read_text().splitlines():
            if used := re.search(r"uses: (\S+)(.*)$", line):
                if used[1].startswith("$/"):
                    continue
                found = re.fullmatch(r"([\w-]+/[\w-]+)@([0-9a-f]{40})", used[1])
                assert found and re.fullmatch(r" # v\d+\.\d+\.\d+", used[2]), line
                pinned.setdefault(found[1], set()).add(found[2] + used[2])
    assert "actions/checkout" in pinned
    assert all(len(versions) == 1 for versions in pinned.values()), pinned


def test_the_compiler_is_the_same_everywhere() -> None:
    jobs = [job for workflow in (RELEASE, TEST) for job in load(workflow)["jobs"].values()]
    images = {job["container"]["image"] for job in jobs if "container" in job}
    (image,) = images
    assert re.fullmatch(r"swift:\d+\.\d+\.\d+-bookworm", image)
    assert f"ARG SWIFT_IMAGE={image}\n" in (REPOSITORY / "docker/Dockerfile").read_text()
    assert f"`docker buildx imagetools inspect {image}`" in page("PublishARelease")


def page(name: str) -> str:
    (file,) = (REPOSITORY / "Sources/Mynah/Mynah.docc").rglob(f"{name}.md")
    return file.read_text()


def test_the_release_calls_scripts_that_are_there() -> None:
    called = {word for step in steps(RELEASE) for word in re.findall(r"docker/release/[\w.]+", step.get("run", ""))}
    wanted = {"preflight.sh", "build.sh", "build_any.sh", "check.sh", "image.sh", "sets.py", "publish.sh", "packages.sh"}
    assert {f"docker/release/{name}" for name in wanted} <= called
    for script in called:
        assert os.access(REPOSITORY / script, os.X_OK), script


def test_nothing_is_public_before_everything_is_checked() -> None:
    jobs = load(RELEASE)["jobs"]

    def before(job: str) -> set[str]:
        needs = jobs[job].get("needs", [])
        needed = {needs} if isinstance(needs, str) else set(needs)
        return needed.union(*map(before, needed)) if needed else needed

    public = {name for name, job in jobs.items() if "environment" in job}
    assert public == {"publish", "pypi", "packages", "pages"}
    for name in public:
        assert {"preflight", "test", "files", "any", "image", "gather"} <= before(name)
    # What may write outside of the run: the image by its digest, and what is public.
    for name, job in jobs.items():
        written = {permission for permission, given in job["permissions"].items() if given == "write"}
        allowed = {"image": {"packages"}, "gather": {"attestations", "id-token"}}.get(name, set())
        assert name in public or written <= allowed, name


def test_artifacts_are_named_where_they_are_downloaded() -> None:
    downloads = [step["with"] for step in steps(RELEASE) if "download-artifact" in step.get("uses", "")]
    assert downloads and all("name" in given or "pattern" in given for given in downloads)
    uploaded = {step["with"]["name"] for step in steps(RELEASE) if "upload-artifact" in step.get("uses", "")}
    uploaded = {name.replace("${{ matrix.architecture }}", "amd64") for name in uploaded}
    for given in downloads:
        name = given.get("name", given.get("pattern", "")).replace("${{ matrix.architecture }}", "amd64").replace("*", "amd64")
        assert name in uploaded, given


def test_badges_say_what_is_true() -> None:
    readme = (REPOSITORY / "README.md").read_text()
    badges = re.findall(r"\[!\[\w+\]\((\S+)\)\]\((\S+)\)", readme)
    assert len(badges) == 4
    repository = facts.repository()
    for image, link in badges:
        assert repository in image or "pypi/v/mynah-apns" in image and link.endswith("/project/mynah-apns/")
        if workflow := re.search(r"actions/workflows/([\w.]+)/badge", image):
            assert (GITHUB / "workflows" / workflow[1]).is_file()


def test_the_swift_package_index_builds_what_is_there() -> None:
    manifest = yaml.safe_load((REPOSITORY / ".spi.yml").read_text())
    package = (REPOSITORY / "Package.swift").read_text()
    assert manifest["version"] == 1
    for config in manifest["builder"]["configs"]:
        for target in config["documentation_targets"]:
            assert f'.library(name: "{target}", targets: ["{target}"])' in package


def test_dependabot_reads_folders_that_have_what_it_is_for() -> None:
    files = {"github-actions": ".github/workflows/release.yml", "pip": "requirements.txt", "docker": "Dockerfile"}
    for update in yaml.safe_load((GITHUB / "dependabot.yml").read_text())["updates"]:
        for folder in update.get("directories", [update.get("directory")]):
            assert (REPOSITORY / folder.lstrip("/") / files[update["package-ecosystem"]]).is_file(), folder
