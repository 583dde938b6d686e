#!/usr/bin/env bash
# Makes what a release publishes: docker/release/build.sh [--mynah FILE] [FOLDER], by default into .build/dist.
#
#     mynah-VERSION-linux-ARCHITECTURE.tar.gz     the program for any Linux with glibc 2.35 or later, and its documentation
#     mynah-VERSION-…-manylinux_2_35_….whl        the same for pip, with the Python package and its pytest plugin
#     mynah_VERSION_ARCHITECTURE.deb              the Debian package, linked with Debian's libraries
#     mynah-VERSION-linux-ARCHITECTURE.spdx.json  what the program consists of
#     mynah-VERSION-linux-ARCHITECTURE.sha256     the checksums of these files
#
# With --mynah nothing is compiled: FILE is a program that `build_portable` has made, and no Debian package is. Needs what
# Sources/serve.sh needs, and python3 with venv. The same commit makes the same files, apart from the compiler.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
. "$root/Sources/toolchain.sh"

portable=""
if [ "${1-}" = --mynah ]; then
    portable=$(realpath -- "${2:?--mynah needs the path of a program}")
    shift 2
fi
folder=$(realpath -m -- "${1:-$root/.build/dist}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
rm -rf "$folder"
mkdir -p "$folder"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

if [ -z "$portable" ]; then
    build_release "$root"
    "$root/docker/deb/build.sh" "$folder" >&2
    build_portable "$root"
    portable=$root/.build/release/mynah
fi
version=$("$portable" --version)
machine=$(uname -m)
echo "Mynah $version for $machine" >&2
# A tag that does not belong to this version would publish it under another's name.
tag=${RELEASE_TAG:-v$version}
[ "$tag" = "v$version" ] || {
    echo "the tag $tag is not that of version $version: v$version was expected" >&2
    exit 65
}
notes=$("$here/notes.sh" "$version")
[ -n "$notes" ] || {
    echo ".github/CHANGELOG.md says nothing of version $version" >&2
    exit 65
}
dated="^## ${version//./\\.} \([0-9]{4}-[0-9]{2}-[0-9]{2}\)$"
# Only what a tag publishes has a date.
{ [ -z "${RELEASE_TAG-}" ] || grep -qE "$dated" "$root/.github/CHANGELOG.md"; } || {
    echo ".github/CHANGELOG.md has no date of version $version: '## $version (YYYY-MM-DD)' was expected" >&2
    exit 65
}
others=$(ldd "$portable" | sed -n 's/^\t\([^ ]*\) => .*/\1/p' | grep -vE '^(libc|libm)\.so\.6$' || true)
[ -z "$others" ] || {
    echo "$portable needs more than glibc: ${others//$'\n'/ }" >&2
    exit 65
}

name=mynah-$version-linux-$machine
mkdir -p "$work/$name"
strip -o "$work/$name/mynah" "$portable"
# The README's links lead to the other files.
(cd -- "$root" && cp --parents --recursive LICENSE README.md .github/CHANGELOG.md .github/page.png \
    Sources/Mynah/Mynah.docc "$work/$name/")
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --directory "$work" "$name" |
    gzip -9n >"$folder/$name.tar.gz"

# The Python package's own wheel, with the program among its scripts, which pip installs as a command.
python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --disable-pip-version-check 'wheel==0.45.1'
"$work/python/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$work/wheels" "$root/Sources/python"
"$work/python/bin/wheel" unpack --dest "$work/unpacked" "$work"/wheels/mynah-*.whl >&2
scripts=$work/unpacked/mynah-$version/mynah-$version.data/scripts
[ -d "$work/unpacked/mynah-$version" ] || {
    echo "Sources/python/pyproject.toml has another version than the program, $version: $(ls "$work/wheels")" >&2
    exit 65
}
install -D --mode 755 "$work/$name/mynah" "$scripts/mynah"
install --mode 644 "$root/LICENSE" "$work/unpacked/mynah-$version/mynah-$version.dist-info/"
"$work/python/bin/wheel" pack --dest-dir "$work" "$work/unpacked/mynah-$version" >&2
"$work/python/bin/wheel" tags --remove --platform-tag "manylinux_2_35_$machine" "$work"/mynah-*.whl >&2
mv "$work"/mynah-*.whl "$folder/"

python3 "$here/sbom.py" "$version" "$root/docker/packages.versions" >"$folder/$name.spdx.json"
(cd -- "$folder" && sha256sum -- * >"$work/sums" && mv "$work/sums" "$name.sha256")
echo "$folder"
