#!/usr/bin/env bash
# Fuzzes the reader of provider certificates: Tests/fuzz/run.sh [SECONDS], by default 30.
#
# Builds the reader with libFuzzer's counters and the address sanitizer, apart from the package: neither may get into a
# build that is shipped. Past finds run first. What is new and ends the run is written to fixtures/certificates/finds;
# the exit code is then not 0. What is new and only reaches further stays below .build.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
cd -- "$root"
. Sources/toolchain.sh
seconds=${1:-30}
case $seconds in
'' | *[!0-9]*)
    echo "usage: Tests/fuzz/run.sh [SECONDS]" >&2
    exit 64
    ;;
esac
need_swift
folder=.build/fuzz
mkdir -p "$folder/corpus"

# A module of the package: name, then further arguments.
module() {
    local name=$1
    shift
    swiftc "$@" -module-name "$name" -package-name mynah -swift-version 6 -O -g -wmo -parse-as-library \
        -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault \
        -enable-upcoming-feature MemberImportVisibility -sanitize=fuzzer,address \
        -I "$folder" -I Sources/COpenSSL
}

build() {
    local name
    for name in MynahSystem APNsRules MynahTrust; do
        # shellcheck disable=SC2046 # the repository's paths have no spaces
        module "$name" -emit-module -emit-module-path "$folder/$name.swiftmodule" -emit-object -o "$folder/$name.o" \
            $(find "Sources/$name" -name '*.swift' | sort) || return
    done
    module CertificateFuzz -emit-executable -o "$folder/certificate-fuzz" Tests/fuzz/CertificateFuzz.swift \
        "$folder/MynahSystem.o" "$folder/APNsRules.o" "$folder/MynahTrust.o"
}

# The same sources and compiler as last time need no build.
key=$({ swiftc --version 2>&1 && find Sources/MynahSystem Sources/APNsRules Sources/MynahTrust Sources/COpenSSL \
    Tests/fuzz -type f -print0 | sort -z | xargs -0 cat; } | sha256sum)
if [ "$(cat "$folder/key" 2>/dev/null)" != "$key" ] || [ ! -x "$folder/certificate-fuzz" ]; then
    # The linker warns of each symbol of the sanitizer's that it doesn't export: to be read only where the build fails.
    if ! build >"$folder/build-log" 2>&1; then
        tail -n 100 "$folder/build-log" >&2
        echo "fuzz: the build FAILED; all that it said is in $folder/build-log" >&2
        exit 1
    fi
    echo "$key" >"$folder/key"
fi

log=$folder/log
code=0
# Past finds once each, whatever time there is.
finds=$(find fixtures/certificates/finds -type f ! -name '.*' | sort)
if [ -n "$finds" ]; then
    # shellcheck disable=SC2086 # a list of paths without spaces
    "$folder/certificate-fuzz" -rss_limit_mb=2048 $finds >"$log" 2>&1 || code=$?
fi
if [ "$code" -eq 0 ]; then
    "$folder/certificate-fuzz" -max_total_time="$seconds" -max_len=8192 -timeout=5 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix=fixtures/certificates/finds/ \
        "$folder/corpus" fixtures/certificates/corpus >"$log" 2>&1 || code=$?
fi
if [ "$code" -ne 0 ]; then
    tail -n 60 "$log" >&2
    echo "fuzz: FAILED with exit code $code; the input lies in fixtures/certificates/finds, the whole log in $log"
    exit 1
fi
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
echo "fuzz: $runs inputs in $seconds s, no find; $(find fixtures/certificates/corpus -type f | wc -l) in the corpus"
