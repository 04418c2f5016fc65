import { limits } from "../../schema/limits.ts";
import { isForwarded, isKnown, knownNames } from "../programs/registry.ts";
import type { Inner } from "../programs/wrapper.ts";
import { wrapperOf } from "../programs/wrappers.ts";
import { applyBuiltin } from "./builtins.ts";
import { directoryAfter } from "./directories.ts";
import type { Draft, FoldedRedirect, Input } from "./draft.ts";
import { type Atom, type Field, unknownVariable } from "./fields.ts";
import { globMatches } from "./globs.ts";
import { programName } from "./names.ts";
import { outputOf } from "./outputs.ts";
import { parseShell } from "./parse.ts";
import { adopt, assign, fork, type Scope } from "./scope.ts";
import type { Place } from "./syntax.ts";
import type { Walker } from "./walker.ts";

/** A folded command before its wrappers are peeled. */
export interface Invocation {
  readonly fields: readonly Field[];
  readonly env: ReadonlyMap<string, Atom>;
  readonly redirects: readonly FoldedRedirect[];
  readonly wrappers: readonly string[];
  readonly cwd: string;
  readonly place: Place;
  readonly input: Input;
  /** Index of the command whose output stands in these words, or -1. */
  readonly feeder: number;
  /** True when a shell function may be meant. */
  readonly functions: boolean;
  readonly certain: boolean;
}

interface Resolved {
  readonly program: string;
  readonly certain: boolean;
  readonly candidates: readonly string[];
}

// Wrappers around one command; more is not understood.
const wrapperDepth = 48;

/** Peels the wrappers of a command and records every command that remains. Source: threats page, classes 2 and 3. */
export function launch(walk: Walker, call: Invocation, scope: Scope): void {
  const [head, ...args] = call.fields;
  if (!head || !walk.visit()) return;
  walk.spend(call.fields.length);
  if (call.wrappers.length > wrapperDepth) {
    walk.exceeded("more wrappers around one command than can be analysed", call.place.start);
    return;
  }
  const name = resolve(head, walk);
  if (call.functions && callFunction(walk, head, args, call, scope) && !isKnown(name.program)) return;
  const unwrapped = name.program === "" ? undefined : wrapperOf(name.program)?.unwrap(args, call.input);
  if (!unwrapped) {
    emit(walk, call, name, scope, undefined);
    possible(walk, call, name, scope);
    return;
  }
  const index = unwrapped.self ? emit(walk, call, name, scope, unwrapped.doubt) : -1;
  for (const inner of unwrapped.inner) {
    if (inner.kind === "words") runWords(walk, inner, call, name, scope, index < 0);
    else runText(walk, inner, call, name, scope);
  }
}

function resolve(head: Field, walk: Walker): Resolved {
  const base = programName(head.text);
  if (head.kind === "pattern" && /[*?[(]/.test(base)) {
    return { program: "", certain: false, candidates: knownNames.filter((known) => globMatches(base, known)) };
  }
  return { program: walk.copies.get(base) ?? base, certain: head.kind === "literal", candidates: [] };
}

/** Records one command and carries what it changes into the scope. */
function emit(walk: Walker, call: Invocation, name: Resolved, scope: Scope, doubt: string | undefined): number {
  const [head, ...args] = call.fields;
  const index = walk.drafts.length;
  // Every field by name: a spread here costs more than all the rest of the command.
  const draft: Draft = {
    program: name.program,
    candidates: name.candidates,
    certain: name.certain && call.certain,
    name: head as Field,
    args,
    env: call.env,
    wrappers: call.wrappers,
    redirects: call.redirects,
    cwd: call.cwd,
    place: call.place,
    input: call.input,
    pipedFrom: -1,
    pipedTo: -1,
    output: undefined,
    doubts: doubt === undefined ? [] : [doubt],
  };
  draft.output = outputOf(draft);
  walk.drafts.push(draft);
  if (doubt !== undefined) walk.link(call.feeder, index);
  applyBuiltin(draft, scope);
  remember(walk, name.program, args);
  return index;
}

/** A copy of a known program is that program under another name (threats page, class 2). */
function remember(walk: Walker, program: string, args: readonly Field[]): void {
  if (program !== "cp" && program !== "ln" && program !== "mv" && program !== "install") return;
  const [from, to] = args.filter((word) => !word.text.startsWith("-"));
  if (!from || !to || !/(?:^|\/)s?bin\//.test(from.text)) return;
  const source = programName(from.text);
  if (isKnown(source)) walk.copies.set(programName(to.text), source);
}

/** Calls a function that the text defines. Recursion and deep calls end at the first repeat. */
function callFunction(walk: Walker, head: Field, args: readonly Field[], call: Invocation, scope: Scope): boolean {
  const found = head.kind === "literal" ? walk.functions.get(head.text) : undefined;
  if (!found) return false;
  found.called = true;
  if (walk.calling.includes(found.body) || walk.calling.length >= limits.shellNesting) return true;
  const child = fork(scope);
  child.positional = args.some((word) => word.open) ? undefined : args;
  walk.calling.push(found.body);
  walk.node(found.body, child, call.input);
  walk.calling.pop();
  const { positional } = scope;
  adopt(scope, child);
  scope.positional = positional;
  return true;
}

function runWords(
  walk: Walker,
  inner: Extract<Inner, { kind: "words" }>,
  call: Invocation,
  name: Resolved,
  scope: Scope,
  redirected: boolean,
): void {
  const env = inner.env && inner.env.length > 0 ? new Map([...call.env, ...inner.env]) : call.env;
  launch(
    walk,
    {
      ...call,
      fields: inner.fields,
      env,
      cwd: directoryOf(inner.cwd, call.cwd),
      redirects: redirected ? call.redirects : [],
      wrappers: [...call.wrappers, name.program],
      functions: call.functions && inner.external !== true,
      certain: call.certain && name.certain && inner.certain !== false,
    },
    scope,
  );
}

function directoryOf(target: string | Field | undefined, cwd: string): string {
  if (target === undefined) return cwd;
  if (typeof target === "string") return target;
  return target.kind === "literal" ? directoryAfter(cwd, target.text) : "";
}

/** Parses a text that a shell is given and walks it in a scope of its own, or in this one for `eval`. */
function runText(
  walk: Walker,
  inner: Extract<Inner, { kind: "text" }>,
  call: Invocation,
  name: Resolved,
  scope: Scope,
): void {
  const { text } = inner;
  const source = text.kind === "unknown" ? (text.template ?? text.text) : text.text;
  if (source.split(`\${${unknownVariable}}`).join("").trim() === "") return;
  if (walk.nesting >= limits.shellNesting) {
    walk.exceeded("shell texts are nested deeper than can be analysed", text.place.start);
    return;
  }
  const tree = parseShell(
    source,
    text.verbatim >= 0 ? { shift: text.verbatim } : text.place.start < 0 ? call.place : text.place,
  );
  if (tree.kind === "problem") {
    walk.exceeded(tree.reason, tree.at);
    return;
  }
  const child = inner.here ? scope : fork(scope);
  if (!inner.here)
    child.positional = inner.positional?.some((word) => word.open) ? undefined : (inner.positional ?? []);
  for (const [key, value] of call.env) assign(child, key, value);
  const { wrappers, certain } = walk;
  walk.wrappers = [...call.wrappers, name.program];
  walk.certain = certain && call.certain && name.certain && inner.certain !== false;
  walk.nesting += 1;
  const from = walk.drafts.length;
  walk.node(tree, child, call.input);
  // Redirections of the shell hold for all it runs.
  for (const redirect of call.redirects) walk.loose.push({ redirect, cwd: call.cwd, place: call.place });
  if (from < walk.drafts.length) walk.link(call.feeder, from);
  walk.nesting -= 1;
  walk.wrappers = wrappers;
  walk.certain = certain;
}

/**
 * Words behind a program that is not known may be a command: an unknown forwarder, or a variable that is
 * empty. They are analysed as a possible one. Source: threats page, class 3.
 */
function possible(walk: Walker, call: Invocation, name: Resolved, scope: Scope): void {
  if (isKnown(name.program) || name.program === "[") return;
  const [head, ...args] = call.fields;
  const vanishing = head?.kind === "unknown" && head.open && head.text === "";
  const at = args.findIndex(
    (word, i) =>
      word.kind !== "unknown" &&
      (vanishing && i === 0
        ? isKnown(programName(word.text))
        : i < args.length - 1 && isForwarded(programName(word.text))),
  );
  if (at < 0) return;
  const label = name.program === "" ? (head?.text ?? "") : name.program;
  launch(
    walk,
    {
      ...call,
      fields: args.slice(at),
      redirects: [],
      wrappers: [...call.wrappers, label],
      certain: false,
      functions: false,
      input: null,
    },
    scope,
  );
}
