"""The README and the documentation: their commands run, their documents are well formed, their links lead somewhere."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from documentation import OF_LANGUAGES, blocks, fenced, page_blocks, pages
from documented_commands import ELSEWHERE, Runner, examples
from server import REPOSITORY, Mynah, clean_environment
from waiting import RUN_SECONDS

WITH_COMMANDS = [
    page
    for page in pages()
    if page not in OF_LANGUAGES and any(not example.elsewhere for example in examples(page_blocks(page)))
]


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_the_commands_of_a_page_do_what_it_says(page: str, own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    Runner(tmp_path, own_mynah()).run(page, page_blocks(page))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("```sh\nmynah device show nobody\n```", "line 1: exit code 66"),
        ("```sh\nmynah device list  # exit code 64\n```", "line 1: exit code 1"),
        ("```sh\ntrue\n```\n\n```sh\ntrue  # until Ctrl-C\n```", "line 5: exit code 1"),
        ("```sh\nmynah serve --prot 1  # until Ctrl-C\n```", "line 1: exit code 1"),
        ("```sh\nmynah fault list\n```\n\n```\nf-1\n```", "the output has no line"),
        ("```sh\necho a; echo b\n```\n\n```\nb\na\n```", "the output has no line"),
    ],
)
def test_a_page_that_is_wrong_is_noticed(
    text: str, message: str, own_mynah: Callable[..., Mynah], tmp_path: Path
) -> None:
    with pytest.raises(AssertionError, match=message):
        Runner(tmp_path, own_mynah()).run("page", list(fenced(text)))


def test_what_is_not_run_needs_a_program_of_the_list() -> None:
    used = {program for page in pages() for example in examples(page_blocks(page)) for program in example.elsewhere}
    assert used == ELSEWHERE.keys()


@pytest.mark.parametrize("page", pages())
def test_the_documents_of_a_page_are_well_formed(page: str) -> None:
    for block in page_blocks(page):
        if block.language == "json":
            json.loads(block.text)
        elif block.language == "yaml":
            list(yaml.safe_load_all(block.text))
        elif block.language == "python":
            compile(block.text, f"{page}, line {block.line}", "exec")


def test_the_script_for_gitlab_runs_where_the_service_is(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    server = own_mynah()
    [job] = yaml.safe_load(blocks("RunInCI", "yaml", "GitLab")[0]).values()
    variables, names = job["variables"], job["services"][0]["alias"].split(",")
    assert {urlsplit(variables["MYNAH_URL"]).hostname, variables["MYNAH_APNS_HOST"]} <= set(names)
    tests = tmp_path / "run-push-tests"
    tests.write_text(
        "#!/bin/sh\ncurl --silent --show-error --http2 --cacert $MYNAH_CA_FILE https://$MYNAH_APNS_HOST:$MYNAH_APNS_PORT/\n"
    )
    tests.chmod(0o755)
    at_server = {"MYNAH_URL": server.control_url, "MYNAH_APNS_HOST": "localhost", "MYNAH_APNS_PORT": str(server.port)}
    assert variables.keys() == at_server.keys()
    done = subprocess.run(
        ["bash", "-ec", "\n".join(job["script"])],
        cwd=tmp_path,
        env=clean_environment(**at_server),
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, '{"reason":"MethodNotAllowed"}', "")


@pytest.mark.parametrize(
    "name",
    [
        "README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md", "Sources/go/README.md", "Sources/node/README.md",
        "Sources/python/README.md",
        "Sources/java/README.md",
        "Sources/php/README.md",
        "Sources/ruby/README.md",
    ],
)
def test_the_links_of_a_file_outside_the_documentation_lead_somewhere(name: str) -> None:
    file = REPOSITORY / name
    links = re.findall(r"\]\(([^)]+)\)", file.read_text())
    assert links
    for link in links:
        path, _, anchor = link.partition("#")
        target = file.parent / path
        # Files that registries show name the others by their addresses; other addresses are of elsewhere.
        if path.startswith("https://github.com/OWNER/mynah/blob/main/"):
            target = REPOSITORY / path.partition("/blob/main/")[2]
        elif "://" in path:
            continue
        assert target.exists(), link
        headings = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE) if anchor else []
        assert not anchor or anchor in {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}, link
