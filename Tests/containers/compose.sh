# Sourced by run.sh: each of docker/examples as a person runs it, a provider that knows nothing but Apple's host names.

# Where pip finds packages on this machine, and the roots that it trusts; a build would not know of them. Not under their
# own names, which packages write to.
pip_settings() {
    local roots=/etc/ssl/certs/ca-certificates.crt
    { [ -f /etc/pip.conf ] && [ -f $roots ]; } || return
    sed "s#$roots#/run/roots.crt#" /etc/pip.conf >"$work/pip.conf"
    printf -- '--volume=%s:ro\n' "$work/pip.conf:/etc/pip.conf" "$roots:/run/roots.crt"
}

# The oldest that takes `extends` with aliases; Debian 12 has an older one.
podman_compose=$(command -v "$root/.build/clients-python/bin/podman-compose" podman-compose | head -n 1)
compose_version=$("${podman_compose:-false}" version 2>/dev/null | sed -n 's/^podman-compose version *\([0-9.]*\).*/\1/p')
compose_is_usable() {
    [ -x /usr/lib/podman/aardvark-dns ] || {
        echo "skipped: the compose examples, because podman has no aardvark-dns to resolve Apple's names with"
        return 1
    }
    [ -n "$compose_version" ] && [ "$(printf '1.1\n%s\n' "$compose_version" | sort -V | head -n 1)" = 1.1 ] || {
        echo "skipped: the compose examples, because podman-compose 1.1 or later is not there"
        return 1
    }
}

compose() {
    # Any free port of this machine, in place of 8197.
    CONTROL_PORT="" "$podman_compose" --project-name "mynah-$example" \
        --file "$root/docker/examples/$example/compose.yaml" "$@" 9>&-
}

run_example() {
    local example=$1 options
    mapfile -t options < <(pip_settings)
    check "$example: the provider's image is built" podman build --quiet --pull-never "${options[@]}" \
        --tag "mynah-${example}_provider" "$root/docker/examples/$example"
    check "$example: Mynah starts" compose up --detach --no-build mynah
    check "$example: Mynah is healthy" healthy "mynah-${example}_mynah_1"
    expect "$example: the control API is for this machine" 127.0.0.1 podman inspect "mynah-${example}_mynah_1" \
        --format '{{(index (index .NetworkSettings.Ports "8197/tcp") 0).HostIP}}'
    # What "compose run test" does by itself, where podman and podman-compose are of one age.
    check "$example: the provider starts" compose up --detach --no-build provider
    expect "$example: the provider ends well" 0 podman wait "mynah-${example}_provider_1"
    check "$example: its push came" compose run --rm -T --no-deps test
    expect "$example: a push that did not come is an error" 1 \
        unmet expect --topic=com.example.nobody --within=0s
    check "$example: its run can be taken out" taken_out
    expect "$example: its run has the push" 1 \
        sh -c 'podman run --rm --no-healthcheck --user 0 --volume "$0:/run.mynah" localhost/mynah dump --file /run.mynah | wc -l' \
        "$work/$example.mynah"
    check "$example: what it made is removed" compose down --volumes
}

taken_out() {
    compose stop mynah && podman cp "mynah-${example}_mynah_1:/data/run.mynah" "$work/$example.mynah"
}

# The exit code of the container `test` with other arguments.
unmet() {
    compose run --rm -T --no-deps test "$@" >/dev/null 2>&1
    echo $?
}

compose_examples() {
    local folder
    compose_is_usable || return
    for folder in "$root"/docker/examples/*/; do
        run_example "$(basename -- "$folder")"
    done
}
