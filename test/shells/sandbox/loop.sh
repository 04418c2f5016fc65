# Runs the scripts of the batch, each with an empty environment but for PATH and HOME, at most 5 s long.
mapfile -t names </batch/out/names
mapfile -t shell </batch/shell
ulimit -c 0 -t 5 -f 256 -n 64 -u 256
unset OLDPWD SHLVL
export -n PWD OLDPWD SHLVL _
export PATH=/bin HOME
for name in "${names[@]}"; do
  HOME=/w/$name/p/h
  cd "/w/$name/p/q" || continue
  # The opening of this file says in the trace that what follows is of the next script.
  /h/timeout -s KILL 5 "${shell[@]}" "/batch/in/$name" </dev/null >"/batch/out/$name.out" 2>"/batch/out/$name.err"
  echo "$?" >"/batch/out/$name.status"
done
