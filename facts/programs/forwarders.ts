import { marked } from "../approximate/marked.ts";
import {
  type Atom,
  type Field,
  knownBeginning,
  literalAtom,
  literalField,
  mayBeMore,
  mayHoldMore,
  piecesOf,
  unknownField,
  unknownVariable,
  withText,
} from "../shell/fields.ts";
import {
  type Arguments,
  type Grammar,
  given,
  hasOpenOption,
  isOpenOption,
  optionList,
  readArguments,
  valueOf,
  valuesOf,
} from "./grammar.ts";
import { asUser } from "./runners.ts";
import { splitQuoted } from "./split.ts";
import type { Inner, Unwrapped, Wrapper } from "./wrapper.ts";

interface Forwarding {
  /** Operands before the command (`timeout 5`). */
  readonly skip?: number;
  /** `NAME=value` words may come before the command. */
  readonly assignments?: boolean;
  /** Option that names the working directory. */
  readonly directory?: string;
  /** Options under which nothing is run (`command -v`). */
  readonly idle?: readonly string[];
  /** True if the wrapper also has effects of its own. */
  readonly self?: boolean;
  /** Word that must come first (`poetry run`). */
  readonly subcommand?: string;
  /** Shell functions stay visible (`time`, `!`). */
  readonly functions?: boolean;
  /** Names of the variables that reach the command; undefined where all do. */
  readonly keeps?: (read: Arguments) => readonly string[] | undefined;
}

/** Variables of the terminal and the language, which sudo hands on by default. Source: sudoers(5), `env_check` and `env_keep`. */
const alwaysKept: readonly string[] =
  "TZ TERM COLORTERM LANG LANGUAGE LINGUAS LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME DISPLAY XAUTHORITY KRB5CCNAME HOSTNAME LS_COLORS".split(
    " ",
  );

/** Returns the variables that a wrapper for another user passes on: only those that an option names, or all with the option alone. */
function preserved(read: Arguments): readonly string[] | undefined {
  const option = "--preserve-env";
  const lists = valuesOf(read, option);
  const isAll = read.options.some(({ names, value }) => value === undefined && names.includes(option));
  if (isAll || lists.some(({ kind }) => kind !== "literal")) return undefined;
  return [...alwaysKept, ...lists.flatMap(({ text }) => text.split(","))];
}

const assignmentWord = /^[A-Za-z_][A-Za-z0-9_]*=/;

function forwarder(names: string, options: readonly string[], how: Forwarding = {}): Wrapper {
  const grammar: Grammar = { options, stop: true };
  return {
    names: names.split(" "),
    unwrap(args) {
      const from = how.subcommand === undefined ? 0 : args.findIndex((word) => word.text === how.subcommand) + 1;
      // `uv tool run name` runs a package, and no program of the project.
      if (from > 1 && args.slice(0, from - 1).some((word) => word.text === "tool")) return undefined;
      if (how.subcommand !== undefined && from === 0) return undefined;
      const read = readArguments(grammar, args.slice(from));
      if (how.idle?.some((name) => given(read, name))) return undefined;
      return forwarded(read, how);
    },
  };
}

function forwarded(read: Arguments, how: Forwarding): Unwrapped | undefined {
  let words = read.operands.slice(how.skip ?? 0);
  const env: [string, Atom][] = [];
  let isSeveral = false;
  if (how.assignments) {
    const end = words.findIndex(({ text }) => !assignmentWord.test(text));
    for (const word of end < 0 ? words : words.slice(0, end)) {
      env.push(assignmentOf(word));
      isSeveral ||= mayBeMore(word) && mayHoldMore(word);
    }
    words = end < 0 ? [] : words.slice(end);
  }
  if (words[0]?.text === "--") words = words.slice(1);
  if (words.length === 0) return undefined;
  const directory = how.directory === undefined ? undefined : valueOf(read, how.directory);
  const keeps = how.keeps?.(read);
  const isOpen = hasOpenOption(read) || isSeveral;
  const inner: Inner = {
    kind: "words",
    fields: words,
    env,
    ...(keeps ? { keeps } : {}),
    external: how.functions !== true,
    ...(directory ? { cwd: directory } : {}),
    ...(isOpen ? { certain: false } : {}),
  };
  return { self: how.self === true, inner: [inner] };
}

function assignmentOf(word: Field): [string, Atom] {
  const equals = word.text.indexOf("=");
  return [word.text.slice(0, equals), { text: word.text.slice(equals + 1), kind: word.kind }];
}

const envGrammar: Grammar = {
  options: optionList(`
    -i --ignore-environment; -0 --null; -v --debug; -u --unset=; -C --chdir=; -S --split-string=;
    --block-signal=?; --default-signal=?; --ignore-signal=?
  `),
  stop: true,
};

/** `env`: assignments, `-C`, and `-S`, whose text is split into the first words. */
const env: Wrapper = {
  names: ["env", "genv"],
  unwrap(args) {
    const read = readArguments(envGrammar, args);
    const split = valueOf(read, "--split-string");
    const head = split ? splitWords(split) : [];
    const behind = split ? readArguments(envGrammar, [...head, ...read.operands]) : undefined;
    const all = behind ? { ...behind, options: [...read.options, ...behind.options] } : read;
    // A dash alone is `-i`.
    const isDash = all.operands[0]?.text === "-" && all.operands[0].kind === "literal";
    const isFresh = isDash || given(all, "--ignore-environment");
    const how = { assignments: true, directory: "--chdir", keeps: () => (isFresh ? [] : undefined) };
    const found = forwarded(isDash ? { ...all, operands: all.operands.slice(1) } : all, how);
    const gone = valuesOf(all, "--unset").map((name): [string, Atom] => [name.text, literalAtom("")]);
    const [own] = found?.inner ?? [];
    const isSplit = args.some((word) => maySplit(word, read));
    if (own?.kind !== "words") return isSplit ? { self: found === undefined, inner: [anyProgram(args)] } : found;
    const inner: Inner = gone.length === 0 ? own : { ...own, env: [...gone, ...(own.env ?? [])] };
    return { self: false, inner: isSplit ? [{ ...inner, certain: false }, anyProgram(own.fields)] : [inner] };
  },
};

/** True for an unknown option that may be `-S` or `--split-string`, so that its value is the program. */
function maySplit(word: Field, read: Arguments): boolean {
  if (!isOpenOption(word, read)) return false;
  const beginning = knownBeginning(word);
  return !beginning.startsWith("--") || "--split-string".startsWith(beginning);
}

/** Returns a command of an unknown program with words behind it. */
function anyProgram(words: readonly Field[]): Inner {
  const place = words[0]?.place ?? { start: 0, end: 0 };
  return { kind: "words", fields: [unknownField(place, true), ...words], certain: false, external: true };
}

/** The words that `env -S` makes of a text. Its unknown parts may hold blanks. */
function splitWords(whole: Field): readonly Field[] {
  if (whole.kind !== "unknown") return splitQuoted(whole.text, "env").map((text) => literalField(text, whole.place));
  const mark = marked(piecesOf(whole));
  return splitQuoted(mark.text, "env").map((part) => {
    const pieces = mark.pieces(part).filter((piece) => piece !== "");
    if (!mark.has(part)) return literalField(part, whole.place);
    const told = (hole: string): string => pieces.map((piece) => (typeof piece === "string" ? piece : hole)).join("");
    const [text, template] = [told(""), told(`\${${unknownVariable}}`)];
    return { ...unknownField(whole.place, true, text), template, known: { pieces, text } };
  });
}

/** `coreutils --coreutils-prog=rm …`: one program that is many, told which. */
const coreutils: Wrapper = {
  names: ["coreutils", "gcoreutils", "uutils"],
  unwrap(args) {
    const at = args.findIndex((word) => /^--coreutils-prog(?:-shebang)?(?:=|$)/.test(word.text));
    const option = args[at];
    const named = option?.text.includes("=")
      ? withText(option, option.text.slice(option.text.indexOf("=") + 1))
      : args[at + 1];
    const rest = option?.text.includes("=") ? args.slice(at + 1) : args.slice(at + 2);
    const fields = at < 0 || !named ? args : [named, ...rest];
    return fields.length > 0 ? { self: false, inner: [{ kind: "words", fields, external: true }] } : undefined;
  },
};

/** `nice -10 cmd` and `nice -n 10 cmd`. */
const niceOptions = ["-n --adjustment="];

const otherUser = forwarder("runuser", [
  "-u --user=",
  "-g --group=",
  "-G --supp-group=",
  "-l --login",
  "-m -p --preserve-environment",
]);

/** `runuser -u user words`, and `runuser user -c text` as of `su`. */
const userRunner: Wrapper = {
  names: otherUser.names,
  unwrap(args, input) {
    const isText = args.some(({ text }) => /^(?:-\w*c$|-c|--(?:session-)?command(?:=|$))/.test(text));
    const isWords = args.some(({ text }) => /^(?:-u|--user(?:=|$))/.test(text));
    return isText && !isWords ? asUser.unwrap(args, input) : otherUser.unwrap(args, input);
  },
};

/** Options of `systemd-run`. */
export const serviceOptions: readonly string[] = optionList(`
    --user; --scope; -t --pty; -P --pipe; -q --quiet; --wait; -G --collect; -u --unit=; -p --property=;
    -d --same-dir; -E --setenv=; --working-directory=; --uid=; --gid=; -M --machine=; -H --host=; -C --capsule=; --slice=;
    --nice=; --description=; --service-type=; --job-mode=; --background=; --on-active=; --on-boot=; --on-startup=;
    --on-unit-active=; --on-unit-inactive=; --on-calendar=; --timer-property=; --path-property=; --socket-property=;
    --root-directory=; --expand-environment=; --json=; -S --shell; -r --remain-after-exit; --no-block; --slice-inherit;
    --on-timezone-change; --on-clock-change; --send-sighup; --no-ask-password; --ignore-failure; --pty-late; --lightweight=
`);

const service = forwarder("systemd-run", serviceOptions, { directory: "--working-directory" });
const serviceSettings: Grammar = {
  options: ["-p --property=", "-u --unit=", "-E --setenv=", "--working-directory=", "--uid=", "--gid="],
  stop: true,
};

/** `systemd-run words`; commands before and after the service are given as properties. */
const serviceRunner: Wrapper = {
  names: service.names,
  unwrap(args, input) {
    const found = service.unwrap(args, input);
    const texts = valuesOf(readArguments(serviceSettings, args), "--property").flatMap((value): Inner[] => {
      const name = /^Exec\w*=[-@:+!|]*/.exec(value.text);
      return name ? [{ kind: "text", text: withText(value, value.text.slice(name[0].length)) }] : [];
    });
    const isOwn = texts.length > 0 || args.some(({ text }) => ofServiceItself.test(text));
    return isOwn ? { self: true, inner: [...(found?.inner ?? []), ...texts] } : found;
  },
};

/** Options by which `systemd-run` does more than to run words: it sets a timer, or reaches another machine. */
const ofServiceItself = /^(?:-H.*|--host(?:=.*)?|--on-(?:active|boot|startup|unit-(?:in)?active|calendar)(?:=.*)?)$/s;

const uv = forwarder(
  "uv",
  ["--with=", "-p --python=", "--project=", "--directory=", "--extra=", "--group=", "--with-requirements="],
  { subcommand: "run" },
);

/** `uv run words`. With `--with`, uv also installs packages. */
const uvRunner: Wrapper = {
  names: uv.names,
  unwrap(args, input) {
    const found = uv.unwrap(args, input);
    return found && args.some(({ text }) => /^--with(?:=|$)/.test(text)) ? { self: true, inner: found.inner } : found;
  },
};

/** Wrappers that only run the words after their options. Source: threats page, class 3. */
export const forwarders: readonly Wrapper[] = [
  env,
  coreutils,
  forwarder(
    "sudo",
    optionList(`
    -A --askpass; -b --background; -B --bell; -E --preserve-env=?; -e --edit; -H --set-home; -i --login;
    -K --remove-timestamp; -k --reset-timestamp; -l --list; -n --non-interactive; -P --preserve-groups;
    -S --stdin; -s --shell; -V --version; -v --validate; -C --close-from=; -D --chdir=; -g --group=; -h
    --host=; -p --prompt=; -R --chroot=; -r --role=; -T --command-timeout=; -t --type=; -U
    --other-user=; -u --user=
  `),
    { assignments: true, directory: "--chdir", idle: ["--edit", "--list"], keeps: preserved },
  ),
  forwarder("doas", ["-u=", "-C=", "-a=", "-n", "-s", "-L"], { assignments: true, keeps: preserved }),
  forwarder("pkexec", ["--user=", "--disable-internal-agent", "--keep-cwd"], { keeps: preserved }),
  forwarder("nohup", []),
  forwarder("nice gnice", niceOptions),
  forwarder("ionice", ["-c --class=", "-n --classdata=", "-p --pid=", "-P --pgid=", "-u --uid=", "-t --ignore"], {
    idle: ["--pid", "--pgid", "--uid"],
  }),
  forwarder(
    "timeout gtimeout",
    ["-s --signal=", "-k --kill-after=", "-v --verbose", "-p --preserve-status", "-f --foreground"],
    { skip: 1 },
  ),
  forwarder(
    "time gtime",
    optionList(`
    -p --portability; -v --verbose; -a --append; -q --quiet; -l; -h; -o --output=; -f --format=
  `),
    { functions: true },
  ),
  forwarder("command", ["-p", "-v", "-V"], { idle: ["-v", "-V"] }),
  forwarder("builtin", []),
  forwarder("exec", ["-c", "-l", "-a="], { keeps: (read) => (given(read, "-c") ? [] : undefined) }),
  forwarder("stdbuf gstdbuf", ["-i --input=", "-o --output=", "-e --error="]),
  forwarder("setsid", ["-c --ctty", "-f --fork", "-w --wait"]),
  forwarder("unbuffer", ["-p"]),
  forwarder("noglob nocorrect -", []),
  forwarder("busybox toybox", ["--list", "--list-full", "--install", "--help"], {
    idle: ["--list", "--list-full", "--install", "--help"],
  }),
  forwarder("chroot", ["--userspec=", "--groups=", "--skip-chdir"], { skip: 1 }),
  forwarder(
    "strace ltrace",
    optionList(`
    -f; -ff; -c; -C; -q; -t; -tt; -T; -v; -x; -y; -e --trace=; -o --output=; -p --attach=; -s
    --string-limit=; -E --env=; -u --user=; -I=; -P=; -a=; -b=; -O=; -S=
  `),
    { idle: ["--attach"] },
  ),
  forwarder("valgrind", []),
  forwarder("taskset", ["-a --all-tasks", "-p --pid", "-c --cpu-list"], { skip: 1, idle: ["--pid"] }),
  forwarder(
    "chrt",
    optionList(`
    -b --batch; -f --fifo; -i --idle; -o --other; -r --rr; -R --reset-on-fork; -p --pid
  `),
    { skip: 1, idle: ["--pid"] },
  ),
  forwarder("prlimit", ["-p --pid="], { idle: ["--pid"] }),
  forwarder("fakeroot", ["-l --lib=", "--faked=", "-s=", "-i=", "-u", "-b="]),
  userRunner,
  serviceRunner,
  forwarder("setpriv", ["--reuid=", "--regid=", "--groups=", "--clear-groups", "--no-new-privs"]),
  forwarder(
    "unshare",
    optionList(`
    -m --mount=?; -u --uts=?; -i --ipc=?; -n --net=?; -p --pid=?; -U --user=?; -f --fork; -r
    --map-root-user; -R --root=; -w --wd=; -S --setuid=; -G --setgid=
  `),
    { directory: "--wd" },
  ),
  forwarder(
    "nsenter",
    optionList(`
    -t --target=; -a --all; -m --mount=?; -u --uts=?; -i --ipc=?; -n --net=?; -p --pid=?; -U --user=?;
    -S --setuid=; -G --setgid=
  `),
  ),
  forwarder("systemd-inhibit", ["--what=", "--who=", "--why=", "--mode=", "--list"]),
  forwarder(
    "caffeinate",
    optionList(`
    -d; -i; -m; -s; -u; -t=; -w=
  `),
  ),
  forwarder("arch", ["-x86_64", "-arm64", "-arch=", "-e="]),
  forwarder("xvfb-run", ["-a --auto-servernum", "-n --server-num=", "-s --server-args=", "-e --error-file="]),
  forwarder("dbus-run-session", ["--config-file=", "--dbus-daemon="]),
  forwarder("ld.so", ["--library-path=", "--preload=", "--argv0=", "--inhibit-cache", "--list", "--verify"], {
    idle: ["--list", "--verify"],
  }),
  forwarder("dotenv", ["-e=", "-v=", "-c=?", "-o"]),
  forwarder("cross-env cross-env-shell", [], { assignments: true }),
  // Commands of the shell for scripts that run on any system: words behind it are a program and its arguments.
  forwarder("shx", ["--silent", "--noglob", "--negate"]),
  forwarder("poetry pipenv rye hatch pdm pixi", [], { subcommand: "run" }),
  uvRunner,
  forwarder("bundle", [], { subcommand: "exec" }),
];
