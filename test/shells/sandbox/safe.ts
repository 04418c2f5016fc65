/**
 * The second check of a generated script, by its text alone: it knows nothing of the tree that the text came from, and has lists of its own.
 * A text with any other word, any other path, or any other place is refused, and `Sandbox` runs no text that is.
 */
export function refusal(text: string): string | undefined {
  if (text.length > longest) return `it is longer than ${longest} characters`;
  if (/[^\n\t\x20-\x7e]/.test(text)) return "it has a character that is not plain ASCII";
  return strangeEscape(text) ?? strangeWord(text) ?? strangePath(text) ?? climbs(text) ?? strangeSignal(text);
}

const longest = 6_000;

/** The only escapes that make a character: each is spelled out with what stands behind it. */
const escapes = /\\+(?:115ARK|0115ARK|x4dARK|u004dARK|U0000004dARK|122K|cM)(?![\w])/g;

function strangeEscape(text: string): string | undefined {
  const found = /\\[0-9xuUc](?!\b)[\w]*|\\[0-9xuU]/.exec(text.replace(escapes, "").replace(/\\[0c](?!\w)/g, ""));
  return found ? `it has the escape \`${found[0]}\`` : undefined;
}

/** Every word that a script may hold, whatever it is there: a program, a builtin, a keyword, an option's letters, a name. */
const words = new Set(
  `touch cp mv ln mkdir cat sed tee head tail sort wc basename dirname env seq tr cut bash sh xargs uniq expr printenv mktemp date uname grep
  readlink nice chmod ls
  alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable eval exec exit export false
  fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt
  source suspend test times trap true type typeset ulimit umask unalias unset wait
  if then elif else fi for in do done while until select case esac function coproc time
  allexport braceexpand emacs errexit errtrace functrace hashall histexpand history ignoreeof interactive comments keyword monitor noclobber noexec
  noglob nolog notify nounset onecmd physical pipefail posix privileged verbose vi xtrace
  assoc_expand_once autocd cdable_vars cdspell checkhash checkjobs checkwinsize cmdhist compat31 compat32 compat40 compat41 compat42 compat43
  compat44 complete_fullquote direxpand dirspell dotglob execfail expand_aliases extdebug extglob extquote failglob force_fignore
  globasciiranges globskipdots globstar gnu_errfmt histappend histreedit histverify hostcomplete huponexit inherit_errexit
  interactive_comments lastpipe lithist localvar_inherit localvar_unset login_shell mailwarn no_empty_cmd_completion nocaseglob
  nocasematch noexpand_translation nullglob patsub_replacement progcomp progcomp_alias promptvars restricted_shell shift_verbose
  sourcepath varredir_close xpg_echo
  x y z a b c i j n p q t u v k f g h main setup build usage fd IFS PWD OLDPWD HOME CDPATH REPLY MAPFILE OPTARG OPTIND PS4 BASH_ENV ENV PATH
  GLOBIGNORE BASH_CMDS DIRSTACK COPROC RANDOM SECONDS FUNCNAME BASH_ALIASES TMPDIR FUNCNEST HISTFILE PROMPT_COMMAND SHELLOPTS BASHOPTS
  PIPESTATUS BASH_REMATCH LC_ALL CI OUT NAME VERSION DEST _
  MARK MARKS mark o o2 txt src name list vars run new sub w2 l nope MA RK MAR K M ma rk XMARK MARKX oMARK text hello ab bc xy xo yo ok yes no on off
  dev release v1 commit fix nospace upper ascii END0 END1 END2 END3 END4 X A B C
  EXIT DEBUG ERR RETURN USR1 INT TERM null stdin stdout stderr tcp udp harness example
  zzz MO Z D x10 s d e r T F W P L S E N I O Q U H R m w eq lt gt ge le ne nt ot ef rn sf eu euo ex al nE ar ax ai iRK t1 d f1 f2 c1 c2 n1 i{} suffix 0x10
  cM q Y x4dARK u004dARK U0000004dARK 5s 4s 1s 0s 05d`.split(/\s+/),
);

/** Names that are made of parts side by side: no word of another kind can be spelled with these. */
const joined = /^(?:MARK|MAR|MA|RK|M|K|X|S|o2|o|\d)+$/;

/** Words as they stand, and once more without quotes and backslashes, because the shell puts together what they part. */
function strangeWord(text: string): string | undefined {
  const plain = text.replace(escapes, " ").replace(/\\+(?:[nt]|[0bc](?!\w))/g, " ");
  for (const form of [plain, plain.replace(/['"\\`]/g, "")])
    for (const [word] of form.matchAll(/[A-Za-z_][A-Za-z0-9_]*/g))
      if (!words.has(word) && !joined.test(word)) return `it has the word \`${word}\``;
  return undefined;
}

const name = String.raw`(?:MARK\.txt|MARKS|MARK|mark|o2|o|in\.txt|run\.sh|vars\.sh|src\.txt)`;
const end = String.raw`(?![\w/.])`;

/** Every way in which a slash may stand in a script. */
const slashes: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<![\w/.$}~])/dev/(?:null|stdin|stdout|stderr|fd/3|tcp/harness\.example/8080|udp/harness\.example/8081)${end}`,
    "g",
  ),
  new RegExp(String.raw`(?<![\w/.$}~])(?:sub|w2|new|l)/(?:${name}|\.\.)${end}`, "g"),
  new RegExp(String.raw`(?<![\w/.$}~])(?:\.|\.\.|~)/${name}${end}`, "g"),
  // Beneath the folder where the script is, whatever the variable holds.
  new RegExp(String.raw`(?<![\w/.$}~])\./(?:["']*\$\{?\w+\}?["']*/${name}${end}|(?=["']*[$M{]))`, "g"),
  /(?<![\w/])(?:sub\/\*|\*\/in\.txt|\*\/)/g,
  /(?<![\w/])s\/(?:t\/u|o\/MARK|\^\/MA|x\/y)\/(?![\w/])/g,
  /(?<![\w])IFS=\/(?=\s|$)/g,
  /\$\{[\w@*]+(?:\[[@*]\])?\/[/#%]?(?:[^/{}\n]|\{[^/{}\n]*\})*(?:\/(?:[^/{}\n]|\{[^/{}\n]*\})*)?\}/g,
];

function strangePath(text: string): string | undefined {
  let rest = text.replaceAll("\\", "");
  // What stands for the working directory may be told by `pwd`.
  if (/\by="?\$\(pwd\b/.test(rest)) rest = rest.replace(new RegExp(String.raw`\$\{?y\}?/(?:MARK|o)${end}`, "g"), "§");
  for (const allowed of slashes) rest = rest.replace(allowed, "§");
  const at = rest.indexOf("/");
  return at < 0 ? undefined : `it has a slash at \`${rest.slice(Math.max(0, at - 12), at + 12)}\``;
}

/** A script begins two folders deep in its own place: it may climb twice, and not in a loop. */
function climbs(text: string): string | undefined {
  const count = [...text.replace(/\{\w\.\.\w\}/g, "").matchAll(/\.\./g)].length;
  if (count > 2) return "it climbs more than two folders";
  return count > 0 && /\b(?:for|while|until|select|trap)\b/.test(text) ? "it may climb in a loop" : undefined;
}

function strangeSignal(text: string): string | undefined {
  const rest = text.replace(/\bkill (?:-USR1 \$\$|-0 \$\$|-l)(?= *(?:$|[\n;&|)}'"]))/gm, "");
  return /\bkill\b/.test(rest) ? "it sends a signal to something else than itself" : undefined;
}
