import type { RegexEngine } from "../schema/ports.ts";
import { type Key, needsOf } from "./index-keys.ts";
import type { Source } from "./index-sources.ts";
import type { Plan } from "./plan.ts";

/**
 * Needs of a plan's rules, as plain JSON beside the plan. They spare processes that judge a single event deriving them.
 * Each source and each key is stored once. Only the version of the engine that made them can use them.
 */
export interface StoredNeeds {
  readonly sources: readonly Source[];
  readonly keys: readonly (readonly [source: number, test: Key["test"], what?: string | number | boolean])[];
  /** In the order of the plan's rules; needs are numbers of keys. */
  readonly rules: readonly (readonly [facts: boolean, needs: readonly (readonly number[])[]])[];
}

/** Derives what the rules of a plan need. */
export function storedNeeds(plan: Plan, regex: RegexEngine): StoredNeeds {
  const condition = (name: string) => (Object.hasOwn(plan.conditions, name) ? plan.conditions[name] : undefined);
  const sources: Source[] = [];
  const keys: StoredNeeds["keys"][number][] = [];
  const sourceNumbers = new Map<string, number>();
  const keyNumbers = new Map<string, number>();
  const numberOf = (key: Key): number => {
    const source = numbered(sourceNumbers, key.source.id, () => sources.push(key.source));
    const what = key.test === "some" ? undefined : key.test === "text" ? key.literal : key.value;
    const made = what === undefined ? ([source, key.test] as const) : ([source, key.test, what] as const);
    return numbered(keyNumbers, JSON.stringify(made), () => keys.push(made));
  };
  const rules = plan.rules.map((rule) => {
    const { facts, needs } = needsOf(rule, { regex, condition });
    return [facts, needs.map((need) => need.map(numberOf))] as const;
  });
  return { sources, keys, rules };
}

/** Returns the number of an id; `add` makes a missing one. */
function numbered(known: Map<string, number>, id: string, add: () => void): number {
  const found = known.get(id);
  if (found !== undefined) return found;
  const number = known.size;
  known.set(id, number);
  add();
  return number;
}
