import { canonicalJson, type ProgramVerdict } from "../../runtime.ts";
import { visible } from "../pi/approval.ts";
import type { CompiledHook } from "./compiled.ts";
import { type HookContext, type HookResult, parsedArguments } from "./context.ts";

/** An event that hooks decide. */
type DecidedEvent = "tool.pre" | "prompt.pre" | "stop";

interface Ports {
  run(hook: CompiledHook, context: HookContext): Promise<ProgramVerdict>;
  readonly confirm: ((title: string, message: string) => Promise<boolean>) | undefined;
}

/** Maximum times that one hook sees a payload that others rewrite; beyond that the hooks do not settle. */
const rounds = 3;

/**
 * Returns the hooks' answer to an event that they decide; the first hook that cancels ends it. Every other hook sees a
 * rewrite, earlier ones once more, so that all have judged the call that runs (semantics section 3). `final` is the payload
 * that runs.
 */
export async function decideByHooks(
  hooks: readonly CompiledHook[],
  event: DecidedEvent,
  context: HookContext,
  ports: Ports,
): Promise<{ result: HookResult; final: HookContext }> {
  let current = context;
  const asking = new Map<CompiledHook, string>();
  const texts: string[] = [];
  const end = (result: HookResult) => ({ result: { ...result, ...extra(texts) }, final: current });
  const waiting = [...hooks];
  for (let runs = 0; waiting.length > 0; runs++) {
    if (runs >= hooks.length * rounds) return end({ cancelled: event !== "stop", reason: unsettled });
    const hook = waiting.shift() as CompiledHook;
    const verdict = await ports.run(hook, current);
    if (verdict.context !== undefined && !texts.includes(verdict.context)) texts.push(verdict.context);
    if (verdict.outcome === "block") return end({ cancelled: true, reason: verdict.reason ?? "a hook refused" });
    if (verdict.failed !== undefined && event !== "stop") return end({ cancelled: true, reason: verdict.failed });
    if (verdict.outcome === "ask") asking.set(hook, verdict.reason ?? "a hook wants a human to decide");
    else asking.delete(hook);
    if (verdict.input === undefined || event === "stop") continue;
    const next = rewritten(event, current, verdict.input);
    if (typeof next === "string") return end({ cancelled: true, reason: next });
    if (next === current) continue;
    current = next;
    waiting.push(...hooks.filter((other) => other !== hook && !waiting.includes(other)));
  }
  if (asking.size > 0 && event !== "stop") {
    const refused = await refusal([...asking.values()], event, current, ports.confirm);
    if (refused !== undefined) return end({ cancelled: true, reason: refused });
  }
  return end({ cancelled: false, ...changes(event, context, current) });
}

const unsettled = "the hooks rewrite what the others rewrote, without end";

function extra(texts: readonly string[]): Pick<HookResult, "additionalContext"> {
  return texts.length === 0 ? {} : { additionalContext: texts.join("\n\n") };
}

/** Returns the context with an update applied, or the reason why it cannot be. Tool and call stay unchanged. */
function rewritten(
  event: DecidedEvent,
  context: HookContext,
  update: Readonly<Record<string, unknown>>,
): HookContext | string {
  if (event === "prompt.pre") {
    const { prompt } = update;
    if (typeof prompt !== "string") return "`updatedInput` of a prompt needs a `prompt` of text";
    return prompt === context.prompt ? context : { ...context, prompt };
  }
  const before = parsedArguments(context.tool_args);
  if (!before) return "a hook rewrites arguments that are no JSON object";
  const after = { ...before, ...update };
  return canonicalJson(after) === canonicalJson(before) ? context : { ...context, tool_args: JSON.stringify(after) };
}

function changes(event: DecidedEvent, before: HookContext, after: HookContext): Partial<HookResult> {
  if (before === after) return {};
  if (event === "prompt.pre") return after.prompt === undefined ? {} : { prompt: after.prompt };
  return { updatedInput: parsedArguments(after.tool_args) ?? {} };
}

/** Asks the human; returns the reason of a refusal, or undefined if approved. One question covers all hooks that ask. */
async function refusal(
  reasons: readonly string[],
  event: DecidedEvent,
  context: HookContext,
  confirm: Ports["confirm"],
): Promise<string | undefined> {
  const why = reasons.join("; ");
  if (!confirm) return `${why} (a human must approve this, and none can be asked here)`;
  const what = event === "prompt.pre" ? (context.prompt ?? "") : (context.tool_args ?? "{}");
  const title =
    event === "prompt.pre" ? "Take this prompt?" : `Allow this ${visible(context.tool_name ?? "tool")} call?`;
  try {
    return (await confirm(title, `${visible(what)}\n\nReason: ${visible(why)}`)) ? undefined : `${why} (not approved)`;
  } catch {
    return `${why} (the human could not be asked)`;
  }
}
