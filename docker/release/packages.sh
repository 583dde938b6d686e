#!/usr/bin/env bash
# The packages of languages that a release has, those whose folders are there:
#
#     packages.sh list                   name, version and registry of each
#     packages.sh pack FOLDER            packs all of them
#     packages.sh check FOLDER PROGRAM   tries each in an empty project, without a network, with a program on the PATH
#     packages.sh publish FOLDER         publishes those whose registries are named in REGISTRIES, separated by spaces
#
# A new one is one line in the table.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
. "$here/python.sh"
version=$(python3 "$here/facts.py" version)

# Name; registry; folder; programs that it needs; the names of the packed files; the command that packs the folder, which it
# runs in, into $out; the command that tries the files $packed in an empty folder; the command that publishes a $file, which
# may have been published before, or - where another job or the registry itself does. Fields are separated by " :: ".
packages=(
    'python :: pypi :: Sources/python :: python3 :: mynah_apns-*.tar.gz :: python_tools && "$tools/bin/hatchling" build --target sdist --directory "$out" :: python_check :: -'
)

# What packs and tries Python's.
python_tools() {
    tools=$work/python-tools
    [ -d "$tools" ] || python_environment "$tools"
}
# Where there is no wheel for a system, pip builds the package from its sources; it has no program then.
python_check() {
    python_tools
    alone "$tools/bin/pip" install --quiet --no-index --no-build-isolation --no-deps --target installed "${packed[@]}"
    PYTHONPATH=installed alone python3 -c 'import mynah, pathlib
with mynah.StartedServer(pathlib.Path("state")) as server:
    assert server.scope("a").device("com.example.app").token'
}

# A command that reaches nothing but itself: it has a network of its own, with a loopback device alone.
alone() {
    unshare --net sh -c 'ip link set lo up && exec "$@"' sh "$@"
}

fail() {
    echo "$1" >&2
    exit 65
}

# Reads a line of the table into variables.
read_package() {
    local fields=() line=$1
    while [[ $line == *" :: "* ]]; do
        fields+=("${line%%" :: "*}")
        line=${line#*" :: "}
    done
    fields+=("$line")
    [ ${#fields[@]} -eq 8 ] || fail "packages.sh: a line of the table has ${#fields[@]} fields, 8 were expected: $1"
    name=${fields[0]} registry=${fields[1]} folder=${fields[2]} needs=${fields[3]}
    files=${fields[4]} pack=${fields[5]} try=${fields[6]} publish=${fields[7]}
}

# Runs a command for each package that is there.
for_each() {
    local line
    for line in "${packages[@]}"; do
        read_package "$line"
        [ ! -d "$root/$folder" ] || "$@"
    done
}

list() {
    printf '%-8s %-10s %-10s %s\n' "$name" "$version" "$registry" "$folder"
}

missing=""
need() {
    local tool
    for tool in $needs; do command -v "$tool" >/dev/null || missing="$missing $tool"; done
}

pack_one() {
    out=$target
    (cd -- "$root/$folder" && eval "$pack") >"$work/said" 2>&1 || {
        cat "$work/said" >&2
        fail "the package $name could not be packed"
    }
    packed_files
}

# The packed files of a package, by the pattern of its names.
packed_files() {
    local pattern
    packed=()
    for pattern in $files; do
        # shellcheck disable=SC2206 # the names that a pattern has
        packed+=("$target"/$pattern)
    done
    [ -e "${packed[0]}" ] || fail "$target has no package $name: $files was expected"
}

check_one() {
    local empty
    packed_files
    empty=$(mktemp -d -p "$work")
    (cd -- "$empty" && eval "$try") >"$work/said" 2>&1 || {
        cat "$work/said" >&2
        echo "FAILED  the package $name in an empty project" >&2
        exit 1
    }
    echo "ok      the package $name in an empty project: ${packed[*]##*/}"
}

publish_one() {
    local file
    if [ "$publish" = - ]; then
        return
    elif [[ " ${REGISTRIES-} " != *" $registry "* ]]; then
        echo "not published: $name, because REGISTRIES doesn't name $registry"
        return
    fi
    packed_files
    for file in "${packed[@]}"; do
        (eval "$publish") || fail "$file could not be published at $registry"
        echo "published: $(basename "$file") at $registry"
    done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
target=${2:+$(realpath -m -- "$2")}
case ${1-} in
list) for_each list ;;
pack | check)
    : "${target:?a folder was expected}"
    for_each need
    [ -z "$missing" ] || {
        echo "these tools are missing, which packages of languages need:$missing" >&2
        exit 69
    }
    if [ "$1" = pack ]; then
        mkdir -p "$target"
        for_each pack_one
    else
        program=$(realpath -- "${3:?the path of a program was expected}")
        export PATH="$(dirname -- "$program"):$PATH" MYNAH_BINARY=$program
        for_each check_one
    fi
    ;;
publish) for_each publish_one ;;
*) fail "usage: packages.sh list | pack FOLDER | check FOLDER PROGRAM | publish FOLDER" ;;
esac
