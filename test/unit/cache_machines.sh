#!/bin/sh
# cache_machines.sh PROGRAM: runs unit-cache-many through two mounts of one directory, which act like two
# machines: neither sees the other's locks, and each has its own page cache. sshfs makes the mounts; its server
# runs on this machine. Skipped (77) where nothing can be mounted.
set -eu
program=$1
server=/usr/lib/openssh/sftp-server

skip() {
  echo "skipped: $*"
  exit 77
}
[ "$(id -u)" = 0 ] || skip 'only root mounts'
[ -w /dev/fuse ] || skip 'there is no /dev/fuse'
[ -x "$server" ] || skip 'openssh-sftp-server is not installed'
command -v sshfs >/dev/null || skip 'sshfs is not installed'

# A mount namespace, so that the mounts end with this process.
if [ "${2:-}" != inside ]; then
  unshare -m true 2>/dev/null || skip 'no mount namespace can be made'
  exec unshare -m sh "$0" "$program" inside
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/specpi-machines-XXXXXX")
finish() {
  umount "$scratch/a" "$scratch/b" "$scratch/read_only" 2>/dev/null || true
  rmdir "$scratch/a" "$scratch/b" "$scratch/read_only" && rm -r "$scratch"
}
trap finish EXIT
mkdir -m 700 "$scratch/directory" "$scratch/a" "$scratch/b" "$scratch/read_only"
printf '#!/bin/sh\nexec %s\n' "$server" >"$scratch/connect"
chmod +x "$scratch/connect"
for view in a b; do
  sshfs -o "ssh_command=$scratch/connect" "localhost:$scratch/directory" "$scratch/$view" || skip 'sshfs mounts nothing'
done
sshfs -o "ro,ssh_command=$scratch/connect" "localhost:$scratch/directory" "$scratch/read_only"
mkdir -m 700 "$scratch/a/cache"
"$program" "$scratch/read_only/cache" "$scratch/a/cache" "$scratch/b/cache"
