import type { Random } from "../language/random.ts";
import { asSimple, doubleQuoted, envQuoted, literal, mapLiterals, quoted, simpleWords } from "./words.ts";

/** A rewriting of a command into another that does at least what it did. Pure: choices come from the generator. */
export type Transformation = (text: string, random: Random) => string;

/** Puts words before a command; what is no single command becomes one by `bash -c`. */
function prefix(words: string): Transformation {
  return (text) => `${words} ${asSimple(text).join(" ")}`;
}

/** Programs that run another program. Source: threats page, class 3. */
const wrappers: Readonly<Record<string, Transformation>> = {
  sudo: prefix("sudo"),
  "sudo with options": prefix("sudo -n -u root --"),
  doas: prefix("doas"),
  env: prefix("env"),
  "env -i": prefix("env -i PATH=/usr/bin:/bin HOME=/home/dev"),
  "env -S": (text) => {
    const words = simpleWords(text);
    // `env` splits and unquotes its text but expands nothing in it.
    const constant =
      words?.every((raw) => literal(raw) !== undefined) && !text.includes("\\") ? text : `bash -c ${envQuoted(text)}`;
    return `env -S ${quoted(constant)}`;
  },
  nice: prefix("nice -n 10"),
  ionice: prefix("ionice -c 3"),
  nohup: prefix("nohup"),
  timeout: prefix("timeout 5"),
  "timeout with options": prefix("timeout -k 1 --signal=KILL 5s"),
  command: prefix("command"),
  exec: prefix("exec"),
  stdbuf: prefix("stdbuf -oL"),
  setsid: prefix("setsid"),
  time: prefix("time"),
  assignment: prefix("LANG=C"),
  busybox: (text) => `busybox env ${asSimple(text).join(" ")}`,
  "busybox rm": (text) =>
    /^rm /.test(text) && simpleWords(text) ? `busybox ${text}` : `busybox env bash -c ${quoted(text)}`,
  "xargs feeding": (text) => {
    const words = asSimple(text);
    const last = words.at(-1) ?? "";
    if (words.length < 2) return `echo | xargs ${words.join(" ")}`;
    return `printf '%s\\0' ${last} | xargs -0 ${words.slice(0, -1).join(" ")}`;
  },
  "xargs -I": (text) => {
    const [program = "", ...rest] = asSimple(text);
    return `echo ${program} | xargs -I@@ @@ ${rest.join(" ")}`;
  },
  "xargs -0 one at a time": (text) => `printf '%s\\0' ls ${quoted(text)} | xargs -0 -n 1 bash -c`,
  "find -exec": (text) => {
    // `find` would put its own path where the text says `{}`.
    if (text.includes("{}")) return `export s=${quoted(text)}; find README.md -exec bash -c 'eval "$s"' \\;`;
    return `find README.md -exec ${asSimple(text).join(" ")} \\;`;
  },
};

/** Other spellings of the same words. Source: threats page, classes 2 and 6. */
const spellings: Readonly<Record<string, Transformation>> = {
  "empty quotes inside": (text, random) =>
    mapLiterals(asSimple(text), (value) => {
      if (/[^\w./-]/.test(value)) return quoted(value);
      const cut = random.below(value.length + 1);
      return `${value.slice(0, cut)}''${value.slice(cut)}`;
    }),
  "single quotes": (text) => mapLiterals(asSimple(text), quoted),
  "double quotes": (text) => mapLiterals(asSimple(text), doubleQuoted),
  "concatenated quotes": (text, random) =>
    mapLiterals(asSimple(text), (value) => {
      const cut = random.below(value.length + 1);
      return `${quoted(value.slice(0, cut))}${doubleQuoted(value.slice(cut))}`;
    }),
  "$'hex'": (text) => mapLiterals(asSimple(text), (value) => `$'${escapes(value, "\\x", 16, 2)}'`),
  "$'octal'": (text) => mapLiterals(asSimple(text), (value) => `$'${escapes(value, "\\", 8, 3)}'`),
  "${IFS}": (text) =>
    mapLiterals(asSimple(text), (value) => value.replace(/^.*[^\w./:@%+,-].*$/s, quoted)).replace(/ /, "${IFS}"),
  "brace expansion": (text) => {
    const words = asSimple(text);
    const loose = words.length < 2 || words.some((raw) => raw.includes(",") && !raw.startsWith("'"));
    return `{${(loose ? ["bash", "-c", quoted(text)] : words).join(",")}}`;
  },
  "variable for the program": (text) => {
    const [program = "", ...rest] = asSimple(text);
    return ["p=", program, "; $p ", rest.join(" ")].join("");
  },
  "variable for every word": (text) => {
    const words = asSimple(text);
    return `${words.map((raw, i) => `w${i}=${raw}`).join("; ")}; ${words.map((raw, i) => (literal(raw) === undefined ? raw : `"$w${i}"`)).join(" ")}`;
  },
  "exported variable": (text) => {
    const [program = "", ...rest] = asSimple(text);
    return `export P=${program} && "\${P}" ${rest.join(" ")}`;
  },
  "default value": (text) => {
    const [program = "", ...rest] = asSimple(text);
    return `\${unset_name:-${program}} ${rest.join(" ")}`;
  },
  "absolute path": (text) => {
    const [program = "", ...rest] = asSimple(text);
    return `${program.includes("/") ? "" : "/usr/bin/"}${program} ${rest.join(" ")}`.trimEnd();
  },
  "path with dots": (text) => {
    const [program = "", ...rest] = asSimple(text);
    return `${program.includes("/") ? "" : "/usr/lib/../bin/./"}${program} ${rest.join(" ")}`.trimEnd();
  },
  backslash: (text) => `\\${asSimple(text).join(" ")}`,
  "backslash inside": (text) => {
    const [program = "", ...rest] = asSimple(text);
    return `${program.slice(0, -1)}\\${program.slice(-1)} ${rest.join(" ")}`.trimEnd();
  },
  "line continuation": (text) => asSimple(text).join(" \\\n  "),
  "more blanks": (text) => `  ${asSimple(text).join(" \t ")}  `,
  "substituted program": (text) => {
    const [program = "", ...rest] = asSimple(text);
    return `$(echo ${program}) ${rest.join(" ")}`;
  },
};

/** The command where an operator may follow: a comment or here-document at its end would swallow that. */
function closed(text: string): string {
  return /[\n#;]/.test(text) ? `{ ${text}\n}` : text;
}

/** A here-document delimiter that does not occur in the text. */
function delimiter(text: string): string {
  let name = "END";
  while (text.includes(name)) name += "_";
  return name;
}

/** The command among others. Source: threats page, classes 4 and 5. */
const structures: Readonly<Record<string, Transformation>> = {
  "after &&": (text) => `npm test && ${closed(text)}`,
  "after ;": (text) => `ls; ${text}`,
  "after ||": (text) => `false || ${closed(text)}`,
  "after |": (text) => `echo y | { ${text}\n}`,
  "before |": (text) => `{ ${text}\n} | tee log.txt`,
  "before &&": (text) => `${closed(text)} && ls`,
  "before ;": (text) => `${closed(text)} ; ls`,
  background: (text) => `${closed(text)} & ls`,
  "next line": (text) => `ls\n${text}\nls`,
  subshell: (text) => `(${text}\n)`,
  group: (text) => `{ ${closed(text)}; }`,
  negation: (text) => `! { ${text}\n}`,
  function: (text) => `f() { ${closed(text)}; }; f`,
  "function keyword": (text) => `function go {\n${text}\n}\ngo`,
  if: (text) => `if true; then ${closed(text)}; fi`,
  "if condition": (text) => `if ${closed(text)}; then ls; fi`,
  else: (text) => `if test -f x; then ls; else ${closed(text)}; fi`,
  for: (text) => `for i in 1 2 3; do ${closed(text)}; done`,
  while: (text) => `while true; do ${closed(text)}; break; done`,
  case: (text) => `case x in x) ${closed(text)};; esac`,
  "substitution in echo": (text) => `echo "done $(${text}\n)"`,
  "backquotes in echo": (text) => `echo \`${text.replace(/[\\`$]/g, "\\$&")}\``,
  "substitution in an assignment": (text) => `out=$(${text}\n) && ls`,
  "process substitution": (text) => `cat <(${text}\n)`,
  "substitution in a here-document": (text) => `cat <<${delimiter(text)}\n$(${text}\n)\n${delimiter(text)}`,
  "cd before": (text) => `cd /home/dev/app && ${text}`,
  "cd there and back": (text) => `cd src && cd .. && ${text}`,
  "comment after": (text) => `${closed(text)} # as agreed`,
  "comment before": (text) => `# clean up\n${text}`,
  "redirect after": (text) => `{ ${text}\n} > log.txt 2>&1`,
  "redirect before": (text) => `2>/dev/null ${asSimple(text).join(" ")}`,
  "many commands before": (text) => `${"true; ".repeat(70)}${text}`,
  trap: (text) => `trap ${quoted(text)} EXIT`,
};

/** The command as a text that a shell reads. Source: threats page, class 7. */
const scripts: Readonly<Record<string, Transformation>> = {
  "bash -c": (text) => `bash -c ${quoted(text)}`,
  "bash -c in double quotes": (text) => `bash -lc ${doubleQuoted(text)}`,
  "bash -c twice": (text) => `bash -c ${quoted(`bash -c ${quoted(text)}`)}`,
  "sh with arguments": (text) => `bash -c 'eval "$1"' _ ${quoted(text)}`,
  eval: (text) => `eval ${quoted(text)}`,
  "eval of words": (text) => `eval eval ${quoted(quoted(text))}`,
  "here-document into bash": (text) => `bash <<'${delimiter(text)}'\n${text}\n${delimiter(text)}`,
  "here-string into bash": (text) => `bash <<< ${quoted(text)}`,
  "echo into bash": (text) => `printf '%s\\n' ${quoted(text)} | bash`,
  "process substitution into bash": (text) => `bash <(printf '%s' ${quoted(text)})`,
  "source of a process substitution": (text) => `source <(printf '%s' ${quoted(text)})`,
  "base64 into sh": (text) => `echo ${Buffer.from(text).toString("base64")} | base64 -d | bash`,
  "base64 into bash -c": (text) => `bash -c "$(echo ${Buffer.from(text).toString("base64")} | base64 --decode)"`,
  "hex into sh": (text) => `echo ${Buffer.from(text).toString("hex")} | xxd -r -p | bash`,
  "printf escapes into eval": (text) => `eval "$(printf '${octal(text)}')"`,
  "reversed text": (text) => `echo ${quoted(reversed(text))} | rev | bash`,
  "xargs into bash -c": (text) => `printf '%s\\0' ${quoted(text)} | xargs -0 -I@@ bash -c @@`,
  "su -c": (text) => `su dev -c ${quoted(text)}`,
  "script -c": (text) => `script -qc ${quoted(text)} /dev/null`,
  watch: (text) => `watch -n 1 ${quoted(text)}`,
};

/** Other programs and later commands that run the text. Source: threats page, classes 6, 8 and 9. */
const carriers: Readonly<Record<string, Transformation>> = {
  array: (text) => `a=(${asSimple(text).join(" ")}); "\${a[@]}"`,
  "printf -v": (text) => {
    const [program = "", ...rest] = asSimple(text);
    return `printf -v p '%s' ${program}; $p ${rest.join(" ")}`;
  },
  "variable set in a branch": (text) => `npm test && p=bash; $p -c ${quoted(text)}`,
  read: (text) => `read -r line <<< ${quoted(oneLine(text))}; eval "$line"`,
  "while read": (text) => `printf '%s\\n' ${quoted(oneLine(text))} | while read -r line; do eval "$line"; done`,
  "script file, then run": (text) => `cat > run.sh <<'${delimiter(text)}'\n${text}\n${delimiter(text)}\nbash run.sh`,
  "tee into bash": (text) => `echo ${quoted(text)} | tee >(bash)`,
  "awk system": (text) => `awk ${quoted(`BEGIN { system(${JSON.stringify(text)}) }`)}`,
  "python system": (text) => `python3 -c ${quoted(`import os; os.system(${JSON.stringify(text)})`)}`,
  "perl system": (text) => `perl -e ${quoted(`system(${JSON.stringify(text).replace(/[$@]/g, "\\$&")})`)}`,
  "node execSync": (text) => `node -e ${quoted(`require("child_process").execSync(${JSON.stringify(text)})`)}`,
  "git alias": (text) => `git -c alias.go=${quoted(`!${text}`)} go`,
  parallel: (text) => `parallel ::: ${quoted(text)}`,
  coproc: (text) => `coproc { ${text}\n}`,
  // A login shell starts in the home folder.
  "ssh to itself": (text) => `ssh localhost ${quoted(`cd /home/dev/app; ${text}`)}`,
  "systemd-run": prefix("systemd-run --user --scope"),
  rot13: (text) => `echo ${quoted(rotated(text))} | tr 'A-Za-z' 'N-ZA-Mn-za-m' | bash`,
};

/** The command on one line, for what reads a line. */
function oneLine(text: string): string {
  return text.includes("\n") ? `eval $'${escapes(text, "\\x", 16, 2)}'` : text;
}

function rotated(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(first + ((letter.charCodeAt(0) - first + 13) % 26));
  });
}

function escapes(value: string, mark: string, base: number, width: number): string {
  return [...Buffer.from(value)].map((byte) => mark + byte.toString(base).padStart(width, "0")).join("");
}

function reversed(text: string): string {
  return text
    .split("\n")
    .map((line) => [...line].reverse().join(""))
    .join("\n");
}

function octal(text: string): string {
  return escapes(text, "\\", 8, 3);
}

/** Every transformation by its name. */
export const transformations: ReadonlyMap<string, Transformation> = new Map(
  Object.entries({ ...wrappers, ...spellings, ...structures, ...scripts, ...carriers }),
);

/** Ways in which a host can hand over one and the same command. Source: threats page, class 20. */
export const toolChanges: Readonly<Record<string, (command: string) => Readonly<Record<string, unknown>>>> = {
  bash: (command) => ({ event: "tool_call", tool: "bash", args: { command } }),
  user_bash: (command) => ({ event: "user_bash", command }),
  Bash: (command) => ({ event: "PreToolUse", tool: "Bash", args: { command } }),
  run_shell_command: (command) => ({ event: "tool_call", tool: "run_shell_command", args: { command } }),
  "argument cmd": (command) => ({ event: "tool_call", tool: "exec_command", args: { cmd: command } }),
};

/** Transformations whose shape alone is a reason to stop the call, whatever text they carry. */
export const alarming: ReadonlySet<string> = new Set([
  "base64 into sh",
  "base64 into bash -c",
  "hex into sh",
  "reversed text",
  "rot13",
]);
