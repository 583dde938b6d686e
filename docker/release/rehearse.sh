#!/usr/bin/env bash
# Does everything that a tag does and that needs no account: docker/release/rehearse.sh [FOLDER]
#
# From a clean clone of the last commit it makes every file for this architecture, tries each in a place that has nothing
# and reaches nothing, and prints what a tag would publish and where, and what a tag would be refused for. FOLDER, by
# default .build/rehearsal, keeps the files and what the steps have printed. Needs what docker/release/build.sh and
# check.sh need, and podman for the image.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(realpath -m -- "${1:-$root/.build/rehearsal}")

"$root/docker/release/preflight.sh"
"$root/docker/release/packages.sh" tools
for tool in debootstrap podman unshare; do
    command -v "$tool" >/dev/null || {
        echo "$tool is missing, with which what was made is tried: Debian's package $tool has it (unshare: util-linux)" >&2
        exit 69
    }
done
[ "$(id -u)" -eq 0 ] || {
    echo "this user can't make the places in which what was made is tried: run it as root" >&2
    exit 77
}
# The clone has no such folder.
PATH=$PATH:$root/.build/go/go/bin
rm -rf "$folder"
mkdir -p "$folder"
git clone --quiet --no-hardlinks "$root" "$folder/clone"
cd -- "$folder/clone"
here=$folder/clone/docker/release
version=$(python3 "$here/facts.py" version)
repository=$(python3 "$here/facts.py" repository)
machine=$(uname -m)
dist=$folder/dist

# Runs a step, keeps what it prints, and says how long it took; shows the lines that begin with ok and skipped.
step() {
    local sentence=$1 said=$folder/${1// /-}.log began=$SECONDS
    shift
    echo "=== $sentence"
    "$@" >"$said" 2>&1 || {
        tail -n 15 "$said" >&2
        echo "FAILED  $sentence; the whole output: $said" >&2
        exit 1
    }
    grep -E '^(ok|skipped|not published)' "$said" || true
    echo "    $((SECONDS - began)) s"
}

image() {
    local program=$folder/stage
    "$here/image.sh" stage "$dist/linux"/mynah_*.deb "$program"
    Tests/containers/run.sh --staged "$program" --mynah "$program/out/usr/bin/mynah" configuration users folders goaway
}

step "the files for $machine" "$here/build.sh" "$dist/linux"
step "the files for all" "$here/build_any.sh" --mynah .build/release/mynah "$dist/any"
step "tries" "$here/check.sh" "$dist/linux" "$dist/any"
step "the image" image
step "what is published" python3 "$here/sets.py" gather "$folder/release" --only "linux-$machine,any" "$dist/linux" "$dist/any"

echo
echo "A tag v$version would publish, of these for both architectures:"
printf '  %-44s %s\n' "where" "what"
(cd -- "$folder/release" && for file in *; do
    printf '  %-44s %s, %s kB\n' "github.com/$repository/releases" "$file" "$(($(stat --format %s "$file") / 1000))"
done)
printf '  %-44s %s\n' "pypi.org/project/mynah-apns" "mynah_apns-*.whl, mynah_apns-*.tar.gz"
for tag in $(python3 "$here/tags.py" "$version"); do
    printf '  %-44s %s\n' "ghcr.io/${repository,,}" "$tag, for linux/amd64 and linux/arm64"
done
printf '  %-44s %s\n' "${repository%/*}.github.io/${repository#*/}" "the documentation, llms.txt"
printf '  %-44s %s\n' "the tap in HOMEBREW_TAP" "mynah.rb"
"$here/packages.sh" list | while read -r name packed registry of; do
    case $registry in
    -) ;;
    github) printf '  %-44s %s\n' "github.com/$repository" "the tag $of/v$version, by which the $name module is found" ;;
    *) printf '  %-44s %s\n' "$registry, if REGISTRIES names it" "$of, as $name $packed" ;;
    esac
done
echo
if refused=$(RELEASE_TAG=v$version "$here/preflight.sh" 2>&1); then
    echo "The tag would not be refused."
else
    echo "The tag would be refused now, because"
    sed 's/^/  /' <<<"$refused"
fi
echo "The files are in $folder/release."
