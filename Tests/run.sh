#!/usr/bin/env bash
# Every test of this repository: Tests/run.sh [PART…], by default all parts.
#
# Installs what is missing, builds, and runs each part whatever became of the others. At the end stands what tells most
# about each part that failed; the last line counts the parts. The exit code is 0 only when all of them passed. Needs no
# terminal, no input and no free port of a fixed number.
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
cd -- "$root" || exit 1
. Sources/toolchain.sh
export root build_packages PYTHONDONTWRITEBYTECODE=1

# The check of imports rejects a module that is used but not declared as a dependency of the target.
build_flags="--explicit-target-dependency-import-check error"
# What the parts behind `release` try: what users run.
mynah="${MYNAH_BINARY:-$root/.build/release/mynah}"
# The environment of the client tests; made anew when the requirements or the Python change.
environment="$root/.build/clients-python"
export build_flags mynah environment

# The whole run ends within 40 minutes: a part has at most what is left of them.
run_seconds_max=2370

# Part and its limit in seconds: about twice what it needs on two busy cores.
parts=(
    "packages 120"
    "build 900"
    "format 60"
    "documentation 200"
    "swift-tests 500"
    "swift-example 400"
    "release 900"
    "boringssl 600"
    "python-environment 120"
    "client-tests 1200"
    "fuzz 150"
    "benchmark 200"
    "containers 200"
)

# How long new inputs are tried; past finds and the corpus come first whatever it is.
fuzz_seconds=10
export fuzz_seconds

packages() {
    local python=""
    # Any Python with venv will do.
    python3 -c 'import venv, ensurepip' 2>/dev/null || python="python3 python3-venv"
    # shellcheck disable=SC2086 # lists of words
    need_packages $build_packages git chromium curl fish fonts-liberation groff iproute2 jq nghttp2-client nghttp2-server \
        openssl zsh $python || return
    need_nats || echo "without nats-server the tests of clusters are skipped" >&2
    need_promtool || echo "without promtool one check of the metrics is skipped" >&2
}

# Debian's nats-server, without the service that its package brings; and the library that a cluster opens.
need_nats() {
    local folder=.build/nats
    need_packages libnats3.4 || return
    { command -v nats-server /usr/sbin/nats-server >/dev/null || [ -x "$folder/usr/sbin/nats-server" ]; } && return
    download_tool nats-server usr/sbin/nats-server "$folder"
}

# One file of a Debian package, without what else the package brings: download_tool PACKAGE FILE FOLDER
download_tool() {
    mkdir -p "$3" && (
        cd -- "$3" && apt-get -qq download "$1" 2>/dev/null &&
            dpkg-deb --fsys-tarfile "$1"_*.deb | tar -x "./$2" && rm "$1"_*.deb
    )
}

# Debian's promtool, without the service that its package brings.
need_promtool() {
    local folder=.build/prometheus
    { command -v promtool >/dev/null || [ -x "$folder/usr/bin/promtool" ]; } && return
    command -v dpkg-deb >/dev/null || {
        echo "promtool of Prometheus is missing; put it on the PATH" >&2
        return 1
    }
    download_tool prometheus usr/bin/promtool "$folder"
}

build() {
    # shellcheck disable=SC2086 # a list of words
    need_packages $build_packages && pin_packages . &&
        swift build --build-tests $build_flags
}

format() {
    swift format lint --strict --parallel --recursive Sources Tests Package.swift
}

# The documentation of the library: it converts, and every link in it leads somewhere.
documentation() {
    local made=.build/documentation graphs
    graphs="$(dirname -- "$(swift build --show-bin-path)")/symbolgraph" &&
        swift package dump-symbol-graph --minimum-access-level public --skip-synthesized-members &&
        rm -rf "$made" && mkdir -p "$made/graphs" &&
        cp "$graphs/Mynah.symbols.json" "$graphs"/MynahTesting*.symbols.json "$made/graphs" &&
        docc convert Sources/Mynah/Mynah.docc --additional-symbol-graph-dir "$made/graphs" \
            --fallback-display-name Mynah --fallback-bundle-identifier mynah --warnings-as-errors \
            --output-path "$made/Mynah.doccarchive"
}

# So many cases at once: enough to use the time in which some wait. Without a bound all of them begin together, each gets
# a thousandth of the machine, and what has a time limit runs out of it.
swift_test_width=16
export swift_test_width

swift-tests() {
    # shellcheck disable=SC2086 # a list of words
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="$swift_test_width" swift test $build_flags
}

# A package that depends on this one, as a user's does. In this folder nothing that `build` has built is built again.
swift-example() {
    local runs
    runs=$(mktemp -d) || return
    MYNAH_RUNS=$runs swift test --package-path Tests/example --scratch-path .build || return
    # The run of tests that have passed is removed.
    rmdir "$runs"
}

release() {
    . Sources/toolchain.sh && build_release .
}

# A package of its own, which builds BoringSSL: a provider on it pushes to a server of the built binary.
boringssl() {
    local folder
    local build=(--package-path Tests/boringssl --scratch-path .build/boringssl -debug-info-format none)
    swift build --build-tests "${build[@]}" || return
    folder=$(mktemp -d) || return
    "$mynah" exec --state-dir "$folder" -- \
        bash -c 'MYNAH_TOKEN=$("$1" token) || exit; export MYNAH_TOKEN; exec swift test --skip-build "${@:2}"' \
        - "$mynah" "${build[@]}"
    local code=$?
    rm -rf "$folder"
    return $code
}

requirements=Tests/clients/requirements.txt
export requirements

environment_key() {
    { python3 --version && cat "$requirements"; } | sha256sum
}

python-environment() {
    if [ ! -f "$requirements" ]; then
        echo "$requirements is missing" >&2
        return 1
    fi
    local key
    key=$(environment_key) || return
    if [ "$(cat "$environment/key" 2>/dev/null)" = "$key" ]; then
        echo "unchanged"
        return
    fi
    rm -rf "$environment" &&
        python3 -m venv "$environment" &&
        "$environment/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$requirements" &&
        echo "$key" >"$environment/key"
}

client-tests() {
    if [ ! -x "$mynah" ]; then
        echo "$mynah is missing: Tests/run.sh release builds it, and MYNAH_BINARY names another" >&2
        return 1
    fi
    if [ ! -f "$environment/key" ]; then
        echo "there is no Python environment to run Tests/clients in" >&2
        return 1
    fi
    local workers=()
    grep -q '^pytest-xdist' "$requirements" && workers=(-n 2 --dist worksteal)
    # nghttpd and its like are in /usr/sbin, which is not on everybody's PATH.
    PATH="$PATH:/usr/sbin" MYNAH_BINARY="$mynah" \
        "$environment/bin/python" -m pytest "${workers[@]}" -p no:cacheprovider Tests/clients
}

fuzz() {
    Tests/fuzz/run.sh "$fuzz_seconds"
}

# Times are not judged, but no change makes a push cost more instructions unseen.
benchmark() {
    Tests/benchmark/run.sh --self-check --mynah "$mynah" &&
        Tests/benchmark/run.sh --check --mynah "$mynah"
}

# With podman, which is not installed for this; says so in one line where it is missing.
containers() {
    # What begins before half of the time is over has the rest to end in.
    Tests/containers/run.sh --within 100 --mynah "$mynah"
}

export -f need_packages pin_packages need_nats need_promtool download_tool environment_key
for line in "${parts[@]}"; do
    # shellcheck disable=SC2163 # exports the function of that name
    export -f "${line% *}"
done

# Ends what is left of the session of a part, and names it: a server or a test that outlived its runner.
end_session() {
    local stat rest fields
    for stat in /proc/[0-9]*/stat; do
        read -r rest 2>/dev/null <"$stat" || continue
        # Behind the name in parentheses: state, parent, group, session.
        read -r -a fields <<<"${rest##*) }"
        { [ "${fields[3]}" = "$1" ] && [ "${fields[0]}" != Z ]; } || continue
        local process=${stat//[!0-9]/}
        echo "left running, ended now: $(tr '\0' ' ' <"/proc/$process/cmdline" 2>/dev/null)" >&2
        kill -KILL "$process" 2>/dev/null
    done
}

# What each part has printed.
outputs="$root/.build/test-output"
mkdir -p "$outputs" || exit 1

# At the end of a run are so many lines about one part, and so many about all, so that the last screen has the summary.
telling_lines_max=15
all_telling_lines_max=20
telling_columns_max=300

# The lines of a part's output that tell most about its failure: first those of its issues, or else the last ones.
telling_lines() {
    local part=$1 count=$2 patterns=() pattern
    case $part in
    build | release) patterns=('error: ') ;;
    swift-tests) patterns=('^✘.* recorded an issue' '^✘' 'error: ') ;;
    client-tests) patterns=('^(FAILED|ERROR) ') ;;
    esac
    for pattern in "${patterns[@]}"; do
        LC_ALL=C grep -aE -m "$count" -e "$pattern" -- "$outputs/$part" && return
    done
    tail -n "$count" -- "$outputs/$part"
}

# Cuts long lines, by characters whatever the locale is.
cut_lines() {
    local LC_ALL=C.UTF-8 line
    while IFS= read -r line || [ -n "$line" ]; do
        [ ${#line} -le "$telling_columns_max" ] || line="${line:0:telling_columns_max}…"
        printf '    %s\n' "$line"
    done
}

# Whether the first argument is one of the others; grep -q would end before its writer, which then fails the pipeline.
is_among() {
    local one wanted="$1"
    shift
    for one in "$@"; do [ "$one" != "$wanted" ] || return 0; done
    return 1
}

session=""
trap '[ -z "$session" ] || end_session "$session"; echo "interrupted" >&2; exit 130' INT TERM

for wanted in "$@"; do
    is_among "$wanted" "${parts[@]%% *}" || {
        echo "there is no part '$wanted'; the parts are: ${parts[*]%% *}" >&2
        exit 64
    }
done

# Without it only one part would have something to do.
[ "$*" = python-environment ] || need_swift || exit 69

passed=()
failed=()
declare -A reasons=()
for line in "${parts[@]}"; do
    name=${line% *}
    limit=${line#* }
    if [ $# -gt 0 ] && ! is_among "$name" "$@"; then
        continue
    fi
    echo "=== $name"
    started=$SECONDS
    left=$((run_seconds_max - SECONDS))
    [ "$limit" -le "$left" ] || limit=$((left > 1 ? left : 1))
    exec {output}> >(exec tee -i -- "$outputs/$name")
    tee=$!
    # A session of its own, to find its processes by. The shell ignores SIGINT for what runs in the background; tests
    # of signals need it back.
    env --default-signal=INT,QUIT setsid timeout --kill-after=10 "$limit" \
        bash -c "set -uo pipefail; $name" </dev/null >&"$output" 2>&1 {output}>&- &
    session=$!
    exec {output}>&-
    wait "$session"
    code=$?
    end_session "$session"
    session=""
    # What has left the session as well could hold the output open for ever.
    timeout 5 tail --pid="$tee" --sleep-interval=0.1 -f /dev/null || {
        echo "something that $name has started outlived it and its session" >&2
        kill "$tee"
    }
    case $code in
    0)
        passed+=("$name")
        result="passed"
        ;;
    124 | 137)
        failed+=("$name")
        reasons[$name]="not done within $limit s"
        result="FAILED: ${reasons[$name]}"
        ;;
    *)
        failed+=("$name")
        reasons[$name]="exit code $code"
        result="FAILED: ${reasons[$name]}"
        ;;
    esac
    echo "=== $name $result ($((SECONDS - started)) s)"
    echo
done

for name in "${passed[@]}"; do echo "passed  $name"; done
each=0
if [ ${#failed[@]} -gt 0 ]; then
    each=$((all_telling_lines_max / ${#failed[@]}))
    [ "$each" -le "$telling_lines_max" ] || each=$telling_lines_max
fi
for name in "${failed[@]}"; do
    echo "FAILED  $name: ${reasons[$name]}; its output is in .build/test-output/$name"
    telling_lines "$name" "$each" | cut_lines
done
echo "${#passed[@]} passed, ${#failed[@]} failed"
[ ${#failed[@]} -eq 0 ]
