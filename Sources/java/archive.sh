#!/usr/bin/env bash
# Makes the archive without Maven and a network, and puts it where Maven and Gradle look: archive.sh [FOLDER],
# by default ~/.m2/repository. JUNIT is the folder with JUnit's jars, by default Debian's.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
junit=${JUNIT:-/usr/share/java}

of_pom() { sed -n "s:^  <$1>\(.*\)</$1>\$:\1:p" "$here/pom.xml"; }
group=$(of_pom groupId) artifact=$(of_pom artifactId) version=$(of_pom version)
target=${1:-$HOME/.m2/repository}/${group//.//}/$artifact/$version

compgen -G "$junit/junit-jupiter-api*.jar" >/dev/null || {
    echo "no junit-jupiter-api in $junit: expected JUnit 5 there, or in the folder JUNIT" \
        "(Debian: apt-get install junit5)" >&2
    exit 1
}
jars=$(printf '%s:' "$junit"/{junit-jupiter-api,junit-platform-commons,apiguardian-api,opentest4j}*.jar)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/classes" "$target"
find "$here/src/main/java" -name '*.java' >"$work/sources"
javac -J-XX:TieredStopAtLevel=1 -proc:none --release 11 -parameters -Xlint:all,-path -Werror -encoding UTF-8 \
    -d "$work/classes" -cp "$jars" "@$work/sources"
# The same sources make the same archive; Java's own times have to be 1980 or later.
dated=()
[ -z "${SOURCE_DATE_EPOCH-}" ] || dated=(--date "$(date --utc --date "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)")
printf 'Automatic-Module-Name: mynah\nImplementation-Version: %s\n' "$version" >"$work/manifest"
# A release has it in the folder.
[ ! -f "$here/LICENSE" ] || install -D --mode 644 "$here/LICENSE" "$work/classes/META-INF/LICENSE"
jar --create "${dated[@]}" --file "$target/$artifact-$version.jar" --manifest "$work/manifest" -C "$work/classes" .
jar --create "${dated[@]}" --file "$target/$artifact-$version-sources.jar" -C "$here/src/main/java" .
cp "$here/pom.xml" "$target/$artifact-$version.pom"
echo "$target/$artifact-$version.jar"
