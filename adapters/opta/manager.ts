import { type CompiledHook, compileHooks, type HookScope, type ScopedHook } from "./compiled.ts";
import { type HookDefinition, type HookEvent, OptaConfigError } from "./config.ts";
import type { HookContext, HookResult } from "./context.ts";
import { decideByHooks } from "./deciding.ts";
import { type HookPorts, runHook, startHook } from "./run-hook.ts";

/** Options of a manager. Every one has a default. */
export interface HookManagerOptions extends HookPorts {
  /** Asks the human on behalf of a hook; true lets the call run. Without it, `ask` cancels. */
  confirm?(title: string, message: string): Promise<boolean>;
}

/** One hook in the list of `/hooks`. */
export interface HookState {
  readonly key: string;
  readonly scope: HookScope;
  readonly definition: Readonly<HookDefinition>;
  readonly enabled: boolean;
}

const noopResult: HookResult = Object.freeze({ cancelled: false });

/** Maximum times that hooks may make an agent go on without a tool call or a prompt in between. */
const mostContinues = 8;

/** True for events that an internal fault cancels. On a fault, an agent that wants to stop does stop (semantics section 4). */
function cancelsOnFault(event: HookEvent): boolean {
  return event === "tool.pre" || event === "prompt.pre";
}

/**
 * Runs the hooks of an agent loop. `fire` never rejects. Source: seed opta-hook-system; issue of step 6, part 3.
 */
export class HookManager {
  readonly #hooks: readonly CompiledHook[];
  readonly #options: HookManagerOptions;
  readonly #disabled = new Set<string>();
  readonly #continues = new Map<string, number>();

  protected constructor(hooks: readonly CompiledHook[], options: HookManagerOptions) {
    this.#hooks = hooks;
    this.#options = options;
  }

  /**
   * Creates a manager of these hooks; without hooks, returns the shared one that does nothing. Throws an `OptaConfigError`
   * for a definition that does not fit, and for a matcher that is no RE2 pattern.
   */
  static create(definitions: readonly HookDefinition[] = [], options: HookManagerOptions = {}): HookManager {
    if (!Array.isArray(definitions)) throw new OptaConfigError([{ path: "", message: "must be a list of hooks" }]);
    return HookManager.of(
      definitions.map((definition) => ({ definition, scope: "user" })),
      options,
    );
  }

  /** Like `create`, for hooks of several scopes. */
  static of(hooks: readonly ScopedHook[], options: HookManagerOptions = {}): HookManager {
    return hooks.length === 0 ? NoOpHookManager.shared : new HookManager(compileHooks(hooks), options);
  }

  /** Creates a manager that refuses calls and prompts, for a configuration that cannot be used until it is fixed. */
  static closed(why: string): HookManager {
    return new ClosedHookManager(why);
  }

  /** Lists every hook, in the order in which they run. */
  list(): readonly HookState[] {
    return this.#hooks.map(({ key, scope, definition }) => ({
      key,
      scope,
      definition,
      enabled: !this.#disabled.has(key),
    }));
  }

  /** Turns a hook on or off for the life of this manager. Only for the human: the model must have no access to it. */
  setEnabled(key: string, enabled: boolean): void {
    if (enabled) this.#disabled.delete(key);
    else this.#disabled.add(key);
  }

  /**
   * Runs the hooks of an event one after another. Before a tool call, any non-zero exit code cancels, with standard error as
   * reason. After a time-out the call goes on, unless the hook has `on_timeout: cancel`. Background hooks start if nothing
   * cancelled, and are running when this resolves, because an agent may end right after `session.end`.
   */
  async fire(event: HookEvent, context: HookContext): Promise<HookResult> {
    try {
      this.#progress(event, context.session_id);
      const hooks = this.#hooks.filter((hook) => hook.fits(event, context.tool_name) && !this.#disabled.has(hook.key));
      if (hooks.length === 0) return noopResult;
      const foreground = hooks.filter(({ definition }) => definition.background !== true);
      const { result, final } = await this.#foreground(foreground, event, context);
      if (!result.cancelled || event === "stop")
        for (const hook of hooks) if (hook.definition.background) await startHook(hook, event, final, this.#options);
      return event === "stop" ? this.#bounded(result, context.session_id) : result;
    } catch (fault) {
      const why = fault instanceof Error ? fault.message : String(fault);
      return cancelsOnFault(event) ? { cancelled: true, reason: `the hooks could not be run: ${why}` } : noopResult;
    }
  }

  async #foreground(
    hooks: readonly CompiledHook[],
    event: HookEvent,
    context: HookContext,
  ): Promise<{ result: HookResult; final: HookContext }> {
    const run = (hook: CompiledHook, seen: HookContext) => runHook(hook, event, seen, this.#options);
    if (event === "tool.pre" || event === "prompt.pre" || event === "stop")
      return decideByHooks(hooks, event, context, { run, confirm: this.#options.confirm });
    const texts: string[] = [];
    for (const hook of hooks) texts.push(...said(await run(hook, context)));
    return { result: texts.length === 0 ? noopResult : { cancelled: false, ...joined(texts) }, final: context };
  }

  /** Resets the count of continues: any event but `stop` means progress. */
  #progress(event: HookEvent, session: string): void {
    if (event !== "stop" && this.#continues.size > 0) this.#continues.delete(session);
  }

  /** Limits how often hooks may keep an agent from stopping, so that it cannot run forever. */
  #bounded(result: HookResult, session: string): HookResult {
    if (!result.cancelled) return result;
    const times = (this.#continues.get(session) ?? 0) + 1;
    this.#continues.set(session, times);
    return times > mostContinues ? { cancelled: false, reason: "the hooks sent the agent on too often" } : result;
  }
}

/** Returns the text for the model in an answer, as a list. */
function said({ context }: { readonly context?: string }): string[] {
  return context === undefined ? [] : [context];
}

function joined(texts: readonly string[]): Pick<HookResult, "additionalContext"> {
  return { additionalContext: texts.join("\n\n") };
}

/** The manager without hooks: one shared instance, at no cost. Source: seed, section 1. */
export class NoOpHookManager extends HookManager {
  static readonly shared: HookManager = new NoOpHookManager();

  private constructor() {
    super([], {});
  }

  override async fire(): Promise<HookResult> {
    return noopResult;
  }
}

class ClosedHookManager extends HookManager {
  readonly #why: string;

  constructor(why: string) {
    super([], {});
    this.#why = why;
  }

  override async fire(event: HookEvent): Promise<HookResult> {
    return cancelsOnFault(event) ? { cancelled: true, reason: this.#why } : noopResult;
  }
}
