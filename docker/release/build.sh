#!/usr/bin/env bash
# Makes what a release has for the architecture of this machine: docker/release/build.sh [FOLDER], by default
# .build/dist/linux.
#
#     mynah-VERSION-linux-ARCHITECTURE.tar.gz      the program for any Linux with glibc 2.35 or later, and its documentation
#     mynah_apns-VERSION-…-manylinux_2_35_….whl    the same for pip, with the Python package and its pytest plugin
#     mynah_VERSION_ARCHITECTURE.deb               the Debian package, linked with Debian's libraries; the image has its program
#     mynah-VERSION-linux-ARCHITECTURE.spdx.json   what the program consists of
#     linux-ARCHITECTURE.json                      the version, the commit and the checksums of these files
#
# Needs what Sources/serve.sh needs, and release_packages of Sources/toolchain.sh. The same commit makes the same files,
# apart from the compiler.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
. "$root/Sources/toolchain.sh"
. "$here/python.sh"

"$here/preflight.sh"
folder=$(realpath -m -- "${1:-$root/.build/dist/linux}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
rm -rf "$folder"
mkdir -p "$folder"
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
commit=$(git -C "$root" rev-parse HEAD)
version=$(python3 "$here/facts.py" version)
machine=$(uname -m)
echo "Mynah $version for $machine" >&2

build_release "$root"
"$root/docker/deb/build.sh" "$folder" >&2
build_portable "$root"
portable=$root/.build/release/mynah
map=$root/.build/mynah.map
"$here/verify.sh" "$portable" "$version"

name=mynah-$version-linux-$machine
mkdir -p "$work/$name"
strip -o "$work/$name/mynah" "$portable"
python3 "$here/components.py" notices "$map" >"$work/$name/THIRD-PARTY-NOTICES"
python3 "$here/components.py" sbom "$map" "$version" "$commit" >"$folder/$name.spdx.json"
# The README's links lead to the other files.
(cd -- "$root" && cp --parents --recursive LICENSE README.md .github/CHANGELOG.md .github/page.png \
    Sources/Mynah/Mynah.docc "$work/$name/")
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --directory "$work" "$name" |
    gzip -9n >"$folder/$name.tar.gz"

# The Python package's own wheel, with the program among its scripts, which pip installs as a command.
python_environment "$work/python" wheel==0.45.1
(cd -- "$root/Sources/python" && "$work/python/bin/hatchling" build --target wheel --directory "$work/wheels") >&2
"$work/python/bin/wheel" unpack --dest "$work/unpacked" "$work"/wheels/*.whl >&2
content=$(echo "$work"/unpacked/*)
distribution=$(basename "$content")
install -D --mode 755 "$work/$name/mynah" "$content/$distribution.data/scripts/mynah"
install --mode 644 "$root/LICENSE" "$work/$name/THIRD-PARTY-NOTICES" "$content/$distribution.dist-info/"
"$work/python/bin/wheel" pack --dest-dir "$work" "$content" >&2
"$work/python/bin/wheel" tags --remove --platform-tag "manylinux_2_35_$machine" "$work"/*.whl >&2
mv "$work"/*.whl "$folder/"

python3 "$here/sets.py" record "$folder" "linux-$machine"
echo "$folder"
