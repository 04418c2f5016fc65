import { arithmeticValue } from "./arithmetic.ts";
import { directoryAfter } from "./directories.ts";
import type { Draft } from "./draft.ts";
import { type Atom, type Field, literalAtom, unknownAtom } from "./fields.ts";
import { formatted } from "./outputs.ts";
import { applyMapfile, applyRead } from "./readers.ts";
import { assign, exportName, isArray, isChoice, lookup, type Scope, type Value } from "./scope.ts";

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

const declare: Effect = (words, scope, draft) => {
  const flags = words.filter((word) => word.text.startsWith("-")).map((word) => word.text);
  const has = (flag: string): boolean => flags.some((text) => text.includes(flag));
  for (const word of words) {
    const match = /^([A-Za-z_]\w*)(?:\+?=|$)/.exec(word.text);
    const name = match?.[1];
    if (!match || name === undefined) continue;
    if (draft.program === "export" || has("x")) exportName(scope, name);
    const valued = match[0].endsWith("=");
    // A variable with an attribute changes what is assigned to it later.
    if (!valued && /[nilu]/.test(flags.join(""))) assign(scope, name, unknownAtom);
    const before = lookup(scope, name);
    if (!valued || match[0].endsWith("+=") || (before && isArray(before))) continue;
    const value = word.kind === "unknown" ? atomAfter(word) : literalAtom(word.text.slice(match[0].length));
    assign(
      scope,
      name,
      before && isChoice(before) && value.kind === "unknown" ? before : attributed(value, has, scope),
    );
  }
};

/** What an attribute makes of a value: letter case, a number, a reference. */
function attributed(value: Atom, has: (flag: string) => boolean, scope: Scope): Value {
  if (has("n")) return value.kind === "literal" ? (lookup(scope, value.text) ?? unknownAtom) : unknownAtom;
  if (value.kind !== "literal") return value;
  if (has("i")) return arithmeticValue(value.text, scope);
  if (has("u")) return literalAtom(value.text.toUpperCase());
  return has("l") ? literalAtom(value.text.toLowerCase()) : value;
}

function atomAfter(word: Field): Atom {
  const text = word.text.slice(word.text.indexOf("=") + 1);
  const template = word.template?.slice(word.template.indexOf("=") + 1);
  return template === undefined ? { text, kind: "unknown" } : { text, kind: "unknown", template };
}

const forget: Effect = (words, scope) => {
  for (const word of words) if (/^[A-Za-z_]\w*$/.test(word.text)) assign(scope, word.text, literalAtom(""));
};

const learnNothing: Effect = (words, scope) => {
  for (const word of words) if (/^[A-Za-z_]\w*$/.test(word.text)) assign(scope, word.text, unknownAtom);
};

/** `let x=1` and the like: what is assigned in arithmetic is a number that is not looked for. */
const calculate: Effect = (words, scope) => {
  for (const word of words) {
    const name = /^[A-Za-z_]\w*/.exec(word.text)?.[0];
    if (name) assign(scope, name, unknownAtom);
  }
};

const setPositional: Effect = (words, scope) => {
  if (
    words.some((word, i) => /^-[a-z]*a/.test(word.text) || (word.text === "allexport" && words[i - 1]?.text === "-o"))
  )
    exportName(scope, "*");
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
  ["read", applyRead],
  ["mapfile", applyMapfile],
  ["readarray", applyMapfile],
  ["getopts", learnNothing],
  ["let", calculate],
  ["set", setPositional],
  ["shift", shift],
  ["printf", printVariable],
]);
