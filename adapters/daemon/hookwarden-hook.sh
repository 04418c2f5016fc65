#!/bin/sh
# Answers one hook of an agent by hookwarden's daemon, and where none runs by the launcher (docs/guide/daemon.md).
# Arguments: the Node to run, the launcher, the daemon's socket, then what the launcher takes.
node=$1
launcher=$2
socket=$3
shift 3

# Only a socket of this user is spoken to, while the process that listened there is alive. Its folder is closed to others,
# or the daemon would not have begun.
pid=
if [ -S "$socket" ] && [ -O "$socket" ] && command -v nc >/dev/null 2>&1; then
  { read -r pid rest <"$socket.lock"; } 2>/dev/null
fi
case $pid in
  '' | *[!0-9]*) exec "$node" "$launcher" "$@" ;;
esac
kill -0 "$pid" 2>/dev/null || exec "$node" "$launcher" "$@"

mark="hookwarden-$$-$PPID"
nl='
'

# What is asked for standard input, which is the payload.
ask() {
  pwd -P
  printf '%s\n' "$#" "$@"
  export -p
  printf '%s\n' "$mark"
  # Where the end can be read by a name, `cat` takes the place of this shell; it starts sooner where it knows no language.
  LC_ALL=C
  export LC_ALL
  if command exec 3<<END && [ -r /dev/fd/3 ]

$mark
END
  then exec cat - /dev/fd/3; fi
  cat
  printf '\n%s\n' "$mark"
}

# Gives the daemon's answer to what comes on standard input, and ends.
answer() {
  # The daemon's own time is up sooner than these 12 seconds, and those sooner than any host's.
  reply=$(exec nc -U -w 12 "$socket" 2>/dev/null)
  failed=$?

  # An answer counts if all of it is there, and nothing else.
  begin="hookwarden 1$nl"
  rest=${reply#"$begin"}
  code=${rest##*"$nl$mark end "}
  body=${rest%"$nl$mark end "*}
  err=${body##*"$nl$mark err$nl"}
  out=${body%"$nl$mark err$nl"*}
  if [ "$reply" = "$begin$out$nl$mark err$nl$err$nl$mark end $code" ]; then
    case "$code $out$err" in
      *"$mark"*) ;;
      '0 '* | '2 '*)
        printf '%s' "$err" >&2
        printf '%s' "$out" || exit 2
        exit "$code"
        ;;
    esac
  fi

  # Nobody listens there, though a process of that number lives: the next hook does without the socket.
  if [ -z "$reply" ] && [ "$failed" -ne 0 ]; then rm -f "$socket"; fi

  # The payload is gone, and what a daemon may have judged is not judged again: the launcher refuses in the form of the host.
  exec "$node" "$launcher" "$@" --refuse "the daemon gave no whole answer" </dev/null
}

# What asks and what answers are side by side from the start: a shell that only waits for both would cost as much as one.
# Where a pipe can be opened by a name for writing too, this shell is the one that answers; else a pipeline needs one more.
if { command exec 3<&0 4<<END && [ -p /proc/self/fd/4 ] && command exec 5>/proc/self/fd/4; } 2>/dev/null; then
$mark
END
  ask "$@" <&3 >&5 2>/dev/null 3<&- 4<&- 5>&- &
  exec <&4 3<&- 4<&- 5>&-
  answer "$@"
else
  {
    printf '%s\n' "$mark"
    ask "$@"
  } 2>/dev/null | answer "$@"
fi
