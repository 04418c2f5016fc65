import { blocked, withheldResult } from "../pi/translate.ts";
import type { GastownPi, HookEventName, HookEvents, PiContext, PiSessionStartEvent } from "./api.ts";
import { type ConfigFault, type ConfigPlaces, type HookConfig, loadConfig } from "./config.ts";
import { ContextBlocks, hookContextType } from "./context-block.ts";
import type { HookLog } from "./log.ts";
import { toolSubject } from "./matcher.ts";
import { type Happening, type HookVerdict, type HookWorld, runHooks } from "./run-hooks.ts";

type Reply<Name extends HookEventName> = HookEvents[Name]["reply"] | undefined;

/** Maximum number of calls whose place is remembered; far more than run at once. */
const rememberedCalls = 4_096;

const nothing: HookVerdict = { context: [] };

/**
 * Installs the configured hooks in a pi session: registers the command line options, reads the configuration once at the
 * session's start, and runs the hooks at their events. No handler throws: an error here blocks the call, withholds the
 * result, or is logged. Source: seed gastown-hooks-v1.1.
 */
export function installHooks(pi: GastownPi, world: HookWorld, now: () => number = Date.now): void {
  pi.registerFlag("hooks-config", { type: "string", description: "File with the hooks of this session (JSON)" });
  pi.registerFlag("gastown-mode", {
    type: "boolean",
    description: "Run Gastown's built-in hooks when none are configured",
  });
  pi.registerFlag("claude-settings", { type: "boolean", description: "Also take hooks from .claude/settings*.json" });
  const session = new HookSession(pi, world, now);
  const listen = <Name extends HookEventName>(
    name: Name,
    run: (event: HookEvents[Name]["event"], context: PiContext) => Promise<Reply<Name>>,
    closed: (event: HookEvents[Name]["event"], why: string) => Reply<Name>,
  ): void => {
    pi.on(name, (event, context) =>
      session.total(
        name,
        context,
        () => run(event, context),
        (why) => closed(event, why),
      ),
    );
  };
  const open = () => undefined;
  listen("session_start", (event, context) => session.start(event, context), open);
  listen("before_agent_start", (event, context) => session.prompt(event, context), open);
  listen(
    "tool_call",
    (event, context) => session.call(event, context),
    (_event, why) => blocked(why),
  );
  listen("tool_result", (event, context) => session.result(event, context), deniedResult);
  listen("context", (event) => session.context(event), open);
  listen("session_before_compact", (_event, context) => session.notice("PreCompact", context), open);
  listen("agent_end", (_event, context) => session.notice("Stop", context), open);
  listen("session_shutdown", (_event, context) => session.notice("SessionEnd", context), open);
}

/** Returns the result that the model gets when a hook denies it: the tool did run, but its output stays here. */
function deniedResult(event: HookEvents["tool_result"]["event"], why: string): Reply<"tool_result"> {
  return { ...withheldResult(event, why), isError: true };
}

function isFault(found: HookConfig | ConfigFault): found is ConfigFault {
  return "problem" in found;
}

class HookSession {
  readonly #pi: GastownPi;
  readonly #world: HookWorld;
  readonly #log: HookLog;
  readonly #now: () => number;
  readonly #blocks = new ContextBlocks();
  readonly #calls = new Map<string, number>();
  #config: HookConfig | undefined;
  #loaded = false;
  #called = 0;

  constructor(pi: GastownPi, world: HookWorld, now: () => number) {
    this.#pi = pi;
    this.#world = world;
    this.#log = world.log;
    this.#now = now;
  }

  /** Returns a reply, or the closed one if anything throws. */
  async total<T>(name: string, context: PiContext, run: () => Promise<T>, closed: (why: string) => T): Promise<T> {
    try {
      this.#log.showIn(context.hasUI === true ? (text, level) => void context.ui.notify(text, level) : undefined);
      return await run();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const why = `hooks could not be run (${this.#log.masked(message)}); load hookwarden/gastown before other extensions that change or freeze calls`;
      const configSource = this.#config?.source ?? "default";
      this.#log.write({ level: "error", message: "internal error", event: name, configSource, reason: message });
      return closed(`Blocked by hookwarden: ${why}`);
    }
  }

  async start(event: PiSessionStartEvent, context: PiContext): Promise<undefined> {
    this.#blocks.clear();
    this.#calls.clear();
    const config = this.#configOf(context);
    const reason = event.reason ?? "startup";
    const source = sources.get(reason) ?? reason;
    const happening: Happening = {
      event: "SessionStart",
      subject: () => ({ names: [...new Set([source, reason])], texts: [] }),
      cwd: context.cwd,
      payload: () => ({ ...sessionOf(context), source }),
    };
    await this.#run(config, happening);
    return undefined;
  }

  /** Adds the hooks' texts since the last prompt to this one, and so to the session's file. */
  async prompt(
    event: HookEvents["before_agent_start"]["event"],
    context: PiContext,
  ): Promise<Reply<"before_agent_start">> {
    await this.#run(this.#configOf(context), {
      event: "UserPromptSubmit",
      cwd: context.cwd,
      payload: () => ({ ...sessionOf(context), prompt: event.prompt ?? "" }),
    });
    const content = this.#blocks.take();
    return content === undefined ? undefined : { message: { customType: hookContextType, content, display: false } };
  }

  async call(event: HookEvents["tool_call"]["event"], context: PiContext): Promise<Reply<"tool_call">> {
    const config = this.#configOf(context);
    if (!config) return undefined;
    const call = this.#placeOf(event.toolCallId);
    const { denied } = await this.#run(config, {
      event: "PreToolUse",
      subject: () => toolSubject(event.toolName, event.input),
      cwd: context.cwd,
      payload: () => ({ ...sessionOf(context), ...callOf(event) }),
      input: event.input,
      call,
    });
    return denied === undefined ? undefined : blocked(`Blocked by a hook: ${denied}`);
  }

  async result(event: HookEvents["tool_result"]["event"], context: PiContext): Promise<Reply<"tool_result">> {
    const config = this.#configOf(context);
    if (!config) return undefined;
    const { content, details, isError } = event;
    const { denied } = await this.#run(config, {
      event: "PostToolUse",
      subject: () => toolSubject(event.toolName, event.input),
      cwd: context.cwd,
      payload: () => ({ ...sessionOf(context), ...callOf(event), tool_response: { content, details, isError } }),
      call: this.#placeOf(event.toolCallId),
    });
    return denied === undefined ? undefined : deniedResult(event, `a hook denied it: ${denied}`);
  }

  async context(event: HookEvents["context"]["event"]): Promise<Reply<"context">> {
    const messages = this.#blocks.into(event.messages, this.#now());
    return messages && { messages };
  }

  async notice(event: "PreCompact" | "Stop" | "SessionEnd", context: PiContext): Promise<undefined> {
    const payload = () => sessionOf(context);
    await this.#run(this.#configOf(context), { event, cwd: context.cwd, payload });
    return undefined;
  }

  async #run(config: HookConfig | undefined, happening: Happening): Promise<HookVerdict> {
    if (!config) return nothing;
    const verdict = await runHooks(config, happening, this.#world);
    this.#blocks.add(verdict.context);
    return verdict;
  }

  #placeOf(callId: string): number {
    const known = this.#calls.get(callId);
    if (known !== undefined) return known;
    this.#calls.set(callId, ++this.#called);
    const oldest = this.#calls.size > rememberedCalls ? this.#calls.keys().next() : undefined;
    if (oldest && !oldest.done) this.#calls.delete(oldest.value);
    return this.#called;
  }

  /** Reads the configuration once: later changes of the file by an agent do not affect this session. */
  #configOf(context: PiContext): HookConfig | undefined {
    if (this.#loaded) return this.#config;
    this.#loaded = true;
    const found = loadConfig(this.#places(context));
    if (!found) return undefined;
    if (isFault(found)) this.#refuse(found, context);
    else this.#accept(found);
    return this.#config;
  }

  #places(context: PiContext): ConfigPlaces {
    const { env } = this.#world;
    return {
      option: this.#pi.getFlag("hooks-config"),
      variable: env["PI_HOOKS_JSON"],
      claudeSettings: this.#pi.getFlag("claude-settings") === true,
      gastownMode: this.#pi.getFlag("gastown-mode") === true || (env["GT_ROLE"] ?? "") !== "",
      cwd: context.cwd,
    };
  }

  #accept(config: HookConfig): void {
    this.#config = config;
    for (const message of config.notes)
      this.#log.write({ level: "warning", message, event: "config", configSource: config.source });
  }

  #refuse({ source, path, problem }: ConfigFault, context: PiContext): void {
    const message = "the hook configuration is invalid; hooks are disabled for this session";
    const shown = context.hasUI === true;
    this.#log.write(
      { level: "error", message, event: "config", configSource: source, reason: problem, ...(path && { path }) },
      shown,
    );
    const where = path === undefined ? source : `${source}, ${path}`;
    if (shown) context.ui.notify(this.#log.masked(`hookwarden: ${message} (${where}: ${problem})`), "error");
  }
}

/** Ways to begin a session, in the words of hook configurations. */
const sources: ReadonlyMap<string, string> = new Map([
  ["new", "clear"],
  ["fork", "resume"],
]);

function sessionOf(context: PiContext): Record<string, unknown> {
  return { session_id: context.sessionManager?.getSessionId?.() ?? "" };
}

function callOf(event: { toolName: string; toolCallId: string; input: unknown }): Record<string, unknown> {
  return { tool_name: event.toolName, tool_input: event.input, tool_use_id: event.toolCallId };
}
