import type { Declarations } from "../../schema/declarations.ts";
import type { FactSet } from "../../schema/facts.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import type { FileSystem } from "../../schema/ports.ts";

/** Reads the facts of an event. */
export type ReadFacts = (event: JudgedEvent, files: FileSystem, declared?: Declarations) => FactSet;

/** Calls whose facts are kept, and calls that are known to have been there once. */
const kept = 1_000;
const seenOnce = 10_000;

/** UTF-16 units of the longest call that is looked up: longer ones seldom come again. */
const longest = 4_000;

const calls: ReadonlySet<string> = new Set(["tool_call", "user_bash", "user_python"]);

/**
 * The same reader, which reads a call once that comes again: agents give the same commands all day. Facts say what a call
 * would do where it runs, whoever gives it and when, so that calls are the same which are equal in all but that. Files
 * are part of what facts rest on: only calls that see `noFiles` are looked up. Those of a call are kept from its second time on, so
 * that calls that never come again cost a look; and those of the last call, which another policy asks for at once.
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
    // Two plans that declare programs and tools may read one call differently.
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

/** A call without who gives it and when, as text; undefined for one that is too long. */
function callOf(event: JudgedEvent): string | undefined {
  const { id: _id, time: _time, call_id: _call, host: _host, session: _session, agent: _agent, ...call } = event;
  const text = JSON.stringify(call.args_raw === call.args ? { ...call, args_raw: undefined } : call);
  return text.length <= longest ? text : undefined;
}

/** Entries of two ages: when the newer ones are many, the older ones go. */
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
