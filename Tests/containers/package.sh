# Sourced by run.sh: the Debian package, made, installed into a Debian that knows nothing of it, run, and purged.

# A command in that Debian.
inside() { podman exec debian "$@"; }

# The service's command as the unit has it: its environment, one capability, a user without a name.
serve_as_unit() {
    local unit=$root/docker/deb/mynah.service environment=()
    mapfile -t environment < <(sed -n 's/^Environment=/--env=/p' "$unit")
    # shellcheck disable=SC2046 # the command line is words
    podman exec --detach "${environment[@]}" --env NOTIFY_SOCKET=/run/notify debian setpriv --reuid 4711 --regid 4711 --clear-groups --no-new-privs \
        --inh-caps=-all,+net_bind_service --ambient-caps=+net_bind_service --bounding-set=-all,+net_bind_service \
        $(sed -n 's/^ExecStart=//p' "$unit") --port 443 --ready-file /run/mynah/started.json
}

end_service() {
    inside sh -c 'pid=$(sed -n "s/.*\"pid\": *\([0-9]*\).*/\1/p" /run/mynah/started.json)
        kill "$pid" && while kill -0 "$pid" 2>/dev/null; do :; done'
}

package() {
    local tool file swift
    for tool in dpkg-deb dpkg-shlibdeps python3; do
        command -v $tool >/dev/null || {
            echo "skipped: the Debian package, because $tool is not installed"
            return
        }
    done
    check "package: is made" "$root/docker/deb/build.sh" --mynah "$mynah" "$work/deb"
    file=$(find "$work/deb" -name '*.deb')
    [ -n "$file" ] || return
    # What the loader asks for, and what dpkg-shlibdeps does not see: GLIBC_ABI_DT_RELR came with 2.36.
    expect "package: needs the C library that can load a release build" yes sh -c \
        'needed=$(dpkg-deb --field "$0" Depends | sed -n "s/.*libc6 (>= \([0-9.]*\)).*/\1/p")
        dpkg --compare-versions "$needed" ge 2.36 && echo yes || echo "$needed"' "$file"
    # One for tests alone has not the libraries that it should have.
    if $is_static && command -v lintian >/dev/null; then
        check "package: lintian" lintian --fail-on error,warning --suppress-tags "$(lintian_accepts)" "$file"
    fi
    if command -v systemd-analyze >/dev/null; then
        # It looks for the program on this machine, and may not find it.
        expect "package: the unit is right" "" sh -c \
            'systemd-analyze verify --man=no "$0" 2>&1 | grep "mynah.service" | grep -v "is not executable"' \
            "$root/docker/deb/mynah.service"
    fi

    swift=()
    $is_static || swift=(--volume "$(dirname "$(ldd "$mynah" | sed -n 's/.*=> \(.*libswiftCore.so\) .*/\1/p')"):/swift:ro"
        --env LD_LIBRARY_PATH=/swift)
    run --detach --name debian --volume "$work/deb:/deb:ro" "${swift[@]}" "$base_image" sleep 600 >/dev/null
    check "package: installs" inside sh -c \
        'apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends /deb/*.deb'
    expect "package: has the version" "$("$mynah" --version)" inside mynah --version
    check "package: completions are a script" inside bash -n /usr/share/bash-completion/completions/mynah
    expect "package: the settings are a conffile" " /etc/mynah/mynah.yaml" inside sh -c \
        'dpkg-query --show --showformat "\${Conffiles}" mynah | sed "s/ [0-9a-f]*$//" | grep .'

    inside sh -c 'mkdir /var/lib/mynah /run/mynah && chown 4711:4711 /var/lib/mynah /run/mynah'
    # In place of the service manager; keeps the first message.
    # shellcheck disable=SC2016 # variables of Perl
    podman exec --detach debian perl -MSocket -e 'socket(S, AF_UNIX, SOCK_DGRAM, 0); umask 0;
        bind(S, pack_sockaddr_un("/run/notify")); recv(S, $said, 99, 0); open(F, ">", "/tmp/notified"); print F $said' >/dev/null
    inside sh -c 'until [ -S /run/notify ]; do :; done'
    serve_as_unit >/dev/null
    check "package: the service's command runs" inside mynah healthcheck --wait 180s
    check "package: it takes a push on 443" inside mynah send --ready-file /run/mynah/started.json \
        --to "$(printf '%064d' 7)" --topic com.example.app --alert hi
    expect "package: the service manager is told" READY=1 \
        inside timeout 180 sh -c 'until [ -s /tmp/notified ]; do :; done; cat /tmp/notified'
    expect "package: every user may read what is laid out" 0 inside setpriv --reuid 4712 --clear-groups sh -c \
        'mynah send --ready-file /run/mynah/ready.json --to 00fc --topic a.b --alert hi >/dev/null
        cat "$(sed -n "s/.*\"caFile\":\"\([^\"]*\).*/\1/p" /run/mynah/ready.json)" >/dev/null; echo $?'
    end_service
    serve_as_unit >/dev/null
    check "package: the service's command runs again" inside mynah healthcheck --wait 180s
    expect "package: the push of before is in its run" 1 inside sh -c 'mynah dump --topic com.example.app | wc -l'
    end_service
    check "package: is purged" inside sh -c 'DEBIAN_FRONTEND=noninteractive apt-get -qq purge mynah'
    expect "package: leaves nothing" "" inside sh -c \
        'find / -xdev -name "*mynah*" -not -path "/proc/*" -not -path "/run/*" -not -path "/tmp/*" -not -path "/deb/*" \
            -not -path "/var/log/*"'
    podman rm --force --time 0 debian >/dev/null
}

# What lintian would have otherwise, and why not: the maintainer has no address, and scripts that debhelper would write with
# deb-systemd-helper are short enough to be read as they are.
lintian_accepts() {
    echo bogus-mail-host,bogus-mail-host-in-debian-changelog,maintainer-script-calls-systemctl
}
