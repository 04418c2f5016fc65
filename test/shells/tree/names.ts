/** Every name of a file or folder that a generated script may speak of, relative to its scratch folder. The only path constructor takes one of these. */
// biome-ignore format: words fill lines
export const paths = [
  "MARK", "MARKS", "mark", "MARK.txt", "o", "o2", "b.txt", "c.txt", "src.txt", "name.txt", "list.txt", "vars.sh", "run.sh", "new",
  "sub", "w2", "l", ".", "sub/MARK", "sub/o", "sub/in.txt", "w2/MARK", "w2/o", "new/MARK", "l/MARK", "l/o", "./MARK", "./o", "./run.sh",
  "./vars.sh", "./src.txt", "..", "../MARK", "../o", "sub/..", "w2/MARK.txt", "~", "~/MARK", "~/o",
] as const;
/** One of them. */
export type Path = (typeof paths)[number];

/** Devices that a redirection may name besides. */
// biome-ignore format: words fill lines
export const devices = [
  "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/3", "/dev/tcp/harness.example/8080", "/dev/udp/harness.example/8081",
] as const;
/** One of them. */
export type Device = (typeof devices)[number];

/** Programs that a generated script may run: none of them removes anything. */
// biome-ignore format: words fill lines
export const programs = [
  "touch", "cp", "mv", "ln", "mkdir", "cat", "sed", "tee", "head", "tail", "sort", "wc", "basename", "dirname", "env", "seq", "tr", "cut",
  "bash", "sh", "xargs", "uniq", "expr", "printenv", "mktemp", "date", "uname", "grep", "readlink", "nice", "chmod", "ls",
] as const;
/** One of them. */
export type Program = (typeof programs)[number];

/** Builtins of bash, by the index of its manual. */
// biome-ignore format: words fill lines
export const builtins = [
  ":", ".", "[", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete", "compopt", "continue", "declare",
  "dirs", "disown", "echo", "enable", "eval", "exec", "exit", "export", "false", "fc", "fg", "getopts", "hash", "help", "history", "jobs",
  "kill", "let", "local", "logout", "mapfile", "popd", "printf", "pushd", "pwd", "read", "readarray", "readonly", "return", "set", "shift",
  "shopt", "source", "suspend", "test", "times", "trap", "true", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait",
] as const;
/** One of them. */
export type Builtin = (typeof builtins)[number];

/** Options of `set -o`, by the manual. */
// biome-ignore format: words fill lines
export const setOptions = [
  "allexport", "braceexpand", "emacs", "errexit", "errtrace", "functrace", "hashall", "histexpand", "history", "ignoreeof",
  "interactive-comments", "keyword", "monitor", "noclobber", "noexec", "noglob", "nolog", "notify", "nounset", "onecmd", "physical", "pipefail",
  "posix", "privileged", "verbose", "vi", "xtrace",
] as const;
/** One of them. */
export type SetOption = (typeof setOptions)[number];

/** Options of `shopt`, by the manual. */
// biome-ignore format: words fill lines
export const shellOptions = [
  "assoc_expand_once", "autocd", "cdable_vars", "cdspell", "checkhash", "checkjobs", "checkwinsize", "cmdhist", "compat31", "compat32", "compat40",
  "compat41", "compat42", "compat43", "compat44", "complete_fullquote", "direxpand", "dirspell", "dotglob", "execfail", "expand_aliases",
  "extdebug", "extglob", "extquote", "failglob", "force_fignore", "globasciiranges", "globskipdots", "globstar", "gnu_errfmt", "histappend",
  "histreedit", "histverify", "hostcomplete", "huponexit", "inherit_errexit", "interactive_comments", "lastpipe", "lithist", "localvar_inherit",
  "localvar_unset", "login_shell", "mailwarn", "no_empty_cmd_completion", "nocaseglob", "nocasematch", "noexpand_translation", "nullglob",
  "patsub_replacement", "progcomp", "progcomp_alias", "promptvars", "restricted_shell", "shift_verbose", "sourcepath", "varredir_close", "xpg_echo",
] as const;
/** One of them. */
export type ShellOption = (typeof shellOptions)[number];

/** Variables of generated scripts, and those of the shell that they assign. */
// biome-ignore format: words fill lines
export const variables = [
  "x", "y", "z", "a", "b", "c", "i", "j", "n", "p", "q", "t", "IFS", "PWD", "OLDPWD", "HOME", "CDPATH", "REPLY", "MAPFILE", "OPTARG", "OPTIND", "PS4",
  "BASH_ENV", "ENV", "PATH", "GLOBIGNORE", "BASH_CMDS", "DIRSTACK", "COPROC", "RANDOM", "SECONDS", "FUNCNAME", "BASH_ALIASES", "TMPDIR", "FUNCNEST",
  "HISTFILE", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "PIPESTATUS", "BASH_REMATCH", "LC_ALL", "fd", "CI", "OUT", "NAME", "VERSION", "DEST",
] as const;
/** One of them. */
export type Variable = (typeof variables)[number];

/** Parameters that have no name of their own. */
// biome-ignore format: words fill lines
export const specials = ["1", "2", "3", "@", "*", "#", "?", "$", "!", "0", "-", "_"] as const;
/** One of them. */
export type Special = (typeof specials)[number];

/** Functions that generated scripts define and call. */
// biome-ignore format: words fill lines
export const functionNames = ["f", "g", "h", "main", "setup", "build", "usage"] as const;
/** One of them. */
export type FunctionName = (typeof functionNames)[number];

/** Texts that are neither a path nor a program: parts of names, numbers, and words of options. */
// biome-ignore format: words fill lines
export const atoms = [
  "", "MA", "RK", "MAR", "K", "M", "ma", "rk", "XMARK", "MARKX", "oMARK", "MARK:o", "MARK,o", "o:MARK", "x=MARK", "y=MARK", "x=o", "y=o", "b=o", "MA.RK", "hello",
  "0", "1", "2", "3", "4", "5", "7", "10", "100", "-1", "077", "0x10", ":", ",", "-", "+", "=", "!", "*", "?", " ", "a b", "x[0]", "x[1]", "a[0]", "a[1]", "a[2]", "a[k]",
  "x+=", "ab", "bc", "k", "v", "yes", "no", "on", "off", "text", "t", "u", "s/t/u/", "s/o/MARK/", "s/^/MA/", "s/x/y/", "1p", "2p", "%1", "USR1", "TERM", "EXIT", "DEBUG",
  "ERR", "RETURN", "INT", "function", "done.", "build", "test", "release", "main", "dev", "v1", "usage", "commit", "fix", "touch MARK", "touch o", "xo", "yo", "ok",
  "ab:", "xy", "xy:", "x:", "I{}", "{}", "EOF", "C", "en_US.UTF-8", "alpha",
] as const;
/** One of them. */
export type Atom = (typeof atoms)[number];

/** Options of programs and builtins. */
// biome-ignore format: words fill lines
export const flags = [
  "-p", "-n", "-e", "-i", "-a", "-A", "-r", "-u", "-l", "-x", "-f", "-F", "-g", "-s", "-v", "-d", "-t", "-c", "-C", "-W", "-P", "-L", "-S", "-k", "-q", "-m", "-T", "-E",
  "-h", "-B", "-b", "-o", "-O", "-z", "-w", "-R", "-ne", "-rn", "-sf", "-eu", "-ex", "-al", "-lt", "-nE", "-le", "-gt", "-eq", "-ge", "-N", "-I", "-nt", "-ot", "-ef", "-ar", "-ax", "-ai", "--", "+e", "+B", "+x", "+u", "+n",
  "+o", "+r", "+i", "+f", "+1", "+0", "-0", "-USR1", "-1", "-2", "-I{}", "-iRK", "--suffix=RK", "-t1", "-d:", "-d,", "-f1", "-f2", "-c1", "-c2", "-n1", "-euo", "-b", "-y", "--version", "+%Y", "-D", "-H", "u+x",
] as const;
/** One of them. */
export type Flag = (typeof flags)[number];

/** Formats of `printf`, and texts for `echo -e` and `$'…'`. */
// biome-ignore format: words fill lines
export const formats = [
  "%s", "%s\\n", "%d", "%b", "%q", "%5s", "%-5s", "%.4s", "%.1s", "%.0s", "%s%s", "MA%s", "%sRK", "%s\\0", "%%", "%x", "%o", "%c", "%05d", "%*s", "%(%Y)T", "%i", "%u",
  "MA\\122K", "MARK\\c", "\\115ARK", "\\x4dARK", "\\U0000004dARK", "\\u004dARK", "\\0115ARK", "MARK\\n", "o\\tMARK", "MA\\bRK", "o\\n", "touch MARK\\n", "%s %s\\n", "x=%s\\n", "MA\\\nRK", "\\cM",
] as const;
/** One of them. */
export type Format = (typeof formats)[number];

/** Patterns of file names and of parameters. */
// biome-ignore format: words fill lines
export const globs = [
  "*", "?", "M*", "*K", "MA*", "*RK", "*.txt", "src.*", "[MO]*", "[!o]*", "[a-z]*", "[[:upper:]]*", "?(o)", "*(o)", "+(o)", "@(MARK|o)", "!(o)", "sub/*", "*/in.txt",
  "**", "zzz*", "MAR?", "[M]ARK", "s*.txt", "b*", "o*", "[![:ascii:]]", "+(x)", "?*", "*[!K]", "{MARK,o}", "[A-Z]*", "*A", "M", "MA", "X", "o", "", "#", "%", "^", "#M", "%K", "m*", "mark", "A", "K", "*/",
] as const;
/** One of them. */
export type Glob = (typeof globs)[number];

/** Other literal parts: what joins a variable to a name, and what is no file. */
// biome-ignore format: words fill lines
export const extras = ["/", "./", "nope", "RK=", "%", "#", "@", "]", "MARK=", "in", "x=", "y=", "a=", "t=", "IFS=", "d", "T", "77", ".txt", "m", "touch=", "n=1", "n=", "nospace", "$", "cd", "IFS"] as const;
/** One of them. */
export type Extra = (typeof extras)[number];
