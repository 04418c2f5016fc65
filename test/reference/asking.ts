import { canonicalJson } from "../../engine/canonical.ts";
import type { PlanRule } from "../../engine/plan.ts";
import type { Answer, Hit } from "./combine.ts";
import { entryAt } from "./data.ts";
import type { Question } from "./history.ts";

/**
 * What rules that somebody trusts ask, together: remembered and cleared only as far as all say so. Where somebody else asks as
 * well, which `denial` tells by the key of those rules alone, only a denial is remembered.
 */
export function questionOf(key: string, trusted: readonly Hit[], denial: string | undefined): Question {
  const asks = askingRules(trusted).flatMap(({ actions }) => actions.filter(({ action }) => action === "ask"));
  const clears = asks.map(
    ({ parameters }) => (parameterOf(parameters, "clears") as readonly string[] | undefined) ?? [],
  );
  const remember = asks.length > 0 && asks.every(({ parameters }) => parameterOf(parameters, "remember") === "session");
  return {
    key,
    remember: remember && denial === undefined,
    ...(remember && { denial }),
    clears: (clears[0] ?? []).filter((label) => clears.every((list) => list.includes(label))),
  };
}

/** What an answer is remembered by: the call and all who ask; a denial, where others ask too, by the trusted rules alone. */
export function keysOf(
  call: readonly unknown[],
  { answered, also }: Answer,
  asking: readonly PlanRule[],
  isTrusted: (rule: PlanRule) => boolean,
): { key: string; denial?: string } {
  const ids = asking.map(({ id }) => id);
  const own = asking.filter(isTrusted).map(({ id }) => id);
  const key = canonicalJson([
    ...call,
    answered === "rule" ? [...ids, ...(also === undefined ? [] : [also])] : [answered],
  ]);
  const isAlone = also === undefined && own.length === ids.length;
  return { key, ...(!isAlone && own.length > 0 && { denial: canonicalJson([...call, own]) }) };
}

/** Rules that ask, each once. */
export function askingRules(hits: readonly Hit[]): readonly PlanRule[] {
  return [...new Set(hits.filter(({ outcome }) => outcome === "ask").map(({ rule }) => rule))];
}

/** A parameter of an action; undefined where it has none of that name. */
export function parameterOf(parameters: unknown, name: string): unknown {
  return entryAt(parameters, name);
}
