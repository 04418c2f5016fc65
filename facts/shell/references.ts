import { spend } from "../meter.ts";

const known = new WeakMap<object, ReadonlySet<string>>();

/** Names of the variables that a part of the tree mentions, in nested substitutions too. Remembered by the part. */
export function referencesIn(part: object): ReadonlySet<string> {
  const before = known.get(part);
  if (before) return before;
  const names = new Set<string>();
  const open: object[] = [part];
  for (let one = open.pop(); one; one = open.pop()) {
    spend(2);
    if ("kind" in one) mentioned(one as { readonly kind: unknown } & Record<string, unknown>, names);
    for (const inner of Object.values(one)) if (typeof inner === "object" && inner !== null) open.push(inner);
  }
  known.set(part, names);
  return names;
}

function mentioned(one: { readonly kind: unknown } & Record<string, unknown>, names: Set<string>): void {
  if (one.kind === "parameter" && typeof one.name === "string") {
    names.add(one.name);
    // In quotes, only `"$*"` and similar forms use the word separators.
    if (one.quoted !== true || one.name === "*" || one.index !== undefined) names.add("IFS");
  }
  if (one.kind === "arithmetic" && typeof one.raw === "string") for (const name of namesOf(one.raw)) names.add(name);
  if (one.kind !== "word" || typeof one.raw !== "string") return;
  if (one.raw.startsWith("~")) names.add("HOME");
  if (one.braces === true) for (const name of namesOf(one.raw)) names.add(name);
}

function namesOf(raw: string): readonly string[] {
  const found = raw.match(/[A-Za-z_]\w*/g) ?? [];
  spend(found.length);
  return found;
}
