#!/usr/bin/env bash
# Starts Mynah on free ports, from a release, a binary or an image, and writes its addresses to GITHUB_ENV and GITHUB_OUTPUT.
set -euo pipefail

fail() {
    echo "::error title=mynah::$1"
    exit 1
}

[ "${RUNNER_OS:-Linux}" = Linux ] || fail "Mynah runs on Linux; this runner's system is $RUNNER_OS"
folder=${INPUT_FOLDER:-$RUNNER_TEMP/mynah}
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
export=$folder/export
# The steps of a job in a container have other paths and another localhost than Docker.
no_image="image doesn't work in a job with container: give version or binary, or run Mynah as one of the job's services"
given=""
for input in INPUT_VERSION INPUT_BINARY INPUT_IMAGE; do
    [ -z "${!input:-}" ] || given="$given ${input#INPUT_}"
done
[ "$(wc -w <<<"$given")" -le 1 ] || fail "of version, binary and image one can be given, and there are:${given,,}"
if [ -n "${INPUT_IMAGE:-}" ]; then
    case $folder in /__w/*) fail "$no_image" ;; esac
    command -v docker >/dev/null || fail "docker is not on the PATH; version and binary do without it"
fi
[ ! -e "$folder/ready" ] || fail "there is a Mynah in $folder already; finish that one first, or name another folder"
mkdir -p "$export" "$folder/bin"
# White space separates the flags; quotes have no meaning.
set -f
# shellcheck disable=SC2206
flags=(${INPUT_FLAGS:-})
set +f

keep=()
[ "${INPUT_KEEP:-true}" != true ] || keep=("MYNAH_DATA=$folder/data" MYNAH_KEEP=all)

# A value of the ready file: numbers, addresses and names, nothing that JSON would escape.
value() {
    sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" "$ready"
}

# Waits with a command until the server is ready; fails with its log if the server exits or 30 s are over.
wait_until_ready() {
    for _ in {1..30}; do
        ! "$@" healthcheck --wait 1s 2>/dev/null || return 0
        is_running || break
    done
    show_log
    fail "mynah did not come up; its log is above"
}

start_binary() {
    local binary
    binary=$(command -v "$INPUT_BINARY") || fail "$INPUT_BINARY is not executable"
    binary=$(cd "$(dirname "$binary")" && pwd)/$(basename "$binary")
    ln -sf "$binary" "$folder/bin/mynah"
    ready=$folder/ready.json
    # In its own folder, so that it doesn't read a mynah.yaml.
    (
        cd "$folder"
        exec env -u MYNAH_URL "${keep[@]}" nohup "$binary" serve --port 0 --control-port 0 --web-push-port 0 \
            --state-dir "$folder/state" --ready-file "$ready" --export-dir "$export" "${flags[@]}" >"$folder/mynah.log" 2>&1 </dev/null
    ) &
    echo $! >"$folder/pid"
    is_running() { kill -0 "$(cat "$folder/pid")" 2>/dev/null; }
    show_log() { cat "$folder/mynah.log"; }
    wait_until_ready env "MYNAH_READY_FILE=$ready" "$binary"
    url=$(value controlUrl)
    port=$(value port)
    web_push_port=$(value webPushPort)
}

start_image() {
    local container
    ready=$export/ready.json
    [ ${#keep[@]} = 0 ] || keep=(--env MYNAH_DATA=/data --env MYNAH_KEEP=all)
    # The image's user writes files that later steps read.
    chmod 0777 "$export"
    container=$(docker run --detach --publish 127.0.0.1::2197 --publish 127.0.0.1::8197 \
        --volume "$export:/trust" --env MYNAH_EXPORT_DIR=/trust "${keep[@]}" "$INPUT_IMAGE" "${flags[@]}") ||
        fail "$INPUT_IMAGE could not be run"
    echo "$container" >"$folder/container"
    is_running() { [ "$(docker inspect --format '{{.State.Running}}' "$container")" = true ]; }
    show_log() {
        docker logs "$container" 2>&1
        docker rm --force "$container" >/dev/null
    }
    wait_until_ready docker exec "$container" mynah
    [ -e "$ready" ] || {
        show_log
        fail "docker does not share $export with this job; $no_image"
    }
    url=http://$(docker port "$container" 8197/tcp | sed -n 1p)
    port=$(docker port "$container" 2197/tcp | sed -n 1p)
    port=${port##*:}
    # The endpoints of subscriptions have the port that the container knows, not one that Docker picks.
    web_push_port=""
    # The command for later steps.
    printf '#!/usr/bin/env bash\nMYNAH_IMAGE=%q exec sh %q "$@"\n' "$INPUT_IMAGE" "$here/client.sh" >"$folder/bin/mynah"
    chmod +x "$folder/bin/mynah"
}

# The program of a release, with the script that a person would call; it is part of what a runner gets with the action.
download() {
    local said
    said=$(sh "$here/../../release/install.sh" ${INPUT_VERSION:+--version "$INPUT_VERSION"} --to "$folder/program" \
        ${INPUT_FROM:+--from "$INPUT_FROM"} 2>&1) || fail "$said"
    INPUT_BINARY=$folder/program/mynah
}

if [ -n "${INPUT_IMAGE:-}" ]; then
    start_image
else
    [ -n "${INPUT_BINARY:-}" ] || download
    start_binary
fi

key_id=$(value keyId)
team_id=$(value teamId)
key_file=""
# The user's own keys, of --auth-key, are not exported.
[ ! -e "$export/AuthKey_$key_id.p8" ] || key_file=$export/AuthKey_$key_id.p8

cat >>"$GITHUB_ENV" <<VARIABLES
MYNAH_FOLDER=$folder
MYNAH_URL=$url
MYNAH_APNS_HOST=localhost
MYNAH_APNS_PORT=$port
MYNAH_WEB_PUSH_PORT=$web_push_port
MYNAH_CA_FILE=$export/ca.pem
MYNAH_KEY_FILE=$key_file
MYNAH_KEY_ID=$key_id
MYNAH_TEAM_ID=$team_id
VARIABLES
if [ "${INPUT_TRUST:-true}" = true ]; then
    cat >>"$GITHUB_ENV" <<VARIABLES
SSL_CERT_FILE=$export/ca-bundle.pem
REQUESTS_CA_BUNDLE=$export/ca-bundle.pem
CURL_CA_BUNDLE=$export/ca-bundle.pem
NODE_EXTRA_CA_CERTS=$export/ca.pem
DENO_CERT=$export/ca.pem
VARIABLES
fi
cat >>"$GITHUB_OUTPUT" <<OUTPUTS
url=$url
host=localhost
port=$port
web-push-port=$web_push_port
ca-file=$export/ca.pem
ca-bundle-file=$export/ca-bundle.pem
key-file=$key_file
key-id=$key_id
team-id=$team_id
OUTPUTS
echo "$folder/bin" >>"$GITHUB_PATH"
touch "$folder/ready"
echo "mynah takes pushes at https://localhost:$port, its control API is $url"
