import type { PlanAction, PlanRule } from "../../engine/plan.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import { EvaluationError } from "../../schema/ports.ts";

/** What `modify` with constants comes to, read from semantics section 2: shallow, on the texts and arguments of an event. */

/** The parts of an event that can be set, by name. */
export function settable(event: JudgedEvent): Readonly<Record<string, unknown>> {
  if (event.event === "tool_call") return event.args ?? {};
  if (event.event === "user_bash") return { command: event.command };
  return event.event === "input" ? { text: event.input?.text } : {};
}

/** The event after one `modify`; the same event when nothing changes. */
export function modified(event: JudgedEvent, action: PlanAction): JudgedEvent | EvaluationError {
  const { unset = [] } = action.parameters as { readonly unset?: readonly string[] };
  const set = valuesOf(action);
  const before = settable(event);
  const after = new Map(Object.entries(before));
  for (const key of unset) if (event.event === "tool_call") after.delete(key);
  for (const [key, value] of Object.entries(set))
    if (event.event === "tool_call" || Object.hasOwn(before, key)) after.set(key, value);
  if (same(before, Object.fromEntries(after))) return event;
  if (event.event === "tool_call") return { ...event, args: Object.fromEntries(after) };
  const text = after.get("command") ?? after.get("text");
  if (typeof text !== "string") return new EvaluationError("HW502", "texts can be set to text only");
  if (event.event === "user_bash") return { ...event, command: text, args: { ...event.args, command: text } };
  return event.input ? { ...event, input: { ...event.input, text } } : event;
}

/** Constants by name; texts stand as templates, here of one constant part. */
function valuesOf({ parameters, templates = {} }: PlanAction): Readonly<Record<string, unknown>> {
  const { set = {} } = parameters as { readonly set?: Readonly<Record<string, unknown>> };
  const texts = Object.entries(templates).map(([name, parts]) => [name.replace(/^set\./, ""), parts.join("")]);
  return { ...set, ...Object.fromEntries(texts) };
}

function same(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && JSON.stringify(a[key]) === JSON.stringify(b[key]))
  );
}

/** Who set which name to what, over all rounds. */
export class Settings {
  readonly #set: { readonly rule: string; readonly name: string; readonly value: string }[] = [];

  readonly #disputed = new Set<string>();

  /** Notes what a rule changed; true when another rule set one of the names to another value. */
  note(rule: PlanRule, before: JudgedEvent, after: JudgedEvent): boolean {
    const from = settable(before);
    const to = settable(after);
    const names = new Set([...Object.keys(from), ...Object.keys(to)]);
    let conflict = false;
    for (const name of names) {
      const value = JSON.stringify(to[name] ?? null);
      if (JSON.stringify(from[name]) === JSON.stringify(to[name])) continue;
      const disputed = this.#set.some((one) => one.name === name && one.rule !== rule.id && one.value !== value);
      // One dispute is said once, however often the name is set again.
      conflict ||= disputed && !this.#disputed.has(name);
      if (disputed) this.#disputed.add(name);
      this.#set.push({ rule: rule.id, name, value });
    }
    return conflict;
  }
}
