"""The pages of the packages, followed word for word in an empty folder in which the package was installed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from documentation import OF_LANGUAGES, page_blocks
from documented_commands import Runner
from languages import LANGUAGES
from server import Mynah

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
    runner = Runner(folder, own_mynah(folder=tmp_path / "mynah"))
    runner.environment |= language.variables(folder)
    runner.here = language.runs
    # The tests of a page start their own server.
    del runner.environment["MYNAH_URL"]
    runner.run(page, page_blocks(page))


def test_every_language_has_pages() -> None:
    # The Python package's own are run by Tests/clients.
    assert set(OF_LANGUAGES.values()) == {language.name for language in LANGUAGES} - {"python"}
