#!/usr/bin/env bash
# Makes the Debian package of Mynah: docker/deb/build.sh [--mynah FILE] [FOLDER], by default from the release build of
# Sources/serve.sh, into .build. Prints the path of the package.
#
# Uses dpkg-deb without debhelper. Needs dpkg-dev, python3 and the Debian release that the package is for, because it depends
# on the libraries that the binary was linked with.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
mynah=$root/.build/release/mynah
map=$root/.build/mynah.map
maintainer="The authors of Mynah <OWNER@users.noreply.github.com>"
repository=https://github.com/OWNER/mynah
if [ "${1-}" = --mynah ]; then
    mynah=${2:?--mynah needs the path of a binary}
    map=""
    shift 2
fi
folder=${1:-$root/.build}
[ -x "$mynah" ] || {
    echo "there is no binary $mynah: build it with Sources/serve.sh" >&2
    exit 64
}
for tool in dpkg-deb dpkg-shlibdeps strip python3; do
    command -v "$tool" >/dev/null || {
        echo "$tool is missing: apt-get install dpkg-dev binutils python3" >&2
        exit 69
    }
done

version=$("$mynah" --version)
# A pre-release sorts before the version that it leads to.
debian_version=${version/-/\~}
architecture=$(dpkg --print-architecture)
# The date of the commit, so that the same sources make the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
package=$work/mynah
umask 022

# Puts standard input or a file into the package: put MODE PLACE [FILE].
put() {
    install -D --mode "$1" "${3:-/dev/stdin}" "$package$2"
}

strip --remove-section=.comment --remove-section=.note -o "$work/stripped" "$mynah"
put 755 /usr/bin/mynah "$work/stripped"
put 644 /usr/lib/systemd/system/mynah.service "$here/mynah.service"
put 644 /etc/mynah/mynah.yaml "$here/mynah.yaml"
put 644 /usr/share/doc/mynah/copyright "$here/copyright"
if [ -n "$map" ]; then
    python3 "$root/docker/release/components.py" notices "$map" >"$work/notices"
    put 644 /usr/share/doc/mynah/THIRD-PARTY-NOTICES "$work/notices"
else
    echo "the package has no notices of what is linked, because $mynah is of elsewhere: use it only for tests" >&2
fi
gzip -9n <<END | put 644 /usr/share/doc/mynah/changelog.gz
mynah ($debian_version) bookworm; urgency=medium

  * What has changed is said at
    $repository/releases/tag/v$version

 -- $maintainer  $(date --utc --date "@$SOURCE_DATE_EPOCH" --rfc-email)
END
python3 "$here/manual.py" "$mynah" "$work/manual"
for page in "$work"/manual/*.1; do gzip -9n <"$page" | put 644 "/usr/share/man/man1/$(basename "$page").gz"; done
"$mynah" completions bash | put 644 /usr/share/bash-completion/completions/mynah
"$mynah" completions zsh | put 644 /usr/share/zsh/vendor-completions/_mynah
"$mynah" completions fish | put 644 /usr/share/fish/vendor_completions.d/mynah.fish
for script in postinst prerm postrm; do put 755 "/DEBIAN/$script" "$here/$script"; done
echo /etc/mynah/mynah.yaml | put 644 /DEBIAN/conffiles

# dpkg-shlibdeps reads the name of the package from a source tree.
mkdir -p "$work/source/debian"
printf 'Source: mynah\n\nPackage: mynah\nArchitecture: any\n' >"$work/source/debian/control"
ignored=()
if ldd "$mynah" | grep -q '/swift/linux/'; then
    echo "$mynah is linked with Swift's shared libraries, which no package has: use this package only for tests" >&2
    ignored=(--ignore-missing-info)
fi
depends=$(cd "$work/source" && dpkg-shlibdeps "${ignored[@]}" -O "$package/usr/bin/mynah" 2>"$work/shlibdeps") || {
    cat "$work/shlibdeps" >&2
    exit 1
}
# dpkg-shlibdeps only checks symbols, but glibc supports the form of the release build's relocations from this version on.
depends=${depends#shlibs:Depends=}
libc=$(sed -n 's/.*libc6 (>= \([0-9.]*\)).*/\1/p' <<<"$depends")
newest=$(printf '%s\n2.36\n' "$libc" | sort -V | tail -n 1)
depends=${depends/"libc6 (>= $libc)"/"libc6 (>= $newest)"}
size=$(du --apparent-size --block-size=1024 --summarize "$package" | cut -f1)
put 644 /DEBIAN/control <<END
Package: mynah
Version: $debian_version
Architecture: $architecture
Maintainer: $maintainer
Homepage: $repository
Installed-Size: $size
Depends: $depends, ca-certificates
Recommends: libnats3.4
Section: devel
Priority: optional
Description: APNs on localhost, for tests of push providers
 Mynah is an HTTP/2 server that answers a push provider as Apple's push
 notification service does. It simulates devices and keeps a journal of every
 push, accepted or refused, so that a test sends through the provider's own
 code and asserts on what arrived.
 .
 It needs no account, no token and no network.
END
(cd "$package" && find . -path ./DEBIAN -prune -o -type f -print0 | sort -z | xargs -0 md5sum | sed 's# \./# #') |
    put 644 /DEBIAN/md5sums

mkdir -p "$folder"
file="$folder/mynah_${debian_version}_$architecture.deb"
# The fastest compression: the best takes minutes.
dpkg-deb --root-owner-group -z1 --build "$package" "$file" >&2
echo "$file"
