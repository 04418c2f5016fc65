import type { Ir, Json } from "../../engine/plan.ts";
import { isGuard, type Part } from "./ir-tree.ts";

/** One way to break a node of a condition. `id` identifies it among the changes of the node. */
export interface NodeChange {
  readonly id: string;
  readonly operator: string;
  /** Returns the text after the change, for people, from the text before it. */
  readonly after: (text: string) => string;
  /** Part of the node that is shown as the place; the node itself by default. */
  readonly place?: Ir;
  /** True for one of several elements of a list. */
  readonly isElement?: true;
  readonly ir: Ir;
}

/** Returns every change of a node, in a fixed order. Guards added by the compiler are not changed. */
export function nodeChanges({ ir, isTest }: Part): NodeChange[] {
  if (ir.k === "and" || ir.k === "or") return logicChanges(ir);
  if (ir.k === "not")
    return [
      { id: "not", operator: "drop a negation", after: (text) => text.replace(/^!\s*|^not:\s*/, ""), ir: ir.arg },
    ];
  if (ir.k === "loop") return [...(isTest ? [negated(ir)] : []), ...quantifierChanges(ir)];
  if (ir.k === "call") return [...(isTest ? [negated(ir)] : []), ...callChanges(ir), ...listChanges(ir)];
  return isTest && (ir.k === "field" || ir.k === "slot" || ir.k === "index") ? [negated(ir)] : [];
}

function negated(ir: Ir): NodeChange {
  const after = (text: string): string => `not (${text})`;
  return { id: "negate", operator: "negate a test", after, ir: { k: "not", arg: ir, ...(ir.at && { at: ir.at }) } };
}

function logicChanges(ir: Extract<Ir, { k: "and" | "or" }>): NodeChange[] {
  const other = ir.k === "and" ? ("or" as const) : ("and" as const);
  const isOurs = !ir.args.some((arg) => isGuard(arg, ir.args));
  const flip: NodeChange = {
    id: "flip",
    operator: `\`${ir.k}\` becomes \`${other}\``,
    after: (text) => `${other}: ${text}`,
    ir: { ...ir, k: other },
  };
  const drops = ir.args.flatMap((arg, i): NodeChange[] => {
    const rest = ir.args.filter((_, at) => at !== i);
    if (isGuard(arg, ir.args) || rest.length === 0) return [];
    const operator = ir.k === "and" ? "drop a conjunct" : "drop a disjunct";
    const left = rest.length === 1 ? (rest[0] as Ir) : { ...ir, args: rest };
    return [{ id: `drop ${i}`, operator, after: () => "(removed)", place: arg, ir: left }];
  });
  return isOurs ? [flip, ...drops] : drops;
}

function quantifierChanges(ir: Extract<Ir, { k: "loop" }>): NodeChange[] {
  const other = { exists: "all", all: "exists", exists_one: "exists" } as const;
  if (ir.loop !== "exists" && ir.loop !== "all" && ir.loop !== "exists_one") return [];
  const loop = other[ir.loop];
  const operator = `\`${ir.loop}\` becomes \`${loop}\``;
  return [{ id: "quantifier", operator, after: (text) => `${loop}: ${text}`, ir: { ...ir, loop } }];
}

/** Functions that are replaced by another of the same type: boundaries of comparisons, positions of a text. */
const otherFunctions: ReadonlyMap<string, string> = new Map([
  ["less", "less_equal"],
  ["less_equal", "less"],
  ["greater", "greater_equal"],
  ["greater_equal", "greater"],
  ["string.starts_with", "string.contains"],
  ["string.ends_with", "string.contains"],
  ["string.contains", "string.starts_with"],
  ["list.contains_all", "list.contains_any"],
  ["list.contains_any", "list.contains_all"],
  ["string.contains_all", "string.contains_any"],
  ["string.contains_any", "string.contains_all"],
]);

function callChanges(ir: Extract<Ir, { k: "call" }>): NodeChange[] {
  const fn = otherFunctions.get(ir.fn);
  if (fn === undefined) return [];
  const operator = `\`${ir.fn}\` becomes \`${fn}\``;
  return [{ id: "function", operator, after: (text) => `${fn}: ${text}`, ir: { ...ir, fn } }];
}

/** Changes lists of constants: empties them, removes one element and, for globs, adds one that always matches. */
function listChanges(ir: Extract<Ir, { k: "call" }>): NodeChange[] {
  return ir.args.flatMap((arg, i): NodeChange[] => {
    if (arg.k !== "const") return [];
    const change = (id: string, operator: string, value: Json): NodeChange => ({
      id: `${id} ${i}`,
      operator,
      after: () => shortened(JSON.stringify(value)),
      place: arg,
      ir: { ...ir, args: ir.args.map((one, at) => (at === i ? { ...arg, value } : one)) },
    });
    const isGlob = /\.glob(_any)?$/.test(ir.fn) && i === 1;
    if (!Array.isArray(arg.value))
      return isGlob && arg.value !== "**" ? [change("widen", "widen a pattern", "**")] : [];
    const list = arg.value as readonly Json[];
    const drops = list.map((element, at) => ({
      ...change(
        `without ${at}`,
        "drop an element of a list",
        list.filter((_, other) => other !== at),
      ),
      after: () => `without ${JSON.stringify(element)}`,
      ...(list.length > 1 && { isElement: true as const }),
    }));
    return [
      ...(list.length > 1 ? [change("empty", "empty a list", [])] : []),
      ...drops,
      ...(isGlob && !list.includes("**") ? [change("widen", "widen a list", [...list, "**"])] : []),
    ];
  });
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
