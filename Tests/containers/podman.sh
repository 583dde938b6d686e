# Sourced by the tests of the image; bash. A podman of one's own: storage, networks and settings below a cache folder, so
# that nothing of the user's podman is seen or touched, and images are there again in the next run.

cache=${XDG_CACHE_HOME:-$HOME/.cache}/mynah/containers
network=mynah-tests
base_image=docker.io/library/debian:bookworm-slim
# What the official image leaves out of a minimal Debian below /usr/share, and lets no package bring there.
base_leaves_out=(doc info lintian locale man)

# podman without what it says about systemd, which need not be there. Not through a pipe: what watches over a container
# would keep it open.
podman() {
    local code errors=$cache/errors.$BASHPID
    # The lock is not for what outlives this process.
    command podman "$@" 2>"$errors" 9>&-
    code=$?
    grep -v -e 'systemd connection' -e 'connect to syslog' "$errors" >&2
    rm -f "$errors"
    return $code
}

# Takes the folder for this process and writes the settings for this machine; fails when others keep it too long.
own_podman() {
    mkdir -p "$cache" || return
    exec 9>"$cache/lock"
    flock --timeout 60 9 || {
        echo "another run of these tests is using $cache" >&2
        return 1
    }
    local runtime=runc
    command -v crun >/dev/null && runtime=crun
    local backend=()
    [ -x /usr/lib/podman/netavark ] && backend=('network_backend = "netavark"')
    # A machine that is itself a container may not raise limits, which podman would do by default.
    cat >"$cache/containers.conf" <<END
[containers]
default_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]
[network]
${backend[*]-}
network_config_dir = "$cache/networks"
[engine]
runtime = "$runtime"
cgroup_manager = "cgroupfs"
events_logger = "file"
tmp_dir = "$cache/tmp"
END
    cat >"$cache/storage.conf" <<END
[storage]
driver = "overlay"
graphroot = "$cache/storage"
runroot = "$cache/run"
END
    export CONTAINERS_CONF=$cache/containers.conf CONTAINERS_STORAGE_CONF=$cache/storage.conf
    # Health checks are none of OCI's format; builds need no network of their own.
    export BUILDAH_FORMAT=docker BUILDAH_ISOLATION=chroot
    if ! podman info >/dev/null 2>&1; then
        # A storage that a crash or another version left behind; the base image is beside it.
        rm -rf "$cache/storage" "$cache/run" "$cache/tmp"
        podman info >/dev/null || return
    fi
    clear_podman
    # The default one may have the addresses of that of the user's own podman.
    podman network exists "$network" || podman network create "$network" >/dev/null
}

# A container in the network of these tests.
run() { podman run --network "$network" "$@"; }

# Removes containers, networks and volumes; images stay.
clear_podman() {
    podman rm --all --force --time 0 >/dev/null 2>&1
    podman network prune --force >/dev/null 2>&1
    podman volume prune --force >/dev/null 2>&1
    podman image prune --force >/dev/null 2>&1
    return 0
}

# Where this machine's apt finds a release of Debian.
debian_mirror() {
    apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        sed -n "s/^$1 //p" | head -n 1
}

# The image that the Dockerfiles begin with: what is there, else the one kept, else made by debootstrap, else pulled.
need_base() {
    podman image exists "$base_image" && return
    if [ ! -f "$cache/base.tar" ] && command -v debootstrap >/dev/null && [ "$(id -u)" -eq 0 ]; then
        make_base || return
    fi
    if [ -f "$cache/base.tar" ]; then
        podman import --quiet --change 'CMD ["bash"]' "$cache/base.tar" "$base_image" >/dev/null
    else
        timeout 60 podman pull --quiet "$base_image" >/dev/null
    fi
}

make_base() {
    local mirror
    mirror=$(debian_mirror bookworm)
    [ -n "$mirror" ] || return
    rm -rf "$cache/base"
    if ! debootstrap --variant=minbase bookworm "$cache/base" "$mirror" >"$cache/debootstrap.log" 2>&1; then
        tail -n 5 "$cache/debootstrap.log" >&2
        return 1
    fi
    local folders=("${base_leaves_out[@]/#/$cache/base/usr/share/}")
    find "${folders[@]}" "$cache"/base/var/{cache/{apt,ldconfig},lib/apt/lists,log} -mindepth 1 -not -type d -delete
    find "$cache"/base/var/{cache/debconf,lib/dpkg} -maxdepth 1 -name '*-old' -delete
    printf 'path-exclude /usr/share/%s/*\n' "${base_leaves_out[@]}" >"$cache/base/etc/dpkg/dpkg.cfg.d/slim"
    tar -C "$cache/base" -cf "$cache/base.tar.new" . && mv "$cache/base.tar.new" "$cache/base.tar" && rm -rf "$cache/base"
}
