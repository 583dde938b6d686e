#!/usr/bin/env bash
# Refuses, in one line each and before anything is made, what could not be published: docker/release/preflight.sh
#
# Missing tools, a full disk, changes that are not committed, a changelog that says nothing of the version. Where a tag is
# to be published, RELEASE_TAG names it: then it has to be the version's and of this commit, the version has to have a
# date, and the files have to name the repository.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
changelog=.github/CHANGELOG.md
# Both release builds, the documentation and the packages.
megabytes_min=${RELEASE_MEGABYTES_MIN:-8000}

refused=0
refuse() {
    echo "$1" >&2
    [ "$refused" -ne 0 ] || refused=$2
}

missing=""
for tool in ${RELEASE_TOOLS:-clang curl dpkg-deb dpkg-shlibdeps docc file git gzip ldd python3 sha256sum strip swift tar}; do
    command -v "$tool" >/dev/null || missing="$missing $tool"
done
[ -z "$missing" ] || refuse "these tools are missing:$missing; Sources/toolchain.sh has the list of Debian packages, release_packages" 69
# What follows needs these.
for tool in git python3 df; do command -v "$tool" >/dev/null || exit 69; done

read -r -a fields < <(df -Pm -- "$root" | tail -n 1)
[ "${fields[3]}" -ge "$megabytes_min" ] ||
    refuse "the disk of $root is nearly full: ${fields[3]} MB are free, a release needs $megabytes_min MB" 69

mapfile -t changed < <(git -C "$root" status --porcelain)
[ ${#changed[@]} -eq 0 ] ||
    refuse "the tree is not that of a commit; ${#changed[@]} files have to be committed or removed, such as ${changed[0]:3}" 65

version=$(python3 "$here/facts.py" version)
if ! notes=$("$here/notes.sh" "$version" 2>/dev/null); then
    refuse "$changelog has no section '## $version (DATE)'" 65
elif [ -z "$notes" ]; then
    refuse "$changelog says nothing of version $version" 65
fi

if [ -n "${RELEASE_TAG-}" ]; then
    tagged=$(git -C "$root" rev-parse --verify --quiet "refs/tags/$RELEASE_TAG^{commit}") || tagged=none
    if [ "$RELEASE_TAG" != "v$version" ]; then
        refuse "the tag $RELEASE_TAG is not that of version $version: v$version was expected" 65
    elif [ "$tagged" != "$(git -C "$root" rev-parse HEAD)" ]; then
        refuse "the tag $RELEASE_TAG is of the commit $tagged, and this is $(git -C "$root" rev-parse HEAD)" 65
    fi
    grep -qE "^## ${version//./\\.} \([0-9]{4}-[0-9]{2}-[0-9]{2}\)$" "$root/$changelog" ||
        refuse "$changelog has no date of version $version: '## $version (YYYY-MM-DD)' was expected" 65
    case $(python3 "$here/facts.py" repository) in
    OWNER/*) refuse "no repository is named: docker/release/facts.py repository OWNER/NAME writes it into all files" 65 ;;
    esac
fi
exit "$refused"
