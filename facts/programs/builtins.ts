import { type Field, homeField, literalField } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program, readAll } from "./program.ts";

/** `source file`: the file is read and run. */
function source(call: Call): void {
  const [file] = call.operands;
  if (!file) return;
  if (file.text.startsWith("/dev/fd/")) {
    call.to.run(call.program);
  } else {
    call.to.read(file);
    call.to.run(file.text, file.kind === "literal");
  }
  if (!call.draft.analysed) call.to.doubt("what the sourced file does is not known");
}

function opaqueText(call: Call): void {
  call.to.run(call.program);
  if (!call.draft.analysed) call.to.doubt("the text that is run is not known");
}

/**
 * Reports uses of the command history and its file: the named file, the file of `HISTFILE`, or the usual one. A non-interactive
 * shell may have no history, so only a named file is certain.
 */
function history(call: Call): void {
  const letters = call.words.filter((word) => /^-[a-z]/i.test(word.text)).map((word) => word.text);
  const has = (letter: string): boolean => letters.some((word) => word.includes(letter));
  const named = call.words.find(
    (word, i) => i > 0 && !word.text.startsWith("-") && /^-\w*[anrw]$/.test(call.words[i - 1]?.text ?? ""),
  );
  const files = named ? [named] : usualHistory(call, has("w"));
  for (const file of files) {
    if (has("c") || has("d")) call.to.delete(file, false, false);
    if (has("a") || has("w") || has("d")) call.to.write(file, named !== undefined && has("w"));
    else if (!has("c") && !has("s")) call.to.read(file, { perhaps: true });
  }
}

function usualHistory({ draft }: Call, writes = false): readonly Field[] {
  const given = draft.env.get("HISTFILE");
  const names = given ? [] : ["~/.bash_history", ...(writes ? ["~/.history"] : [])];
  const usual = names.map((file) => homeField(file, draft.place));
  return given ? [{ ...literalField("", draft.place), ...given }] : usual;
}

/** Variables of the environment: all, or the named ones that sound like secrets. */
function prints(call: Call, names: readonly Field[]): void {
  const secret = names.some(
    (name) => name.kind !== "literal" || /key|token|secret|passw|credential|auth/i.test(name.text),
  );
  if (names.length === 0 || secret) call.to.read(literalField("/proc/self/environ", call.draft.place));
}

const data = (names: string): Program => ({ names: names.split(" "), data: true });

/** Builtins of the shell and programs whose words are only data. */
export const builtinPrograms: readonly Program[] = [
  data(
    "echo printf true false : test [ seq basename dirname sleep expr yes tput clear reset logname tty arch nproc uptime cal factor let wait jobs fg bg disown umask ulimit times hash type shopt",
  ),
  data(
    "cd pushd popd dirs pwd local readonly unset shift return exit break continue read mapfile readarray getopts alias unalias bind complete compgen compopt caller trap exec",
  ),
  {
    ...program(
      "date",
      ["-s --set=", "-d --date=", "-f --file=", "-r --reference=", "-I --iso-8601=?", "-u", "-R", "-v="],
      (call) => {
        if (call.has("--set") || call.operands.some((word) => /^\d{8,12}(?:\.\d\d)?$/.test(word.text)))
          call.to.config("date set clock");
      },
    ),
    data: true,
  },
  data("id whoami hostname uname groups users who w last which whereis whatis apropos command builtin man info"),
  program("env printenv", ["-i --ignore-environment", "-0 --null", "-u --unset=", "-C --chdir="], (call) => {
    if (!call.has("--ignore-environment")) prints(call, call.program === "printenv" ? call.operands : []);
  }),
  {
    names: ["export", "declare", "typeset", "set"],
    data: true,
    effects: (call) => {
      const bare = call.words.every((word) => /^-(?=[pxgr]*$)[xgr]*p|^-x$/.test(word.text));
      if (bare && (call.program !== "set" || call.words.every((word) => word.text === "-p"))) prints(call, []);
    },
  },
  { names: ["history"], data: true, effects: history },
  {
    names: ["fc"],
    data: true,
    // A shell that is not interactive has no list; one that has it keeps it in the file.
    effects: (call) => {
      for (const file of usualHistory(call)) call.to.read(file, { perhaps: true });
    },
  },
  program("enable", ["-f=", "-a", "-d", "-n", "-p", "-s"], (call) => {
    const file = call.value("-f");
    if (!file) return;
    call.to.read(file);
    call.to.run(file.text, file.kind === "literal");
    call.to.doubt("the builtin that is loaded is not known");
  }),
  program("source .", [], source),
  program("eval", [], opaqueText),
  program(
    "realpath readlink",
    optionList(`
    -f --canonicalize; -e --canonicalize-existing; -m --canonicalize-missing; -n --no-newline; -s
    --strip; -q --quiet; -z --zero; --relative-to=; --relative-base=
  `),
    (call) => readAll(call, { metadata: true }),
  ),
];
