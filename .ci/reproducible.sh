#!/usr/bin/env bash
# Whether equal sources give an equal package: packs here, and from a copy in another folder with another umask (022, 002), time zone and language, and compares the bytes.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
export PATH="$root/node_modules/.bin:$PATH"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

mkdir -p "$folder/first" "$folder/second" "$folder/a/deeper/copy"
# Each from a copy: a build empties dist/, which another step may be reading. Files that git would take, committed or not.
copy() {
  git ls-files -z --cached --others --exclude-standard | xargs -0 sh -c 'for f; do [ ! -e "$f" ] || printf "%s\0" "$f"; done' - |
    tar --create --null --files-from - | tar --extract --no-same-permissions --directory "$1"
  # Hard links: declarations do not resolve through a link to the folder.
  cp --archive --link node_modules "$1/" 2>/dev/null || { rm -rf "$1/node_modules" && cp --archive node_modules "$1/"; }
}
mkdir "$folder/one"
(umask 022 && copy "$folder/one")
(umask 002 && copy "$folder/a/deeper/copy")

(umask 022 && cd "$folder/one" && TZ=UTC LC_ALL=C npm pack --silent --pack-destination "$folder/first" >/dev/null)
(umask 002 && cd "$folder/a/deeper/copy" && TZ=Pacific/Auckland LC_ALL=C.UTF-8 npm pack --silent --pack-destination "$folder/second" >/dev/null)

if ! cmp --silent "$folder"/first/*.tgz "$folder"/second/*.tgz; then
  echo 'two builds of the same sources gave different packages:'
  for one in first second; do
    mkdir "$folder/$one/files"
    tar --extract --gzip --file "$folder/$one"/*.tgz --directory "$folder/$one/files"
    (cd "$folder/$one" && tar --list --verbose --gzip --file ./*.tgz >"$folder/$one.list")
  done
  diff --recursive --brief "$folder/first/files" "$folder/second/files" || true
  diff "$folder/first.list" "$folder/second.list" | head -20 || true
  exit 1
fi
printf 'package: packed twice, the same bytes: sha256 %s\n' "$(sha256sum <"$(echo "$folder"/first/*.tgz)" | cut -d' ' -f1)"
