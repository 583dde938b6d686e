#!/bin/sh
# Writes Sources/function-order.txt anew: the functions of a release build that run before the server is ready, by their
# symbols. The linker puts them side by side, so that a server that waits for its first push holds the pages of these and
# not, for a few functions each, those of nearly everything: 8 MB less. Functions that the list does not know, or that are
# gone, do no harm; it is worth a new one when `Tests/benchmark/run.sh` says that idle memory has grown.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/Sources/toolchain.sh"

ready_seconds=120

need_packages valgrind binutils
build_release "$root"
folder=$(mktemp -d)
server=""
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT

# Valgrind reads no DWARF of this size; symbols are enough.
strip --strip-debug -o "$folder/mynah" "$root/.build/release/mynah"
# The first start makes its trust material, the second one finds it.
for start in first second; do
    ready=$folder/$start.json
    valgrind --quiet --tool=callgrind --demangle=no --callgrind-out-file="$folder/$start.calls" \
        "$folder/mynah" serve --port 0 --control-port 0 --state-dir "$folder/state" --ready-file "$ready" \
        >"$folder/log" 2>&1 &
    server=$!
    waited=0
    while [ ! -s "$ready" ]; do
        if [ "$waited" -ge "$ready_seconds" ] || ! kill -0 "$server" 2>/dev/null; then
            cat "$folder/log" >&2
            echo "the server was not ready within $ready_seconds s" >&2
            exit 1
        fi
        sleep 1
        waited=$((waited + 1))
    done
    kill -TERM "$server"
    wait "$server" || true
    server=""
done

# `fn=(7) symbol` and `cfn=(7) symbol`; a recursion has a number behind its name.
sed -n "s/^c\{0,1\}fn=([0-9]*) //p" "$folder"/*.calls | sed "s/'[0-9]*$//" | LC_ALL=C sort -u >"$folder/ran"
nm --defined-only "$folder/mynah" | sed 's/.* //' | LC_ALL=C sort -u >"$folder/own"
LC_ALL=C comm -12 "$folder/ran" "$folder/own" >"$root/Sources/function-order.txt"
echo "$(wc -l <"$root/Sources/function-order.txt") functions run before the server is ready" >&2
