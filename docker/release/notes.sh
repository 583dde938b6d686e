#!/bin/sh
# Prints what .github/CHANGELOG.md says of a version: docker/release/notes.sh VERSION. Fails if it has no such section.
set -eu
changelog=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)/.github/CHANGELOG.md
version=${1:?expected a version, such as 0.1.0}
awk -v heading="## $version " '
    /^## / { is_section = index($0, heading) == 1; found += is_section; next }
    is_section && (/./ || lines++) { print }
    END { exit !found }
' "$changelog" || {
    echo ".github/CHANGELOG.md has no section '## $version (DATE)'" >&2
    exit 65
}
