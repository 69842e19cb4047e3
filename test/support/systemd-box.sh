#!/bin/sh
# $1: a folder, $2: the checkout. Becomes systemd on this machine's own files: untouched, for what is written goes to
# memory. To be run as root in namespaces of its own; see systemd-box.ts.
set -eu
dir=$1 checkout=$2
mount -t tmpfs -o mode=755,size=1g tmpfs "$dir"
mkdir "$dir/up" "$dir/work" "$dir/root"
root=$dir/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$dir/up,workdir=$dir/work" "$root"
mkdir -p "$root$checkout"
mount --rbind "$checkout" "$root$checkout" # it may be on another disk
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755,nosuid,nodev tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s fd/0 "$root/dev/stdin"
ln -s fd/1 "$root/dev/stdout"
ln -s fd/2 "$root/dev/stderr"
for device in null:3 zero:5 full:7 random:8 urandom:9; do
  mknod -m 666 "$root/dev/${device%:*}" c 1 "${device#*:}"
done
mknod -m 666 "$root/dev/tty" c 5 0
hostname banto-test
units=$root/etc/systemd/system
mkdir -p "$units"
cat > "$units/banto-test.target" <<'UNIT'
[Unit]
Requires=basic.target dbus.service systemd-logind.service
After=basic.target dbus.service systemd-logind.service
AllowIsolate=yes
UNIT
# The kernel's variables, devices and clock are those of the machine outside.
for unit in systemd-sysctl.service systemd-udevd.service systemd-udevd-kernel.socket systemd-udevd-control.socket \
  systemd-udev-trigger.service systemd-timesyncd.service systemd-remount-fs.service dev-hugepages.mount \
  dev-mqueue.mount timers.target; do
  ln -sf /dev/null "$units/$unit"
done
: > "$root/etc/fstab"
: > "$root/etc/machine-id"
cd "$root"
mkdir -p .outside
pivot_root . .outside
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  sh -c 'umount -l /.outside; exec /lib/systemd/systemd --system --unit=banto-test.target' < /dev/null
