import type { Span } from "../../diagnostics/source.ts";
import type { Ir } from "../../engine/plan.ts";
import type { EventName } from "../../schema/events.ts";
import { effectKinds } from "../../schema/facts.ts";
import { isToolGlob } from "../../schema/tool-matcher.ts";
import { canonicalTool } from "../../schema/tools.ts";
import type { NeverPorts, SeenRule } from "./ports.ts";

const everyEffect: readonly string[] = effectKinds.map((kind) => `effects.${kind}`);

/**
 * Facts that calls of some tools can have. A text that is written may be a script, with any effect; only shells and code have
 * commands. Tools that are not here run what nobody sees, or are not known.
 */
export const factsOf: Readonly<Record<string, readonly string[]>> = {
  read: ["effects.reads", "effects.network"],
  list: ["effects.reads", "effects.network"],
  glob: ["effects.reads", "effects.network"],
  grep: ["effects.reads", "effects.network"],
  // An address may be that of a file, and a body may go there.
  fetch: ["effects.network", "effects.reads", "effects.writes"],
  search: ["effects.network"],
  write: everyEffect,
  edit: everyEffect,
};

/** The only tool of an event, where there is just one. */
const onlyTool: Readonly<Partial<Record<EventName, string>>> = { user_bash: "bash", user_python: "eval" };

/** Lists the tools that a rule is for, where they are known: those of its matchers, or of events that have a single tool. */
export function toolsOf({ events, tools }: Pick<SeenRule, "events" | "tools">): readonly string[] {
  if (tools.length > 0) return tools.some(isToolGlob) ? [] : tools.map(canonicalTool);
  const only = events.map((event) => onlyTool[event]);
  return only.every((tool) => tool !== undefined) ? only : [];
}

/** Reports each list of facts that the calls of a rule never have (HW420): in `each`, `when`, `unless`, a budget and a sequence. */
export function checkFacts(rule: SeenRule, ports: NeverPorts): void {
  const own = narrowed(rule);
  for (const ir of [rule.each?.list, rule.when, rule.unless, rule.budget?.of]) if (ir) reportAbsent(ir, own, ports);
  for (const item of rule.sequence?.items ?? []) if (item.when) reportAbsent(item.when, narrowed(item), ports);
}

/** The tools of a rule, or those that a test beside all others leaves: `tool.name: write`. */
function narrowed({ events, tools, when }: Pick<SeenRule, "events" | "tools" | "when">): readonly string[] {
  const own = toolsOf({ events, tools });
  if (own.length > 0 || !when) return own;
  for (const term of when.k === "and" ? when.args : [when]) {
    const named = namedBy(term);
    if (named.length > 0) return named;
  }
  return [];
}

/** Lists the tools that a test of `tool.name` leaves; none for any other condition. */
function namedBy(term: Ir): readonly string[] {
  if (term.k !== "call" || !/^(?:equal|(?:list\.)?in)$/.test(term.fn)) return [];
  const [of, given] = term.args;
  const isName = of?.k === "field" && of.name === "name" && of.of.k === "root" && of.of.name === "tool";
  if (!isName || given?.k !== "const") return [];
  const values: readonly unknown[] = Array.isArray(given.value) ? given.value : [given.value];
  return values.every((value) => typeof value === "string") ? values : [];
}

/** Returns the facts that calls of the tools can have; undefined where that is not known, or all. */
export function factsOfTools(tools: readonly string[]): ReadonlySet<string> | undefined {
  const known = tools.map((tool) => (Object.hasOwn(factsOf, tool) ? factsOf[tool] : undefined));
  return known.length === 0 || known.includes(undefined) ? undefined : new Set(known.flatMap((facts) => facts ?? []));
}

function reportAbsent(ir: Ir, tools: readonly string[], { report }: NeverPorts): void {
  const had = factsOfTools(tools);
  if (!had) return;
  const told = new Set<string>();
  for (const { name, span } of factsIn(ir)) {
    if (had.has(name) || told.has(name)) continue;
    told.add(name);
    const named = [...new Set(tools)].map((tool) => `\`${tool}\``).join(", ");
    const help = name.startsWith("shell.")
      ? "take the test of the tool out, or name one that runs commands: `bash`"
      : `take the test of the tool out: \`${name}\` is of every tool and command`;
    report("HW420", span, `calls of ${named} never have \`${name}\``, help);
  }
}

/** Finds the lists of facts that IR reads, each with the nearest place of the author's file. */
function factsIn(ir: Ir): readonly { readonly name: string; readonly span: Span }[] {
  const found: { name: string; span: Span }[] = [];
  const open: { readonly node: unknown; readonly near: Span | undefined }[] = [{ node: ir, near: undefined }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, near } = next;
    if (typeof node !== "object" || node === null) continue;
    const { k, at, name } = node as { readonly k?: unknown; readonly at?: Ir["at"]; readonly name?: unknown };
    const span = at ? { start: at[0], end: at[1] } : near;
    if (k === "root" && typeof name === "string" && /^(?:shell|effects)\../.test(name) && span)
      found.push({ name, span });
    // The command of an effect (`w.command`) is an index here, and may be asked for where there is none.
    const inner = k === "const" ? [] : k === "index" ? [(node as { readonly index: Ir }).index] : Object.values(node);
    for (const one of inner) open.push({ node: one, near: span });
  }
  return found.reverse();
}
