import type { FoldedRedirect } from "../draft.ts";
import { recordGroup } from "../files.ts";
import { share } from "../inputs.ts";
import type { Node } from "../syntax.ts";
import { blank, destinationOf, mergesErrors, type Tape } from "../tape.ts";
import { runEndings } from "./endings.ts";
import { joined } from "./join.ts";
import { type Machine, room, within } from "./machine.ts";
import { behind, eitherOutcome, ends, endsOf, fails, jumpsOf, type Outcome, statusOf, storesOf } from "./outcome.ts";
import { foldRedirects, inputGiven, listLoose, mayBeRefused } from "./redirects.ts";
import type { Store } from "./store.ts";
import { eachWay } from "./ways.ts";

/** Runs `a | b`: each command in its own shell, which reads the output of the previous one. */
export function runPipeline(machine: Machine, node: Extract<Node, { kind: "pipeline" }>, store: Store): Outcome {
  let feeds: Tape | undefined;
  let previous = -1;
  let outcome: Outcome = { ok: store };
  const indices: number[] = [];
  const { drafts } = machine;
  node.items.forEach((item, i) => {
    const from = drafts.length;
    const isLast = i === node.items.length - 1;
    const child = store.fork();
    child.endings = [];
    if (!isLast) child.printed = blank;
    const around = { tail: false, merged: machine.around.merged || node.merges[i] === true };
    const stage = (): Outcome => feed(machine, feeds, child, (one) => machine.exec(item, one));
    const done = isLast ? stage() : within(machine, around, stage);
    outcome = isLast && staysInShell(machine, store) ? done : runEndings(machine, done);
    if (!isLast) feeds = endsOf(outcome)?.printed ?? blank;
    for (let index = from; index < drafts.length; index++) machine.link(previous, index);
    previous = drafts.length > from ? drafts.length - 1 : -1;
    if (previous >= 0) indices.push(previous);
  });
  if (indices.length > 1) machine.pipelines.push(indices);
  return lastStage(machine, outcome, store);
}

/** True where the last command of a pipeline surely runs in the shell itself. */
function staysInShell({ dialect }: Machine, store: Store): boolean {
  return /^(?:zsh|ksh)$/.test(dialect) || store.option("lastpipe") === "on";
}

/** Returns the outcome of a pipeline's last command: some shells run it in the shell itself, others if an option says so. */
function lastStage(machine: Machine, outcome: Outcome, store: Store): Outcome {
  const status = store.option("pipefail") === "off" ? statusOf(outcome) : "either";
  if (staysInShell(machine, store)) {
    const last = behind(outcome);
    if (last && last.endings.length === 0) last.endings = store.endings;
    return { ...(last ? ends(last, status) : {}), ...jumpsOf([outcome]) };
  }
  const last = endsOf(outcome);
  const kept = last?.printed;
  if (store.option("lastpipe") === "either") {
    const both = joined(store, last) as Store;
    both.printed = kept;
    return ends(both, status);
  }
  store.printed = kept;
  store.blamed = last?.blamed === true;
  return ends(store, status);
}

/** Runs a reader once for each text that it may be given, each time from the same store. */
export function feed(
  machine: Machine,
  tape: Tape | undefined,
  store: Store,
  reader: (store: Store) => Outcome,
): Outcome {
  if (!tape) return reader(store);
  const inputs = tape.length > room(machine) ? [null] : tape;
  if (inputs.length === 1) {
    Object.assign(store, { input: share(inputs[0]), read: 0 });
    return reader(store);
  }
  const changes = { grade: "maybe" as const, guessed: true, factor: machine.around.factor * inputs.length };
  const outcomes = inputs.map((input) => {
    const child = Object.assign(store.fork(), { input: share(input), read: 0 });
    return within(machine, changes, () => reader(child));
  });
  return eitherOutcome(outcomes);
}

/** Runs a compound command with redirections, which apply to all its commands. */
export function runRedirected(machine: Machine, node: Extract<Node, { kind: "redirected" }>, store: Store): Outcome {
  return eachWay(machine, node.redirects, store, (child) => {
    machine.around.refused = undefined;
    const redirects = foldRedirects(machine, node.redirects, child);
    const { folder } = child;
    listLoose(machine, redirects, folder, node, child.astray);
    const from = machine.drafts.length;
    const { input, read } = child;
    const given = inputGiven(redirects, input);
    if (given !== input) {
      child.input = given;
      child.read = 0;
    }
    const refused = machine.around.refused || mayBeRefused(redirects) ? child.fork() : undefined;
    machine.around.refused = undefined;
    const ran = within(machine, refused ? { grade: "maybe" } : {}, () =>
      redirected(machine, redirects, child, () => machine.exec(node.body, child)),
    );
    const outcome = refused ? eitherOutcome([ran, fails(refused)]) : ran;
    if (given !== input) for (const one of storesOf(outcome)) Object.assign(one, { input, read });
    if (machine.around.quiet === 0) recordGroup(machine, redirects, folder, from);
    return outcome;
  });
}

/** Runs what prints to redirections: away from the reader there is, and perhaps into a script. */
export function redirected(
  machine: Machine,
  redirects: readonly FoldedRedirect[],
  store: Store,
  step: () => Outcome,
  written?: Tape,
): Outcome {
  const isMerged = mergesErrors(redirects);
  const destination = destinationOf(redirects, machine.around.merged || isMerged);
  const outer = store.printed;
  const feeding = redirects.some(({ target }) => target?.feeds !== undefined);
  const isAway = destination !== "kept" && (outer !== undefined || feeding);
  if (isAway) store.printed = blank;
  const outcome = isMerged ? within(machine, { merged: true }, step) : step();
  const stores = storesOf(outcome);
  const tape = isAway ? (endsOfTape(stores) ?? blank) : undefined;
  if (isAway) for (const one of stores) one.printed = outer;
  for (const { target } of redirects) {
    if (!target?.feeds) continue;
    const { feeds } = target;
    const [first] = stores;
    const child = (first ?? store).fork();
    child.printed = outer;
    child.endings = [];
    feed(machine, target === destination ? (written ?? tape ?? [null]) : [null], child, (one) =>
      runEndings(machine, machine.exec(feeds, one)),
    );
  }
  return outcome;
}

function endsOfTape(stores: ReadonlySet<Store>): Tape | undefined {
  const tapes = [...stores].map(({ printed }) => printed).filter((one) => one !== undefined);
  const [first, ...more] = new Set(tapes);
  return more.length === 0 ? first : [...new Set([first, ...more].flatMap((one) => one ?? []))].slice(0, 8);
}
