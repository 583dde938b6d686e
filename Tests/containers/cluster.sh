# Sourced by run.sh: docker/cluster as a person runs it, with one server killed.

# An image in place of NATS' own: Debian's server and nothing else.
need_nats_image() {
    local nats
    nats=$(PATH="$PATH:/usr/sbin:$root/.build/nats/usr/sbin" command -v nats-server) || return
    mkdir -p "$work/nats" && cp "$nats" "$work/nats/nats-server" &&
        printf 'FROM %s\nCOPY nats-server /usr/sbin/\nENTRYPOINT ["nats-server"]\n' "$base_image" >"$work/nats/Dockerfile" &&
        podman build --quiet --pull-never --tag docker.io/library/nats:2 "$work/nats" >/dev/null
}

cluster_compose() {
    CONTROL_PORT="" "$podman_compose" --project-name mynah-cluster --file "$root/docker/cluster/compose.yaml" "$@" 9>&-
}

# A command in the container of a server.
on() { podman exec "mynah-cluster_mynah-${1}_1" "${@:2}"; }
send_from() { on "$1" mynah send --to "$(printf '%064d' 7)" --topic com.example.app --alert "from $1"; }
expect_on() { on "$1" mynah expect --topic=com.example.app "--exactly=$2" --within=180s; }

cluster() {
    compose_is_usable || return
    need_nats_image || {
        echo "skipped: the cluster, because nats-server is not there"
        return
    }
    check "cluster: NATS starts" cluster_compose up --detach --no-build nats
    check "cluster: the first server starts" cluster_compose up --detach --no-build mynah-1
    check "cluster: the first server is healthy" healthy mynah-cluster_mynah-1_1
    check "cluster: the second server starts" cluster_compose up --detach --no-build --no-deps mynah-2
    check "cluster: the second server is healthy" healthy mynah-cluster_mynah-2_1
    check "cluster: a push on the first" send_from 1
    check "cluster: is on the second at once" expect_on 2 1
    check "cluster: the first is killed" podman kill mynah-cluster_mynah-1_1
    check "cluster: a push on the second" send_from 2
    check "cluster: the second has both" expect_on 2 2
    check "cluster: the first comes back" podman start mynah-cluster_mynah-1_1
    check "cluster: the first is healthy again" healthy mynah-cluster_mynah-1_1
    check "cluster: the first has both" expect_on 1 2
    check "cluster: what it made is removed" cluster_compose down --volumes
}
