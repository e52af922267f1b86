#!/bin/sh
# chroot.sh ROOT WHEEL [SUITE]: run.sh in another Debian than the machine's, trixie (13) unless SUITE says so, with
# its Python: debootstrap makes it once, in ROOT/.deps/SUITE. Kernel Tuner and the package's own tests run there, too,
# with wheels for that Python. Needs root. If SUITE has no clang-15, Debian 12's is taken.
set -eu
root=$1 wheel=$2 suite=${3:-trixie}
deps=${SPECPI_DEPS:-$root/.deps}
home=$deps/$suite
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
scripts=$root/scripts
packages='python3-venv cmake ninja-build pkg-config gcc g++ libc6-dev'
compilers='clang-15 llvm-spirv-15 libclang1-15'

say() { printf '== %s\n' "$*"; }
[ "$(id -u)" = 0 ] || {
  echo 'only root makes a chroot' >&2
  exit 1
}
command -v debootstrap >/dev/null || apt-get install -y --no-install-recommends debootstrap

if [ "$(cat "$home/.installed" 2>/dev/null)" != "$packages $compilers" ]; then
  say "Debian $suite into $home"
  rm -rf "$home"
  mkdir -p "$home"
  debootstrap --variant=minbase "$suite" "$home" "$mirror"
  echo "deb $mirror bookworm main" >"$home/etc/apt/sources.list.d/bookworm.list"
  printf 'Package: *\nPin: release n=bookworm\nPin-Priority: 100\n' >"$home/etc/apt/preferences.d/bookworm"
  chroot "$home" apt-get update -q
  # shellcheck disable=SC2086 # words
  chroot "$home" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $packages $compilers
  echo "$packages $compilers" >"$home/.installed"
fi

version=$(chroot "$home" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
say "Wheels for Python $version"
"$deps/venv/bin/python" -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: \
  --python-version "$version" -d "$home/wheels" -r "$scripts/tuner-requirements.txt"
cp "$scripts/tuner-requirements.txt" "$home/wheels"

# Mounts end with the process that made them. The tree is at the path that its build knows.
mkdir -p "$home$root" "$home$deps"
cp "$wheel" "$home/wheels"
# shellcheck disable=SC2016 # for the other shell
exec unshare -m sh -ec '
  home=$1 root=$2 deps=$3 wheel=$4
  mount --bind "$root" "$home$root"
  mount -o remount,bind,ro "$home$root"
  mount -t tmpfs tmpfs "$home$deps" # the runtimes of SYCL are for another Python
  mkdir "$home$deps/venv"
  mount --bind "$deps/venv" "$home$deps/venv"
  mount --bind /sys "$home/sys"
  mount -t proc proc "$home/proc"
  mount --rbind /dev "$home/dev"
  exec chroot "$home" env -i PATH=/usr/bin:/bin SPECPI_DEPS="$deps" TUNER_WHEELS=/wheels \
    sh "$root/test/wheel/run.sh" "$root" "/wheels/$wheel" - /tmp/wheel
' sh "$home" "$root" "$deps" "$(basename "$wheel")"
