#!/bin/sh
# SPDX-License-Identifier: MIT
# A root of a Debian release, made from nothing, in which a clone of this tree is built and tried.
#
#    debian.sh SUITE FOLDER WORD...       each word is one of ./x, with its arguments: demo, test, 'portability deb'
#
# FOLDER is removed first, and left as it is in the end. The packages come from $HEDDLE_MIRROR, else from where the
# apt of this machine has them, else from deb.debian.org. Only what is committed is cloned. Needs root and debootstrap.
set -eu
suite=$1
folder=$2
shift 2

# The first archive that apt here has of Debian itself, and not of its security updates.
mirror=${HEDDLE_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' 'Origin: Debian' \
   'Label: Debian' 2>/dev/null | head -n 1)}
mirror=${mirror:-http://deb.debian.org/debian}

case $folder in
/ | '') exit 2 ;;
esac
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
debootstrap --variant=minbase "$suite" "$folder" "${mirror%/}" >"$folder.log" 2>&1 || {
   tail -n 20 "$folder.log"
   exit 1
}
# How archives are reached and trusted here holds there, too.
apt-config dump Acquire | grep -E '^Acquire::(https?|ftp|Check-|Retries|Force)' \
   >"$folder/etc/apt/apt.conf.d/90host" || true
git clone -q . "$folder/heddle"

# What is mounted is so in a namespace of its own, which ends with the command.
cat >"$folder/words" <<'END'
#!/bin/sh
cd /heddle || exit 1
for word; do
   echo "== ./x $word"
   # shellcheck disable=SC2086
   ./x $word || exit 1
done
END
chmod +x "$folder/words"
exec unshare --mount sh -c '
   root=$1
   shift
   mount -t proc proc "$root/proc" && mkdir -p "$root/dev/shm" "$root/dev/pts" && mount -t tmpfs tmpfs "$root/dev/shm" &&
      mount -t sysfs -o ro sysfs "$root/sys" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" &&
      mount --bind "$root/dev/pts/ptmx" "$root/dev/ptmx" &&
      exec chroot "$root" env -i HOME=/ PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb LANG=C.UTF-8 \
         DEBIAN_FRONTEND=noninteractive /words "$@"' sh "$folder" "$@" </dev/null
