#!/usr/bin/env bash
# Installs what the packages for other languages are tested with; says in a line what can't be had, whose tests are skipped.
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/Sources/toolchain.sh"

# Debian packages of a language, where its programs are missing: need LANGUAGE "PROGRAM …" "PACKAGE …"
need() {
    local language=$1 program missing=""
    for program in $2; do command -v "$program" >/dev/null || missing="$missing $program"; done
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # lists of words
    if command -v dpkg-query >/dev/null && need_packages $3; then return 0; fi
    echo "without$missing the tests of the package for $language are skipped" >&2
}

# JUnit's jars, of which no program tells that they are there.
need_jars() {
    [ -e /usr/share/java/junit-platform-console.jar ] || { command -v dpkg-query >/dev/null && need_packages junit5; } ||
        echo "without JUnit's jars in /usr/share/java the tests of the package for Java are skipped" >&2
}

need Node "node npm" "nodejs npm"
need Java "java javac jar" "default-jdk-headless"
need_jars
need "Node's types" tsc node-typescript
