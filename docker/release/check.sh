#!/usr/bin/env bash
# Tries what docker/release/build.sh has made: docker/release/check.sh [FOLDER], by default .build/dist.
#
# The program in a bare Debian 12 and a bare Debian 13, which have nothing but what every Debian has, and the wheel in a new
# environment of Python. Needs root, debootstrap and python3 with venv.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$(realpath -- "${1:-$root/.build/dist}")
systems=${XDG_CACHE_HOME:-$HOME/.cache}/mynah-release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Runs a command in a system.
inside() {
    # shellcheck disable=SC2016 # expanded inside
    unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$@"
}

(cd -- "$folder" && sha256sum --check --quiet ./*.sha256)
echo "ok      checksums"

tar --extract --file "$folder"/mynah-*-linux-"$(uname -m)".tar.gz --directory "$work"
program=$(echo "$work"/mynah-*/mynah)

# Tests/containers installs such a package and runs its service.
for package in "$folder"/mynah_*.deb; do
    [ -e "$package" ] || continue
    dpkg-deb --extract "$package" "$work/package"
    [ "$("$work/package/usr/bin/mynah" --version)" = "$("$program" --version)" ]
    [ "$(dpkg-deb --field "$package" Version)" = "$("$program" --version)" ]
    echo "ok      the Debian package has the same version"
done

for release in bookworm trixie; do
    system=$systems/$release
    [ -e "$system/complete" ] || {
        rm -rf "$system"
        mkdir -p "$system"
        debootstrap --variant=minbase "$release" "$system" >"$work/debootstrap" || {
            tail -n 5 "$work/debootstrap" >&2
            exit 1
        }
        # The installer's, and every container's.
        echo 127.0.0.1 localhost >"$system/etc/hosts"
        touch "$system/complete"
    }
    install "$program" "$system/usr/local/bin/mynah"
    # A push to a server of its own, found in its journal. Swift's threads need /proc.
    inside "$system" mynah exec -- sh -ec 'mynah send --topic com.example.app --alert hi --to "$(printf "%064d" 7)" &&
        mynah expect --topic com.example.app --payload /aps/alert=hi --within 5s' >"$work/said" 2>&1 || {
        cat "$work/said" >&2
        echo "FAILED  the program in a bare $release" >&2
        exit 1
    }
    echo "ok      the program in a bare $release, glibc $(inside "$system" getconf GNU_LIBC_VERSION | cut -d' ' -f2)"
done

python3 -m venv "$work/python"
"$work/python/bin/pip" install --quiet --disable-pip-version-check "$folder"/mynah-*.whl pytest
cat >"$work/test_wheel.py" <<'END'
def test_the_plugin_has_a_server(mynah):
    mynah.device("com.example.app")
    assert mynah.notifications().matched == 0
END
# Not on the PATH, as where a test runner is called by its full name.
(cd -- "$work" && env -i HOME="$work" PATH=/usr/bin:/bin "$work/python/bin/pytest" -q test_wheel.py)
[ "$("$work/python/bin/mynah" --version)" = "$("$program" --version)" ]
echo "ok      the wheel in a new environment"
