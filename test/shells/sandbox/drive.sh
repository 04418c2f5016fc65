# Makes a fresh folder with the same files for every script of the batch, and runs them one by one under one strace.
set -u
umask 022
names=() folders=()
for script in /batch/in/*; do
  name=${script##*/}
  names+=("$name")
  folders+=("/w/$name/p/q/sub" "/w/$name/p/q/w2" "/w/$name/p/h")
done
/h/mkdir -p "${folders[@]}" || exit 90
for name in "${names[@]}"; do
  cd "/w/$name/p/q" || exit 91
  printf 'text\n' >src.txt
  printf 'text\n' >b.txt
  printf 'text\n' >c.txt
  printf 'text\n' >sub/in.txt
  printf 'MARK\n' >name.txt
  printf 'o\nMARK\n' >list.txt
  printf 'x=MARK\n' >vars.sh
  printf 'touch MARK\n' >run.sh
done
/h/chmod +x /w/*/p/q/run.sh || exit 92
cd /
printf '%s\n' "${names[@]}" >/batch/out/names
exec /h/strace -f -y --seccomp-bpf -qq -s 512 -e signal=none \
  -e trace=open,openat,creat,mkdir,mkdirat,mknod,mknodat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir,truncate,ftruncate,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,utimensat,utime,utimes,futimesat,execve,connect,sendto,chdir,fchdir,clone,clone3,fork,vfork,exit_group,bind \
  -o /batch/out/trace /h/bash --norc --noprofile /h/loop.sh
