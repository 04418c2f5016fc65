import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type Ir, reservedSlots, type Template } from "../engine/plan.ts";
import type { Expression } from "../rules/ast.ts";
import { limits } from "../schema/limits.ts";

/**
 * Texts may cite the groups of a `matches` as `match[n]` (language section 2). This module tells when they may, and which
 * rules have such texts; other rules pay nothing.
 */

/** True for a `matches`, as a test or as a call. */
export function isMatches(part: Expression): boolean {
  return (part.kind === "test" && part.operator === "matches") || (part.kind === "call" && part.name === "matches");
}

/** Number of groups of a regular expression. */
export function groupsIn(regex: string): number {
  const bare = regex.slice(0, limits.patternLength).replace(/\\[\s\S]|\[\^?\]?(?:\\.|[^\]\\])*\]/g, "");
  return bare.match(/\((?!\?)|\(\?P?<(?![=!])/g)?.length ?? 0;
}

/** Returns the most groups of the patterns among the parts of a condition; undefined where a pattern is not written there. */
export function mostGroups(parts: readonly Expression[]): number | undefined {
  let most = 0;
  for (const part of parts.filter(isMatches)) {
    const operand = part.kind === "test" ? part.operand : part.kind === "call" ? part.args.at(-1) : undefined;
    const written = operand?.kind === "list" ? operand.items.map(({ value }) => value) : [operand];
    for (const one of written) {
      if (one?.kind !== "literal" || typeof one.value !== "string") return undefined;
      most = Math.max(most, groupsIn(one.value));
    }
  }
  return most;
}

/** Returns why a text can never cite the group that an index asks for, and what to write; undefined for one that it may. */
export function missingGroup(ir: Ir, groups: number): readonly [message: string, help: string] | undefined {
  const asked = groupsAsked(ir);
  const wrong = asked.find((number) => number < 0 || number > groups);
  if (wrong === undefined) return undefined;
  const has = groups === 0 ? "no group" : groups === 1 ? "one group" : `${groups} groups`;
  const help =
    groups === 0 ? "put the part in `(…)`, or write `match[0]`, the whole match" : `write a number from 0 to ${groups}`;
  return [`no \`matches\` of this rule has a group ${wrong}: there is ${has}`, help];
}

/** Lists the literal indexes of `match` in IR. */
function groupsAsked(ir: Ir): readonly number[] {
  const found: number[] = [];
  const open: unknown[] = [ir];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const node = next as Ir;
    if (node.k === "index" && node.of.k === "slot" && node.of.slot === reservedSlots.match && node.index.k === "const")
      if (typeof node.index.value === "number") found.push(node.index.value);
    if (node.k !== "const") open.push(...Object.values(node));
  }
  return found;
}

/** True if a text reads the slot of `match`. Only texts that may cite it are to be asked: elsewhere the slot is a macro's. */
export function citesMatch(text: Template | undefined): boolean {
  return (text ?? []).some((part) => typeof part !== "string" && readsMatch(part.expr));
}

/** True if IR reads the match. Plain IR contains only nodes and constants, so a walk over all fields finds every node. */
function readsMatch(ir: Ir): boolean {
  const open: unknown[] = [ir];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const node = next as Partial<Extract<Ir, { k: "slot" }>>;
    if (node.k === "slot" && node.slot === reservedSlots.match) return true;
    if ((next as Partial<Ir>).k !== "const") open.push(...Object.values(next));
  }
  return false;
}

/** Returns the number of each named group of the patterns among the parts of a condition. */
export function namedGroups(parts: readonly Expression[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const part of parts.filter(isMatches)) {
    const operand = part.kind === "test" ? part.operand : part.kind === "call" ? part.args.at(-1) : undefined;
    const pattern = operand?.kind === "literal" && typeof operand.value === "string" ? operand.value : "";
    for (const [name, number] of groupNames(pattern)) if (!found.has(name)) found.set(name, number);
  }
  return found;
}

/** Returns the number of each named group of a regular expression. */
export function groupNames(regex: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  if (!regex.includes("(?")) return found;
  for (const { 1: name = "", index } of regex.slice(0, limits.patternLength).matchAll(/\(\?P?<([A-Za-z_]\w*)>/g))
    if (!found.has(name)) found.set(name, groupsIn(regex.slice(0, index)) + 1);
  return found;
}

/** Returns the finding about an unknown name, with special help if the name is `match` or that of a group. */
export function explainMatch(
  found: Diagnostic,
  place: "text" | "condition",
  groups: ReadonlyMap<string, number> = new Map(),
): Diagnostic {
  const group = groups.get(unknownName(found) ?? "");
  if (group !== undefined) return { ...found, help: `groups have numbers here: write \`match[${group}]\`` };
  if (unknownName(found) !== "match") return found;
  if (place === "condition")
    return { ...found, help: "conditions do not see groups; only texts such as `reason` may cite `match[1]`" };
  return {
    ...found,
    message: "no `matches` in the `when` of this rule, so there is no `match` to cite",
    help: "add a `matches` to `when`, or cite the value itself",
  };
}

function unknownName({ code, message }: Diagnostic): string | undefined {
  return code === "HW301" ? /^unknown name `(\w+)`$/.exec(message)?.[1] : undefined;
}

/** Returns the findings about a part of a text; a group that is called like a fact without a text gets its number as help. */
export function explainPart(
  part: Expression,
  found: readonly Diagnostic[],
  groups: ReadonlyMap<string, number>,
): readonly Diagnostic[] {
  const group = part.kind === "name" ? groups.get(part.name) : undefined;
  return found.map((one) =>
    group !== undefined && one.code === "HW304"
      ? { ...one, help: `groups have numbers here: write \`match[${group}]\`` }
      : explainMatch(one, "text", groups),
  );
}
