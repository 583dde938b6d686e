"""The pages of the packages, followed word for word in an empty folder in which the package was installed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from documentation import CATALOGUE, FILES_OF_OTHERS, OF_LANGUAGES, file_name, page_blocks
from documented_commands import Runner
from languages import LANGUAGES
from server import Mynah

# Of a provider, without imports, comments, and lines that only close what is open.
PROVIDER_LINES_MAX = 30
NO_CODE = re.compile(r"""\s*(?:(?://|\#|<\?php|import\b|from\b|package\b|require|"[\w/]+"$).*|end|[\])};,(]*)""")
# What the tests of each tutorial are about, by words in their names or bodies.
TUTORIAL_TESTS = {
    "an app that was removed": r"(?i)uninstall",
    "an APNs that is busy twice": r"503",
    "a GOAWAY": r"(?i)goaway",
    "an expired provider token": r"ExpiredProviderToken",
    "a device that is offline": r"(?i)online",
    "a badge": r"(?i)badge",
    "a Live Activity": r"(?i)start_?activity",
    "two at a time": r"lee",
}
TUTORIALS = sorted(page.stem for page in (CATALOGUE / "Tutorials").glob("TestAProviderIn*.md"))

KNOWN = {language.name: language for language in LANGUAGES}


@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=pytest.mark.xdist_group(language)) for page, language in OF_LANGUAGES.items()]
)
def test_a_page_is_followed(page: str, own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    language = KNOWN[OF_LANGUAGES[page]]
    if language.missing:
        pytest.skip(f"without {', '.join(language.missing)}")
    if language.missing_libraries:
        pytest.skip(f"without what {', '.join(language.missing_libraries)} needs")
    assert language.install is not None
    folder = tmp_path / "project"
    folder.mkdir()
    language.install(folder)
    if page in FILES_OF_OTHERS:
        other, name = FILES_OF_OTHERS[page]
        (folder / name).write_text(files_of(other)[name])
    runner = Runner(folder, own_mynah(folder=tmp_path / "mynah"))
    runner.environment |= language.variables(folder)
    runner.here = language.runs
    # The tests of a page start their own server.
    del runner.environment["MYNAH_URL"]
    runner.run(page, page_blocks(page))


def test_every_language_has_pages() -> None:
    # The Python package's own are run by Tests/clients.
    assert set(OF_LANGUAGES.values()) == {language.name for language in LANGUAGES} - {"python"}


def files_of(page: str) -> dict[str, str]:
    """The files of a page, by their names."""
    return {name: block.text for block in page_blocks(page) if (name := file_name(block.text)) is not None}


@pytest.mark.parametrize("page", [page for page in TUTORIALS if page != "TestAProviderInSwift"])
def test_the_provider_of_a_tutorial_is_short(page: str) -> None:
    [provider] = [text for name, text in files_of(page).items() if Path(name).stem.lower() == "provider"]
    lines = [line for line in provider.splitlines() if NO_CODE.fullmatch(line) is None]
    assert 15 < len(lines) <= PROVIDER_LINES_MAX, "\n".join(lines)


# Swift's is the package in Tests/example, which has more of them than its page.
@pytest.mark.parametrize("page", [page for page in TUTORIALS if page != "TestAProviderInSwift"])
@pytest.mark.parametrize("about", TUTORIAL_TESTS)
def test_a_tutorial_has_a_test(page: str, about: str) -> None:
    tests = "\n".join(text for name, text in files_of(page).items() if "test" in name.lower())
    assert re.search(TUTORIAL_TESTS[about], tests), f"{page} has no test of {about}"
