#!/usr/bin/env bash
# Publishes what docker/release/sets.py has gathered: docker/release/publish.sh RELEASE IMAGES
#
# The files as a release on GitHub, which is a draft until all of them are there; then the image's tags and the tag of the
# Go module; then the formula in the Homebrew tap HOMEBREW_TAP, if one is named, with the token TAP_TOKEN. Each step can be
# done again. RELEASE_TAG names the tag, IMAGE the image. PyPI, Pages and the registries of languages have jobs of their own,
# because they know the job that they trust.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
release=$(realpath -- "${1:?the folder of the gathered files was expected}")
images=$(realpath -- "${2:?the folder of the digests was expected}")
: "${RELEASE_TAG:?it names the tag}"

"$here/preflight.sh"
version=$(python3 "$here/facts.py" version)
(cd -- "$release" && sha256sum --check --quiet "mynah-$version.sha256")
newest=$(python3 "$here/tags.py" --is-newest "$version")
kind=()
[[ $version != *-* ]] || kind=(--prerelease)
notes=$(mktemp)
trap 'rm -f "$notes"' EXIT
"$here/notes.sh" "$version" >"$notes"

gh release view "$RELEASE_TAG" >/dev/null 2>&1 ||
    gh release create "$RELEASE_TAG" --draft --verify-tag --title "Mynah $version" --notes-file "$notes" "${kind[@]}"
gh release upload "$RELEASE_TAG" "$release"/* --clobber
"$here/image.sh" tag "$images"
# Go's proxies find a module that is in a folder by a tag with the folder's name.
repository=${GITHUB_REPOSITORY:-$(python3 "$here/facts.py" repository)}
gh api "repos/$repository/git/ref/tags/Sources/go/$RELEASE_TAG" >/dev/null 2>&1 ||
    gh api "repos/$repository/git/refs" --raw-field "ref=refs/tags/Sources/go/$RELEASE_TAG" \
        --raw-field "sha=$(git -C "$here" rev-parse HEAD)" >/dev/null
gh release edit "$RELEASE_TAG" --draft=false --latest="$newest" --notes-file "$notes"

if [ -n "${HOMEBREW_TAP-}" ] && [ "$newest" = true ]; then
    export GH_TOKEN=${TAP_TOKEN:?the tap needs a token}
    place=repos/$HOMEBREW_TAP/contents/Formula/mynah.rb
    before=$(gh api "$place" --jq .sha 2>/dev/null) || before=""
    gh api --method PUT "$place" --raw-field "message=mynah $version" --raw-field "content=$(base64 -w 0 "$release/mynah.rb")" \
        ${before:+--raw-field "sha=$before"} >/dev/null
    echo "$HOMEBREW_TAP has the formula of $version"
fi
