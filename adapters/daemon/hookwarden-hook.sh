#!/bin/sh -p
# Answers one hook of an agent by hookwarden's daemon, and where that cannot be asked by a process of its own
# (docs/guide/daemon.md). Arguments: the Node to run, the launcher, the daemon's socket, then what the launcher takes.
# Every program has an absolute path, and variables are data: nothing that we start obeys them.

# Only special builtins stand before this line, because dash takes the others from a `PATH` that names `%builtin` last.
variables=$(export -p)
path=${PATH-}
PATH=/usr/bin:/bin
node=$1
launcher=$2
socket=$3
shift 3

# The hook as it is without a daemon. Nothing of the payload may have been read.
once() {
  PATH=$path
  exec /bin/sh -p "${0%/*}/hookwarden-client.sh" "$node" "$launcher" "$@"
}

# The payload is gone, and what a daemon may have judged is not judged again: the launcher refuses in the form of the host.
refuse() {
  why=$1
  shift
  once "$@" --refuse "$why" </dev/null
}

# Becomes a program that knows no variable. Those that a loader obeys would reach `env` itself.
clean() {
  unset LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH LD_PROFILE LD_DEBUG GCONV_PATH LOCPATH NLSPATH GLIBC_TUNABLES MALLOC_TRACE
  exec /usr/bin/env -i "$@"
}

# Asks the daemon: what comes before the payload is on standard input, the payload is file 3. Exit codes: 0 and 2 are an
# answer, 75 that nothing was said or read, 76 that no whole answer came, 77 that the payload is too large. The mark is
# drawn by lot, so that no text of the agent's can hold it. The peer of the socket is who the kernel says it is: the process
# of this user that the lock names, which nobody but this user can write, and, where the system shows it, one that runs the
# command line beside the launcher.
ask='
my ($socket, $launcher) = @ARGV;
my $said = 0;
$SIG{PIPE} = "IGNORE";
$SIG{ALRM} = sub { exit($said ? 76 : 75) };
alarm 2;

sub once { exit 75 }

sub all {
  my ($file, $most) = @_;
  my $text = "";
  while (my $n = sysread $file, $text, 65536, length $text) { return if length $text > $most }
  return $text;
}

sub content {
  open my $file, "<", $_[0] or return "";
  return all($file, 4194304) || "";
}

my $asked = all(*STDIN, 3145728) or once;
# A folder with a line break in its name would be read as more than a folder.
my @here = stat "." or once;
my @there = stat +(split /\n/, $asked, 2)[0] or once;
$here[0] == $there[0] && $here[1] == $there[1] or once;

my ($folder) = $socket =~ m{\A(/.*)/[^/]+\z}s or once;
lstat $folder or once;
-d _ && (stat _)[4] == $> && !((stat _)[2] & 077) or once;
lstat $socket or once;
-S _ && (stat _)[4] == $> or once;
my @lock = lstat "$socket.lock" or once;
-f _ && $lock[4] == $> && !($lock[2] & 077) or once;
open my $lock, "<", "$socket.lock" or once;
my @same = stat $lock;
$same[0] == $lock[0] && $same[1] == $lock[1] or once;
sysread $lock, my $owner, 512;
my ($pid) = $owner =~ /\A(\d{1,10}) / or once;

my $linux = $^O eq "linux";
length $socket < ($linux ? 108 : 104) or once;
socket my $daemon, 1, 1, 0 or once;
connect $daemon, $linux ? pack("Sa*x", 1, $socket) : pack("CCa*x", 3 + length $socket, 1, $socket) or once;
if ($linux) {
  # SOL_SOCKET, SO_PEERCRED: pid, uid, gid.
  my $peer = getsockopt $daemon, 1, 17 or once;
  length $peer == 12 or once;
  my ($is, $user) = unpack "lL", $peer;
  $is == $pid && $user == $> or once;
} elsif ($^O eq "darwin") {
  # SOL_LOCAL, LOCAL_PEERCRED: version, uid; LOCAL_PEERPID.
  my $peer = getsockopt $daemon, 0, 1 or once;
  my ($version, $user) = unpack "LL", $peer;
  my $is = getsockopt $daemon, 0, 2 or once;
  $version == 0 && $user == $> && unpack("l", $is) == $pid or once;
} else { once }
(my $command = $launcher) =~ s{[^/]*\z}{hookwarden.js};
if (-d "/proc/$pid" && -f $command) {
  my (undef, $program, $serves) = split /\0/, content("/proc/$pid/cmdline");
  defined $serves && $serves eq "serve" && $program !~ /\A-/ or once;
  $program = "/proc/$pid/cwd/$program" if $program !~ m{\A/};
  content($program) eq content($command) or once;
  content("/proc/$pid/environ") !~ /(?:\A|\0)(?:NODE_OPTIONS|LD_PRELOAD|LD_AUDIT)=[^\0]/ or once;
}

my $greeting = "";
while ($greeting !~ /\n/ && length $greeting < 64) {
  sysread $daemon, $greeting, 64, length $greeting or once;
}
$greeting eq "hookwarden 1\n" or once;

my $budget = $asked =~ /\n--budget\n(\d{3,6})\n/ ? $1 : 10000;
$said = 1;
alarm 2 + int($budget / 1000);
open my $lots, "<", "/dev/urandom" or exit 76;
sysread($lots, my $lot, 8) == 8 or exit 76;
my $mark = join "-", "hookwarden", unpack "NN", $lot;
open my $input, "<&=", 3 or exit 76;
my $payload = all($input, 16777216);
defined $payload or exit 77;
my $request = "$mark\n$asked$mark\n$payload\n$mark\n";
for (my $at = 0; $at < length $request; ) {
  my $n = syswrite $daemon, $request, 1048576, $at;
  $n or last;
  $at += $n;
}
shutdown $daemon, 1;
my $reply = all($daemon, 67108864);
defined $reply or exit 76;
my $err = index $reply, "\n$mark err\n";
my $end = index $reply, "\n$mark end ", $err + 1;
$err >= 0 && $end > $err && $reply =~ /\n$mark end ([02])\n\z/ && $-[0] == $end or exit 76;
my $code = $1;
my $from = $err + length "\n$mark err\n";
sub tell_host {
  my ($file, $text) = @_;
  for (my $at = 0; $at < length $text; ) {
    my $n = syswrite $file, $text, 65536, $at;
    $n or exit 2;
    $at += $n;
  }
}
tell_host(*STDERR, substr $reply, $from, $end - $from) if $end > $from;
tell_host(*STDOUT, substr $reply, 0, $err);
exit $code;
'

if [ -x /usr/bin/perl ]; then
  # Where nobody can be there, nothing is started to find that out.
  if [ ! -S "$socket" ] || [ ! -f "$socket.lock" ]; then once "$@"; fi
  {
    {
      pwd -P
      printf '%s\n' "$#" "$@" "$variables"
    } 2>/dev/null | {
      clean /usr/bin/perl -e "$ask" "$socket" "$launcher"
    }
  } 3<&0
  code=$?
  case $code in
    0 | 2) exit "$code" ;;
    75) once "$@" ;;
    77) refuse "the payload is larger than one event may be; do it in smaller parts" "$@" ;;
  esac
  refuse "the daemon gave no whole answer" "$@"
fi

# Without perl, `nc` is asked, which cannot see who answers: whoever runs as this user and may write the folder (SECURITY.md).
nc=
for one in /usr/bin/nc /bin/nc; do
  if [ -x "$one" ]; then nc=$one; fi
done
cat=/bin/cat
if [ ! -x "$cat" ]; then cat=/usr/bin/cat; fi
pid=
if [ "$nc" ] && [ -S "$socket" ] && [ ! -L "$socket" ] && [ -O "$socket" ] && [ -f "$socket.lock" ] &&
  [ ! -L "$socket.lock" ] && [ -O "$socket.lock" ]; then
  { read -r pid rest <"$socket.lock"; } 2>/dev/null
fi
case $pid in
  '' | *[!0-9]*) once "$@" ;;
esac
kill -0 "$pid" 2>/dev/null || once "$@"

mark="hookwarden-$$-$PPID"
nl='
'
folder=$(pwd -P)
case $folder in *"$nl"*) once "$@" ;; esac

# What is asked for standard input, which is the payload.
request() {
  printf '%s\n' "$mark"
  printf '%s\n' "$folder" "$#" "$@" "$variables"
  printf '%s\n' "$mark"
  (clean "$cat")
  printf '\n%s\n' "$mark"
}

# Gives the daemon's answer to what comes on standard input, and ends.
answer() {
  # The daemon's own time is up sooner than these 12 seconds, and those sooner than any host's.
  reply=$(clean "$nc" -U -w 12 "$socket" 2>/dev/null)
  failed=$?
  if [ "$reply" = "hookwarden busy" ]; then refuse "too many hooks ask the daemon at once" "$@"; fi

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
  if [ -z "$reply" ] && [ "$failed" -ne 0 ]; then /bin/rm -f "$socket"; fi
  refuse "the daemon gave no whole answer" "$@"
}

request "$@" 2>/dev/null | answer "$@"
