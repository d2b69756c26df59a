#!/bin/sh
# SPDX-License-Identifier: MIT
# Make the corpus again: fetch the sources of some Debian packages, compile what compiles without
# configuration, keep the graphs. Needs clang-19, dpkg-dev and a network; without them it says so and
# leaves the corpus as it is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
packages='zlib bzip2 lua5.4 lz4 libtommath libzstd'

say() {
   printf '%s\n' "make.sh: $*" >&2
}

for tool in apt-get dpkg-source clang-19 python3; do
   command -v "$tool" >/dev/null 2>&1 || { say "$tool is not installed: the corpus stays as it is"; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Lists of sources of our own, so that nothing of the system's configuration changes.
mkdir -p apt/parts apt/lists/partial apt/cache/archives/partial
cat >apt/parts/src.sources <<END
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
cat >apt/conf <<END
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$work/apt/parts";
Dir::State::Lists "$work/apt/lists";
Dir::Cache "$work/apt/cache";
END
export APT_CONFIG="$work/apt/conf"
# shellcheck disable=SC2086
if ! { apt-get -qq update && apt-get -qq source --download-only $packages; } >fetch.log 2>&1; then
   cat fetch.log >&2
   say "the sources cannot be fetched: the corpus stays as it is"
   exit 1
fi
for description in *.dsc; do
   dpkg-source --no-check -x "$description" >/dev/null 2>&1
done

for level in O0 O2; do
   mkdir "ll_$level"
   for folder in zlib-*/ bzip2-*/ lua5.4-*/ lz4-*/ libtommath-*/ libzstd-*/; do
      folder=${folder%/}
      find "$folder" -name '*.c' | grep -vE 'test|example|contrib|fuzz|demo' | LC_ALL=C sort | while read -r file; do
         out=ll_$level/$(printf '%s' "$file" | tr / _).ll
         clang-19 "-$level" -DLUA_USE_JUMPTABLE=0 -fno-vectorize -fno-slp-vectorize -w -S -emit-llvm -o "$out" \
            -I"$folder" -I"$folder/lib" -I"$folder/lib/common" -I"$folder/lib/legacy" "$file" 2>/dev/null ||
            rm -f "$out"
      done
   done
   python3 "$here/../llvm_cfg.py" --most 500 "ll_$level"/*.ll >"c_$level.jsonl"
   mv "c_$level.jsonl" "$here/"
done
