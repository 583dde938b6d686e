#!/usr/bin/env bash
# The image, with the program of the Debian package:
#
#     image.sh stage DEB FOLDER          what the image's last stage copies, as the first stage of the Dockerfile would make it
#     image.sh push SET FOLDER           builds it for this architecture, pushes it by digest, without a tag, tries it, and
#                                        writes FOLDER/image-ARCHITECTURE.txt: the commit and the digest
#     image.sh tag FOLDER                joins the digests under the tags that move with this version (tags.py)
#
# IMAGE is its name, such as ghcr.io/owner/mynah; capital letters are lowered, as registries want.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$here/../.." && pwd)
IMAGE=${IMAGE-}
image=${IMAGE,,}
version=$(python3 "$here/facts.py" version)
commit=$(git -C "$root" rev-parse HEAD)

fail() {
    echo "$1" >&2
    exit 65
}

stage() {
    local work
    work=$(mktemp -d)
    dpkg-deb --extract "$1" "$work"
    install -D "$work/usr/bin/mynah" "$2/out/usr/bin/mynah"
    install -D --mode 0644 --target-directory "$2/out/usr/share/doc/mynah" "$work"/usr/share/doc/mynah/{copyright,THIRD-PARTY-NOTICES}
    install -D --mode 0644 /etc/ssl/certs/ca-certificates.crt "$2/out/etc/ssl/certs/ca-certificates.crt"
    rm -rf "$work"
}

push() {
    local work reference
    work=$(mktemp -d)
    python3 "$here/sets.py" check "$1"
    stage "$1"/mynah_*.deb "$work/build"
    docker buildx inspect mynah >/dev/null 2>&1 || docker buildx create --name mynah --driver docker-container >/dev/null
    docker buildx build --builder mynah --file "$root/docker/Dockerfile" --target runtime \
        --build-context "build=$work/build" --build-arg "VERSION=$version" --build-arg "REVISION=$commit" \
        --build-arg "CREATED=$(git -C "$root" log -1 --format=%cI)" \
        --build-arg "SOURCE=https://github.com/$(python3 "$here/facts.py" repository)" \
        --sbom=true --provenance=mode=max --metadata-file "$work/metadata.json" \
        --output "type=image,name=$image,push-by-digest=true,name-canonical=true,push=true" "$root"
    reference=$image@$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["containerimage.digest"])' "$work/metadata.json")
    [ "$(docker run --rm "$reference" --version)" = "$version" ] || fail "$reference has not the version $version"
    docker run --rm "$reference" exec -- sh -ec 'mynah send --topic com.example.app --alert hi --to "$(printf "%064d" 7)" &&
        mynah expect --topic com.example.app --payload /aps/alert=hi --within 5s'
    mkdir -p "$2"
    echo "$commit $reference" >"$2/image-$(uname -m).txt"
    rm -rf "$work"
}

tag() {
    local references=() tags=() of reference name
    while read -r of reference; do
        [ "$of" = "$commit" ] || fail "$reference is of the commit $of: $commit was expected"
        references+=("$reference")
    done < <(cat "$1"/image-*.txt)
    [ ${#references[@]} -eq 2 ] || fail "there are ${#references[@]} images in $1: one for each of two architectures was expected"
    for name in $(python3 "$here/tags.py" "$version"); do tags+=(--tag "$image:$name"); done
    docker buildx imagetools create "${tags[@]}" "${references[@]}"
}

case ${1-} in
stage) stage "$2" "$3" ;;
push) push "$2" "$3" ;;
tag) tag "$2" ;;
*) fail "usage: image.sh stage DEB FOLDER | push SET FOLDER | tag FOLDER" ;;
esac
