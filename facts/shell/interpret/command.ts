import { spend } from "../../meter.ts";
import type { FoldedRedirect, Input } from "../draft.ts";
import { type Atom, type Field, literalField, unknownAtom, withText } from "../fields.ts";
import { advance, share } from "../inputs.ts";
import type { Simple } from "../syntax.ts";
import { printed, type Tape } from "../tape.ts";
import { expandedAgain } from "./arithmetic-text.ts";
import { atomOf, fieldOf, valueOf } from "./assignments.ts";
import type { Invocation } from "./call.ts";
import { foldWord } from "./expand.ts";
import { foldAtom, plainText } from "./folding.ts";
import { absent, joined } from "./join.ts";
import { launch } from "./launch.ts";
import { type Machine, within } from "./machine.ts";
import { eitherOutcome, ends, fails, leaving, type Outcome, storesOf } from "./outcome.ts";
import { feed, redirected } from "./pipelines.ts";
import { runPrompt } from "./prompt.ts";
import { foldRedirects, inputGiven, listLoose, mayBeRefused } from "./redirects.ts";
import type { Store } from "./store.ts";
import { alternativesOf, eitherOf, exactly, isText, notSet, type Value } from "./value.ts";
import { eachWay, type Way } from "./ways.ts";

const noRedirects: readonly FoldedRedirect[] = [];
const nothingAssigned: ReadonlyMap<Field, Value> = new Map();

/** Runs a simple command, once for each combination of values of the variables that it mentions. */
export function runSimple(machine: Machine, node: Simple, store: Store): Outcome {
  if (!store.mayVary) return command(machine, node, store);
  const [head, next] = node.words;
  const variable = head?.kind === "word" && head.parts.length === 1 ? head.parts[0] : undefined;
  // If the variable is empty, an option takes the place of the program: no program has such a name.
  const runs = (way: Way): boolean =>
    variable?.kind !== "parameter" ||
    variable.operator !== "" ||
    !way.some(([name, candidate]) => name === variable.name && isNothing(candidate)) ||
    (next?.kind === "word" && !/^-[\w-]/.test(next.raw));
  return eachWay(machine, node, store, (child) => command(machine, node, child), runs);
}

function isNothing(candidate: Way[number][1]): boolean {
  return candidate === notSet || (isText(candidate) && candidate.kind === "literal" && candidate.text === "");
}

/** Runs substitutions of the prompt: under `set -x` each command is printed behind a prompt, which is expanded. */
function trace(machine: Machine, node: Simple, store: Store): void {
  const prompting = store.options.get("promptvars") ?? "on";
  const value = prompting === "off" ? undefined : store.get("PS4");
  for (const one of value ? alternativesOf(value) : []) {
    const text = isText(one) ? (one.template ?? one.text) : "";
    if (!/\$\(|`/.test(text) || machine.traced.has(text)) continue;
    if (machine.around.quiet === 0) machine.traced.add(text);
    const changes = prompting === "on" ? {} : { grade: "maybe" as const };
    within(machine, changes, () => expandedAgain(machine, text, node, store.fork(), foldAtom));
  }
}

function command(machine: Machine, node: Simple, store: Store): Outcome {
  const { around, drafts } = machine;
  if (store.option("xtrace") !== "off") trace(machine, node, store);
  const from = drafts.length;
  const fields: Field[] = [];
  let assigned = nothingAssigned;
  around.substituted = undefined;
  around.refused = undefined;
  spend(8 + node.words.length);
  for (const word of node.words) {
    if (word.kind === "word") {
      const text = word.braces ? undefined : plainText(word);
      if (text !== undefined) fields.push(literalField(text, word, word.verbatim));
      else for (const field of foldWord(machine, word, store, true)) fields.push(field);
    } else {
      const value = valueOf(machine, word, store);
      const field = fieldOf(word, value);
      assigned = new Map([...assigned, [field, value]]);
      fields.push(field);
    }
  }
  const redirects = node.redirects.length === 0 ? noRedirects : foldRedirects(machine, node.redirects, store, fields);
  const head = fields[0];
  if (!head) return withoutCommand(machine, node, redirects, store);
  const env = withKeywords(environmentOf(machine, node, store), fields, store);
  const at = drafts.length;
  const call = {
    fields,
    assigned,
    env,
    redirects,
    wrappers: around.wrappers,
    strays: around.strays,
    cwd: store.folder,
    place: node,
    input: inputFor(redirects, store),
    feeder: at > from ? at - 1 : -1,
    functions: true,
    // A word that begins with `%` names a job.
    certain: around.grade === "sure" && !store.astray && around.refused === undefined && !head.text.startsWith("%"),
    possible: !around.guessed,
  };
  const isShaky = mayBeRefused(redirects);
  const isLeft =
    around.refused === "unset" ||
    around.refused === "word" ||
    ((isShaky || around.refused === "redirection") && endsShell(machine, head, store));
  const left = isLeft ? leaving(store) : undefined;
  const refused = isShaky || (around.refused && around.refused !== "unset") ? store.fork() : undefined;
  around.refused = undefined;
  const persisting = assigns(machine, node, head, store) ? env : undefined;
  const outcome = launched(machine, call, store);
  if (persisting) for (const one of storesOf(outcome)) persist(one, node, persisting);
  if (!left && !refused) return outcome;
  return eitherOutcome([outcome, ...(refused ? [fails(refused)] : []), ...(left ? [{ exit: left }] : [])]);
}

/** Runs a folded command with its redirections, and the scripts that read its output to a `>(…)`. */
function launched(machine: Machine, call: Invocation, store: Store): Outcome {
  const { fields, redirects } = call;
  if (redirects.length === 0 && fields.every((field) => !field.feeds)) return launch(machine, call, store);
  const at = machine.drafts.length;
  // `exec > >(…)` redirects all later output.
  const later = fields.length === 1 && fields[0]?.text === "exec" ? ([null] as const) : undefined;
  const outcome = redirected(machine, redirects, store, () => launch(machine, call, store), later);
  const child = store.fork();
  for (const field of fields) {
    const { feeds } = field;
    if (feeds) feed(machine, writtenTo(machine, field, at), child.fork(), (one) => machine.exec(feeds, one));
  }
  return outcome;
}

/** Returns the input of a command: from its redirections, or the rest of the shell's input. */
function inputFor(redirects: readonly FoldedRedirect[], store: Store): Input {
  const given = redirects.length === 0 ? store.input : inputGiven(redirects, store.input);
  if (!given || given !== store.input || store.read === 0) return given;
  const rest = share(given);
  if (rest) advance(rest, store.read);
  return rest;
}

/** Builtins before which assignments are the shell's own, in shells that keep to POSIX. */
const special: ReadonlySet<string> = new Set(
  ": . break continue eval exec exit export readonly return set shift times trap unset".split(" "),
);

function assigns(machine: Machine, { assignments }: Simple, head: Field, store: Store): boolean {
  if (assignments.length === 0) return false;
  // A function of ksh keeps them as well.
  if (/^m?ksh$/.test(machine.dialect) && store.functions.has(head.text)) return true;
  return special.has(head.text) && keepsToPosix(machine, store);
}

/** True where a redirection that is refused ends the shell. */
function endsShell(machine: Machine, head: Field, store: Store): boolean {
  return head.text === "exec" || (special.has(head.text) && keepsToPosix(machine, store));
}

function keepsToPosix({ dialect }: Machine, store: Store): boolean {
  return !/^(?:|bash|zsh)$/.test(dialect) || store.option("posix") !== "off";
}

/** Applies the assignments before a command, which may stay in force after it. */
function persist(store: Store, { assignments }: Simple, env: ReadonlyMap<string, Atom>): void {
  for (const { name } of assignments)
    store.set(name, eitherOf([store.get(name) ?? absent(name, store), exactly(env.get(name) ?? unknownAtom)]));
}

/** Assignments and redirections alone: they are the shell's own. */
function withoutCommand(machine: Machine, node: Simple, redirects: readonly FoldedRedirect[], store: Store): Outcome {
  let stopped: Store | undefined;
  for (const item of node.assignments) {
    const value = valueOf(machine, item, store);
    if (!store.set(item.name, value)) stopped = joined(stopped, store.fork());
  }
  if (node.assignments.some((item) => item.name === "PROMPT_COMMAND")) runPrompt(machine, node, store);
  // The command ends with the status of its substitution.
  const status = machine.around.substituted ?? "ok";
  redirected(machine, redirects, store, () => ({ ok: store }));
  // `$(< file)` prints the file.
  if (redirects.length > 0 && store.printed) {
    const given = inputGiven(redirects, undefined);
    if (given !== undefined) store.printed = printed(store.printed, given);
  }
  listLoose(machine, redirects, store.folder, node, store.astray);
  // A shell that refuses an assignment may end, or leave the rest of the line.
  if (stopped || machine.around.refused === "unset" || machine.around.refused === "word") {
    const failed = joined(store, stopped) as Store;
    return { ...fails(failed), exit: leaving(failed) };
  }
  store.blamed = false;
  return ends(store, redirects.length > 0 ? "either" : status);
}

/** Returns the variables that a command gets in addition to those of the shell. */
function environmentOf(machine: Machine, node: Simple, store: Store): ReadonlyMap<string, Atom> {
  const { environment } = machine.around;
  if (node.assignments.length === 0) return environment;
  spend(environment.size + 2 * node.assignments.length);
  const env = new Map(environment);
  const child = store.fork();
  for (const item of node.assignments) {
    const value = valueOf(machine, item, child);
    child.set(item.name, value);
    env.set(item.name, atomOf(value));
  }
  return env;
}

/** Under `set -k`, moves assignments among the words to the command's variables. */
function withKeywords(
  env: ReadonlyMap<string, Atom>,
  fields: readonly Field[],
  store: Store,
): ReadonlyMap<string, Atom> {
  if (store.option("keyword") === "off") return env;
  spend(fields.length);
  const given = fields.flatMap((field): [string, Atom][] => {
    const [all, name = ""] = /^([A-Za-z_]\w*)=/.exec(field.text) ?? [];
    return all === undefined ? [] : [[name, withText(field, field.text.slice(all.length))]];
  });
  return given.length === 0 ? env : new Map([...env, ...given]);
}

/** Returns the text that a program writes to the file of a `>(…)`: `tee` writes its input, other programs an unknown text. */
function writtenTo(machine: Machine, field: Field, from: number): Tape {
  const written = machine.drafts.slice(from);
  spend(written.length);
  const writer = written.find((draft) => {
    spend(draft.args.length);
    return draft.args.some((word) => word.feeds === field.feeds);
  });
  return [writer?.program === "tee" ? (writer.input ?? null) : null];
}
