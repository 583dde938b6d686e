#!/bin/sh
# Builds Mynah if needed and serves: Sources/serve.sh [flags of `mynah serve`].
#
# Everything but the server's own output goes to stderr, so that the ready line is found on stdout. Paths in flags, and
# ./certs, are relative to the folder in which the command is given.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/Sources/toolchain.sh"

build_release "$root"
exec "$root/.build/release/mynah" serve "$@"
