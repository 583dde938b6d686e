#!/usr/bin/env bash
# Makes what a release has for every architecture: docker/release/build_any.sh [--mynah FILE] [FOLDER], by default
# .build/dist/any.
#
#     mynah-VERSION-documentation.tar.gz    the documentation as a site, with llms.txt made from the help
#     …                                     the packages of languages (packages.sh), and Python's for systems without a wheel
#     any.json                              the version, the commit and the checksums of these files
#
# FILE is a program of this commit; without it one is built. The documentation is made of a debug build, as by Tests/run.sh.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
. "$root/Sources/toolchain.sh"
cd -- "$root"

mynah=""
if [ "${1-}" = --mynah ]; then
    mynah=$(realpath -- "${2:?--mynah needs the path of a program}")
    shift 2
fi
"$here/preflight.sh"
"$here/packages.sh" tools
folder=$(realpath -m -- "${1:-$root/.build/dist/any}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
rm -rf "$folder"
mkdir -p "$folder"
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
version=$(python3 "$here/facts.py" version)
repository=$(python3 "$here/facts.py" repository)

pin_packages .
# shellcheck disable=SC2086 # a list of words
need_packages $build_packages
if [ -z "$mynah" ]; then
    build_release .
    mynah=.build/release/mynah
fi
# shellcheck disable=SC2086 # a list of words
make_documentation "$work/documentation" --scratch-path .build/tests $tests_flags >&2

site=$work/mynah-$version-documentation
docc process-archive transform-for-static-hosting "$work/documentation/Mynah.doccarchive" --output-path "$site" \
    --hosting-base-path "${repository#*/}" >&2
python3 "$here/llms.py" "$mynah" "$site"
# The root of the site is none of DocC's.
cat >"$site/index.html" <<END
<!doctype html>
<meta charset="utf-8">
<title>Mynah</title>
<meta http-equiv="refresh" content="0; url=documentation/mynah/">
<link rel="canonical" href="documentation/mynah/">
<a href="documentation/mynah/">Mynah</a>
END
# GitHub Pages leaves out folders whose names begin with an underscore, unless this file is there.
touch "$site/.nojekyll"
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --directory "$work" \
    "$(basename "$site")" | gzip -9n >"$folder/$(basename "$site").tar.gz"

"$here/packages.sh" pack "$folder"
python3 "$here/sets.py" record "$folder" any
echo "$folder"
