#!/bin/sh
# Builds Mynah if needed and serves: Sources/serve.sh [flags of `mynah serve`].
#
# Everything but the server's own output goes to stderr, so that the ready line is found on stdout. Paths in flags, and
# ./certs, are relative to the folder in which the command is given.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/Sources/packages.sh"

need_swift
# shellcheck disable=SC2086 # a list of words
need_packages $build_packages

swift build --package-path "$root" --configuration release --product mynah >&2
exec "$root/.build/release/mynah" serve "$@"
