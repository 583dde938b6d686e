#!/usr/bin/env bash
# The packages of languages that a release has, those whose folders are there:
#
#     packages.sh list                   name, version and registry of each; - is none, and its archive is a file of the release
#     packages.sh tools                  fails, and names them, if programs are missing that packing and trying need
#     packages.sh pack FOLDER            packs all of them
#     packages.sh check FOLDER PROGRAM   tries each in an empty project, without a network, with a program on the PATH
#     packages.sh publish FOLDER         publishes those whose registries are named in REGISTRIES, separated by spaces
#
# A new one is one line in the table.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
. "$here/python.sh"
version=$(python3 "$here/facts.py" version)
# Where Tests/languages/toolchains.sh puts Go, for systems whose own is too old.
PATH=$PATH:$root/.build/go/go/bin

# Name; registry; folder; programs that it needs; the names of the packed files; the command that packs the folder, which it
# runs in, into $out; the command that tries the files $packed in an empty folder; the command that publishes a $file, which
# may have been published before, or - where another job or the registry itself does. Fields are separated by " :: ".
packages=(
    'python :: pypi :: Sources/python :: python3 :: mynah_apns-*.tar.gz :: python_tools && "$tools/bin/hatchling" build --target sdist --directory "$out" :: python_check :: -'
    'node :: npm :: Sources/node :: node npm :: mynah-[0-9]*.tgz :: npm pack --pack-destination "$out" :: node_check :: npm_publish'
    'go :: github :: Sources/go :: go :: mynah-go-*.tar.gz :: go_pack :: go_check :: -'
    'java :: - :: Sources/java :: java javac jar :: mynah-[0-9]*.jar :: java_pack :: java_check :: -'
    'php :: - :: Sources/php :: php :: mynah-php-*.tar.gz :: reproducible_tar "mynah-php-$version" . >"$out/mynah-php-$version.tar.gz" :: php_check :: -'
    'ruby :: rubygems :: Sources/ruby :: ruby gem :: mynah-apns-*.gem :: gem build mynah-apns.gemspec --output "$out/mynah-apns-$version.gem" :: ruby_check :: gem_push'
)

# What tries a package fails by its own `|| return`: it is called where `set -e` has no effect.

# What packs and tries Python's.
python_tools() {
    tools=$work/python-tools
    [ -d "$tools" ] || python_environment "$tools"
}
# Where there is no wheel for a system, pip builds the package from its sources; it has no program then.
python_check() {
    python_tools
    alone "$tools/bin/pip" install --quiet --no-index --no-build-isolation --no-deps --target installed "${packed[@]}"
    [ -s installed/mynah_apns-*.dist-info/licenses/LICENSE ] || return
    PYTHONPATH=installed alone python3 -c 'import mynah, pathlib
with mynah.StartedServer(pathlib.Path("state")) as server:
    assert server.scope("a").device("com.example.app").token'
}

node_check() {
    npm init --yes && npm install --offline --no-audit --no-fund "${packed[@]}" || return
    [ -s node_modules/mynah/LICENSE ] || return
    alone node --input-type=module --eval 'import { startServer } from "mynah";
const server = await startServer();
console.log((await server.scope("a").device("com.example.app")).token);
await server.close();'
}
# What is there already, as after a job that failed later, is not published again.
npm_publish() {
    local published=mynah@$version tag=latest
    [[ $version != *-* ]] || tag=next
    [ "$(npm view "$published" version 2>/dev/null)" = "$version" ] || npm publish "$file" --provenance --access public --tag "$tag"
}

# The same files make the same archive, below a folder of this name: reproducible_tar NAME FOLDER
reproducible_tar() {
    tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" \
        --transform "s|^\.|$1|" --directory "$2" . | gzip -9n
}

# The archive is for those whom no proxy of Go's may serve: it is one itself. Others get the tag that publish.sh makes.
go_pack() {
    ./pack.sh "$work/go-proxy" && reproducible_tar "mynah-go-$version" "$work/go-proxy" >"$out/mynah-go-$version.tar.gz"
}
go_check() {
    local module
    module=$(sed -n 's/^module //p' "$root/Sources/go/go.mod")
    tar --extract --file "${packed[0]}"
    export GOFLAGS=-modcacherw GOENV=off GOTOOLCHAIN=local GOMODCACHE=$PWD/modules GOCACHE=$PWD/cache
    export GOPROXY=file://$PWD/mynah-go-$version GONOSUMDB=$module
    cat >main.go <<END
package main

import (
	"context"
	"fmt"

	mynah "$module"
)

func main() {
	server, err := mynah.Start(context.Background(), mynah.StartOptions{})
	if err != nil {
		panic(err)
	}
	defer server.Close()
	device, err := server.Scope("a").Device(context.Background(), "com.example.app")
	if err != nil {
		panic(err)
	}
	fmt.Println(device.Token)
}
END
    go mod init example.com/provider && go get "$module@v$version" || return
    [ -s "$(go list -m -f '{{.Dir}}' "$module")/LICENSE" ] || return
    alone go run .
}

java_pack() {
    ./archive.sh "$work/maven" && find "$work/maven" -type f -exec cp {} "$out" ';'
}
java_check() {
    cat >First.java <<'END'
import mynah.MynahServer;

class First {
    public static void main(String[] arguments) throws Exception {
        try (var server = MynahServer.start()) {
            System.out.println(server.scope("a").device("com.example.app").token());
        }
    }
}
END
    jar tf "$target/mynah-$version.jar" | grep -x META-INF/LICENSE || return
    alone java -cp "$target/mynah-$version.jar" First.java
}

php_check() {
    mkdir mynah && tar --extract --file "${packed[0]}" --directory mynah --strip-components 1
    [ -s mynah/LICENSE ] || return
    alone php -r 'require "mynah/autoload.php";
$server = Mynah\Mynah::startServer();
echo $server->scope("a")->device("com.example.app")->token(), PHP_EOL;
$server->close();'
}

ruby_check() {
    gem install --local --no-document --install-dir gems "${packed[@]}"
    [ -s "gems/gems/mynah-apns-$version/LICENSE" ] || return
    GEM_PATH=gems alone ruby -e 'require "mynah"
server = Mynah.start_server
puts server.scope("a").device("com.example.app").token
server.close'
}
gem_push() {
    gem list --remote --exact mynah-apns --version "$version" 2>/dev/null | grep -q "^mynah-apns " || gem push "$file"
}

# A command that reaches nothing but itself: it has a network of its own, with a loopback device alone.
alone() {
    unshare --net sh -c 'ip link set lo up && exec "$@"' sh "$@"
}

fail() {
    echo "$1" >&2
    exit 65
}

# Reads a line of the table into variables.
read_package() {
    local fields=() line=$1
    while [[ $line == *" :: "* ]]; do
        fields+=("${line%%" :: "*}")
        line=${line#*" :: "}
    done
    fields+=("$line")
    [ ${#fields[@]} -eq 8 ] || fail "packages.sh: a line of the table has ${#fields[@]} fields, 8 were expected: $1"
    name=${fields[0]} registry=${fields[1]} folder=${fields[2]} needs=${fields[3]}
    files=${fields[4]} pack=${fields[5]} try=${fields[6]} publish=${fields[7]}
}

# Runs a command for each package that is there.
for_each() {
    local line
    for line in "${packages[@]}"; do
        read_package "$line"
        [ ! -d "$root/$folder" ] || "$@"
    done
}

list() {
    printf '%-8s %-10s %-10s %s\n' "$name" "$version" "$registry" "$folder"
}

# Fails if a program is missing.
need_tools() {
    local missing=""
    add_missing() {
        local tool
        for tool in $needs; do command -v "$tool" >/dev/null || missing="$missing $tool"; done
    }
    for_each add_missing
    [ -n "$missing" ] || return 0
    echo "these tools are missing, which packages of languages need:$missing; Tests/languages/toolchains.sh" \
        "installs them" >&2
    exit 69
}

# Packs a copy of the folder, which has the licence: each archive goes its own way.
pack_one() {
    local tree=$work/tree
    out=$target
    mkdir -p "$tree/$folder"
    cp -a -- "$root/$folder/." "$tree/$folder"
    cp -- "$root/LICENSE" "$tree"
    cp -- "$root/LICENSE" "$tree/$folder"
    (cd -- "$tree/$folder" && eval "$pack") >"$work/said" 2>&1 || {
        cat "$work/said" >&2
        fail "the package $name could not be packed"
    }
    packed_files
}

# The packed files of a package, by the pattern of its names.
packed_files() {
    local pattern
    packed=()
    for pattern in $files; do
        # shellcheck disable=SC2206 # the names that a pattern has
        packed+=("$target"/$pattern)
    done
    [ -e "${packed[0]}" ] || fail "$target has no package $name: $files was expected"
}

check_one() {
    local empty
    packed_files
    empty=$(mktemp -d -p "$work")
    (cd -- "$empty" && eval "$try") >"$work/said" 2>&1 || {
        cat "$work/said" >&2
        echo "FAILED  the package $name in an empty project" >&2
        exit 1
    }
    echo "ok      the package $name in an empty project: ${packed[*]##*/}"
}

publish_one() {
    local file
    if [ "$publish" = - ]; then
        return
    elif [[ " ${REGISTRIES-} " != *" $registry "* ]]; then
        echo "not published: $name, because REGISTRIES doesn't name $registry"
        return
    fi
    packed_files
    for file in "${packed[@]}"; do
        (eval "$publish") || fail "$file could not be published at $registry"
        echo "published: $(basename "$file") at $registry"
    done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
target=${2:+$(realpath -m -- "$2")}
case ${1-} in
list) for_each list ;;
tools) need_tools ;;
pack | check)
    : "${target:?a folder was expected}"
    need_tools
    if [ "$1" = pack ]; then
        mkdir -p "$target"
        for_each pack_one
    else
        program=$(realpath -- "${3:?the path of a program was expected}")
        export PATH="$(dirname -- "$program"):$PATH" MYNAH_BINARY=$program
        for_each check_one
    fi
    ;;
publish) for_each publish_one ;;
*) fail "usage: packages.sh list | tools | pack FOLDER | check FOLDER PROGRAM | publish FOLDER" ;;
esac
