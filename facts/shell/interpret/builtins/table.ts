import { spend } from "../../../meter.ts";
import { isKnown } from "../../../programs/registry.ts";
import { directoryAfter } from "../../directories.ts";
import type { Draft } from "../../draft.ts";
import type { Field } from "../../fields.ts";
import type { Status } from "../binding.ts";
import type { Invocation } from "../call.ts";
import type { Machine } from "../machine.ts";
import { ends, type Outcome } from "../outcome.ts";
import type { Store } from "../store.ts";
import { type Builtin, type Invoked, lookUpName } from "./builtin.ts";
import { calculate, export_, forget, local_ } from "./declaring.ts";
import { breakLoop, continueLoop, exitShell, returnFrom } from "./flow.ts";
import { changeFolder, popFolder } from "./folders.ts";
import { setOptions, setShellOptions, shiftParameters, takeOption } from "./options.ts";
import { mapRecords, printInto, readRecord } from "./reading.ts";
import { changeAliases, forgetAliases, hashName, resetTrap, runCompletions, runJob, runUnseen } from "./running.ts";

const nothing =
  (status: Status): Builtin["run"] =>
  ({ store }) =>
    ends(store, status);

/** Makes the row of a builtin that changes nothing and ends with this status. */
const idle = (names: string, status: Status): [string, Builtin][] =>
  names.split(" ").map((name) => [name, { run: nothing(status) }]);

/**
 * Effects of each builtin on the shell that runs it, for options that its row knows; with any other option, nothing is known of
 * the shell afterwards. Source: bash manual, "Shell Builtin Commands".
 */
const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ...idle(": true echo pwd umask times hash dirs", "ok"),
  ...idle("false", "fail"),
  ["test", { run: (invoked) => tested(invoked, invoked.args) }],
  ["[", { run: (invoked) => tested(invoked, invoked.args.slice(0, -1)) }],
  ...idle("kill wait type ulimit disown fg bg caller history fc help logout suspend", "either"),
  ["jobs", { options: /^-[lnprsx]+$/, run: runJob }],
  ["printf", { options: /^-v$|^--$|^-[^a-z]|^-$/, run: printInto }],
  ["cd", { options: /^-[LPe@]+$|^-$|^--$/, run: changeFolder }],
  ["pushd", { options: /^-n$|^--$/, run: changeFolder }],
  ["popd", { options: /^$/, run: popFolder }],
  ["export", { options: /^-[npf]+$|^--$/, run: export_ }],
  ["readonly", { options: /^-[aAfp]+$|^--$/, run: local_ }],
  ["declare", { options: /^[-+][aAfFgilnprtux]+$|^--$/, run: local_ }],
  ["typeset", { options: /^[-+][aAfFgilnprtux]+$|^--$/, run: local_ }],
  ["local", { options: /^[-+][aAilnrtux]+$|^--$|^-$/, run: local_ }],
  ["unset", { options: /^-[vfn]+$|^--$/, run: forget }],
  ["read", { options: /^-/, run: readRecord }],
  ["mapfile", { options: /^-/, run: mapRecords }],
  ["readarray", { options: /^-/, run: mapRecords }],
  ["getopts", { options: /^-/, run: takeOption }],
  ["let", { options: /^-/, run: calculate }],
  ["set", { options: /^[-+]/, run: setOptions }],
  ["shopt", { options: /^-[suqpo]+$/, run: setShellOptions }],
  ["shift", { options: /^-/, run: shiftParameters }],
  ["exit", { options: /^-/, run: exitShell }],
  ["return", { options: /^-/, run: returnFrom }],
  ["break", { options: /^-/, run: breakLoop }],
  ["continue", { options: /^-/, run: continueLoop }],
  ["source", { options: /^--$/, run: runUnseen }],
  [".", { options: /^--$/, run: runUnseen }],
  ["eval", { options: /^--$/, run: runUnseen }],
  ["alias", { options: /^-p$/, run: changeAliases }],
  ["unalias", { options: /^-a$/, run: forgetAliases }],
  ["hash", { options: /^-[rpdtl]+$/, run: hashName }],
  ["trap", { options: /^-[lp]?$|^--$/, run: resetTrap }],
  ["command", { options: /^-[pvV]+$/, run: nothing("either") }],
  ["exec", { options: /^-[cla]+$/, run: nothing("either") }],
  ["builtin", { run: nothing("either") }],
  ...["compgen", "complete", "bind"].map((name): [string, Builtin] => [name, { run: runCompletions }]),
]);

/** Builtins that do their work as well where they end with a failure; a program that does so tells by it that the text fails. */
const tests: ReadonlySet<string> = new Set(
  "[ test command type hash false kill wait let read getopts printf".split(" "),
);

/** Builtins without a row, which can change the shell. */
const others: ReadonlySet<string> = new Set(
  "enable compopt setopt unsetopt emulate autoload zmodload vared".split(" "),
);

/** `test`: the name behind `-v` may have a subscript. */
function tested(invoked: Invoked, args: readonly Field[]): Outcome {
  args.forEach((word, i) => {
    if (i > 0 && args[i - 1]?.text === "-v") lookUpName(invoked, { word });
  });
  return ends(invoked.store, testStatus(args));
}

/** Decides the tests for empty texts; any other test may be true or false. */
function testStatus(args: readonly Field[]): Status {
  const [first, second, ...more] = args;
  if (!first || args.some(({ kind }) => kind !== "literal") || more.length > 0) return "either";
  if (!second) return first.text === "" ? "fail" : "ok";
  if (first.text !== "-n" && first.text !== "-z") return "either";
  return (second.text === "") === (first.text === "-z") ? "ok" : "fail";
}

/** True for the name of a builtin. */
export function isBuiltin(name: string): boolean {
  return builtins.has(name) || others.has(name);
}

/** True for a builtin that reads no more of the shell's input than its row says. */
export function changesShell({ program, name }: Draft): boolean {
  return builtins.has(program) && !name.text.includes("/");
}

/** Applies a command's changes to the shell, and returns how it may end. A program changes nothing; an unknown word may. */
export function applyBuiltin(machine: Machine, draft: Draft, call: Invocation, store: Store): Outcome {
  const { program, name } = draft;
  store.blamed = isKnown(program) && !tests.has(program);
  const isPath = name.text.includes("/");
  const row = isPath ? undefined : builtins.get(program);
  if (!row) {
    if (!isPath && (others.has(program) || mayBeBuiltin(name))) store.havoc();
    if (program === "mkdir") made(draft, store);
    return ends(store, program === "false" ? "fail" : program === "true" ? "ok" : "either");
  }
  spend(draft.args.length);
  const invoked: Invoked = { machine, draft, args: draft.args, assigned: call.assigned, store, place: call.place };
  if (isUnlisted(row, draft.args)) {
    store.havoc();
    return ends(store);
  }
  return row.run(invoked);
}

/** True for a word that may be a builtin: an unknown word may be any, unless it has a `/`. */
function mayBeBuiltin({ kind, text, template }: Field): boolean {
  return kind === "unknown" && !(template ?? text).includes("/");
}

/** True if there is an option before the operands that the row does not know. */
function isUnlisted({ options }: Builtin, args: readonly Field[]): boolean {
  if (!options) return false;
  for (const word of args) {
    if (word.text === "--" || !/^[-+]/.test(word.text)) return false;
    if (!options.test(word.text)) return true;
  }
  return false;
}

/** Records the folders of `mkdir`, which exist afterwards in any case. */
function made({ args, cwd }: Draft, store: Store): void {
  const folders = args.flatMap(({ kind, text }) => {
    const folder = kind === "literal" && !text.startsWith("-") ? directoryAfter(cwd, text) : "";
    return folder === "" ? [] : [folder];
  });
  for (const folder of folders) store.made = store.made.with(folder, true);
}
