import { type Field, literalField, withText } from "../shell/fields.ts";
import type { Call, Program } from "./program.ts";

/** Subcommands by which a human decides something, at any place among the words. */
const decisions: ReadonlySet<string> = new Set([
  "trust",
  "reload",
  "approve",
  "install",
  "uninstall",
  "serve",
  "token",
]);
/** Subcommands that only look: of a file that they are given, `hook` may be the name. */
const looking: ReadonlySet<string> = new Set(["check", "fmt", "eval", "explain", "test"]);
const hookProgram = /^hookwarden-(?:hook|client)/;

/** Names of the files that start the product. */
export const productFile =
  /^(?:hookwarden(?:\.(?:[cm]?js|cmd|ps1|exe))?|hookwarden-(?:hook|client)(?:\.(?:[cm]?js|sh|cmd|ps1|exe|program))?)$/i;

/** The file that gives code the modules of the product, in any folder. */
export const modulesFile = /(?:^|\/)hookwarden-modules(?:\.cjs)?$/i;

const names =
  "hookwarden hookwarden.js hookwarden.cjs hookwarden.mjs hookwarden.cmd hookwarden.ps1 hookwarden-hook hookwarden-hook.cjs hookwarden-hook.js hookwarden-hook.mjs hookwarden-hook.sh hookwarden-hook.cmd hookwarden-hook.ps1 hookwarden-client hookwarden-client.sh";

/**
 * Reports decisions of a hookwarden command that are not an agent's to make, as settings by name: `hookwarden trust`,
 * `hookwarden hook`.
 */
function settles(call: Call): void {
  const words = call.operands.map((word) => word.text);
  const [first] = call.operands;
  if (hookProgram.test(call.program)) {
    call.to.config("hookwarden hook");
    return;
  }
  for (const word of words) if (decisions.has(word)) call.to.config(`hookwarden ${word}`);
  if (call.has("--forget") || words.includes("--forget")) call.to.config("hookwarden mcp --forget");
  // `init --host` ends in an install.
  if (words.includes("init") && call.has("--host")) call.to.config("hookwarden install");
  if (words.includes("audit"))
    for (const word of words) if (word === "init" || word === "prune") call.to.config(`hookwarden audit ${word}`);
  if (words.includes("hook") && !words.some((word) => looking.has(word))) call.to.config("hookwarden hook");
  // An unknown word may be any of them.
  if (first?.kind === "unknown" && (first.open || first.text === "")) call.to.config("hookwarden (not known)", false);
}

const file = /\/|\.[A-Za-z]\w{0,9}$/;

/** Options that name a file to write, with any subcommand. */
const outputs = /^(?:-o|--out|--audit|--copy-to)(?:=(.*))?$/s;
/** Options that name the file to which `new` adds. */
const additions = /^(?:-p|--policy|--folder)(?:=(.*))?$/s;
/** Options of `fmt`, `check` and `test` that take the word behind them. */
const valued = /^--(?:to|config|set|format|scope|host|fail-level|filter|jobs)$/;
const nowhere = { start: -1, end: -1 };

/**
 * Subcommands that write policies and suites where they are: those that a call of one names, none where it writes nothing.
 * `init` only ever adds a project's first policy, which tightens.
 */
const rewriting: Readonly<Record<string, (call: Call) => readonly Field[] | undefined>> = {
  new: (call) => valuesBehind(call.words, additions),
  fmt: (call) => (call.has("--check") ? undefined : paths(call)),
  check: (call) => (call.has("--fix") ? paths(call) : undefined),
  test: (call) => (call.has("--update") ? paths(call) : undefined),
};

/** Reports the certain writes of a subcommand: files named by its options, and policies that it rewrites. */
function writes(call: Call): void {
  for (const word of valuesBehind(call.words, outputs)) if (word.text !== "-") call.to.write(word);
  const verb = call.operands[0]?.text ?? "";
  const written = Object.hasOwn(rewriting, verb) ? rewriting[verb]?.(call) : undefined;
  if (!written) return;
  for (const place of written) call.to.write(place);
  if (written.length === 0) call.to.write(literalField(".hookwarden/policy.yaml", nowhere));
}

/** Returns the values of options, attached or as the next word. */
function valuesBehind(words: readonly Field[], options: RegExp): Field[] {
  return words.flatMap((word, i) => {
    const found = options.exec(word.text);
    if (!found) return [];
    const value = found[1] === undefined ? words[i + 1] : withText(word, found[1]);
    return value ? [value] : [];
  });
}

/** Operands behind the subcommand, but for values of options. */
function paths({ words }: Call): readonly Field[] {
  const free = words.filter((word, i) => !word.text.startsWith("-") && !valued.test(words[i - 1]?.text ?? ""));
  return free.slice(1);
}

function runsHookwarden(call: Call): void {
  settles(call);
  writes(call);
  call.to.run(call.program);
  for (const word of call.operands) {
    if (!file.test(word.text) || word.text.startsWith("-")) continue;
    call.to.read(word, { certain: false });
    call.to.write(word, false);
  }
  call.to.doubt("what hookwarden does with its files is not analysed");
}

/** hookwarden itself, which a run of its files by any other name is taken for (`facts/effects/engine-runs.ts`). */
export const hookwardenProgram: Program = {
  names: names.split(" "),
  // No option takes a value here, so the word after one is read like any other.
  grammar: { options: ["--forget"], exact: true },
  effects: runsHookwarden,
};
