import type { PathValue } from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import { spend } from "../meter.ts";
import { changesPlace } from "../programs/changing-wrappers.ts";
import { isDeclaredPlace } from "../programs/declared.ts";
import type { Description } from "../programs/program.ts";
import { findsSystem, isSystemFolder } from "../programs/program-places.ts";
import { changesRun, loads } from "../programs/run-variables.ts";
import type { Draft } from "../shell/draft.ts";
import type { Atom, Field } from "../shell/fields.ts";
import type { Sink } from "./sink.ts";

/** Identity of the program that a command runs, beyond its name, as an `allow` needs it. */
export interface RunIdentity {
  /** Path of the program if it is called by path: the real folder, and the last name as called. */
  readonly path: PathValue | undefined;
  /** True if it is called by a path outside the system's program folders. */
  readonly elsewhere: boolean;
  /** Variables, options and wrappers that make the run differ from its words. */
  readonly altered: readonly string[];
  /** Wrappers that change user, machine or root. */
  readonly changing: readonly string[];
}

const nothing: readonly string[] = [];

/** The identity of one command, whose effects are being reported. */
export function runIdentity(draft: Draft, described: Description, sink: Sink, { variables }: Environment): RunIdentity {
  const isPath = draft.name.text.includes("/");
  const path = isPath ? programPath(draft.name, sink) : undefined;
  const elsewhere = isPath && !isInPlace(path, sink);
  const changing = draft.wrappers.length === 0 ? nothing : draft.wrappers.filter(changesPlace);
  const plain = draft.env.size === 0 && draft.moved.length === 0 && draft.strays.length === 0;
  if (plain && draft.program !== "git") return { path, elsewhere, altered: nothing, changing };
  const altered = new Set<string>();
  for (const [name, value] of [...draft.moved, ...draft.env]) {
    spend(2);
    if (name === "PATH" ? movesPrograms(value, variables?.["PATH"]) : changesRun(name, value.text, isKnown(value)))
      altered.add(name);
  }
  for (const wrapper of draft.strays) if (!isInPlace(programPath(wrapper, sink), sink)) altered.add(wrapper.text);
  if (draft.program === "git") for (const name of gitOptions(draft, described)) altered.add(name);
  return { path, elsewhere, altered: altered.size === 0 ? nothing : [...altered], changing };
}

function isKnown({ kind }: Atom): boolean {
  return kind !== "unknown";
}

function isOfSystem(path: PathValue | undefined): boolean {
  return path !== undefined && isSystemFolder(parentOf(path.lexical));
}

/** True for a path in a folder of the system, or at a place that a policy declares for the program and that this call has not written. */
function isInPlace(path: PathValue | undefined, sink: Sink): boolean {
  if (path === undefined || isOfSystem(path)) return path !== undefined;
  return (isDeclaredPlace(path.lexical) || isDeclaredPlace(path.real)) && !sink.hasWritten(path);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/**
 * Returns the path of a program, with its real folder. A final link is not followed: programs are often installed as links, whose
 * folder shows the owner.
 */
function programPath(name: Field, sink: Sink): PathValue | undefined {
  const found = name.kind === "literal" ? sink.path(name) : undefined;
  if (!found?.certain) return undefined;
  const { value } = found;
  const parent = parentOf(value.lexical);
  const folder = parent === "" ? "" : sink.resolve(parent, "/", false).real;
  return { ...value, real: `${folder === "/" ? "" : folder}${value.lexical.slice(parent.length)}` };
}

/** True for a search path that may make a name another program: a folder before those of the system, or an unknown part. */
function movesPrograms(value: Atom, before: string | undefined): boolean {
  const { text } = value;
  if (!isKnown(value)) return true;
  if (!before || (text !== before && !`:${text}:`.includes(`:${before}:`))) return !findsSystem(text);
  const added = text.slice(0, Math.max(0, `:${text}:`.indexOf(`:${before}:`) - 1));
  return added !== "" && !findsSystem(added);
}

/** Returns options that make git take its own programs, its settings or another program from elsewhere. */
function gitOptions(draft: Draft, { args, subcommand }: Description): readonly string[] {
  const found: string[] = [];
  for (const { names, value } of args.options) {
    spend(1);
    if (names.includes("--config-env")) found.push("--config-env");
    if (names.includes("--exec-path") && value) found.push("--exec-path");
    if (names.includes("--git-dir") && value && loads("GIT_DIR", value.text)) found.push("--git-dir");
  }
  if (subcommand !== "grep") return found;
  const opens = draft.args.some(({ text }) => /^(?:-[a-zA-Z]*O.|--open-files-in-pager=.)/s.test(text.slice(0, 64)));
  return opens ? [...found, "--open-files-in-pager"] : found;
}
