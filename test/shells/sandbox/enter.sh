# Builds the place that generated scripts run in, and enters it. It runs as the root of a user namespace of its own, which is
# nobody outside: `enter.sh IMAGE BATCH`. IMAGE is a folder with the allowed programs alone and becomes the root, for
# reading only; BATCH has the scripts (`in/`) and takes what is seen (`out/`).
set -eu
image=$1 batch=$2
mount --make-rprivate /
mount --bind "$image" "$image"
mount -o remount,bind,ro "$image"
mount -t tmpfs -o size=256m,mode=755 scratch "$image/w"
mount -t tmpfs -o size=16m,mode=1777 temporary "$image/tmp"
mount -t proc proc "$image/proc"
mount --bind "$batch" "$image/batch"
mount --bind /dev/null "$image/dev/null"
ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || true
cd "$image"
pivot_root . .
cd /
/h/umount -l /
# Within, nobody is nobody again: a second user namespace has no right over the mounts of the first.
exec /h/unshare --user --map-user=65534 --map-group=65534 /h/bash --norc --noprofile /h/drive.sh
