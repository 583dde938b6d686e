#!/bin/sh
# The command `mynah` of the steps after start.sh: a container of MYNAH_IMAGE, with the files that the arguments name.
#
# Everything not shared with this machine is read-only in the container, so that no file is lost silently.
set -eu

# Folders to mount at the same paths, one per line, except those of the container itself.
folders=""
share() {
    case $1 in
    "" | / | /bin* | /boot* | /dev* | /etc* | /lib* | /proc* | /run | /sbin* | /sys* | /usr* | /var | /var/lib) ;;
    *) folders=$(printf '%s\n%s' "$folders" "$1") ;;
    esac
}
share "$PWD"
share "${GITHUB_WORKSPACE:-}"
share "${RUNNER_TEMP:-}"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || share "$(dirname -- "$GITHUB_STEP_SUMMARY")"

# A container with standard input reads all of it, even that of a surrounding loop.
interactive=""
for argument in "$@"; do
    # --report=FILE, --body @FILE
    value=${argument#--*=}
    value=${value#@}
    case $value in
    -) interactive=--interactive ;;
    /* | .. | ../* | */../*)
        folder=$value
        until [ -d "$folder" ]; do folder=$(dirname -- "$folder"); done
        share "$(cd -- "$folder" && pwd)"
        ;;
    esac
done

set -- "$MYNAH_IMAGE" "$@"
IFS='
'
set -f
for folder in $(printf '%s\n' "$folders" | sort -u); do set -- --volume "$folder:$folder" "$@"; done
exec docker run --rm $interactive --read-only --no-healthcheck --network host \
    --user "$(id -u):$(id -g)" --workdir "$PWD" \
    --env MYNAH_URL --env MYNAH_CONTROL_TOKEN --env MYNAH_APNS_HOST --env MYNAH_APNS_PORT \
    --env GITHUB_ACTIONS --env GITHUB_STEP_SUMMARY "$@"
