#!/bin/sh
# SPDX-License-Identifier: MIT
# Debian's packages of the committed tree: built, judged by lintian, unpacked and used.
#
#    deb.sh FOLDER
#
# FOLDER is removed first, and left as it is in the end. Needs what debian/control says, and lintian.
set -eu
folder=$1
case $folder in
/ | '') exit 2 ;;
esac
rm -rf "$folder"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
git clone -q . "$folder/heddle"

(cd "$folder/heddle" && dpkg-buildpackage --build=binary --no-sign --jobs-force=2) >"$folder/build.log" 2>&1 || {
   tail -n 30 "$folder/build.log"
   exit 1
}
echo "== lintian: no error, no warning"
lintian --allow-root --fail-on error,warning "$folder"/heddle_*.changes

echo "== what the packages have, unpacked and used"
root=$folder/root
packages=0
for package in "$folder"/*.deb; do
   case $package in
   *-dbgsym_*) continue ;;
   esac
   dpkg-deb --fsys-tarfile "$package" | tar -t | grep -v '/$' >>"$folder/files"
   dpkg-deb -x "$package" "$root"
   packages=$((packages + 1))
done
test $packages -eq 5 || { echo "$packages packages in place of 5"; exit 1; }
twice=$(sort "$folder/files" | uniq -d)
test -z "$twice" || { echo "in two packages: $twice"; exit 1; }

libraries=$(dirname "$(find "$root" -name libheddle.so.0)")
export LD_LIBRARY_PATH="$libraries"
"$root/usr/bin/heddle" --version
"$root/usr/bin/heddle" validate "$root/usr/share/doc/heddle/examples/demo.hd"
"$root/usr/bin/heddle-rules" "$root/usr/share/doc/heddle/examples/own_rules.py" own_rules "$folder/own_rules.c"
for package in heddle heddle-tools; do
   # shellcheck disable=SC2046
   cc -o "$folder/consumer" tests/house/consumer.c $(PKG_CONFIG_LIBDIR=$libraries/pkgconfig \
      pkg-config --cflags --libs "$package")
   "$folder/consumer"
done
man -l "$root/usr/share/man/man3/heddle-pass.3.gz" | grep -q hd_run_pass
echo "packages: $packages, files: $(wc -l <"$folder/files")"
