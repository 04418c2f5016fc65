import { spend } from "../../meter.ts";
import { withAlias } from "../../programs/git-aliases.ts";
import { isForwarded, isKnown, wrapperAt } from "../../programs/registry.ts";
import { variableTexts, withoutTexts } from "../../programs/variable-code.ts";
import type { Unwrapped } from "../../programs/wrapper.ts";
import type { Draft } from "../draft.ts";
import { type Atom, type Field, unknownAtom, withText, wordShown } from "../fields.ts";
import { recordWrites, withFileInput } from "../files.ts";
import { type Resolved, resolve } from "../invocation.ts";
import { programName } from "../names.ts";
import { originated } from "../origins.ts";
import { outputOf } from "../outputs.ts";
import { contentOf } from "../written.ts";
import { applyBuiltin, changesShell } from "./builtins/table.ts";
import type { Invocation } from "./call.ts";
import { callAlias, callFunction } from "./calls.ts";
import { type Machine, within } from "./machine.ts";
import { behind, eitherOutcome, ends, type Outcome } from "./outcome.ts";
import { surelyPrinted } from "./printing.ts";
import { runInner, runRedirects, runText } from "./run.ts";
import { runFile, startUp } from "./starts.ts";
import type { Store } from "./store.ts";
import { isText, singleOf } from "./value.ts";

// Wrappers around one command; more is not understood.
const wrapperDepth = 24;

/** Peels the wrappers of a command and lists every command that remains. Source: threats page, classes 2 and 3. */
export function launch(machine: Machine, call: Invocation, store: Store): Outcome {
  if (call.fields.length === 0 || !machine.visit()) return ends(store);
  machine.spend(call.fields.length);
  spend(16 + call.fields.length);
  if (call.wrappers.length > wrapperDepth) {
    machine.exceeded("more wrappers around one command than can be analysed", call.place.start);
    return ends(store);
  }
  return peel(machine, withContents(machine, call), store);
}

function peel(machine: Machine, call: Invocation, store: Store): Outcome {
  const head = call.fields[0] as Field;
  const args = call.fields.slice(1);
  const name = resolve(head, call.cwd, machine.files);
  const found = call.functions && head.kind === "literal" ? store.functions.get(head.text) : undefined;
  if (found) {
    const from = machine.drafts.length;
    const other = found.open || isKnown(name.program) ? store.fork() : undefined;
    const called = callFunction(machine, head.text, args, call, store);
    if (!other) {
      runRedirects(machine, call, from);
      return called;
    }
    // A program behind a function of its name is listed, since a call by its path has the same name.
    if (!found.open) other.printed = undefined;
    const rest = within(machine, { grade: "maybe" }, () => program(machine, { ...call, certain: false }, name, other));
    return found.open ? eitherOutcome([called, rest]) : called;
  }
  const isAlias = call.functions && store.aliases.size > 0 && callAlias(machine, head, args, call, store);
  return program(machine, isAlias ? { ...call, certain: false, possible: false } : call, name, store);
}

/** Runs a command that is no function of the text: a written file, a wrapper, a builtin or a program. */
function program(machine: Machine, call: Invocation, name: Resolved, store: Store): Outcome {
  const head = call.fields[0] as Field;
  const args = call.fields.slice(1);
  const file = runFile(machine, head, args, call, store, launch);
  if (file) return file;
  const wrapper = wrapperAt(head, name.program, call.cwd);
  const plain = wrapper?.unwrap(args, call.input);
  const unwrapped = name.program === "git" ? withAlias(plain, aliased(call, store), machine.drafts) : plain;
  if (!unwrapped) {
    if (isPrinted(call.fields)) machine.unseen ??= "a substitution";
    startUp(machine, call, name, store, launch);
    const draft = emit(machine, call, args, name, store, undefined);
    const outcome = applyBuiltin(machine, draft, call, store);
    possible(machine, call, name, behind(outcome) ?? store);
    runVariables(machine, call, name, draft, behind(outcome) ?? store);
    return outcome;
  }
  startUp(machine, call, name, store, launch);
  const draft = unwrapped.self ? emit(machine, call, args, name, store, unwrapped) : undefined;
  if (draft?.program === "alias") applyBuiltin(machine, draft, call, store);
  runVariables(machine, call, name, draft, store);
  return runInner(machine, unwrapped, { call, name, draft }, store, launch);
}

/** A command of git with the variables that may set its aliases. */
function aliased(call: Invocation, store: Store): Invocation {
  return store.moved.size === 0 ? call : { ...call, env: new Map([...movedIn(store), ...call.env]) };
}

/** True for a command whose words all come from an unknown substitution: it runs like a text. */
function isPrinted([head, ...more]: readonly Field[]): boolean {
  return (
    head?.kind === "unknown" &&
    head.open &&
    head.text === "" &&
    more.length === 0 &&
    /^(?:\$\(|`)/.test(wordShown(head))
  );
}

/** Runs code that variables hold for a program, as a possible run with unknown input. */
function runVariables(
  machine: Machine,
  call: Invocation,
  name: Resolved,
  draft: Draft | undefined,
  store: Store,
): void {
  const texts = variableTexts(name.program, call, draft?.moved ?? movedIn(store), !isKnown(name.program));
  if (texts.length === 0) return;
  const by = { call: { ...call, env: withoutTexts(call.env), input: null }, name, draft };
  for (const text of texts) runText(machine, { kind: "text", text, certain: false }, by, store.fork());
}

/** Returns the command with the content of files that its words name and the text wrote. */
function withContents(machine: Machine, call: Invocation): Invocation {
  if (machine.files.empty) return call;
  spend(call.fields.length);
  const fields = call.fields.map((word, i) => {
    const equals = i > 0 && word.text.startsWith("-") ? word.text.indexOf("=") + 1 : 0;
    const content = contentOf(equals > 0 ? withText(word, word.text.slice(equals)) : word, machine.files, call.cwd);
    return content ? { ...word, ...content } : word;
  });
  const assigned = new Map(
    call.fields.flatMap((field, i) => {
      const value = call.assigned.get(field);
      return value ? [[fields[i] as Field, value] as const] : [];
    }),
  );
  return { ...call, fields, assigned };
}

/** Lists one command. */
function emit(
  machine: Machine,
  call: Invocation,
  args: readonly Field[],
  name: Resolved,
  store: Store,
  by: Unwrapped | undefined,
): Draft {
  const index = machine.drafts.length;
  // Every field by name: a spread here costs more than all the rest of the command.
  const isCertain = name.certain && call.certain;
  const draft: { -readonly [Key in keyof Draft]: Draft[Key] } = {
    program: name.program,
    candidates: name.candidates,
    certain: isCertain,
    name: call.fields[0] as Field,
    args,
    env: name.program === "history" || name.program === "fc" ? withHistory(call.env, store) : call.env,
    wrappers: call.wrappers,
    strays: call.strays,
    moved: movedIn(store),
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
  if (!isCertain && name.certain && call.possible) draft.possible = true;
  const output = outputOf(withFileInput(machine, draft), machine.workspace);
  draft.output = originated(draft, surelyPrinted(draft, output, machine.dialect, store));
  machine.record(draft, store);
  if (by && (by.doubt !== undefined || by.analysed)) machine.link(call.feeder, index);
  if (!draft.analysed && machine.around.quiet === 0) {
    machine.files.unsure = machine.around.grade !== "sure";
    recordWrites(machine, draft);
  }
  if (!changesShell(draft))
    store.read = store.input && call.input === store.input ? Number.POSITIVE_INFINITY : store.read;
  return draft;
}

/** Adds `HISTFILE`, the shell's variable for its history file. */
function withHistory(env: Draft["env"], store: Store): Draft["env"] {
  const file = store.get("HISTFILE");
  const one = file && singleOf(file);
  return file ? new Map([...env, ["HISTFILE", one && isText(one) ? one : unknownAtom]]) : env;
}

const none: Draft["moved"] = [];

/** Returns the present values of variables to which the text gave a value that may change which program runs. */
function movedIn(store: Store): Draft["moved"] {
  if (store.moved.size === 0) return none;
  spend(store.moved.size >> 2);
  return [...store.moved.names()].flatMap((name): [string, Atom][] => {
    const value = store.get(name);
    if (!value) return [];
    const one = singleOf(value);
    return [[name, one && isText(one) ? one : unknownAtom]];
  });
}

/**
 * Analyses the words behind an unknown program as a possible command: the program may be a forwarder, or an empty variable.
 * Source: threats page, class 3.
 */
function possible(machine: Machine, call: Invocation, name: Resolved, store: Store): void {
  if (isKnown(name.program) || name.program === "[") return;
  const { fields } = call;
  spend(2 * fields.length);
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
  const rest = {
    redirects: [],
    wrappers: [...call.wrappers, label],
    certain: false,
    possible: false,
    functions: false,
    input: null,
  };
  const child = store.fork();
  child.printed = undefined;
  launch(machine, { ...call, ...rest, fields: fields.slice(at) }, child);
}
