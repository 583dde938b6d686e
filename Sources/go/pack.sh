#!/bin/sh
# Makes an archive of the package for Go, a folder that can be a GOPROXY: pack.sh FOLDER
set -eu
[ $# -eq 1 ] || {
    echo "wrong arguments: expected one, the folder for the archive" >&2
    exit 64
}
mkdir -p -- "$1"
folder=$(cd -- "$1" && pwd)
cd -- "$(dirname -- "$0")"
exec go run ./internal/pack "$folder"
