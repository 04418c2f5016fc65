import { normalise } from "../../engine/normalise.ts";
import type { Plan, PlanRule } from "../../engine/plan.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { isBourne } from "../../facts/shell/dialects.ts";
import type { WireExample } from "../examples.ts";
import { partsOf } from "../test/ir-tree.ts";
import { shellVariations } from "./shell-variations.ts";
import { toolVariations } from "./tool-variations.ts";
import type { Looks, Variation } from "./variation.ts";

/** Returns every possible variation of an example's event; none for an event that is no shell call and has no path. */
export function exampleVariations(event: WireExample, looks: Looks): readonly Variation[] {
  const normalised = normalise(event);
  if ("code" in normalised) return [];
  const { event: judged, files } = normalised;
  const read = facts.of(judged, hermeticFiles(files));
  const given = argumentsOf(event);
  const { cwd, home } = judged.environment;
  if (judged.event === "user_bash" || (judged.event === "tool_call" && judged.tool?.name === "bash")) {
    const text = judged.event === "user_bash" ? judged.command : judged.args?.["command"];
    const key = Object.keys(given).find((name) => given[name] === text);
    if (typeof text !== "string" || key === undefined || !isBourne(judged.environment.shell)) return [];
    const elsewhere = judged.fields["cwd"] !== undefined || judged.args?.["cwd"] !== undefined;
    const made = shellVariations(text, read, { cwd: elsewhere ? "" : cwd, home }, looks) ?? [];
    return made.map((one) => ({
      name: one.name,
      shown: one.text,
      event: changed(event, { [key]: one.text }, one.files),
    }));
  }
  if (judged.event !== "tool_call") return [];
  return toolVariations(given, read, cwd).map(({ name, args, files: links }) => ({
    name,
    shown: `${String(event["tool"])} ${JSON.stringify(args)}`,
    event: changed(event, args, links),
  }));
}

/** Returns the fields that hold the call's arguments: the event's own fields for a command that a human types. */
function argumentsOf(event: WireExample): Readonly<Record<string, unknown>> {
  const args = event["args"];
  return typeof args === "object" && args !== null ? (args as Record<string, unknown>) : event;
}

function changed(
  event: WireExample,
  given: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, object>> | undefined,
): WireExample {
  const args = argumentsOf(event);
  const written = args === event ? { ...event, ...given } : { ...event, args: { ...args, ...given } };
  if (!files) return written;
  const environment = event["environment"] as Readonly<Record<string, unknown>>;
  const listed = environment["files"] as Readonly<Record<string, unknown>> | undefined;
  return { ...written, environment: { ...environment, files: { ...files, ...listed } } };
}

/** Returns the parts of an event that a rule's conditions read, including named conditions. */
export function looksOf(rule: PlanRule, plan: Plan): Looks {
  const kinds = new Set<string>();
  const fields = new Set<string>();
  let means = false;
  const seen = new Set<string>();
  const open = [rule.when, rule.unless, rule.each?.list, ...(rule.sequence?.items ?? []).map(({ when }) => when)];
  for (let ir = open.pop(); ir || open.length > 0; ir = open.pop()) {
    for (const { ir: part } of ir ? partsOf(ir) : []) {
      if (part.k === "root" && /^(?:effects|shell)\b/.test(part.name)) means = true;
      if (part.k === "root" && part.name.startsWith("effects.")) kinds.add(part.name.slice("effects.".length));
      if (part.k === "field" || part.k === "has") fields.add(part.name);
      if (part.k !== "condition" || seen.has(part.name)) continue;
      seen.add(part.name);
      open.push(plan.conditions[part.name]);
    }
  }
  return { kinds, fields, means };
}
