#!/usr/bin/env bash
# The soak: a server under churn for minutes or hours, which must not grow, become slower, lose a push or end otherwise
# than with 0. Tests/soak/run.sh --help lists the flags.
#
# Not part of .ci/run. Without --mynah a release build of this repository is tested, and made first.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/Sources/toolchain.sh"

build=yes
for argument in "$@"; do
    case $argument in
    --mynah | --mynah=* | --help | -h) build=no ;;
    esac
done
if [ "$build" = yes ]; then
    build_release "$root"
    set -- --mynah "$root/.build/release/mynah" "$@"
fi

# The clients of the tests and their environment, which holds h2 and cryptography.
"$root/Tests/run.sh" python-environment >&2
made="$root/.build/soak"
mkdir -p "$made"
# Without a compiler the heap is not measured, only the memory of the process.
heap=""
if command -v cc >/dev/null; then
    cc -O2 -Wall -Werror -shared -fPIC -o "$made/heap.so" "$root/Tests/soak/heap.c" -lpthread
    heap="$made/heap.so"
fi
command -v h2load >/dev/null || need_packages nghttp2-client

export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
export PYTHONPATH="$root/Tests/soak:$root/Tests/clients:$root/Sources/python"
# What the runner ignores, such as SIGINT in the background, would be ignored by the server too.
exec env --default-signal "$root/.build/clients-python/bin/python" -m churn --folder "$made" --heap "$heap" "$@"
