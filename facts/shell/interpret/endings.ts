import type { EndText } from "./binding.ts";
import type { Invocation } from "./call.ts";
import { joined } from "./join.ts";
import { type Machine, within } from "./machine.ts";
import type { Outcome } from "./outcome.ts";
import type { Store } from "./store.ts";
import { Table } from "./table.ts";
import type { Value } from "./value.ts";

/** Signals, by name and number, that end a shell. */
const ending = /^(?:0|EXIT|(?:SIG)?(?:INT|TERM|HUP|QUIT)|1|2|3|15)$/i;
const atExit = /^(?:0|EXIT)$/i;

/**
 * Keeps the text of a `trap` until the shell ends, and returns true. A signal that ends the shell may come earlier, so the store
 * collects past values from here on. A trap for any other signal may run at any time: the store becomes unsettled, and the result
 * is false.
 */
export function endingOf(
  machine: Machine,
  { fields }: Invocation,
  source: string,
  store: Store,
  run: (store: Store) => void,
): boolean {
  const signals = fields.slice(2).filter((word) => word.text !== "--");
  const isEnd = signals.length > 0 && signals.every((word) => word.kind === "literal" && ending.test(word.text));
  if (!isEnd) {
    store.unsettled = true;
    return false;
  }
  const isExit = signals.some((word) => atExit.test(word.text));
  const { around } = machine;
  const { grade, wrappers, strays, environment, nesting, calls } = around;
  const kept = { wrappers, strays, environment, nesting, calls };
  const text: EndText<Store> = {
    source,
    isAtExit: isExit,
    isBySignal: !isExit || signals.length > 1,
    run: (at) => within(machine, { ...kept, ...(isExit && grade === "sure" ? {} : { grade: "maybe" }) }, () => run(at)),
  };
  store.endings = isExit ? [text] : [...store.endings, text];
  store.past ??= Table.of<Value>([]);
  return true;
}

/**
 * Runs the trap texts of a shell with its final state. A signal may end the shell at any time, so each text also runs with all
 * values that variables have had since the first trap.
 */
export function runEndings(machine: Machine, outcome: Outcome): Outcome {
  const stores = [outcome.ok, outcome.fail, outcome.ret, outcome.exit].filter((one) => one !== undefined);
  if (!stores.some(({ endings }) => endings.length > 0)) return outcome;
  const last = joined(...[...new Set(stores)].map((one) => one.fork())) as Store;
  const { endings, past } = last;
  last.endings = [];
  last.past = undefined;
  const changes = { tail: false, ...(endings.length === 1 ? {} : { grade: "maybe" as const }) };
  for (const text of endings) {
    if (past && (past.size > 0 || !text.isAtExit)) {
      const child = last.fork();
      child.printed = undefined;
      for (const [name, value] of past)
        child.bind(name, { exported: false, attributes: "", epoch: child.epoch, ...child.variables.get(name), value });
      within(machine, { ...changes, grade: "maybe", moments: true }, () => text.run(child));
    }
    if (text.isAtExit) within(machine, changes, () => text.run(last));
  }
  for (const one of stores) {
    one.endings = [];
    one.printed = last.printed;
  }
  return outcome;
}
