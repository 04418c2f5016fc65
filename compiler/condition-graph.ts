import { spend } from "../facts/meter.ts";
import type { Expression } from "../rules/ast.ts";
import { limits } from "../schema/limits.ts";
import { childrenOf } from "./parse/depth.ts";

/** Summary of one named condition and everything it refers to. */
interface Summary {
  /** Depth of its expression, with the conditions in it expanded. */
  readonly depth: number;
  /** Uses shell or effects, itself or through others. */
  readonly needs: boolean;
}

/**
 * How the named conditions of one policy refer to each other. Worked out once and without recursion: a policy may name
 * thousands of conditions, each in terms of the next.
 */
export class ConditionGraph {
  readonly #conditions: ReadonlyMap<string, Expression>;
  readonly #references = new Map<string, readonly string[]>();
  readonly #summaries = new Map<string, Summary>();
  /** Conditions that lead into a circle. */
  readonly #circular = new Set<string>();
  /** The first condition found to lead back to itself. */
  readonly circle: string | undefined;

  constructor(conditions: ReadonlyMap<string, Expression>) {
    this.#conditions = conditions;
    for (const [name, expression] of conditions) this.#references.set(name, referencesIn(expression));
    const circles = [...conditions.keys()].map((name) => this.#visit(name));
    this.circle = circles.find((found) => found !== undefined);
  }

  /** True if the condition, or one that it refers to, uses shell or effects. */
  needs(name: string): boolean {
    return this.#summaries.get(name)?.needs ?? false;
  }

  /** Returns a condition and all conditions that it refers to, directly or not. */
  reachableFrom(name: string): ReadonlySet<string> {
    const reached = new Set([name]);
    for (const each of reached) for (const next of this.#references.get(each) ?? []) reached.add(next);
    return reached;
  }

  /** True if the condition can be checked: neither does it lead into a circle, nor nest too deep. */
  isSound(name: string): boolean {
    return !this.#circular.has(name) && !this.isTooDeep(name);
  }

  /** True if checking and judging the condition would nest deeper than the bound. */
  isTooDeep(name: string): boolean {
    return (this.#summaries.get(name)?.depth ?? 0) > limits.conditionDepth;
  }

  /**
   * Computes the summaries of all conditions that a condition refers to, innermost first. Returns a condition on a cycle, if
   * there is one.
   */
  #visit(start: string): string | undefined {
    if (this.#circular.has(start)) return undefined;
    const open: { readonly name: string; next: number }[] = [{ name: start, next: 0 }];
    const onPath = new Set([start]);
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const reference = this.#summaries.has(top.name) ? undefined : this.#references.get(top.name)?.[top.next++];
      if (reference === undefined) {
        this.#summarise(top.name);
        onPath.delete(top.name);
        open.pop();
      } else if (onPath.has(reference) || this.#circular.has(reference)) {
        for (const name of onPath) this.#circular.add(name);
        return onPath.has(reference) ? reference : undefined;
      } else if (this.#conditions.has(reference) && !this.#summaries.has(reference)) {
        onPath.add(reference);
        open.push({ name: reference, next: 0 });
      }
    }
    return undefined;
  }

  #summarise(name: string): void {
    const expression = this.#conditions.get(name);
    if (!expression || this.#summaries.has(name)) return;
    let depth = 0;
    let needs = partsOf(expression).some((e) => e.kind === "name" && (e.name === "shell" || e.name === "effects"));
    for (const reference of this.#references.get(name) ?? []) {
      const inner = this.#summaries.get(reference);
      depth = Math.max(depth, inner?.depth ?? 0);
      needs ||= inner?.needs ?? false;
    }
    this.#summaries.set(name, { depth: depth + depthOf(expression), needs });
  }
}

/** An expression and all parts of it, in no order. */
export function partsOf(expression: Expression): Expression[] {
  const parts = [expression];
  for (const part of parts) for (const child of childrenOf(part)) parts.push(child);
  spend(parts.length);
  return parts;
}

/** Returns the name of the condition if the expression is only a reference to it, in either spelling. */
export function conditionName(e: Expression): string | undefined {
  if (e.kind === "condition") return e.name;
  return e.kind === "member" && e.of.kind === "name" && e.of.name === "conditions" ? e.field : undefined;
}

function referencesIn(expression: Expression): readonly string[] {
  return [...new Set(partsOf(expression).flatMap((e) => conditionName(e) ?? []))];
}

function depthOf(expression: Expression): number {
  let depth = 0;
  for (let level: readonly Expression[] = [expression]; level.length > 0; level = level.flatMap(childrenOf)) depth++;
  return depth;
}
