#!/bin/sh
# The benchmark: nghttpd and Mynah in turn under the same load. Tests/benchmark/run.sh --help lists the flags.
#
# Without --mynah a release build of this repository is measured, and made first.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
. "$root/Sources/toolchain.sh"

need_packages nghttp2-client nghttp2-server openssl
command -v python3 >/dev/null 2>&1 || need_packages python3

build=yes
for argument in "$@"; do
    case $argument in
    --instructions | --check | --record | --growth | --growth=*)
        need_packages valgrind binutils
        command -v cc >/dev/null 2>&1 || need_packages gcc libc6-dev
        ;;
    --mynah | --mynah=* | --baseline-only | --help | -h) build=no ;;
    esac
done
if [ $build = yes ]; then
    build_release "$root"
    set -- --mynah "$root/.build/release/mynah" "$@"
fi

# nghttpd is in /usr/sbin, which is not on everybody's PATH. What the runner ignores, such as SIGINT in the background,
# would be ignored by the servers too.
PATH="$PATH:/usr/sbin" PYTHONPATH="$root/Tests/benchmark" PYTHONDONTWRITEBYTECODE=1 \
    exec env --default-signal python3 -m pushbench "$@"
