import type { Engine } from "../../runtime.ts";
import type { Decision, WireEvent } from "../../schema/generated.ts";
import { fromHost } from "../../schema/wire-fields.ts";
import { GoOnCount } from "../go-on-limit.ts";
import { faultText, internalFault, withheldText } from "../pi/denial.ts";
import { refusal } from "../pi/guard.ts";
import { type GuardOptions, GuardSession, type SessionContext } from "../pi/session.ts";
import { injected } from "../pi/translate.ts";
import type { HookEvent } from "./config.ts";
import { type HookContext, type HookResult, parsedArguments } from "./context.ts";
import type { HookManager } from "./manager.ts";
import { canonical, type HookObservation } from "./run-hook.ts";

/** Options of a guard: its inputs from the agent and the machine. */
export interface OptaGuardOptions extends GuardOptions {
  /** Hooks beside the policy. */
  readonly hooks?: HookManager;
  /** The human, if one can be asked. Without it, a call that a rule asks about is blocked. */
  readonly ui?: NonNullable<SessionContext["ui"]>;
}

/** Hooks and policy combined: `fire` has the meaning of `HookManager.fire`. */
export interface OptaGuard {
  fire(event: HookEvent, context: HookContext): Promise<HookResult>;
  /** Records a hook's answer; pass it to a `HookManager` as `observe`. Rejects if the audit is required and fails. */
  observe(seen: HookObservation): Promise<void>;
}

/**
 * Creates a guard that puts a compiled policy around an agent's hooks. It judges calls and prompts after the hooks changed
 * them. It redacts tool results before hooks see them, and redacts the hooks' texts. `fire` never rejects; an internal fault
 * gives the event's closed outcome. Source: issue of step 6, part 3; semantics sections 3 and 4.
 */
export function createOptaGuard(engine: Engine, options: OptaGuardOptions = {}): OptaGuard {
  return new Guard(engine.through?.({ adapter: "opta" }) ?? engine, options);
}

const nothing: HookResult = Object.freeze({ cancelled: false });

class Guard implements OptaGuard {
  readonly #engine: Engine;
  readonly #hooks: HookManager | undefined;
  readonly #session: GuardSession;
  readonly #ui: SessionContext["ui"] | undefined;
  readonly #sentOn = new GoOnCount();

  constructor(engine: Engine, { hooks, ui, ...rest }: OptaGuardOptions) {
    this.#engine = engine;
    this.#hooks = hooks;
    this.#ui = ui;
    this.#session = new GuardSession(engine, { host: "opta", ...rest });
  }

  async fire(event: HookEvent, context: HookContext): Promise<HookResult> {
    try {
      if (!this.#engine.active) return await this.#run(event, context);
      if (event === "tool.pre") return await this.#toolPre(context);
      if (event === "tool.post") return await this.#toolPost(context);
      if (event === "prompt.pre") return await this.#promptPre(context);
      return event === "stop" ? await this.#stop(context) : await this.#seen(event, context);
    } catch (error) {
      return closed(event, error);
    }
  }

  async observe(seen: HookObservation): Promise<void> {
    const context = this.#contextOf({ session_id: seen.session, cwd: seen.cwd });
    const reason =
      seen.reason === undefined
        ? {}
        : { reason: resultText(this.#engine.decide(this.#said(seen.reason, context)).decision, seen.reason) };
    const recorded = await this.#session.record(
      {
        event: "hook_answer",
        outcome: seen.outcome === "block" ? "block" : "allow",
        ...(seen.tool !== undefined && { tool: seen.tool }),
        ...(seen.call_id !== undefined && { call_id: seen.call_id }),
        observed: { kind: seen.kind, hook: seen.hook, event: seen.event, answer: seen.outcome, ...reason },
      },
      context,
    );
    const required = this.#engine.plan?.policies.some(({ audit }) => audit.mode === "required") === true;
    if (!recorded && required) throw new Error("the answer of a hook could not be put on record (HW509)");
  }

  async #toolPre(context: HookContext): Promise<HookResult> {
    const hooked = await this.#run("tool.pre", context);
    if (hooked.cancelled) return await this.#masked(hooked, context);
    const args = hooked.updatedInput ?? parsedArguments(context.tool_args);
    if (!args)
      return { cancelled: true, reason: "Blocked by hookwarden: the arguments of the call are no JSON object" };
    const wire = this.#wire("tool.pre", context, { ...call(context), args });
    const decision = (await this.#engine.judge(wire)).decision;
    const final = decision.changes.args ?? args;
    const refused = await this.#refused(decision, wire, context.tool_name ?? "", final, context);
    if (refused !== undefined) return { cancelled: true, reason: refused };
    const changed = decision.changes.args ?? hooked.updatedInput;
    return this.#with(await this.#masked(hooked, context), decision, changed && { updatedInput: changed });
  }

  async #promptPre(context: HookContext): Promise<HookResult> {
    const hooked = await this.#run("prompt.pre", context);
    if (hooked.cancelled) return await this.#masked(hooked, context);
    const text = hooked.prompt ?? context.prompt ?? "";
    const wire = this.#wire("prompt.pre", context, { text, source: "interactive" });
    const decision = (await this.#engine.judge(wire)).decision;
    const refused = await this.#refused(decision, wire, "prompt", { text }, context);
    if (refused !== undefined) return { cancelled: true, reason: refused };
    const prompt = decision.changes.text ?? hooked.prompt;
    return this.#with(await this.#masked(hooked, context), decision, prompt === undefined ? undefined : { prompt });
  }

  /** Here the policy comes first: hooks cannot change results, and must not see the text that it redacts. */
  async #toolPost(context: HookContext): Promise<HookResult> {
    const text = context.tool_result ?? "";
    const args = parsedArguments(context.tool_args) ?? {};
    const result = { content: [{ type: "text", text }], is_error: context.tool_failed === true };
    const { decision } = await this.#engine.judge(this.#wire("tool.post", context, { ...call(context), args, result }));
    const shown = resultText(decision, text);
    const hooked = await this.#run("tool.post", { ...context, tool_result: shown });
    return this.#with(await this.#masked(hooked, context), decision, shown === text ? undefined : { result: shown });
  }

  /** Hooks and policy may each make the agent go on, but not forever; if the policy cannot judge, the agent stops. */
  async #stop(context: HookContext): Promise<HookResult> {
    const hooked = await this.#run("stop", context);
    const payload = {
      active: context.stop_active === true,
      ...(context.last_message !== undefined && { last_message: context.last_message }),
    };
    const { decision } = await this.#engine.judge(this.#wire("stop", context, payload));
    const wanted = decision.outcome === "block" && decision.answered !== "error";
    if (this.#sentOn.sendsOn(context.session_id, wanted))
      return {
        ...(await this.#masked(hooked, context)),
        cancelled: true,
        reason: decision.reason ?? refusal(decision),
      };
    return this.#with(await this.#masked(hooked, context), decision);
  }

  async #seen(event: HookEvent, context: HookContext): Promise<HookResult> {
    const payload = event === "error" ? { message: context.error_message ?? "" } : {};
    const { decision } = await this.#engine.judge(this.#wire(event, context, payload));
    return this.#with(await this.#masked(await this.#run(event, context), context), decision);
  }

  async #run(event: HookEvent, context: HookContext): Promise<HookResult> {
    return this.#hooks ? this.#hooks.fire(event, context) : nothing;
  }

  #wire(event: HookEvent, context: HookContext, payload: object): WireEvent {
    return fromHost(canonical(event), payload, this.#session.frame(this.#contextOf(context)));
  }

  #contextOf({ session_id, cwd }: Pick<HookContext, "session_id" | "cwd">): SessionContext {
    const human = this.#ui === undefined ? {} : { hasUI: true, ui: this.#ui };
    return { cwd, ...human, sessionManager: { getSessionId: () => session_id } };
  }

  async #refused(
    decision: Decision,
    wire: WireEvent,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    context: HookContext,
  ): Promise<string | undefined> {
    if (decision.outcome === "block") return refusal(decision);
    if (decision.outcome === "ask") return this.#session.ask({ wire, tool, args }, decision, this.#contextOf(context));
    return undefined;
  }

  /** Redacts the hooks' texts by the policy, since they reach the model. */
  async #masked(result: HookResult, context: HookContext): Promise<HookResult> {
    const { reason, additionalContext } = result;
    if (reason === undefined && additionalContext === undefined) return result;
    const at = this.#contextOf(context);
    return {
      ...result,
      ...(reason !== undefined && { reason: await this.#redacted(reason, at) }),
      ...(additionalContext !== undefined && { additionalContext: await this.#redacted(additionalContext, at) }),
    };
  }

  async #redacted(text: string, context: SessionContext): Promise<string> {
    return resultText((await this.#engine.judge(this.#said(text, context))).decision, text);
  }

  /** Returns a hook's text as an event, in the form of a tool's result. */
  #said(text: string, context: SessionContext): WireEvent {
    const result = { content: [{ type: "text", text }], is_error: true };
    return fromHost("tool_result", { tool: "hook", args: {}, result }, this.#session.frame(context));
  }

  #with(hooked: HookResult, { changes }: Decision, more: Partial<HookResult> = {}): HookResult {
    const extra = injected(changes)?.content;
    const texts = [hooked.additionalContext, extra].filter((text) => text !== undefined);
    return { ...hooked, ...more, ...(texts.length > 0 && { additionalContext: texts.join("\n\n") }) };
  }
}

function call({ tool_name, tool_call_id }: HookContext): object {
  return { tool: tool_name ?? "", ...(tool_call_id !== undefined && { call_id: tool_call_id }) };
}

/** Returns the text of a result after the policy; a refused result is withheld. */
function resultText(decision: Decision, text: string): string {
  const { content } = decision.changes;
  if (content !== undefined) return content.map((part) => String((part as { text?: unknown }).text ?? "")).join("\n");
  return decision.outcome === "allow" ? text : withheldText(decision.reason ?? "a policy rule forbids it");
}

/** Returns the closed outcome of an event: semantics section 4. */
function closed(event: HookEvent, error: unknown): HookResult {
  const why = faultText(internalFault(error));
  if (event === "tool.pre" || event === "prompt.pre") return { cancelled: true, reason: why };
  return event === "tool.post" ? { cancelled: false, result: withheldText(why) } : nothing;
}
