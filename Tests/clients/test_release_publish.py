"""Publishing, with stand-ins for what needs an account: what is done, in which order, and a second time."""

from __future__ import annotations

from pathlib import Path

import pytest

from release_repository import VERSION, ReleaseRepository

TAG = f"v{VERSION}"
IMAGE = "ghcr.io/Some-One/mynah"


class Publication:
    """A gathered release with both images, and the calls that the stand-ins were given."""

    def __init__(self, folder: Path) -> None:
        self.repository = ReleaseRepository(folder)
        self.calls_file = folder / "calls"
        build = self.repository.folder / ".build"
        self.release, self.images = build / "release", build / "images"
        done = self.repository.run("docker/release/sets.py", "gather", self.release, *self.repository.all_sets())
        assert done.returncode == 0, done
        self.images.mkdir()
        commit = self.repository.git("rev-parse", "HEAD")
        for machine in ("x86_64", "aarch64"):
            (self.images / f"image-{machine}.txt").write_text(f"{commit} ghcr.io/some-one/mynah@sha256:{machine}\n")
        recorded = f'echo "${{0##*/}} $*" >>{self.calls_file}'
        self.repository.stand_in("docker", recorded)
        # A release that was made is there, and so is a tag; a tap without the formula.
        made = folder / "made"
        tagged = folder / "tagged"
        self.repository.stand_in(
            "gh",
            f"{recorded}\ncase $1.$2 in\nrelease.view) test -e {made} ;;\nrelease.create) touch {made} ;;\n"
            f"api.repos/*/git/ref/tags/*) test -e {tagged} ;;\napi.repos/*/git/refs) touch {tagged} ;;\n"
            "api.repos/*) exit 1 ;;\nesac",
        )

    def publish(self, **variables: str) -> list[str]:
        """The calls, without what stands behind their first words."""
        self.calls_file.write_text("")
        done = self.repository.run(
            "docker/release/publish.sh", self.release, self.images, RELEASE_TAG=TAG, IMAGE=IMAGE,
            RELEASE_TOOLS="git python3 gh docker", RELEASE_MEGABYTES_MIN="1", **variables,
        )
        assert done.returncode == 0, done
        return self.calls_file.read_text().splitlines()


@pytest.fixture
def publication(tmp_path: Path) -> Publication:
    return Publication(tmp_path)


def test_the_release_is_a_draft_until_all_is_there(publication: Publication) -> None:
    view, create, upload, image, tag_view, tag, edit = publication.publish()
    assert view == f"gh release view {TAG}"
    assert create.startswith(f"gh release create {TAG} --draft --verify-tag --title Mynah {VERSION} --notes-file ")
    assert upload.startswith(f"gh release upload {TAG} ") and upload.endswith(" --clobber")
    for file in publication.release.iterdir():
        assert f"/{file.name} " in upload
    names = " ".join(f"--tag ghcr.io/some-one/mynah:{name}" for name in (VERSION, *lines(), "latest"))
    digests = " ".join(f"ghcr.io/some-one/mynah@sha256:{machine}" for machine in ("aarch64", "x86_64"))
    assert image == f"docker buildx imagetools create {names} {digests}"
    commit = publication.repository.git("rev-parse", "HEAD")
    assert tag_view.startswith("gh api repos/") and tag_view.endswith(f"/git/ref/tags/Sources/go/{TAG}")
    assert tag.endswith(f"/git/refs --raw-field ref=refs/tags/Sources/go/{TAG} --raw-field sha={commit}")
    assert edit.startswith(f"gh release edit {TAG} --draft=false --latest=true --notes-file ")


def lines() -> tuple[str, str]:
    """The lines of the version: 0.1 and 0."""
    major, minor, _ = VERSION.split(".")
    return f"{major}.{minor}", major


def test_a_second_time_it_changes_what_is_there(publication: Publication) -> None:
    first = publication.publish()
    second = publication.publish()
    made = ("release create", "/git/refs ")
    kept = [call for call in first if not any(word in call for word in made)]
    assert kept[:-1] == second[:-1] and len(second) == len(first) - len(made)


def test_a_fix_of_an_older_version_moves_nothing_of_the_newest(publication: Publication) -> None:
    publication.repository.git("tag", "v99.0.0")
    calls = publication.publish(HOMEBREW_TAP="some-one/homebrew-mynah", TAP_TOKEN="secret")
    assert any(call.startswith(f"gh release edit {TAG} --draft=false --latest=false") for call in calls)
    assert not any(":latest" in call or "homebrew" in call for call in calls)


def test_a_tap_gets_the_formula_when_all_is_published(publication: Publication) -> None:
    calls = publication.publish(HOMEBREW_TAP="some-one/homebrew-mynah", TAP_TOKEN="secret")
    assert calls[-1].startswith("gh api --method PUT repos/some-one/homebrew-mynah/contents/Formula/mynah.rb ")
    assert "secret" not in "".join(calls)


def test_a_changed_file_is_not_published(publication: Publication) -> None:
    (publication.release / "mynah_x86_64.deb").write_text("changed")
    done = publication.repository.run(
        "docker/release/publish.sh", publication.release, publication.images, RELEASE_TAG=TAG, IMAGE=IMAGE,
        RELEASE_TOOLS="git python3 gh docker", RELEASE_MEGABYTES_MIN="1",
    )
    assert done.returncode == 1 and "mynah_x86_64.deb: FAILED" in done.stdout
    assert not publication.calls_file.exists()
