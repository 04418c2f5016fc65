import { spend } from "../meter.ts";
import { declaredNames } from "../programs/declared.ts";
import { knownNames } from "../programs/registry.ts";
import { mayChangeRun } from "../programs/run-variables.ts";
import { directoryAfter } from "./directories.ts";
import type { FoldedRedirect, Input } from "./draft.ts";
import { type Atom, type Field, knownBeginning, mayBeMore, mayHoldMore } from "./fields.ts";
import { globMatches } from "./globs.ts";
import { programName } from "./names.ts";
import { copiedProgram } from "./scripts.ts";
import type { Place } from "./syntax.ts";
import type { WrittenFiles } from "./written.ts";

/** A folded command before its wrappers are peeled. */
export interface Invocation {
  readonly fields: readonly Field[];
  readonly env: ReadonlyMap<string, Atom>;
  readonly redirects: readonly FoldedRedirect[];
  readonly wrappers: readonly string[];
  /** The wrappers among them that are called by a path of their own. */
  readonly strays: readonly Field[];
  readonly cwd: string;
  readonly place: Place;
  readonly input: Input;
  /** Index of the command whose output these words hold, or -1. */
  readonly feeder: number;
  /** True when a shell function may be meant. */
  readonly functions: boolean;
  readonly certain: boolean;
}

/**
 * True if another word than the wrapper's reading may be the program. A word that the wrapper takes may expand to several words,
 * or be an unknown option whose value is the next word.
 */
export function hidesProgram({ fields }: Invocation, inner: readonly Field[]): boolean {
  const at = fields.indexOf(inner[0] as Field);
  const taken = fields.slice(1, at > 0 ? at : Math.max(1, fields.length - inner.length));
  return taken.some(
    (word) =>
      (mayBeMore(word) && mayHoldMore(word)) ||
      (word.kind === "unknown" && /^-(?:-[^=]*)?$/.test(knownBeginning(word))),
  );
}

/** Returns the variables that reach a wrapper's command. Those that may change the run stay, because the wrapper itself runs with them. */
export function reaching(env: Invocation["env"], keeps: readonly string[] | undefined): Invocation["env"] {
  if (keeps === undefined || env.size === 0) return env;
  spend(env.size * (1 + keeps.length));
  return new Map([...env].filter(([name]) => keeps.includes(name) || mayChangeRun(name)));
}

/** Returns the wrappers called by a path, with this one if it is. */
export function straysOf({ fields, strays }: Invocation): readonly Field[] {
  const head = fields[0];
  return head?.text.includes("/") ? [...strays, head] : strays;
}

/** Returns the folder that a wrapper changes to; empty if unknown. `home` returns the value of `$HOME`. */
export function directoryOf(
  target: string | Field | undefined,
  cwd: string,
  home: () => Atom | readonly unknown[] | undefined,
): string {
  if (target === undefined) return cwd;
  if (typeof target === "string") return target;
  if (target.tilde && target.text === "~") {
    const value = home();
    return value && "kind" in value && value.kind === "literal" ? value.text : "";
  }
  return target.kind === "literal" ? directoryAfter(cwd, target.text) : "";
}

/** The program that a command's first word names; `candidates` are those that a glob may match. */
export interface Resolved {
  readonly program: string;
  readonly certain: boolean;
  readonly candidates: readonly string[];
}

/** Finds the program of a command's first word, also where the text has copied a program to its path. */
export function resolve(head: Field, cwd: string, files: WrittenFiles): Resolved {
  const copied = copiedProgram(head, cwd, files);
  if (copied !== "") return { program: copied, certain: head.kind === "literal", candidates: [] };
  const base = programName(head.text);
  if (head.kind === "pattern" && /[*?[(]/.test(base)) {
    const own = declaredNames();
    const names = own.length === 0 ? knownNames : [...knownNames, ...own];
    spend(names.length >> 1);
    return { program: "", certain: false, candidates: names.filter((known) => globMatches(base, known)) };
  }
  return { program: base, certain: head.kind === "literal", candidates: [] };
}
