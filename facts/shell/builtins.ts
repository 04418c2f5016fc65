import { directoryAfter } from "./directories.ts";
import type { Draft } from "./draft.ts";
import { type Atom, type Field, literalAtom, unknownAtom } from "./fields.ts";
import { formatted } from "./outputs.ts";
import { assign, isArray, lookup, type Scope } from "./scope.ts";

type Effect = (words: readonly Field[], scope: Scope, draft: Draft) => void;

/** Carries what a builtin changes into the scope: directory, variables, positional parameters. Source: bash manual, "Builtins". */
export function applyBuiltin(draft: Draft, scope: Scope): void {
  builtins.get(draft.program)?.(draft.args, scope, draft);
}

function operandsOf(words: readonly Field[]): readonly Field[] {
  const from = words.findIndex((word) => word.text === "-" || !word.text.startsWith("-"));
  const dashes = words.findIndex((word) => word.text === "--");
  if (dashes >= 0 && (from < 0 || dashes < from)) return words.slice(dashes + 1);
  return from < 0 ? [] : words.slice(from);
}

function move(scope: Scope, directory: string): void {
  scope.previous = scope.cwd;
  scope.cwd = directory;
}

const changeDirectory: Effect = (words, scope) => {
  const [target] = operandsOf(words);
  const home = lookup(scope, "HOME");
  if (!target) move(scope, home && !isArray(home) && home.kind === "literal" ? home.text : "");
  else if (target.text === "-" && target.kind === "literal") move(scope, scope.previous);
  else
    move(
      scope,
      target.kind === "literal" && target.text !== ""
        ? directoryAfter(scope.cwd, target.text)
        : target.kind === "literal"
          ? scope.cwd
          : "",
    );
};

const declare: Effect = (words, scope) => {
  for (const word of words) {
    const match = /^([A-Za-z_]\w*)=/.exec(word.text);
    if (match)
      assign(
        scope,
        match[1] as string,
        word.kind === "unknown" ? atomAfter(word) : literalAtom(word.text.slice(match[0].length)),
      );
  }
};

function atomAfter(word: Field): Atom {
  const text = word.text.slice(word.text.indexOf("=") + 1);
  const template = word.template?.slice(word.template.indexOf("=") + 1);
  return template === undefined ? { text, kind: "unknown" } : { text, kind: "unknown", template };
}

const forget: Effect = (words, scope) => {
  for (const word of words) if (/^[A-Za-z_]\w*$/.test(word.text)) assign(scope, word.text, literalAtom(""));
};

const learnNothing: Effect = (words, scope, draft) => {
  const known =
    draft.program === "read" && words.every((word) => !word.text.startsWith("-") || word.text === "-r")
      ? draft.input?.atom
      : undefined;
  const names = words.filter((word) => /^[A-Za-z_]\w*$/.test(word.text));
  const line = known?.kind === "literal" && !known.text.trimEnd().includes("\n") ? known.text.trim() : undefined;
  for (const word of names)
    assign(scope, word.text, line !== undefined && names.length === 1 ? literalAtom(line) : unknownAtom);
  if (names.length === 0) assign(scope, draft.program === "read" ? "REPLY" : "MAPFILE", unknownAtom);
};

const setPositional: Effect = (words, scope) => {
  const dashes = words.findIndex((word) => word.text === "--");
  const from = dashes >= 0 ? dashes + 1 : words.findIndex((word) => !/^[-+]/.test(word.text));
  if (from < 0 || words.length === 0) return;
  const items = words.slice(from);
  scope.positional = items.some((word) => word.open) ? undefined : items;
};

const shift: Effect = (words, scope) => {
  const count = words[0] ? Number(words[0].text) : 1;
  scope.positional = Number.isInteger(count) && count >= 0 ? scope.positional?.slice(count) : undefined;
};

const printVariable: Effect = (words, scope) => {
  const at = words.findIndex((word) => word.text === "-v");
  const name = at >= 0 ? words[at + 1]?.text : undefined;
  if (!name || !/^[A-Za-z_]\w*$/.test(name)) return;
  const text = formatted(words.slice(at + 2));
  assign(scope, name, text === undefined ? unknownAtom : literalAtom(text));
};

const builtins: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ["cd", changeDirectory],
  ["pushd", changeDirectory],
  ["popd", (_, scope) => move(scope, scope.previous)],
  ["export", declare],
  ["declare", declare],
  ["typeset", declare],
  ["local", declare],
  ["readonly", declare],
  ["unset", forget],
  ["read", learnNothing],
  ["mapfile", learnNothing],
  ["readarray", learnNothing],
  ["getopts", learnNothing],
  ["let", learnNothing],
  ["set", setPositional],
  ["shift", shift],
  ["printf", printVariable],
]);
