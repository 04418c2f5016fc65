import { isArray, isChoice, lookup, type Scope, type Value } from "./scope.ts";

const known = new WeakMap<object, ReadonlySet<string>>();

/** Names of the variables that a part of the tree mentions, in nested substitutions too. Remembered by the part. */
export function referencesIn(part: object): ReadonlySet<string> {
  const before = known.get(part);
  if (before) return before;
  const names = new Set<string>();
  const open: object[] = [part];
  for (let one = open.pop(); one; one = open.pop()) {
    if ("kind" in one) mentioned(one as { readonly kind: unknown } & Record<string, unknown>, names);
    for (const inner of Object.values(one)) if (typeof inner === "object" && inner !== null) open.push(inner);
  }
  known.set(part, names);
  return names;
}

function mentioned(one: { readonly kind: unknown } & Record<string, unknown>, names: Set<string>): void {
  if (one.kind === "parameter" && typeof one.name === "string") names.add(one.name).add("IFS");
  if (one.kind === "arithmetic" && typeof one.raw === "string") for (const name of namesOf(one.raw)) names.add(name);
  if (one.kind !== "word" || typeof one.raw !== "string") return;
  if (one.raw.startsWith("~")) names.add("HOME");
  if (one.braces === true) for (const name of namesOf(one.raw)) names.add(name);
}

function namesOf(raw: string): readonly string[] {
  return raw.match(/[A-Za-z_]\w*/g) ?? [];
}

/** One way in which the variables with several values may stand. */
export type Combination = readonly (readonly [string, Value])[];

/**
 * Every way in which the variables mentioned in a part of the tree may stand, at most `bound`; none when they have one
 * value each, or when there are more ways than that, which leaves their values unknown.
 */
export function combinationsIn(part: object, scope: Scope, bound: number): readonly Combination[] {
  if (!scope.shared.choices) return [];
  let ways: Combination[] = [[]];
  const seen = new Set<string>();
  const names = [...referencesIn(part)];
  for (const name of names) {
    const value = lookup(scope, name);
    if (seen.has(name) || value === undefined) continue;
    seen.add(name);
    const values = isChoice(value) ? value.choices : [value];
    // `${!name}` stands for the variable that the value names.
    for (const one of values)
      if (!isArray(one) && one.kind === "literal" && isChoice(lookup(scope, one.text))) names.push(one.text);
    if (!isChoice(value) || ways.length * values.length > bound) continue;
    ways = ways.flatMap((way) => values.map((one): Combination => [...way, [name, one]]));
  }
  return ways.length > 1 ? ways : [];
}
