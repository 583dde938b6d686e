#!/bin/sh
# Fails unless a program can be published as a version: docker/release/verify.sh PROGRAM VERSION
set -eu
program=$1
expected=$2
version=$("$program" --version)
[ "$version" = "$expected" ] || {
    echo "$program has the version $version: $expected was expected" >&2
    exit 65
}
others=$(ldd "$program" | sed -n 's/^\t\([^ ]*\) => .*/\1/p' | grep -vE '^(libc|libm)\.so\.6$' || true)
[ -z "$others" ] || {
    echo "$program needs more than glibc:" $others >&2
    exit 65
}
