import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import { builtInLabels } from "../../schema/labels.ts";
import { child, strings, text } from "../yaml-node.ts";
import type { LintedPolicy } from "./policy.ts";

/** A condition that asks whether labels are there. */
export interface AskedLabel {
  readonly name: string;
  /** Whose label it is: the session's, or that of a path. */
  readonly of: Holder;
  readonly policy: LintedPolicy;
  readonly span: Span;
}

/** Owner of a label. */
export type Holder = "session" | "path";

/** Labels that a set of policies or the engine sets, and labels that conditions test. */
export interface LabelUses {
  readonly set: ReadonlySet<string>;
  /** Owners that the rules give each label; built-in labels are left out. */
  readonly holders: ReadonlyMap<string, ReadonlySet<Holder>>;
  /** Labels of rules that only report: in `mode: monitor` they set none. */
  readonly watched: ReadonlySet<string>;
  readonly asked: readonly AskedLabel[];
  /** Every text in a condition that reads labels in any way, so that nothing is called unused too soon. */
  readonly mentioned: ReadonlySet<string>;
}

/** By set: several lints ask for the same. */
const known = new WeakMap<readonly LintedPolicy[], LabelUses>();

/** Labels in `label` and `ask` actions and in the conditions of a set of policies. */
export function labelUses(policies: readonly LintedPolicy[]): LabelUses {
  const uses = known.get(policies) ?? collectUses(policies);
  known.set(policies, uses);
  return uses;
}

function collectUses(policies: readonly LintedPolicy[]): LabelUses {
  const set = new Set(Object.keys(builtInLabels));
  const watched = new Set<string>();
  const holders = new Map<string, ReadonlySet<Holder>>();
  const mentioned = new Set<string>();
  const asked: AskedLabel[] = [];
  for (const policy of policies) {
    for (const { draft, typed } of policy.rules)
      for (const { name, parameters } of draft.actions) {
        const labels = typed?.mode === "monitor" && policy.draft.mode !== "monitor" ? watched : set;
        const holder = text(child(parameters, "on")) === "path" ? "path" : "session";
        if (name === "label")
          for (const { value } of strings(child(parameters, "add"))) {
            labels.add(value);
            holders.set(value, new Set([...(holders.get(value) ?? []), holder]));
          }
        if (name === "ask") for (const { value } of strings(child(parameters, "clears"))) mentioned.add(value);
      }
    for (const ir of conditionsOf(policy)) {
      const nodes = nodesIn(ir);
      if (!nodes.some(readsLabels)) continue;
      for (const node of nodes) {
        for (const text of textsOf(node)) mentioned.add(text);
        for (const one of askedIn(node)) asked.push({ ...one, policy });
      }
    }
  }
  return { set, holders, watched, asked, mentioned };
}

function conditionsOf({ typed, rules }: LintedPolicy): Ir[] {
  const own = rules.flatMap(({ typed: rule }) => [
    rule?.each?.list,
    rule?.when,
    rule?.unless,
    ...(rule?.exceptions.map(({ when }) => when) ?? []),
    ...(rule?.sequence?.items.map(({ when }) => when) ?? []),
    ...(rule?.actions.flatMap(({ conditions }) => Object.values(conditions ?? {})) ?? []),
  ]);
  const waivers = typed.waivers.map(({ exception }) => exception.when);
  return [...typed.conditions.values(), ...own, ...waivers].filter((ir) => ir !== undefined);
}

/** A node of IR and all nodes in it. */
export function nodesIn(ir: Ir): Ir[] {
  const found: Ir[] = [];
  const open: unknown[] = [ir];
  for (const value of open) {
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "k")) found.push(value as Ir);
    // The value of a constant is data of the author's, not IR.
    for (const key of Object.keys(value))
      if (key !== "value" || !isConstant(value)) open.push((value as Readonly<Record<string, unknown>>)[key]);
  }
  return found;
}

function isConstant(value: object): boolean {
  return (value as { readonly k?: unknown }).k === "const";
}

function readsLabels(ir: Ir): boolean {
  if (ir.k === "field") return ir.name === "labels" && ir.of.k === "root" && ir.of.name === "session";
  return ir.k === "call" && /\.labels$/.test(ir.fn);
}

function textsOf(ir: Ir): readonly string[] {
  if (ir.k !== "const") return [];
  const values: readonly unknown[] = Array.isArray(ir.value) ? ir.value : [ir.value];
  return values.filter((value) => typeof value === "string");
}

/** Lists the labels that a test asks for; none for anything else. */
export function askedIn(ir: Ir): Omit<AskedLabel, "policy">[] {
  if (ir.k !== "call" || !/\.(?:in|contains(?:_any|_all)?|list_contains)$/.test(ir.fn)) return [];
  const [one, other] = ir.args;
  const constant = one && other && (readsLabels(one) ? other : readsLabels(other) ? one : undefined);
  const at = constant?.at ?? ir.at;
  if (!constant || !at) return [];
  const of = (readsLabels(one as Ir) ? one : other)?.k === "field" ? "session" : "path";
  return textsOf(constant).map((name) => ({ name, of, span: { start: at[0], end: at[1] } }));
}
