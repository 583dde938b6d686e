#!/bin/sh
# Installs Mynah's program for the user who calls this:
#
#     curl -fsSL https://github.com/OWNER/mynah/releases/latest/download/install.sh | sh
#
# Downloads the archive and the checksums of a version, compares, and puts the program into a folder:
#
#     … | sh -s -- [--version VERSION] [--to FOLDER, by default ~/.local/bin] [--from ADDRESS, another place of the files]
#
# Needs curl, tar and sha256sum; changes nothing but that one file.
set -eu
version=0.1.0
repository=OWNER/mynah
image=ghcr.io/OWNER/mynah
downloads=https://github.com/$repository/releases/download
folder=${HOME:-}/.local/bin
glibc_min=2.35

fail() {
    echo "mynah: $1" >&2
    exit 1
}

while [ $# -gt 0 ]; do
    [ $# -gt 1 ] || fail "$1 has no value: --version VERSION, --to FOLDER or --from ADDRESS was expected"
    case $1 in
    --version) version=${2#v} ;;
    --to) folder=$2 ;;
    --from) downloads=$2 ;;
    *) fail "unknown option $1: --version, --to or --from was expected" ;;
    esac
    shift 2
done
case $version in
*[!0-9A-Za-z.-]* | '') fail "'$version' is no version: one such as 0.1.0 was expected" ;;
esac
system=$(uname -s)
[ "$system" = Linux ] || fail "there is no program for $system, only for Linux; the image runs there: $image"
machine=$(uname -m)
case $machine in
x86_64 | aarch64) ;;
arm64) machine=aarch64 ;;
*) fail "there is no program for $machine: x86_64 or aarch64 was expected" ;;
esac
glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || glibc=""
[ -n "$glibc" ] || fail "this Linux has no glibc, as Alpine hasn't; the program needs $glibc_min or later: use the image, $image"
glibc=${glibc#glibc }
[ "$(printf '%s\n' "$glibc_min" "$glibc" | sort -V | head -n 1)" = "$glibc_min" ] ||
    fail "glibc is $glibc here; $glibc_min or later is needed, as in Debian 12 and Ubuntu 22.04"
for tool in curl sha256sum tar; do
    command -v "$tool" >/dev/null || fail "$tool is missing: install it first"
done

name=mynah-$version-linux-$machine
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in "mynah-$version.sha256" "$name.tar.gz"; do
    said=$(curl --fail --silent --show-error --location --output "$work/$file" "$downloads/v$version/$file" 2>&1) ||
        fail "$downloads/v$version/$file could not be downloaded: is version $version published? $said"
done
grep "  $name.tar.gz\$" "$work/mynah-$version.sha256" >"$work/sum" ||
    fail "mynah-$version.sha256 has no checksum of $name.tar.gz"
(cd "$work" && sha256sum -c sum >/dev/null 2>&1) ||
    fail "$name.tar.gz is not what was published: its checksum differs from that in mynah-$version.sha256"
tar -xzf "$work/$name.tar.gz" -C "$work" "$name/mynah"
mkdir -p "$folder"
# A running program can't be written over, but replaced.
cp "$work/$name/mynah" "$folder/.mynah-$$"
mv "$folder/.mynah-$$" "$folder/mynah"
echo "mynah $("$folder/mynah" --version) is in $folder"
case :$PATH: in
*:"$folder":*) ;;
*) echo "$folder is not on the PATH: export PATH=\"$folder:\$PATH\"" ;;
esac
