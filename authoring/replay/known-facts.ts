import type { Declarations } from "../../schema/declarations.ts";
import type { FactSet } from "../../schema/facts.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import type { FileSystem } from "../../schema/ports.ts";

/** Reads the facts of an event. */
export type ReadFacts = (event: JudgedEvent, files: FileSystem, declared?: Declarations) => FactSet;

/** Maximum number of calls whose facts are kept, and of calls that were seen once. */
const kept = 1_000;
const seenOnce = 10_000;

/** Maximum length of a cached call, in UTF-16 units: longer ones seldom come again. */
const longest = 4_000;

const calls: ReadonlySet<string> = new Set(["tool_call", "user_bash", "user_python"]);

/**
 * Returns a reader that reads a repeated call only once: agents give the same commands all day. Facts are the effects of a
 * call in its place, whoever gives it and when, so calls are equal if all else is. Facts also depend on files: only calls
 * with `noFiles` are cached. Facts are kept from a call's second time on, so unique calls cost one lookup. Those of the last
 * call are kept too, since another policy asks for them at once.
 */
export function knownFacts(
  read: ReadFacts,
  noFiles: FileSystem,
): (event: JudgedEvent, files: FileSystem, share?: number, declared?: Declarations) => FactSet {
  const plans = new WeakMap<Declarations, number>();
  let count = 0;
  const numberOf = (declared: Declarations): number => {
    const number = plans.get(declared) ?? ++count;
    plans.set(declared, number);
    return number;
  };
  const known = new Newest<FactSet>(kept);
  const once = new Newest<true>(seenOnce);
  let last: { readonly key: string; readonly facts: FactSet } | undefined;
  return (event, files, _share, declared) => {
    const call = files === noFiles && calls.has(event.event) ? callOf(event) : undefined;
    // Two plans with different declarations of programs and tools may read one call differently.
    const key = call !== undefined && declared ? `${numberOf(declared)}${call}` : call;
    if (key === undefined) return read(event, files, declared);
    const before = last?.key === key ? last.facts : known.get(key);
    const facts = before ?? read(event, files, declared);
    if (once.get(key)) known.set(key, facts);
    else once.set(key, true);
    last = { key, facts };
    return facts;
  };
}

/** Returns a call as text, without its author and time; undefined if it is too long. */
function callOf(event: JudgedEvent): string | undefined {
  const { id: _id, time: _time, call_id: _call, host: _host, session: _session, agent: _agent, ...call } = event;
  const text = JSON.stringify(call.args_raw === call.args ? { ...call, args_raw: undefined } : call);
  return text.length <= longest ? text : undefined;
}

/** Entries of two ages: when there are many newer ones, the older ones are dropped. */
class Newest<T> {
  readonly #most: number;
  #newer = new Map<string, T>();
  #older = new Map<string, T>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): T | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  set(key: string, value: T): void {
    this.#newer.set(key, value);
    if (this.#newer.size <= this.#most) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }
}
