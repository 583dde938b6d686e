#!/usr/bin/env bash
# Tries the image, the recipe for Testcontainers, the compose examples and the Debian package with podman:
#
#     Tests/containers/run.sh [--mynah FILE] [--staged FOLDER] [--within SECONDS] [CHECK…]
#
# by default all checks, and of those the ones that can begin before the time is over.
#
# The image is the Dockerfile's own last stage around a binary that is there already, by default that of Sources/serve.sh;
# FOLDER is what docker/release/image.sh has made in place of the first stage.
# Says so in one line, and passes, where there is no podman, or none that can run a container.
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/Tests/containers/podman.sh"
mynah=$root/.build/release/mynah
seconds=3600
staged=""
while [ $# -gt 1 ]; do
    case $1 in
    --mynah) mynah=$2 ;;
    --staged) staged=$2 ;;
    --within) seconds=$2 ;;
    *) break ;;
    esac
    shift 2
done
checks=(configuration users folders goaway time_to_ready testcontainers action compose_examples cluster package)
for wanted in "$@"; do
    printf '%s\n' "${checks[@]}" | grep -qx -- "$wanted" || {
        echo "there is no check '$wanted'; the checks are: ${checks[*]}" >&2
        exit 64
    }
done

skip() {
    echo "skipped: $1"
    exit 0
}
command -v podman >/dev/null || skip "podman is not installed; with it, the image is built and run"
[ -x "$mynah" ] || {
    echo "there is no binary $mynah; --mynah names another" >&2
    exit 64
}
own_podman || skip "podman cannot be used with a storage below $cache"
need_base || skip "there is no Debian for the image to begin with: neither debootstrap nor podman pull could get one"
problem=$(run --rm "$base_image" true 2>&1) || skip "podman can run no container here: $problem"

work=$(mktemp -d)
trap 'clear_podman; rm -rf "$work"' EXIT
failures=0
ok() { echo "ok      $1"; }
fail() {
    echo "FAILED  $1" >&2
    failures=$((failures + 1))
}
# Whether a command says what it should: expect SENTENCE EXPECTED COMMAND…
expect() {
    local sentence=$1 expected=$2 said
    shift 2
    said=$("$@" 2>&1)
    if [ "$said" = "$expected" ]; then ok "$sentence"; else fail "$sentence: expected '$expected', got '$said'"; fi
}
# Whether a command ends with 0; what it said is told when it does not.
check() {
    local sentence=$1 said
    shift
    if said=$("$@" 2>&1); then ok "$sentence"; else fail "$sentence: $said"; fi
}

# The folder that stands for the Dockerfile's first stage. A binary that is not linked statically brings Swift along.
stage() {
    if [ -n "$staged" ]; then
        cp -a -- "$staged" "$work/build"
        return
    fi
    mkdir -p "$work/build/out/usr/bin" "$work/build/out/etc/ssl/certs"
    cp -L /etc/ssl/certs/ca-certificates.crt "$work/build/out/etc/ssl/certs" || return
    strip -o "$work/build/out/usr/bin/mynah" "$mynah" || return
    local library
    for library in $(ldd "$mynah" | sed -n 's/.*=> \(.*\/swift\/linux\/[^ ]*\) .*/\1/p'); do
        is_static=false
        mkdir -p "$work/build/out$(dirname -- "$library")"
        cp -L -- "$library" "$work/build/out$library"
    done
}

# The runtime stage as it stands, with a folder in place of the stage that compiles.
build() {
    podman build --quiet --pull-never --build-context "build=$work/build" --target runtime --tag mynah \
        --file "$root/docker/Dockerfile" "$root"
}

# A server in a container that is ready: start NAME [ARGUMENT OF podman run]…
start() {
    local name=$1
    shift
    run --detach --name "$name" "$@" mynah >/dev/null && healthy "$name"
}
healthy() {
    local container=$1 tries
    for tries in {1..100}; do
        podman healthcheck run "$container" >/dev/null 2>&1 && return
        [ "$(podman inspect --format '{{.State.Running}}' "$container")" = true ] || break
    done
    podman logs "$container" >&2
    return 1
}
# Stops a server, with the time that Docker gives it; says with what it ended.
stop() {
    podman stop --time 10 "$1" >/dev/null
    podman inspect --format '{{.State.ExitCode}}' "$1"
    podman rm "$1" >/dev/null
}
inspect() { podman image inspect --format "$1" mynah; }

# What the image says of itself.
configuration() {
    expect "needs no arguments" "[mynah] []" inspect '{{.Config.Entrypoint}} {{.Config.Cmd}}'
    expect "user 10001 of group 0" 10001:0 inspect '{{.Config.User}}'
    expect "no volumes" "map[]" inspect '{{.Config.Volumes}}'
    expect "ports" "map[2195/tcp:{} 2196/tcp:{} 2197/tcp:{} 2198/tcp:{} 443/tcp:{} 8197/tcp:{}]" inspect '{{.Config.ExposedPorts}}'
    expect "health check" "[CMD mynah healthcheck] 1s 2s 1m0s 10" \
        inspect '{{.Config.Healthcheck.Test}} {{.Config.Healthcheck.Interval}} {{.Config.Healthcheck.Timeout}} {{.Config.Healthcheck.StartPeriod}} {{.Config.Healthcheck.Retries}}'
    expect "labels have the version" "$(run --rm mynah --version)" \
        inspect '{{index .Config.Labels "org.opencontainers.image.version"}}'
    expect "a shell is there" shell run --rm --entrypoint /bin/sh mynah -c 'echo shell'
    local bytes
    bytes=$(inspect '{{.Size}}')
    if ! $is_static; then
        echo "        $((bytes / 1000000)) MB with Swift's shared libraries; the release build is smaller"
    elif [ "$bytes" -lt 120000000 ]; then
        ok "$((bytes / 1000000)) MB, less than 120"
    else
        fail "$((bytes / 1000000)) MB; less than 120 were to be"
    fi
}

# A push that is answered 200, within the container.
push() { podman exec "$1" mynah send --to 00fc --topic com.example.app --alert hi --to "$(printf '%064d' 7)"; }

# Starts, sends, stops: serves SENTENCE [ARGUMENT OF podman run]…
serves() {
    local sentence=$1
    shift
    check "$sentence: ready" start server "$@"
    check "$sentence: answers a push" push server
    podman logs server >"$work/log" 2>&1
    expect "$sentence: ends with 0 on SIGTERM" 0 stop server
}
# The ports for pushes that a server has bound.
ports() {
    podman logs "$1" 2>&1 | sed -n 's/^  port  *\(.*\)/\1/p' | tr -d ' '
}
count_log() { podman logs "$1" 2>&1 | grep -c -- "$2"; }
warnings() { grep -c ' warning ' "$work/log"; }

users() {
    local unprivileged=(--sysctl net.ipv4.ip_unprivileged_port_start=0)
    serves "as it is"
    serves "with 443 allowed" "${unprivileged[@]}"
    expect "nothing to warn of" 0 warnings
    serves "any user" --user 12345 "${unprivileged[@]}"
    expect "nothing to warn of" 0 warnings
    serves "any user and group" --user 12345:54321 "${unprivileged[@]}"
    expect "one warning, of the state folder" 1 grep -c "warning.*/var/lib/mynah" "$work/log"
    # Docker's --read-only, which puts no memory anywhere.
    serves "read-only" --read-only --read-only-tmpfs=false --user 12345 "${unprivileged[@]}"
    expect "one warning, of the state folder" 1 grep -c "warning.*/var/lib/mynah" "$work/log"
    # A service of Kubernetes that is named mynah.
    check "beside a service named mynah: ready" start server "${unprivileged[@]}" --env MYNAH_PORT=tcp://10.0.0.1:2197 \
        --env MYNAH_SERVICE_HOST=10.0.0.1 --env MYNAH_PORT_2197_TCP=tcp://10.0.0.1:2197
    expect "beside a service named mynah: has all ports" 2197,443 ports server
    expect "beside a service named mynah: says what is ignored" 1 count_log server 'MYNAH_PORT, '
    stop server >/dev/null
    serves "without capabilities" --cap-drop all --security-opt no-new-privileges "${unprivileged[@]}"
    serves "other ports, read-only" --read-only --read-only-tmpfs=false --env MYNAH_CONTROL_PORT=9000 --env MYNAH_PORT=9001
}

# A volume keeps the CA; fixtures are found; what is laid out for others can be read by them.
folders() {
    local authority
    start first --volume state:/var/lib/mynah
    authority=$(podman exec first cat /var/lib/mynah/ca.pem)
    stop first >/dev/null
    start second --volume state:/var/lib/mynah
    expect "a volume keeps the CA" "${authority:-nothing}" podman exec second cat /var/lib/mynah/ca.pem
    stop second >/dev/null

    mkdir "$work/fixtures.d" && echo 'devices: [{id: kim}]' >"$work/fixtures.d/devices.yaml"
    chmod -R a+rX "$work"
    start third --volume "$work/fixtures.d:/etc/mynah/fixtures.d:ro" --volume trust:/trust --env MYNAH_EXPORT_DIR=/trust \
        --user 12345
    check "fixtures are in" podman exec third mynah device show kim
    expect "what is laid out is for everybody to read" 644 podman exec third sh -c 'stat --format %a /trust/* | sort -u'
    check "the bundle has the system's roots" podman exec third sh -c '[ "$(grep -c BEGIN /trust/ca-bundle.pem)" -gt 50 ]'
    expect "another user reads it" 4 run --rm --user 54321:54321 --volume trust:/trust --entrypoint sh mynah \
        -c 'cat /trust/* >/dev/null && ls /trust | wc -l'
    # A provider's container finds the server by what is laid out for it.
    check "another container pushes by the ready file" run --rm --volume trust:/trust mynah \
        send --ready-file /trust/ready.json --to 00fc --topic com.example.app --alert hi --to "$(printf '%064d' 7)"
    expect "its paths are those of the folder" /trust/ca.pem exported caFile
    check "the banner names what is there on the host" sh -c '! podman logs third 2>&1 | grep -e /trust/ -e /var/lib/mynah/'
    stop third >/dev/null
    expect "what is of no use without the server is gone" "ca-bundle.pem ca.pem" in_trust
    start fourth --volume trust:/trust --env MYNAH_EXPORT_DIR=/trust
    podman kill fourth >/dev/null
    podman rm fourth >/dev/null
    start fifth --volume trust:/trust --env MYNAH_EXPORT_DIR=/trust
    expect "one key is there, of the server that runs" "$(podman exec fifth sh -c 'basename /var/lib/mynah/AuthKey_*')" \
        run --rm --volume trust:/trust --entrypoint sh mynah -c 'basename -a /trust/AuthKey_*'
    stop fifth >/dev/null
}
# A value of the ready file in the volume.
exported() {
    run --rm --volume trust:/trust --entrypoint sed mynah -n "s/.*\"$1\":\"\([^\"]*\).*/\1/p" /trust/ready.json
}
in_trust() { run --rm --volume trust:/trust --entrypoint ls mynah /trust | paste -s -d ' '; }

# From the start of the container's process to the ready line.
time_to_ready() {
    local times=() started ready try
    for try in 1 2 3; do
        start "timed$try"
        started=$(date --date "$(podman inspect --format '{{.State.StartedAt}}' "timed$try" | cut -d' ' -f1,2)" +%s%N)
        ready=$(date --date "$(podman logs --timestamps "timed$try" 2>/dev/null | sed -n 's/ mynah ready.*//p')" +%s%N)
        times+=($(((ready - started) / 1000000)))
        podman rm --force --time 0 "timed$try" >/dev/null
    done
    # Told and not asserted: it says as much about the machine.
    echo "        ready after ${times[*]} ms"
}

# GOAWAY before the end, for a connection with a stream that is never answered.
goaway() {
    command -v nghttp >/dev/null || return
    start going
    local token address
    token=$(podman exec going mynah token)
    address=$(podman inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' going)
    echo '{"aps":{}}' >"$work/body"
    stdbuf -oL nghttp --verbose --null-out --data "$work/body" --header "authorization: bearer $token" \
        --header 'apns-topic: com.example.app' \
        "https://$address:2197/3/device/badc0ffee0ddf00dbadc0ffee0ddf00dbadc0ffee0ddf00dfa17000000000001" \
        >"$work/nghttp" 2>&1 &
    local client=$!
    check "the push is there" podman exec going mynah expect --count 1 --within 180s
    expect "ends with 0 although a stream is open" 0 stop going
    wait "$client"
    check "GOAWAY came first" grep -q 'recv GOAWAY' "$work/nghttp"
}

is_static=true
stage && build >"$work/built" 2>&1 || {
    tail -n 20 "$work/built" >&2
    fail "the image could not be built"
    exit 1
}
. "$root/Tests/containers/compose.sh"
. "$root/Tests/containers/testcontainers.sh"
. "$root/Tests/containers/action.sh"
. "$root/Tests/containers/cluster.sh"
. "$root/Tests/containers/package.sh"
for name in "${checks[@]}"; do
    { [ $# -gt 0 ] && ! printf '%s\n' "$@" | grep -qx -- "$name"; } && continue
    if [ $SECONDS -lt "$seconds" ]; then $name; else echo "skipped: $name, because $seconds s are over"; fi
done
[ $failures -eq 0 ]
