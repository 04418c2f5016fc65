import { limits } from "../../../schema/limits.ts";
import { spend } from "../../meter.ts";
import type { Inner, Unwrapped } from "../../programs/wrapper.ts";
import type { Draft } from "../draft.ts";
import { type Atom, mayHoldMore, unknownVariable } from "../fields.ts";
import { recordGroup } from "../files.ts";
import { directoryOf, hidesProgram, type Resolved, reaching, straysOf } from "../invocation.ts";
import { parseShell } from "../parse.ts";
import { isBuiltin } from "./builtins/table.ts";
import type { Invocation, Launch } from "./call.ts";
import { endingOf, runEndings } from "./endings.ts";
import { joined } from "./join.ts";
import { type Machine, within } from "./machine.ts";
import { apart, behind, ends, endsOf, type Outcome, statusOf, storesOf } from "./outcome.ts";
import { listLoose } from "./redirects.ts";
import { newShell } from "./shells.ts";
import { startFiles } from "./starts.ts";
import type { Store } from "./store.ts";
import { exactly, exactText, notSet, type Value } from "./value.ts";

/** The command that runs words or a text, and the command of its own that was listed for it. */
export interface By {
  readonly call: Invocation;
  readonly name: Resolved;
  readonly draft: Draft | undefined;
}

/** Names that are not programs: the shell itself runs their commands. */
const inShell: ReadonlySet<string> = new Set(
  "command builtin exec time noglob nocorrect - eval source . trap".split(" "),
);

/** Runs everything that a wrapper runs, one after the other. */
export function runInner(machine: Machine, unwrapped: Unwrapped, by: By, store: Store, launch: Launch): Outcome {
  const { program } = by.name;
  const isSourced = program === "source" || program === ".";
  let current = store;
  let outcome: Outcome = ends(store);
  for (const one of unwrapped.inner) {
    const inner = isSourced && one.kind === "text" ? { ...one, here: true } : one;
    outcome =
      inner.kind === "words" ? runWords(machine, inner, by, current, launch) : runText(machine, inner, by, current);
    current = behind(outcome) ?? endsOf(outcome)?.fork() ?? store;
  }
  if (isSourced) outcome = withReturns(outcome);
  const isUnseen = unwrapped.doubt !== undefined || unwrapped.inner.some((inner) => inner.certain === false);
  if (/^(?:eval|source|\.)$/.test(program) && isUnseen) {
    for (const one of storesOf(outcome)) one.havoc();
    return { ...outcome, ...ends(behind(outcome) ?? store) };
  }
  // `exec` does not come back.
  if (program === "exec" && unwrapped.inner.length > 0) return { exit: behind(outcome) ?? store };
  return outcome;
}

function withReturns(outcome: Outcome): Outcome {
  const { ret, ...rest } = outcome;
  if (!ret) return outcome;
  const { ok, fail } = apart(outcome);
  return {
    ...rest,
    ok: joined(ok, ret.status === "fail" ? undefined : ret),
    fail: joined(fail, ret.status === "ok" ? undefined : ret.fork()),
  };
}

function runWords(
  machine: Machine,
  inner: Extract<Inner, { kind: "words" }>,
  { call, name, draft }: By,
  store: Store,
  launch: Launch,
): Outcome {
  spend(1 + (inner.env && inner.env.length > 0 ? call.env.size + inner.env.length : 0));
  const outer = reaching(call.env, inner.keeps);
  const env = inner.env && inner.env.length > 0 ? new Map([...outer, ...inner.env]) : outer;
  // `builtin` runs no program.
  const isNone = name.program === "builtin" && !isBuiltin(inner.fields[0]?.text ?? "");
  const isKnown = name.certain && inner.certain !== false && !hidesProgram(call, inner.fields);
  const isHere = inShell.has(name.program) && !call.fields[0]?.text.includes("/");
  const child = isHere ? store : store.fork();
  const outcome = launch(
    machine,
    {
      fields: inner.fields,
      assigned: call.assigned,
      env,
      redirects: draft ? [] : call.redirects,
      wrappers: [...call.wrappers, name.program],
      strays: straysOf(call),
      cwd: directoryOf(inner.cwd, call.cwd, () => store.textOf("HOME")),
      place: call.place,
      input: call.input,
      feeder: call.feeder,
      functions: call.functions && inner.external !== true,
      certain: call.certain && isKnown && !isNone,
      possible: call.possible && isKnown,
    },
    child,
  );
  if (isHere) return outcome;
  const last = endsOf(outcome);
  if (last) Object.assign(store, { printed: last.printed, read: last.read, input: last.input, blamed: last.blamed });
  return ends(store);
}

/** Applies the redirections of a shell or a function to all its commands. */
export function runRedirects(machine: Machine, call: Invocation, from: number): void {
  spend(call.redirects.length);
  listLoose(machine, call.redirects, call.cwd, call.place, !call.certain);
  if (machine.around.quiet === 0) recordGroup(machine, call.redirects, call.cwd, from);
}

type Text = Extract<Inner, { kind: "text" }>;

/** Parses a text that a shell is given and runs it in a shell of its own, or in this one for `eval`. */
export function runText(machine: Machine, inner: Text, by: By, store: Store): Outcome {
  const { text } = inner;
  const source = text.kind === "unknown" ? (text.template ?? text.text) : text.text;
  spend(8 + (source.length >> 5));
  // A text of a trap or an alias is nearly always of one's own variables.
  if (!/^(?:trap|alias)$/.test(by.name.program) && mayHoldMore(text)) machine.unseen ??= by.name.program;
  if (source.split(`\${${unknownVariable}}`).join("").trim() === "") return ends(store);
  if (by.name.program === "trap") {
    const again = (at: Store): void => void parsed(machine, { ...inner, here: true }, source, by, at);
    if (endingOf(machine, by.call, source, store, again)) return ends(store, "ok");
    return within(machine, { grade: "maybe" }, () => parsed(machine, inner, source, by, store));
  }
  const { running } = machine.files;
  if (inner.file && running.has(source)) return ends(store);
  machine.spend(inner.file ? source.length : 0);
  return parsed(machine, inner, source, by, store);
}

function parsed(machine: Machine, inner: Text, source: string, by: By, store: Store): Outcome {
  const { text } = inner;
  const { call, name, draft } = by;
  if (machine.around.nesting >= limits.shellNesting) {
    machine.exceeded("shell texts are nested deeper than can be analysed", text.place.start);
    return ends(store);
  }
  const tree = parseShell(
    source,
    text.verbatim >= 0 ? { shift: text.verbatim } : text.place.start < 0 ? call.place : text.place,
  );
  if (tree.kind === "problem") {
    machine.exceeded(tree.reason, tree.at);
    return ends(store);
  }
  const env = reaching(call.env, inner.keeps);
  const isHere = inner.here === true;
  const child = isHere ? store : newShell(store, name.program, inner.positional);
  if (inner.cwd !== undefined) {
    const folder = directoryOf(inner.cwd, call.cwd, () => store.textOf("HOME"));
    child.folders = [folder];
  }
  if (inner.file && !isHere && inner.script !== undefined)
    for (const own of ["0", "BASH_SOURCE"]) child.set(own, exactText(inner.script));
  spend(2 * env.size);
  const before = isHere ? [...env.keys()].map((key) => [key, store.variables.get(key)] as const) : [];
  // A wrapper that takes a variable away gives it no text.
  const valueOf = (value: Atom): Value =>
    !isHere && value.kind === "literal" && value.text === ""
      ? { candidates: [value, notSet], open: false }
      : exactly(value);
  for (const [key, value] of env) if (isHere || key !== "PWD") child.set(key, valueOf(value));
  // Nobody has seen what the shell's start file does.
  if (!isHere && name.program !== "trap" && name.program !== "alias" && startFiles(call, store).length > 0)
    child.havoc();
  const { around, drafts, files } = machine;
  const isSure = call.certain && name.certain && inner.certain !== false;
  const isPossible = call.possible && name.certain && inner.certain !== false;
  const from = drafts.length;
  if (inner.file) files.running.add(source);
  const { input, read } = child;
  if (inner.file || call.input !== input) Object.assign(child, { input: inner.file ? undefined : call.input, read: 0 });
  const inside = {
    wrappers: [...call.wrappers, name.program],
    strays: straysOf(call),
    environment: isHere ? env : new Map([...startVariables(store), ...env]),
    nesting: around.nesting + 1,
    ...(isSure ? {} : { grade: "maybe" as const }),
    ...(isSure || isPossible ? {} : { guessed: true }),
    ...(isHere ? {} : { ignoring: false, calls: [] }),
  };
  const outcome = within(machine, inside, () => {
    const ended = machine.exec(tree, child);
    return isHere ? ended : runEndings(machine, ended);
  });
  if (inner.file) files.running.delete(source);
  if (!draft) runRedirects(machine, call, from);
  else if (around.quiet === 0) recordGroup(machine, call.redirects, call.cwd, from);
  if (from < drafts.length) machine.link(call.feeder, from);
  if (isHere) {
    for (const one of storesOf(outcome)) {
      for (const [key, binding] of before) one.bind(key, binding);
      Object.assign(one, { input, read });
    }
    return outcome;
  }
  const last = endsOf(outcome);
  if (last) Object.assign(store, { printed: last.printed, blamed: last.blamed });
  return ends(store, isSure ? statusOf(outcome) : "either");
}

/** Returns start files of a nested shell that the text sets without export: they count if the environment already has the name. */
function startVariables(store: Store): [string, Atom][] {
  return ["BASH_ENV", "ENV"].flatMap((name): [string, Atom][] => {
    const value = store.variables.get(name)?.exported ? undefined : store.textOf(name);
    return value ? [[name, value]] : [];
  });
}
