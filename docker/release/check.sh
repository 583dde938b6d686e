#!/usr/bin/env bash
# Installs what docker/release/build.sh has made, as the page says, into places that have nothing and reach nothing:
#
#     docker/release/check.sh [SET [ANY]]     by default .build/dist/linux, and .build/dist/any if it is there
#
# The program in a bare Debian 12 and a bare Debian 13, the Debian package in a Debian 12 that has the libraries, the wheel
# by pip, pipx and uvx, and the packages of languages in empty projects. Needs root, debootstrap, and the
# registries of Debian and Python to make these places with; what is tried has a network of its own, without a way out.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
set_folder=$(realpath -- "${1:-$root/.build/dist/linux}")
any=${2:-$root/.build/dist/any}
page=$root/Sources/Mynah/Mynah.docc/HowTo/InstallWithoutCompiling.md
published=https://github.com/OWNER/mynah/releases
systems=${XDG_CACHE_HOME:-$HOME/.cache}/mynah-release
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
machine=$(uname -m)
version=$(python3 "$here/facts.py" version)

fail() {
    echo "FAILED  $1" >&2
    exit 1
}

# What is published of this set, at the addresses that a release has, below $published.
python3 "$here/sets.py" gather "$work/www/download/v$version" --only "linux-$machine" "$set_folder"
mkdir -p "$work/www/latest"
ln -s "../download/v$version" "$work/www/latest/download"
release=$work/www/download/v$version
(cd -- "$release" && sha256sum --check --quiet "mynah-$version.sha256")
echo "ok      the files are those of the record, and of this commit"

tar --extract --file "$release/mynah-$version-linux-$machine.tar.gz" --directory "$work"
program=$work/mynah-$version-linux-$machine/mynah
"$here/verify.sh" "$program" "$version"
# The sources of what is linked have these notices, each of which names a holder of copyright.
grep -q 'SwiftNIO Project' "${program%/*}/THIRD-PARTY-NOTICES" || fail "the archive has no third-party notices"
echo "ok      the archive has the program, of this version, and the notices"

# A Debian that is made once, with further packages: make_system NAME RELEASE [PACKAGE,…]. Each check has a copy of it.
make_system() {
    local kept=$systems/$1
    [ "$(cat "$kept/complete" 2>/dev/null)" = "$2 ${3-}" ] || {
        rm -rf "$kept"
        mkdir -p "$kept"
        debootstrap --variant=minbase ${3:+"--include=$3"} "$2" "$kept" >"$work/debootstrap" || {
            tail -n 5 "$work/debootstrap" >&2
            fail "a bare $2 could not be made"
        }
        # The installer's, and every container's.
        echo 127.0.0.1 localhost >"$kept/etc/hosts"
        echo "$2 ${3-}" >"$kept/complete"
    }
    rm -rf "$work/system"
    cp -a --reflink=auto "$kept" "$work/system"
}

# Runs a command in the system, in a network that has a server with the files of the release, and nothing else.
inside() {
    # shellcheck disable=SC2016 # expanded inside
    unshare --mount --net --pid --fork --kill-child sh -c 'system=$1 www=$2
        shift 2
        ip link set lo up
        python3 -m http.server --bind 127.0.0.1 --directory "$www" 80 >/dev/null 2>&1 &
        mount -t proc proc "$system/proc"
        until python3 -c "import socket; socket.create_connection((\"127.0.0.1\", 80))" 2>/dev/null; do :; done
        exec chroot "$system" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' \
        sh "$work/system" "$work/www" "$@" </dev/null
}

# A push to a server of its own, found in its journal.
# shellcheck disable=SC2016 # expanded inside
first_push='mynah exec -- sh -ec "mynah send --topic com.example.app --alert hi --to $(printf %064d 7) &&
    mynah expect --topic com.example.app --payload /aps/alert=hi --within 5s"'

# Runs commands in the system: try SENTENCE COMMANDS
try() {
    inside sh -ec "$2" >"$work/said" 2>&1 || {
        cat "$work/said" >&2
        fail "$1"
    }
    echo "ok      $1"
}

# The commands below a heading of the page, word for word, but that the files are here.
commands() {
    local found
    found=$(awk -v "heading=## $1" '
        $0 == heading { is_section = 1; next }
        /^## / { is_section = 0 }
        is_section && /^```sh/ { is_block = 1; next }
        /^```/ { is_block = 0 }
        is_block' "$page")
    [ -n "$found" ] || fail "$page has no commands below '## $1'"
    sed "s|$published|http://127.0.0.1|; s@| sh\$@| sh -s -- --from http://127.0.0.1/download@" <<<"$found"
}

for debian in bookworm trixie; do
    make_system "$debian" "$debian" ca-certificates,curl
    try "the program in a bare $debian, glibc $(inside getconf GNU_LIBC_VERSION | cut -d' ' -f2), by the page" \
        "$(commands "A program for any Linux")
export PATH=/root/.local/bin:\$PATH
$first_push"
done

for package in "$release"/mynah_*.deb; do
    [ "$(dpkg-deb --field "$package" Version)" = "${version/-/\~}" ] || fail "$package is of another version"
    # apt installs what a package recommends, too.
    libraries=$(dpkg-deb --show --showformat '${Depends}, ${Recommends}\n' "$package" | tr ',' '\n' | sed 's/(.*//; s/|.*//' | xargs | tr ' ' ',')
    make_system libraries bookworm "curl,$libraries"
    try "the Debian package in a bookworm with its libraries, by the page" \
        "cd /root; $(commands "Debian")
$first_push
zcat /usr/share/man/man1/mynah.1.gz /usr/share/doc/mynah/changelog.gz >/dev/null
grep -q 'SwiftNIO Project' /usr/share/doc/mynah/THIRD-PARTY-NOTICES
DEBIAN_FRONTEND=noninteractive apt-get -qq purge mynah"
done

# What pip finds in a network without a registry: the wheel, and pytest and pip with what they need.
python3 -m venv "$work/python"
# Each by itself: pipx would install by a uv that it finds.
for tool in pipx uv; do
    python3 -m venv "$work/tools/$tool"
    "$work/tools/$tool/bin/pip" --disable-pip-version-check install --quiet "$tool"
done
"$work/python/bin/pip" --disable-pip-version-check download --quiet --dest "$work/wheels" pytest pip
cp "$release"/mynah_apns-*.whl "$work/wheels"
cat >"$work/test_wheel.py" <<'END'
def test_the_plugin_has_a_server(mynah):
    mynah.device("com.example.app")
    assert mynah.notifications().matched == 0
END
python_commands=$(commands "Python" | grep '^pip install')
# Not on the PATH, as where a test runner is called by its full name.
(cd -- "$work" && unshare --net sh -ec 'ip link set lo up
    export PIP_NO_INDEX=1 PIP_FIND_LINKS=$1/wheels PIP_DISABLE_PIP_VERSION_CHECK=1
    (PATH=$1/python/bin:$PATH; eval "$2" && pip install pytest)
    env -i "HOME=$1" PATH=/usr/bin:/bin "$1/python/bin/pytest" -q -p no:cacheprovider test_wheel.py' \
    sh "$work" "$python_commands") >"$work/said" 2>&1 || {
    cat "$work/said" >&2
    fail "the wheel in a new environment"
}
[ "$("$work/python/bin/mynah" --version)" = "$version" ]
# The page's other commands, each with a home that is empty.
for tool in pipx uvx; do
    mkdir -p "$work/$tool/.config/uv"
    printf 'no-index = true\nfind-links = ["%s"]\n' "$work/wheels" >"$work/$tool/.config/uv/uv.toml"
    (cd -- "$work" && unshare --net env -i "HOME=$work/$tool" \
        "PATH=$work/$tool/.local/bin:$work/tools/${tool/uvx/uv}/bin:/usr/bin:/bin" \
        PIP_NO_INDEX=1 "PIP_FIND_LINKS=$work/wheels" UV_PYTHON_DOWNLOADS=never \
        sh -ec "ip link set lo up
$(commands "Python" | grep "^$tool ")
[ $tool = uvx ] || mynah --version") \
        >"$work/told" 2>"$work/said" || {
        cat "$work/said" >&2
        fail "the wheel by $tool"
    }
    [ "$(tail -n 1 "$work/told")" = "$version" ] || {
        cat "$work/told" "$work/said" >&2
        fail "the program of $tool is not of version $version"
    }
    echo "ok      the wheel by $tool, by the page"
done
"$work/python/bin/python" - "$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/Sources/python/pyproject.toml")" <<'END'
import importlib.metadata as metadata, sys
told = metadata.metadata("mynah-apns")
assert told["Version"] == sys.argv[1], told["Version"]
assert told["License-Expression"] == "Apache-2.0" and told["Author-email"] and told.get_all("Project-URL")
files = {file.name for file in metadata.files("mynah-apns")}
assert {"LICENSE", "THIRD-PARTY-NOTICES"} <= files, files
END
echo "ok      the wheel in a new environment, by the page: pytest has a server, and there are metadata and notices"

if [ -d "$any" ]; then
    python3 "$here/sets.py" check "$any"
    "$here/packages.sh" check "$any" "$program"
    tar --extract --file "$any/mynah-$version-documentation.tar.gz" --directory "$work"
    site=$work/mynah-$version-documentation
    for file in index.html llms.txt llms-full.txt documentation/mynah/index.html; do
        [ -s "$site/$file" ] || fail "the site has no $file"
    done
    echo "ok      the documentation is a site, with $(find "$site/documentation" -name index.html | wc -l) pages"
fi
