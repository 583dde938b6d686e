# Sourced by the scripts that need Debian packages, the Swift toolchain or a release build; POSIX sh. A function in
# parentheses changes no variable of the script.

# Libraries that Mynah is built against and linked with.
build_packages="libnghttp2-dev libsqlite3-dev libssl-dev libyaml-dev pkg-config"

# What the scripts in docker/release need besides.
release_packages="ca-certificates curl debootstrap dpkg-dev file git iproute2 python3 python3-venv"

# Packages that the Swift toolchain for Debian 12 needs.
swift_packages="binutils git libc6-dev libcurl4 libedit2 libgcc-12-dev libncurses6 libpython3.11 libsqlite3-0
    libstdc++-12-dev libxml2 libz3-4 tzdata zlib1g-dev"

# Installs those of the named Debian packages that are missing.
need_packages() {
    if ! command -v dpkg-query >/dev/null 2>&1; then
        echo "This is not Debian; assuming that these are installed under other names: $*" >&2
        return 0
    fi
    missing=""
    for package in "$@"; do
        state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$state" = installed ] || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0

    as_root=""
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "Debian packages are missing, and there is no apt-get to install them with:$missing" >&2
        return 1
    fi
    if [ "$(id -u)" -ne 0 ]; then
        # Without a terminal, sudo would wait for a password forever.
        if command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
            as_root="sudo"
        else
            echo "Debian packages are missing; as root, run: apt-get install --no-install-recommends$missing" >&2
            return 1
        fi
    fi
    echo "Installing:$missing" >&2
    $as_root apt-get -qq update >&2 &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends --yes $missing >&2 || {
        echo "apt-get could not install:$missing" >&2
        return 1
    }
}

# Fails with a message unless Swift is 6.2 or later; installs the Debian packages that it needs to start.
need_swift() {
    if ! command -v swift >/dev/null 2>&1; then
        echo "swift is not on the PATH; Swift 6.2 or later is at https://www.swift.org/install/linux/" >&2
        return 1
    fi
    if ! said=$(swift --version 2>&1); then
        echo "$(command -v swift) does not start: $said" >&2
        # shellcheck disable=SC2086 # a list of words
        need_packages $swift_packages || return
        said=$(swift --version 2>&1) || {
            echo "$(command -v swift) does not start with these packages either: $said" >&2
            return 1
        }
    fi
    version=$(echo "$said" | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p')
    major=${version%.*}
    minor=${version#*.}
    if [ "${major:-0}" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 2 ]; }; then
        echo "Swift 6.2 or later is needed; $(command -v swift) is ${version:-unknown, and says: $said}" >&2
        return 1
    fi
}

# Makes SwiftPM use the recorded versions of packages in a folder without Package.resolved: writes one without commit ids,
# which SwiftPM adds.
pin_packages() {
    [ ! -e "$1/Package.resolved" ] || return 0
    pins=""
    while read -r location version _; do
        case $location in "#"*) continue ;; esac
        identity=$(basename "$location" .git | tr '[:upper:]' '[:lower:]')
        pin="{\"identity\":\"$identity\",\"kind\":\"remoteSourceControl\",\"location\":\"$location\""
        pins="$pins${pins:+,}$pin,\"state\":{\"version\":\"$version\"}}"
    done <"$1/docker/packages.versions"
    echo "{\"pins\":[$pins],\"version\":2}" >"$1/Package.resolved"
}

# Fails and shows the difference if SwiftPM resolved other versions than the recorded ones.
check_packages() {
    sed -n 's/.*"location" : "\(.*\)".*/\1/p; s/.*"version" : "\(.*\)".*/\1/p' "$1/Package.resolved" |
        paste -d ' ' - - | sort >"$1/.build/packages.versions"
    grep -v '^#' "$1/docker/packages.versions" | cut -d ' ' -f 1,2 | sort | diff - "$1/.build/packages.versions" >&2 || {
        echo "these packages differ from docker/packages.versions, which says how to record newer ones" >&2
        return 1
    }
}

# How a release is built. Swift's own libraries are linked in, which makes the file larger and everything else better than
# with shared ones: the start is quicker by a quarter, an idle server takes 5 MB less memory, and a push 10 to 15 % less CPU
# time. Three options make the file smaller: no exported symbols, because nothing loads the program as a library;
# relocations in lld's short form, which Debian 12 is the first to read; and a section for each function, so that the linker
# leaves out those that are never called and merges identical ones whose addresses are never compared.
release_compiler_flags="-Xswiftc -Xfrontend -Xswiftc -function-sections"
release_linker_flags="-Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --icf=safe"
release_flags="--configuration release --static-swift-stdlib $release_compiler_flags -Xswiftc -use-ld=lld
    $release_linker_flags"

# Makes the release build of the repository in a folder: .build/release/mynah. Further arguments are for `swift build`.
#
# The linker leaves a map beside it, .build/mynah.map: docker/release/components.py reads there what the program consists of.
build_release() (
    need_swift || return
    # shellcheck disable=SC2086 # a list of words
    need_packages $build_packages || return
    folder=$(CDPATH='' cd -- "$1" && pwd)
    shift
    pin_packages "$folder" || return
    # shellcheck disable=SC2086 # a list of words
    swift build --package-path "$folder" --product mynah $release_flags -Xlinker "-Map=$folder/.build/mynah.map" "$@" >&2
)

# How the program and the tests are built together, so that all tests try what is optimized, and it is compiled once. Tests
# see what is internal. No information for debuggers is written, which takes a sixth of the time.
tests_flags="--configuration release -debug-info-format none -Xswiftc -enable-testing $release_compiler_flags"

# Links the program of a build of the tests in the way of a release, with Swift's own libraries in it, where the tests'
# runner needs shared ones: link_program FOLDER_OF_THE_BUILD FILE. Objects that were compiled for shared libraries don't
# name the last four archives.
link_program() {
    # shellcheck disable=SC2046,SC2086 # lists of words
    swiftc -emit-executable -static-stdlib -o "$2" -module-name mynah "@$1/mynah.product/Objects.LinkFileList" \
        -use-ld=lld $release_linker_flags -Xlinker --gc-sections -Xlinker --defsym -Xlinker main=MynahCLI_main \
        $(pkg-config --libs libnghttp2 openssl sqlite3 yaml-0.1) -ldl \
        -l_FoundationCShims -l_FoundationCollections -l_FoundationICU -lCoreFoundation
}

# Makes the release build for a download: nothing but glibc outside, and of that 2.35 or later, whose loader does not know
# the short form of relocations. The archives are found before the shared libraries, because they alone are in the folder
# that comes first; libgcc's is named as the linker asks for it.
build_portable() (
    archives=$(CDPATH='' cd -- "$1" && pwd)/.build/archives
    rm -rf "$archives"
    mkdir -p "$archives"
    for library in nghttp2 sqlite3 ssl crypto yaml stdc++ gcc_eh; do
        found=$(clang -print-file-name="lib$library.a")
        [ -e "$found" ] || {
            echo "lib$library.a is missing: it comes with $build_packages or libstdc++-12-dev" >&2
            return 1
        }
        ln -s "$found" "$archives/lib$library.a"
    done
    mv "$archives/libgcc_eh.a" "$archives/libgcc_s.a"
    for library in libnghttp2 openssl sqlite3 yaml-0.1; do
        {
            printf 'Name: %s\nDescription: %s\n' "$library" "$library"
            printf 'Version: %s\n' "$(pkg-config --modversion "$library")"
            printf 'Libs: -L%s %s\n' "$archives" "$(pkg-config --libs-only-l "$library")"
        } >"$archives/$library.pc"
    done
    PKG_CONFIG_PATH=$archives build_release "$1" -Xlinker -z -Xlinker nopack-relative-relocs
)

# Converts the documentation of the library, in which every link has to lead somewhere: make_documentation FOLDER [FLAG OF
# SWIFT]… makes FOLDER/Mynah.doccarchive.
make_documentation() (
    made=$1
    shift
    graphs="$(dirname -- "$(swift build "$@" --show-bin-path)")/symbolgraph" || return
    rm -rf "$graphs"
    # Also fails over the module of the tests' runner where the tests have not been built; what counts is copied below.
    swift package "$@" dump-symbol-graph --minimum-access-level public --skip-synthesized-members || true
    rm -rf "$made" && mkdir -p "$made/graphs" &&
        cp "$graphs/Mynah.symbols.json" "$graphs"/MynahTesting*.symbols.json "$made/graphs" &&
        docc convert Sources/Mynah/Mynah.docc --additional-symbol-graph-dir "$made/graphs" \
            --fallback-display-name Mynah --fallback-bundle-identifier mynah --warnings-as-errors \
            --output-path "$made/Mynah.doccarchive"
)
