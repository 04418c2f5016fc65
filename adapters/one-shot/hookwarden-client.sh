#!/bin/sh -p
# Starts one hook of an agent in an environment of our own, and refuses where no answer comes in time (SECURITY.md).
# Arguments: the Node to run, the launcher, then what the launcher takes: the host first, and after it `--event NAME`.
# `sh -p` takes no functions, options or start files from the environment, which a project may set for the agent.

# Variables are data from here on: the judge reads them, and nothing that we start obeys them. Only special builtins stand before
# this line, because dash takes the others from a `PATH` that names `%builtin` last.
variables=$(export -p)
PATH=/usr/bin:/bin
LC_ALL=C
node=$1
launcher=$2
shift 2
host=$1
event=
if [ "$2" = --event ]; then event=$3; fi
unset LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH LD_PROFILE LD_DEBUG GCONV_PATH LOCPATH NLSPATH GLIBC_TUNABLES MALLOC_TRACE

# Seconds in which the answer must be out: hosts wait for 30, and the launcher itself refuses after 10.
deadline=12

# Gives the host a document, and ends.
say() {
  echo "$1"
  exit 0
}

# The host's own refusal, for a launcher that can no longer give it, in the form that its dialect has for the event (`fault`).
# Exit code 2 with a reason holds before a call; where the host reads a document alone, it gets one. What can only be
# looked at is not refused: a stop that a fault refused would never end.
refuse() {
  reason="Blocked by hookwarden: this could not be judged ($1)"
  case "$host $event" in
    'claude-code PostToolUse')
      say "{\"continue\":false,\"stopReason\":\"$reason\",\"hookSpecificOutput\":{\"hookEventName\":\"PostToolUse\",\"updatedToolOutput\":[{\"type\":\"text\",\"text\":\"$reason\"}]}}"
      ;;
    'codex PreCompact') say "{\"continue\":false,\"stopReason\":\"$reason\"}" ;;
    'copilot postToolUse') say "{\"modifiedResult\":{\"resultType\":\"failure\",\"textResultForLlm\":\"$reason\"}}" ;;
    'copilot userPromptTransformed') say "{\"modifiedTransformedPrompt\":\"$reason\"}" ;;
    'copilot userPromptSubmitted') say "{\"decision\":\"block\",\"reason\":\"$reason\"}" ;;
    'cursor postToolUse') say "{\"updated_mcp_tool_output\":{\"content\":[{\"type\":\"text\",\"text\":\"$reason\"}]}}" ;;
    'cline '*Tool* | 'cline UserPromptSubmit' | 'cline ') say "{\"cancel\":true,\"errorMessage\":\"$reason\"}" ;;
    'gemini AfterAgent') exit 0 ;;
  esac
  echo "$reason" >&2
  case "$host $event" in
    'claude-code PostToolUseFailure' | 'claude-code PostCompact' | 'gemini PreCompress') say "{\"systemMessage\":\"$reason\"}" ;;
    'claude-code S'* | 'gemini Session'*) say "{\"systemMessage\":\"$reason\"}" ;;
    'codex S'* | 'codex PostCompact' | 'vscode S'* | 'vscode P'*Compact) exit 0 ;;
    'copilot preToolUse' | 'cursor before'* | 'cursor preToolUse' | 'goose PreToolUse') exit 2 ;;
    'goose Stop') say '{"decision":"allow"}' ;;
    'cursor '[a-z]*) say '{}' ;;
    'cline '* | 'copilot '[a-z]* | 'goose '[A-Z]*) exit 0 ;;
  esac
  exit 2
}

# Runs a command under `env -i` with what Node may know. The variables of the hook come through a pipe, because every user of
# the machine can read the words of a command, and one variable holds no more than 131,071 bytes on Linux.
cleanly() {
  {
    printf '%s\n' "$variables" | /usr/bin/env -i PATH="$PATH" HOOKWARDEN_VARIABLES=@3 "$@" 3<&0 0<&4 4<&-
  } 4<&0
}

# Runs perl, which clears its environment for Node by itself: that saves a process. What perl would obey is taken away first.
perl() {
  if [ "${#variables}" -gt 100000 ]; then
    cleanly /usr/bin/perl "$@"
    return
  fi
  unset PERL5OPT PERL5LIB PERLLIB PERL5DB PERL5DB_THREADED PERL5SHELL PERLIO PERLIO_DEBUG PERL_UNICODE PERL_SIGNALS PERL_ENCODING
  unset PERL_HASH_SEED PERL_HASH_SEED_DEBUG PERL_PERTURB_KEYS PERL_RAND_SEED PERL_INTERNAL_RAND_SEED PERL_USE_UNSAFE_INC
  unset PERL_DEBUG_MSTATS PERL_DESTRUCT_LEVEL PERL_DL_NONLAZY PERL_MEM_LOG PERL_ENV_TABLES
  HOOKWARDEN_VARIABLES=$variables /usr/bin/perl "$@"
}

# In a place that `install` filled, Node and launcher must be what its file `identity` says, since neither can vouch for
# itself: mode, inode, size and time of change of each, and an owner who is this user or root.
checked='my ($n, $l) = @ARGV[1, 2];
if ($l =~ m{^(.*/hookwarden/\d[\w.+-]*-[0-9a-f]{16})/dist/bin/[^/]+\z}s) {
  my ($p, %known) = ($1);
  open(my $f, "<", "$p/identity") or exit 77;
  while (<$f>) {
    chomp;
    last if $_ eq "";
    my ($owner, $mode, $inode, $size, $time, $path) = split / /, $_, 6;
    $known{$path =~ m{^/} ? $path : "$p/$path"} = "$mode $inode $size $time";
  }
  for ([$n, 78], [$l, 79]) {
    my ($path, $code) = @$_;
    my @s = lstat $path or exit $code;
    my $now = sprintf "%o %s %s %s", $s[2] & 07777, @s[1, 7, 9];
    exit $code if ($known{$path} // "") ne $now || ($s[4] != $> && $s[4] != 0);
  }
}
'
# An alarm outlives `exec` and needs no thread of Node's: it ends a loop, an endless system call and a wait alike.
alarm='%ENV = (PATH => "/usr/bin:/bin", HOOKWARDEN_VARIABLES => $ENV{HOOKWARDEN_VARIABLES}); $SIG{ALRM} = "DEFAULT"; alarm shift; exec { $ARGV[0] } @ARGV; exit 127'
if [ -x /usr/bin/perl ]; then
  perl -e "$checked$alarm" "$deadline" "$node" "$launcher" "$@"
elif [ -x /usr/bin/timeout ]; then
  cleanly /usr/bin/timeout -s KILL "$deadline" "$node" "$launcher" "$@"
else
  # Seconds of the processor: what waits for ever is not ended by them, and the launcher opens nothing that waits.
  ulimit -t "$deadline"
  cleanly "$node" "$launcher" "$@"
fi
code=$?
case $code in
  0 | 2) exit "$code" ;;
  77 | 78 | 79)
    case $code in 77) what=place ;; 78) what=Node ;; *) what=launcher ;; esac
    refuse "HW517: the $what of hookwarden is not as it was installed, run hookwarden install $host again in a terminal of your own"
    ;;
  80) refuse "its program could not begin, run hookwarden doctor $host" ;;
  # Ended by a signal: KILL, ALRM or XCPU.
  137 | 142 | 152) refuse "no decision was made in time: its program was stopped" ;;
esac
refuse "its program ended with code $code, run hookwarden doctor $host"
