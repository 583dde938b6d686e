# Sourced by run.sh: the recipe of docker/testcontainers in Python, run against the image.

testcontainers() {
    local python=$root/.build/clients-python/bin/python
    "$python" -c 'import testcontainers' 2>/dev/null || {
        echo "skipped: the recipe for Testcontainers, because the Python of the client tests is not there"
        return
    }
    command -v slirp4netns >/dev/null || {
        echo "skipped: the recipe for Testcontainers, because podman publishes no ports without slirp4netns"
        return
    }
    check "testcontainers: the recipe in Python" \
        env PYTHON="$python" "$root/docker/testcontainers/run.sh" localhost/mynah 9>&-
}
