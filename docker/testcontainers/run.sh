#!/usr/bin/env bash
# Runs the Python recipe against an image: docker/testcontainers/run.sh [IMAGE], by default mynah.
#
# PYTHON is a Python with testcontainers, pytest and httpx[http2]. Without a Docker daemon, podman replaces
# it while this runs.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
service=""
trap '[ -z "$service" ] || kill "$service" 2>/dev/null; rm -rf "$folder"' EXIT

if [ -z "${DOCKER_HOST:-}" ] && [ ! -S /var/run/docker.sock ]; then
    export DOCKER_HOST="unix://$folder/podman.sock"
    podman system service --time 0 "$DOCKER_HOST" &
    service=$!
    # A network that can publish ports without a bridge and NAT, as in a container.
    ! command -v slirp4netns >/dev/null || export MYNAH_NETWORK_MODE="${MYNAH_NETWORK_MODE:-slirp4netns}"
    # Published ports are on this machine, even if it is a container itself.
    export TESTCONTAINERS_CONNECTION_MODE=docker_host TESTCONTAINERS_HOST_OVERRIDE=localhost
    # The socket accepts connections as soon as it exists.
    for _ in {1..100}; do
        [ ! -S "$folder/podman.sock" ] || break
        sleep 0.1
    done
fi
# The fixture removes the container; the container that would clean up needs another image.
export TESTCONTAINERS_RYUK_DISABLED=true
export MYNAH_IMAGE=${1:-mynah} PYTHONPATH="$here/../../Sources/python" PYTHONDONTWRITEBYTECODE=1
"${PYTHON:-python3}" -m pytest -q -p mynah.pytest_plugin -p no:cacheprovider --rootdir "$here" \
    "$here/test_mynah_container.py"
