#!/usr/bin/env bash
# Every test of this repository: Tests/run.sh --help lists the ways to call it.
#
# Installs what is missing, builds, and runs each part whatever became of the others, three at a time. The last lines say
# of each part that failed which test, what was expected, and how to run it again; the very last one counts the parts.
# The exit code is 0 only when all of them passed. Needs no terminal, no input and no free port of a fixed number.
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
cd -- "$root" || exit 1
. Sources/toolchain.sh
export root build_packages
# Each worker of pytest would compile all modules again in each run: twice the time of finding the tests.
unset PYTHONDONTWRITEBYTECODE

# A part, the seconds after which it hangs, the parts that have to pass before it, and what it can't share with another
# part that runs. The first that can begin does so. The limits are several times what a part needs on two cores of a slow
# machine beside the other parts.
parts=(
    "packages            900 - -"
    "build              3600 packages swiftpm"
    "python-environment 1200 packages -"
    "format              900 packages -"
    "fuzz               1800 packages -"
    "client-tests       3600 build,python-environment -"
    "languages          2400 build,python-environment -"
    "swift-tests        3000 build swiftpm"
    "benchmark          2400 build -"
    "documentation      2400 build swiftpm"
    "swift-example      2400 build swiftpm"
    "containers          600 build -"
)
# Tests wait for programs, servers and the network, so that two parts leave a third of two processors idle.
at_once_max=3

# The whole run ends after two hours, whatever hangs: a part has at most what is left of them. On two cores it has
# taken between 10 minutes and 44; a machine that is slow or busy is no reason to fail.
run_seconds_max=7200

# Space for a build from nothing and for the folders of tests. With less, programs break in ways that don't say why.
build_megabytes=4000
free_megabytes_min=500

# The program and the tests are built in a folder of their own, so that a plain `swift build`, which has other flags,
# doesn't undo what was built. All commands on that folder have these flags, or they would build everything anew in turn.
tests_build=.build/tests
tests_flags="--scratch-path $tests_build $tests_flags"
# The check of imports rejects a module that is used but not declared as a dependency of the target.
build_flags="--explicit-target-dependency-import-check error"
# `swift test` would give the compiler one more option than `swift build` does, and compile everything again.
test_flags="--disable-testable-imports"
# The program that is tried over the wire: linked as the one that users run.
mynah="${MYNAH_BINARY:-$root/$tests_build/mynah}"
# The environment of the client tests; made anew when the requirements or the Python change.
environment="$root/.build/clients-python"
export build_flags test_flags tests_build tests_flags mynah environment release_linker_flags

usage() {
    cat <<END
Tests/run.sh                        every part
Tests/run.sh PART…                  these parts, without those that they need
Tests/run.sh PART -- ARGUMENT…      swift-tests, client-tests or languages with arguments of their runner:
                                      client-tests -- test_curl.py -k post    (pytest)
                                      swift-tests -- --filter InstantTests    (swift test)
Tests/run.sh --changed [COMMIT]     what the changes since COMMIT can break, by Tests/changed.py; by default those that
                                    the upstream branch, or else the last commit, lacks
parts: ${parts[*]%% *}
END
}

packages() {
    local python="" node=""
    if ! command -v dpkg-query >/dev/null 2>&1; then
        need_programs && need_checkouts
        return
    fi
    # Any Python with venv will do.
    python3 -c 'import venv, ensurepip' 2>/dev/null || python="python3 python3-venv"
    command -v node >/dev/null || node=nodejs
    # shellcheck disable=SC2086 # lists of words
    need_packages $build_packages git chromium-headless-shell curl fish fonts-liberation groff iproute2 jq \
        nghttp2-client nghttp2-server openssl zsh $python $node || return
    need_nats || echo "without nats-server the tests of clusters are skipped" >&2
    need_promtool || echo "without promtool one check of the metrics is skipped" >&2
    need_checkouts
}

# The Swift packages, for both builds: a copy is made faster than a second clone.
need_checkouts() {
    local made=(checkouts repositories workspace-state.json)
    [ ! -e "$tests_build/workspace-state.json" ] || return 0
    pin_packages . && swift package resolve && mkdir -p "$tests_build" && cp -a -- "${made[@]/#/.build/}" "$tests_build"
}

# Where there are no Debian packages: fails, and names the programs and libraries that are missing.
need_programs() {
    local missing="" name
    for name in git chromium-headless-shell curl fish groff h2load ip jq nghttp nghttpd node openssl pkg-config \
        python3 zsh; do
        PATH="$PATH:/usr/sbin" command -v "$name" >/dev/null || missing="$missing $name"
    done
    for name in libnghttp2 openssl sqlite3 yaml-0.1; do
        pkg-config --exists "$name" 2>/dev/null || missing="$missing $name.pc"
    done
    [ -z "$missing" ] && return
    echo "This is not Debian, so install these programs and libraries by its own means:$missing" >&2
    return 1
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
    download_tool prometheus usr/bin/promtool "$folder"
}

# All that is tested and the tests, optimized; or after a change for debugging.
build() {
    # shellcheck disable=SC2086 # lists of words
    need_packages $build_packages && pin_packages . &&
        swift build --build-tests $build_flags $tests_flags || return
    [ "$mynah" != "$root/$tests_build/mynah" ] || link_program "$tests_build/release" "$mynah"
}

# Of all files, or of those that are named.
format() {
    [ $# -gt 0 ] || set -- Sources Tests Package.swift
    swift format lint --strict --parallel --recursive "$@"
}

# The documentation of the library.
documentation() {
    # shellcheck disable=SC2086 # a list of words
    make_documentation .build/documentation $tests_flags
}

# So many cases at once: enough to use the time in which some wait. Without a bound all of them begin together, each
# gets a thousandth of the machine, and what has a time limit runs out of it.
swift_test_width=16
export swift_test_width

swift-tests() {
    # shellcheck disable=SC2086 # a list of words
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="$swift_test_width" \
        swift test $test_flags $build_flags $tests_flags "$@"
}

# A package that depends on this one, as a user's does. In this folder nothing that `build` has built is built again.
swift-example() {
    local runs
    runs=$(mktemp -d) || return
    # shellcheck disable=SC2086 # a list of words
    MYNAH_RUNS=$runs swift test $test_flags $tests_flags --package-path Tests/example || return
    # The run of tests that have passed is removed.
    rmdir "$runs"
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
    rm -rf "$environment" && python3 -m venv "$environment" && install_requirements && echo "$key" >"$environment/key"
}

# By uv in a third of the time; or by pip where that can't be, since uv doesn't read the settings of pip's index.
install_requirements() {
    local python="$environment/bin/python" pip=(-m pip install --quiet --disable-pip-version-check)
    if "$python" "${pip[@]}" uv &&
        "$environment/bin/uv" pip install --quiet --python "$python" --compile-bytecode --requirement "$requirements"; then
        return
    fi
    echo "uv could not install the packages, so pip does" >&2
    "$python" "${pip[@]}" --requirement "$requirements"
}

# Runs pytest in a folder of tests: run_pytest FOLDER [ARGUMENT…]
run_pytest() {
    if [ ! -x "$mynah" ]; then
        echo "$mynah is missing: Tests/run.sh build makes it, and MYNAH_BINARY names another" >&2
        return 1
    fi
    if [ ! -f "$environment/key" ]; then
        echo "there is no Python environment to run $1 in: Tests/run.sh python-environment makes it" >&2
        return 1
    fi
    # nghttpd and its like are in /usr/sbin, which is not on everybody's PATH.
    cd -- "$1" && shift &&
        PATH="$PATH:/usr/sbin" MYNAH_BINARY="$mynah" "$environment/bin/python" -m pytest -p no:cacheprovider "$@"
}

client-tests() {
    # Six workers for two cores, since each waits for programs and servers for two thirds of its time; unless the
    # arguments choose.
    [ $# -gt 0 ] || set -- -n 6 --dist worksteal --durations 30 --durations-min 5
    run_pytest Tests/clients "$@"
}

# The packages for other languages; those whose toolchain can't be had are skipped.
languages() {
    Tests/languages/toolchains.sh
    # The tests of a language share what was installed for it.
    [ $# -gt 0 ] || set -- -n 2 --dist loadgroup
    run_pytest Tests/languages "$@"
}

# How long new inputs are tried; past finds and the corpus come first whatever it is.
fuzz_seconds=10
export fuzz_seconds

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

export -f need_checkouts need_packages need_programs pin_packages need_nats need_promtool download_tool environment_key \
    install_requirements link_program make_documentation run_pytest
for line in "${parts[@]}"; do
    # shellcheck disable=SC2163 # exports the function of that name
    export -f "${line%% *}"
done

# What each part has printed.
outputs="$root/.build/test-output"

# At the end of a run are so many lines about one part, and so many about all, so that the last screen has the summary.
telling_lines_max=15
all_telling_lines_max=20
telling_columns_max=300

# The lines of a part's output that tell most about its failure: first those of its issues, or else the last ones.
telling_lines() {
    local part=$1 count=$2 patterns=() pattern
    case $part in
    build) patterns=('error: ') ;;
    swift-tests) patterns=('^(✘.* recorded an issue|↳)' '^✘' 'error: ') ;;
    client-tests | languages) patterns=('^✘' '^(FAILED|ERROR) ') ;;
    esac
    for pattern in "${patterns[@]}"; do
        LC_ALL=C grep -aE -m "$count" -e "$pattern" -- "$outputs/$part" && return
    done
    tail -n "$count" -- "$outputs/$part"
}

# The command that runs again what failed of a part: of the Swift tests the files whose tests failed.
command_again() {
    local part=$1 files
    files=$(LC_ALL=C sed -nE 's/^✘.* recorded an issue.* at ([A-Za-z0-9_+]+)\.swift:.*/\1/p' -- "$outputs/$part" |
        sort -u | head -n 10 | paste -sd '|')
    if [ "$part" = swift-tests ] && [ -n "$files" ]; then
        echo "Tests/run.sh swift-tests -- --filter '/($files)\\.swift'"
    else
        echo "Tests/run.sh $part"
    fi
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

# Megabytes that are free in this folder.
free_megabytes() {
    local fields
    read -r -a fields < <(df -Pm . 2>/dev/null | tail -n 1)
    echo "${fields[3]:-$build_megabytes}"
}

# Ends what is left of the session of a part, and names it: a server or a test that outlived its runner.
end_session() {
    local stat rest fields command
    for stat in /proc/[0-9]*/stat; do
        read -r rest 2>/dev/null <"$stat" || continue
        # Behind the name in parentheses: state, parent, group, session.
        read -r -a fields <<<"${rest##*) }"
        { [ "${fields[3]}" = "$1" ] && [ "${fields[0]}" != Z ]; } || continue
        local process=${stat//[!0-9]/}
        command=$(tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline")
        echo "left running, ended now: ${command:0:telling_columns_max}" >&2
        kill -KILL "$process" 2>/dev/null
    done
}

# What was asked for: the parts, and by part the arguments as the shell reads them.
chosen=()
declare -A arguments=()
if [ "${1-}" = --help ] || [ "${1-}" = -h ]; then
    usage
    exit
fi
if [ "${1-}" = --changed ]; then
    command -v python3 >/dev/null || {
        echo "--changed needs python3" >&2
        exit 69
    }
    plan=$(python3 Tests/changed.py "${@:2}") || exit
    [ -n "$plan" ] || {
        echo "nothing has changed"
        exit
    }
    while IFS=$'\t' read -r -a words; do
        chosen+=("${words[0]}")
        [ ${#words[@]} -eq 1 ] || arguments[${words[0]}]=$(printf '%q ' "${words[@]:1}")
    done <<<"$plan"
    # After a change a debug build, which compiles by file, is made in a fraction of the time.
    tests_flags="--scratch-path $tests_build -debug-info-format none"
    test_flags=""
    mynah="${MYNAH_BINARY:-$root/$tests_build/debug/mynah}"
    set --
fi
while [ $# -gt 0 ]; do
    if [ "$1" = -- ]; then
        shift
        is_among "${chosen[*]}" swift-tests client-tests languages || {
            echo "arguments after -- go to one part, swift-tests, client-tests or languages:" \
                "${chosen[*]:-no part} was named" >&2
            exit 64
        }
        [ $# -eq 0 ] || arguments[${chosen[0]}]=$(printf '%q ' "$@")
        break
    fi
    is_among "$1" "${parts[@]%% *}" || {
        echo "unknown part '$1': expected one of ${parts[*]%% *}" >&2
        exit 64
    }
    is_among "$1" "${chosen[@]}" || chosen+=("$1")
    shift
done
[ ${#chosen[@]} -gt 0 ] || chosen=("${parts[@]%% *}")

# Without it only this part would have something to do.
[ "${chosen[*]}" = python-environment ] || need_swift || exit 69
for tool in df env mkdir paste sed setsid sort tail timeout tr; do
    command -v "$tool" >/dev/null || {
        echo "$tool is missing: coreutils, sed and util-linux have what this script needs" >&2
        exit 69
    }
done
[ -d .build/checkouts ] || [ "$(free_megabytes)" -ge "$build_megabytes" ] || {
    echo "the disk of $root is nearly full: $(free_megabytes) MB are free, a build needs $build_megabytes MB" >&2
    exit 69
}
mkdir -p "$outputs" || exit 1

passed=()
failed=()
# By part: when it began, the process that leads its session, and why it failed.
declare -A began=() sessions=() reasons=()
is_alone=false
[ ${#chosen[@]} -gt 1 ] || is_alone=true

end_all() {
    local name
    trap '' INT TERM HUP
    for name in "${!sessions[@]}"; do end_session "${sessions[$name]}" 2>/dev/null; done
    wait 2>/dev/null
    echo "interrupted: ${!sessions[*]} did not end" >&2
    exit "$1"
}
trap 'end_all 130' INT
trap 'end_all 143' TERM
trap 'end_all 129' HUP

begin() {
    local name=$1 limit=$2
    local left=$((run_seconds_max - SECONDS))
    [ "$limit" -le "$left" ] || limit=$((left > 1 ? left : 1))
    echo "=== $name"
    began[$name]=$SECONDS
    reasons[$name]="not done within $limit s"
    : >"$outputs/$name"
    # A session of its own, to find its processes by. Whoever starts this script may ignore signals, as nohup does, and
    # the shell for what is in the background; tests of signals need them back.
    env --default-signal setsid timeout --kill-after=10 "$limit" \
        bash -c "set -uo pipefail; $name ${arguments[$name]-}" </dev/null >>"$outputs/$name" 2>&1 &
    sessions[$name]=$!
    if $is_alone; then tail -n +1 -s 0.2 -f --pid="${sessions[$name]}" -- "$outputs/$name" 2>/dev/null & fi
}

finish() {
    local name=$1 code=$2
    end_session "${sessions[$name]}" 2>>"$outputs/$name"
    unset "sessions[$name]"
    if $is_alone; then
        wait
    else
        cat -- "$outputs/$name"
    fi
    case $code in
    0) unset "reasons[$name]" ;;
    124 | 137) ;;
    *) reasons[$name]="exit code $code" ;;
    esac
    if [ "$code" -ne 0 ] && [ "$(free_megabytes)" -lt "$free_megabytes_min" ]; then
        reasons[$name]="the disk is nearly full, $(free_megabytes) MB are free; ${reasons[$name]}"
    fi
    if [ "$code" -eq 0 ]; then passed+=("$name"); else failed+=("$name"); fi
    echo "=== $name ${reasons[$name]:+FAILED: }${reasons[$name]:-passed} ($((SECONDS - began[$name])) s)"
    echo
}

# Whether a part may begin now: 0 yes, 1 not yet, 2 never, because what it needs has failed.
may_begin() {
    local needs=$1 shared=$2 need other
    for need in ${needs//,/ }; do
        is_among "$need" "${chosen[@]}" || continue
        is_among "$need" "${passed[@]}" && continue
        is_among "$need" "${failed[@]}" && return 2
        return 1
    done
    for other in "${!sessions[@]}"; do
        [ "$shared" = - ] || [ "${resources[$other]}" != "$shared" ] || return 1
    done
}

declare -A resources=()
waiting=()
for line in "${parts[@]}"; do
    read -r name limit needs shared <<<"$line"
    resources[$name]=$shared
    ! is_among "$name" "${chosen[@]}" || waiting+=("$line")
done

while [ ${#waiting[@]} -gt 0 ] || [ ${#sessions[@]} -gt 0 ]; do
    later=()
    for line in "${waiting[@]}"; do
        read -r name limit needs shared <<<"$line"
        may_begin "$needs" "$shared"
        case $? in
        0) if [ ${#sessions[@]} -lt "$at_once_max" ]; then begin "$name" "$limit"; else later+=("$line"); fi ;;
        1) later+=("$line") ;;
        2)
            failed+=("$name")
            reasons[$name]="not begun, since a part that it needs failed (${needs//,/, })"
            echo "=== $name FAILED: ${reasons[$name]}"
            ;;
        esac
    done
    waiting=("${later[@]}")
    [ ${#sessions[@]} -gt 0 ] || continue
    wait -n -p ended "${sessions[@]}"
    code=$?
    for name in "${!sessions[@]}"; do
        if [ "${sessions[$name]}" = "$ended" ]; then finish "$name" "$code"; fi
    done
done

for name in "${passed[@]}"; do echo "passed  $name"; done
each=0
if [ ${#failed[@]} -gt 0 ]; then
    each=$((all_telling_lines_max / ${#failed[@]}))
    [ "$each" -le "$telling_lines_max" ] || each=$telling_lines_max
fi
for name in "${failed[@]}"; do
    echo "FAILED  $name: ${reasons[$name]}"
    [ -n "${began[$name]-}" ] || continue
    telling_lines "$name" "$each" | cut_lines
    echo "    the whole output: .build/test-output/$name; again: $(command_again "$name")"
done
echo "${#passed[@]} passed, ${#failed[@]} failed"
[ ${#failed[@]} -eq 0 ]
