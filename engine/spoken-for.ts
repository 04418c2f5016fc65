import { type EffectKind, effectKinds } from "../schema/facts.ts";
import type { Ir, PlanRule } from "./plan.ts";

/** Coverage of an `allow` by its conditions, independent of the call; read from the rule once. */
export interface SpokenFor {
  /** Scope of the coverage: single commands, single effects, every command of a call, or the call as a whole. */
  readonly bound: "command" | "effect" | "commands" | "call";
  /** Kinds of effects of its commands that it covers in addition to their runs and reads. */
  readonly kinds: ReadonlySet<EffectKind>;
  /** Wrappers, variables and options that it asks for by name. */
  readonly names: ReadonlySet<string>;
  /** Bound to effects, and asks for the command that causes them. */
  readonly through: boolean;
}

type Condition = (name: string) => Ir | undefined;

// Deepest nesting of named conditions that is read.
const deepest = 16;

/** Reads from the words of a rule with an `allow` what it covers. */
export function spokenFor({ each, when, actions }: PlanRule, condition: Condition): SpokenFor {
  const given = actions.find(({ action }) => action === "allow")?.parameters as
    | { effects?: unknown }
    | null
    | undefined;
  const listed = Array.isArray(given?.effects) ? (given.effects as readonly EffectKind[]) : undefined;
  const kinds = new Set<EffectKind>(listed);
  const names = new Set<string>();
  const seen: Seen = { kinds, names, commands: false, causes: false, condition };
  if (when) look(when, false, true, seen, 0);
  const list = each?.list.k === "root" ? each.list.name : undefined;
  if (each) return { bound: list === "shell.commands" ? "command" : "effect", kinds, names, through: seen.causes };
  return { bound: seen.commands || listed ? "commands" : "call", kinds, names, through: false };
}

interface Seen {
  readonly kinds: Set<EffectKind>;
  readonly names: Set<string>;
  /** The rule looks at the commands of the call. */
  commands: boolean;
  /** It asks for the command of an effect. */
  causes: boolean;
  readonly condition: Condition;
}

/** Wrappers, variables and options that waivers ask for by name. */
export function namedIn(waivers: readonly (Ir | undefined)[], condition: Condition): ReadonlySet<string> {
  const names = new Set<string>();
  const seen: Seen = { kinds: new Set(), names, commands: false, causes: false, condition };
  for (const waiver of waivers) if (waiver) look(waiver, false, true, seen, 0);
  return names;
}

/** Walks a condition; `sure` is true while the part must hold for the whole to hold. */
function look(ir: Ir, negated: boolean, sure: boolean, seen: Seen, depth: number): void {
  if (ir.k === "and" || ir.k === "or") {
    const all = (ir.k === "and") !== negated;
    for (const arg of ir.args) look(arg, negated, sure && all, seen, depth);
    return;
  }
  if (ir.k === "not") return look(ir.arg, !negated, sure, seen, depth);
  if (ir.k === "condition") {
    const named = depth < deepest ? seen.condition(ir.name) : undefined;
    if (named) look(named, negated, sure, seen, depth + 1);
    return;
  }
  const mentioned = new Mentions(ir);
  if (mentioned.roots.has("shell.commands") || mentioned.roots.has("shell.pipelines")) seen.commands = true;
  if (!negated && mentioned.causes) seen.causes = true;
  if (!negated && mentioned.asks) for (const text of mentioned.texts) seen.names.add(text);
  const kind = sure ? wholeKind(ir, negated) : undefined;
  if (kind) seen.kinds.add(kind);
}

/** Returns the kind of effects that a test covers completely: `every` of them passes, or none does. */
function wholeKind(ir: Ir, negated: boolean): EffectKind | undefined {
  if (ir.k !== "loop" || ir.list.k !== "root" || ir.list.certain) return undefined;
  if (ir.loop !== (negated ? "exists" : "all")) return undefined;
  const { name } = ir.list;
  return effectKinds.find((kind) => name === `effects.${kind}`);
}

/** Fields in which the wrappers, variables and options of a command stand. */
const asking: ReadonlySet<string> = new Set(["wrappers", "env", "options"]);

/** Roots and texts that one test mentions. */
class Mentions {
  readonly roots = new Set<string>();
  readonly texts = new Set<string>();
  /** It asks for wrappers, variables or options. */
  asks = false;
  /** It asks for the command of the element of `each`. */
  causes = false;

  constructor(ir: Ir) {
    this.#node(ir);
  }

  #node(part: unknown): void {
    if (Array.isArray(part)) for (const one of part) this.#node(one);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return;
    const node = part as {
      readonly k?: string;
      readonly name?: string;
      readonly fn?: string;
      readonly value?: unknown;
    };
    if (node.k === "root") this.roots.add(node.name ?? "");
    if (node.k === "const") for (const text of [node.value].flat()) if (typeof text === "string") this.texts.add(text);
    if (node.k === "field" || node.k === "has") {
      this.texts.add(node.name ?? "");
      if (asking.has(node.name ?? "")) this.asks = true;
      if (node.name === "command") this.causes = true;
    }
    if (node.fn?.includes("has_option")) this.asks = true;
    for (const [key, value] of Object.entries(part)) if (key !== "at" && typeof value === "object") this.#node(value);
  }
}
