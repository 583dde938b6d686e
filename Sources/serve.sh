#!/bin/sh
# Builds Mynah if needed and serves: Sources/serve.sh [flags of `mynah serve`].
#
# Only the server writes to stdout, so that scripts find the ready line there. Paths in flags, and ./certs, are relative to
# the current folder.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/Sources/toolchain.sh"

build_release "$root"
exec "$root/.build/release/mynah" serve "$@"
