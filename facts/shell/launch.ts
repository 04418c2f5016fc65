import { limits } from "../../schema/limits.ts";
import { isForwarded, isKnown, knownNames } from "../programs/registry.ts";
import type { Inner, Unwrapped } from "../programs/wrapper.ts";
import { wrapperOf } from "../programs/wrappers.ts";
import { applyBuiltin } from "./builtins.ts";
import { directoryAfter } from "./directories.ts";
import type { Draft, FoldedRedirect, Input } from "./draft.ts";
import { type Atom, type Field, literalAtom, literalField, unknownVariable, withText } from "./fields.ts";
import { recordGroup, recordWrites, withFileInput } from "./files.ts";
import { globMatches } from "./globs.ts";
import { programName } from "./names.ts";
import { originated } from "./origins.ts";
import { outputOf } from "./outputs.ts";
import { parseShell } from "./parse.ts";
import { adopt, assign, fork, inherit, isArray, lookup, type Scope, startFiles } from "./scope.ts";
import { copiedProgram, scriptRuns } from "./scripts.ts";
import type { Node, Place } from "./syntax.ts";
import { waits } from "./traps.ts";
import type { Walker } from "./walker.ts";
import { contentOf } from "./written.ts";

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
const wrapperDepth = 24;

/** Peels the wrappers of a command and records every command that remains. Source: threats page, classes 2 and 3. */
export function launch(walk: Walker, call: Invocation, scope: Scope): void {
  if (call.fields.length === 0 || !walk.visit()) return;
  walk.spend(call.fields.length);
  if (call.wrappers.length > wrapperDepth) {
    walk.exceeded("more wrappers around one command than can be analysed", call.place.start);
    return;
  }
  peel(walk, withContents(walk, call), scope);
}

function peel(walk: Walker, call: Invocation, scope: Scope): void {
  const head = call.fields[0] as Field;
  const args = call.fields.slice(1);
  const name = resolve(head, walk, call.cwd);
  const from = walk.drafts.length;
  if (call.functions && callFunction(walk, head, args, call, scope) && !isKnown(name.program)) {
    redirected(walk, call, from);
    return;
  }
  if (call.functions) callAlias(walk, head, args, call, scope);
  if (runFile(walk, head, args, call, scope)) return;
  const unwrapped = name.program === "" ? undefined : wrapperOf(name.program)?.unwrap(args, call.input);
  if (!unwrapped) {
    emit(walk, call, args, name, scope, undefined);
    possible(walk, call, name, scope);
    return;
  }
  const index = unwrapped.self ? emit(walk, call, args, name, scope, unwrapped) : -1;
  for (const inner of unwrapped.inner) {
    if (inner.kind === "words") runWords(walk, inner, call, name, scope, index < 0);
    else runText(walk, inner, call, name, scope, index < 0);
  }
}

/** Redirections of a shell, or of a function, hold for all it runs. */
function redirected(walk: Walker, call: Invocation, from: number): void {
  for (const redirect of call.redirects) walk.loose.push({ redirect, cwd: call.cwd, place: call.place });
  recordGroup(walk, call.redirects, call.cwd, from);
}

/** The command with what its words hold where they name files that the text wrote. */
function withContents(walk: Walker, call: Invocation): Invocation {
  if (walk.files.empty) return call;
  const fields = call.fields.map((word, i) => {
    const equals = i > 0 && word.text.startsWith("-") ? word.text.indexOf("=") + 1 : 0;
    const content = contentOf(equals > 0 ? withText(word, word.text.slice(equals)) : word, walk.files, call.cwd);
    return content ? { ...word, ...content } : word;
  });
  return { ...call, fields };
}

/** A file that the text wrote is run by the interpreter that its first line names. */
function runFile(walk: Walker, head: Field, args: readonly Field[], call: Invocation, scope: Scope): boolean {
  const written = walk.files;
  if (written.empty) return false;
  const found = scriptRuns(head, args, call.cwd, written, searchPath(call, scope));
  if (!found) return false;
  if (written.running.has(found.key)) return true;
  if (written.running.size > limits.shellNesting) {
    walk.exceeded("more scripts run each other than can be analysed", call.place.start);
    return true;
  }
  written.running.add(found.key);
  for (const fields of found.runs)
    launch(walk, { ...call, fields, functions: false, certain: call.certain && found.certain }, scope);
  written.running.delete(found.key);
  return found.certain;
}

/** Folders that programs are looked for in, as far as known; undefined where nothing says. */
function searchPath(call: Invocation, scope: Scope): string | undefined {
  const value = call.env.get("PATH") ?? lookup(scope, "PATH");
  return value && !isArray(value) ? (value.template ?? value.text) : undefined;
}

/** An alias may stand for its text, with the words of the command behind it. */
function callAlias(walk: Walker, head: Field, args: readonly Field[], call: Invocation, scope: Scope): void {
  const value = walk.aliases.size > 0 && head.kind === "literal" ? walk.aliases.get(head.text) : undefined;
  if (!value) return;
  const text = `${value.template ?? value.text} "$@"`;
  const field: Field = {
    ...literalField(text, value.place),
    kind: value.kind,
    ...(value.template ? { template: text } : {}),
  };
  walk.aliases.delete(head.text);
  const name = { program: "alias", certain: true, candidates: [] };
  runText(walk, { kind: "text", text: field, positional: args, certain: false }, call, name, scope, false);
  walk.aliases.set(head.text, value);
}

function resolve(head: Field, walk: Walker, cwd: string): Resolved {
  const copied = copiedProgram(head, cwd, walk.files);
  if (copied !== "") return { program: copied, certain: head.kind === "literal", candidates: [] };
  const base = programName(head.text);
  if (head.kind === "pattern" && /[*?[(]/.test(base)) {
    return { program: "", certain: false, candidates: knownNames.filter((known) => globMatches(base, known)) };
  }
  return { program: base, certain: head.kind === "literal", candidates: [] };
}

/** Records one command and carries what it changes into the scope. */
function emit(
  walk: Walker,
  call: Invocation,
  args: readonly Field[],
  name: Resolved,
  scope: Scope,
  by: Unwrapped | undefined,
): number {
  const index = walk.drafts.length;
  // Every field by name: a spread here costs more than all the rest of the command.
  const draft: Draft = {
    program: name.program,
    candidates: name.candidates,
    certain: name.certain && call.certain,
    name: call.fields[0] as Field,
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
    doubts: by?.doubt === undefined ? [] : [by.doubt],
    analysed: by?.analysed === true,
  };
  draft.output = originated(draft, outputOf(withFileInput(walk, draft)));
  walk.record(draft);
  if (by && (by.doubt !== undefined || by.analysed)) walk.link(call.feeder, index);
  applyBuiltin(draft, scope);
  if (!draft.analysed) recordWrites(walk, draft);
  if (draft.program === "alias") rememberAliases(walk, args);
  // `hash -p file name` makes the name stand for the file.
  const [option, file, hashed] = draft.program === "hash" ? args : [];
  if (option?.text === "-p" && file && hashed) walk.aliases.set(hashed.text, file);
  return index;
}

function rememberAliases(walk: Walker, args: readonly Field[]): void {
  for (const word of args) {
    const equals = word.text.indexOf("=");
    if (equals <= 0) continue;
    const template = word.template?.slice(word.template.indexOf("=") + 1);
    walk.aliases.set(word.text.slice(0, equals), {
      ...withText(word, word.text.slice(equals + 1)),
      ...(template === undefined ? {} : { template }),
    });
  }
}

/** Calls a function that the text defines. Recursion and deep calls end at the first repeat. */
function callFunction(walk: Walker, head: Field, args: readonly Field[], call: Invocation, scope: Scope): boolean {
  const found = head.kind === "literal" ? walk.functions.get(head.text) : undefined;
  if (!found) return false;
  found.called = true;
  if (walk.calling.includes(found.body)) repeat(walk, found.body, call, scope);
  if (walk.calling.includes(found.body) || walk.calling.length >= limits.shellNesting) return true;
  const child = fork(scope);
  child.positional = args.some((word) => word.open) ? undefined : args;
  walk.calling.push(found.body);
  walk.repeats.set(found.body, { count: 0, piped: false });
  walk.node(found.body, child, call.input);
  walk.calling.pop();
  const { positional } = scope;
  adopt(scope, child);
  scope.positional = positional;
  return true;
}

/** A function that calls itself twice, once at the end of a pipe, starts ever more of itself. */
function repeat(walk: Walker, body: Node, call: Invocation, scope: Scope): void {
  const before = walk.repeats.get(body) ?? { count: 0, piped: false };
  const now = { count: before.count + 1, piped: before.piped || call.input !== undefined };
  walk.repeats.set(body, now);
  if (now.count > 1 && now.piped) walk.bombs.add(scope.cwd);
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
      fields: inner.fields,
      env,
      redirects: redirected ? call.redirects : [],
      wrappers: [...call.wrappers, name.program],
      cwd: directoryOf(inner.cwd, call.cwd, scope),
      place: call.place,
      input: call.input,
      feeder: call.feeder,
      functions: call.functions && inner.external !== true,
      certain: call.certain && name.certain && inner.certain !== false,
    },
    scope,
  );
}

function directoryOf(target: string | Field | undefined, cwd: string, scope: Scope): string {
  if (target === undefined) return cwd;
  if (typeof target === "string") return target;
  if (target.tilde && target.text === "~") {
    const home = lookup(scope, "HOME");
    return home && !isArray(home) && home.kind === "literal" ? home.text : "";
  }
  return target.kind === "literal" ? directoryAfter(cwd, target.text) : "";
}

/** Parses a text that a shell is given and walks it in a scope of its own, or in this one for `eval`. */
function runText(
  walk: Walker,
  inner: Extract<Inner, { kind: "text" }>,
  call: Invocation,
  name: Resolved,
  scope: Scope,
  direct: boolean,
): void {
  const { text } = inner;
  const source = text.kind === "unknown" ? (text.template ?? text.text) : text.text;
  if (source.split(`\${${unknownVariable}}`).join("").trim() === "") return;
  if (inner.later && waits(walk, source, scope, (at) => runText(walk, inner, call, name, at, direct))) return;
  if (walk.nesting >= limits.shellNesting) {
    walk.exceeded("shell texts are nested deeper than can be analysed", text.place.start);
    return;
  }
  const { running } = walk.files;
  if (inner.file && running.has(source)) return;
  walk.spend(inner.file ? source.length : 0);
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
  if (inner.cwd !== undefined) child.cwd = directoryOf(inner.cwd, call.cwd, scope);
  if (!inner.here && name.program !== "trap" && name.program !== "alias") inherit(child, scope);
  if (inner.file && !inner.here && inner.script !== undefined)
    for (const name of ["0", "BASH_SOURCE"]) assign(child, name, literalAtom(inner.script));
  for (const [key, value] of call.env) assign(child, key, value);
  const { wrappers, certain, environment } = walk;
  walk.wrappers = [...call.wrappers, name.program];
  walk.environment = inner.here ? call.env : new Map([...startFiles(scope), ...call.env]);
  walk.certain = certain && call.certain && name.certain && inner.certain !== false;
  walk.nesting += 1;
  const from = walk.drafts.length;
  if (inner.file) running.add(source);
  walk.node(tree, child, inner.file ? undefined : call.input);
  if (inner.file) running.delete(source);
  if (direct) redirected(walk, call, from);
  else recordGroup(walk, call.redirects, call.cwd, from);
  if (from < walk.drafts.length) walk.link(call.feeder, from);
  walk.nesting -= 1;
  walk.wrappers = wrappers;
  walk.certain = certain;
  walk.environment = environment;
}

/**
 * Words behind a program that is not known may be a command: an unknown forwarder, or a variable that is
 * empty. They are analysed as a possible one. Source: threats page, class 3.
 */
function possible(walk: Walker, call: Invocation, name: Resolved, scope: Scope): void {
  if (isKnown(name.program) || name.program === "[") return;
  const { fields } = call;
  const head = fields[0];
  const vanishing = head?.kind === "unknown" && head.open && head.text === "";
  const at = fields.findIndex(
    (word, i) =>
      i > 0 &&
      word.kind !== "unknown" &&
      (vanishing && i === 1
        ? isKnown(programName(word.text))
        : i < fields.length - 1 && isForwarded(programName(word.text))),
  );
  if (at < 0) return;
  const label = name.program === "" ? (head?.text ?? "") : name.program;
  launch(
    walk,
    {
      ...call,
      fields: fields.slice(at),
      redirects: [],
      wrappers: [...call.wrappers, label],
      certain: false,
      functions: false,
      input: null,
    },
    scope,
  );
}
