import { isAbsolute } from "node:path";
import type { GuardOptions, Judge } from "../pi/session.ts";
import type { HookMessageRenderer, LoadedHook, RegisteredCommand } from "./api.ts";
import { type Chain, errorText, type HookError, type HookErrorListener, type HookFaults, handlersOf } from "./chain.ts";
import { commandContext, eventContext, type HostPorts, joinPorts } from "./context.ts";
import { emitBeforeAgentStart } from "./emit/before-agent-start.ts";
import { emitContext } from "./emit/context.ts";
import { Injections } from "./emit/injections.ts";
import { emitInput } from "./emit/input.ts";
import { emitSession } from "./emit/session.ts";
import { emitToolCall } from "./emit/tool-call.ts";
import { emitToolResult } from "./emit/tool-result.ts";
import { emitUserBash, emitUserPython } from "./emit/user-command.ts";
import { engineGate } from "./engine-gate.ts";
import type {
  BeforeAgentStartEvent,
  HookEvent,
  HookEventMap,
  HookEventName,
  InputEvent,
  OtherEvent,
  ToolCallEvent,
  ToolResultEvent,
  UserBashEvent,
  UserPythonEvent,
} from "./events.ts";
import type { AgentMessage } from "./messages.ts";
import type { PolicyGate } from "./policy-gate.ts";
import { handlerKey, type Profile, type ProfileName, profileNamed } from "./profiles.ts";
import type {
  BeforeAgentStartOutcome,
  InputOutcome,
  ToolCallOutcome,
  ToolResultEventResult,
  UserCommandOutcome,
} from "./results.ts";

const dedicatedNames = [
  "tool_call",
  "tool_result",
  "context",
  "before_agent_start",
  "input",
  "user_bash",
  "user_python",
] as const;

/** Events with an emitter of their own. */
type Dedicated = (typeof dedicatedNames)[number];

/** What handlers may answer to an event, by its name. */
type ResultOf<Name extends HookEventName> = Exclude<HookEventMap[Name]["result"], void>;

const dedicated: ReadonlySet<string> = new Set(dedicatedNames);

/** How a runner treats its modules, fixed for its life; `cwd` is absolute and is where modules work. */
export interface HookRunnerOptions {
  readonly cwd: string;
  /**
   * Whose rules hold: those by which the modules were loaded; another name is an error. Without modules default
   * `omp-hookapi`, the profile of the seeds this API comes from.
   */
  readonly profile?: ProfileName;
  /** The policies, outermost: at every event of the runner. A closed engine, or none of a plan that did not compile, closes all. */
  readonly engine?: Judge;
  /** How the engine's gate names its host and sees the machine. */
  readonly gate?: GuardOptions;
  /** A gate of one's own in place of an engine. What it leaves out it lets pass. */
  readonly policy?: PolicyGate;
  /** What a fault in a handler other than `tool_call` does; default `report`. */
  readonly hookFaults?: HookFaults;
  /** Where faults are put on record, beside the listeners; `hookFaultAudit` gives one over an audit store. */
  readonly audit?: HookErrorListener;
  /** Replaces the profile's limit for `tool_call` handlers, in milliseconds. */
  readonly toolCallTimeout?: number;
  /**
   * Validates arguments that a handler returned or the policy put in place of the model's (hosts page, section 3:
   * "re-validated"); the answer says what is wrong and blocks. Absent: they run as they are.
   */
  readonly validateInput?: (toolName: string, input: Record<string, unknown>) => string | undefined;
}

/**
 * Runs the handlers of loaded hook modules by the rules of one host, with the policy behind the last of them.
 * Order: hooks array order, then registration order. Source: seed omp-hooks, "Ordering and conflict behavior";
 * semantics page, section 3, "Shared runner".
 */
export class HookRunner {
  readonly profile: Profile;
  readonly #hooks: readonly LoadedHook[];
  readonly #options: HookRunnerOptions;
  readonly #chain: Chain;
  readonly #listeners = new Set<HookErrorListener>();
  #host: HostPorts = {};
  #offered: HostPorts = {};
  #ports: HostPorts = {};

  constructor(hooks: readonly LoadedHook[], options: HookRunnerOptions) {
    this.#hooks = [...hooks];
    this.#options = checkedOptions(options);
    this.profile = profileOf(hooks, options.profile);
    this.#chain = {
      profile: this.profile,
      policy: this.#gate(),
      faults: options.hookFaults ?? "report",
      toolCallTimeout: options.toolCallTimeout ?? this.profile.toolCallTimeout,
      injections: new Injections(),
      validateInput: (toolName, input) => options.validateInput?.(toolName, input),
      handlers: (event) => handlersOf(this.#hooks, event),
      context: () => eventContext(this.#ports, options.cwd),
      report: (hookPath, event, error) => this.#report(hookPath, event, error),
    };
  }

  /** The policy's gate. It asks the human through the same ports as modules do, and knows the same session. */
  #gate(): PolicyGate | undefined {
    const { engine, policy, cwd, gate } = this.#options;
    if (engine === undefined) return policy;
    if (policy !== undefined)
      throw new TypeError("a runner takes an `engine` or a `policy`, not both: only one can be outermost");
    return engineGate(engine, () => eventContext(this.#ports, cwd), gate);
  }

  /** Gives handlers the host: its UI, its session, and what the API's methods do. */
  initialize(ports: HostPorts): void {
    this.#host = ports;
    this.#bind();
  }

  /**
   * Gives handlers what the host does not give itself, before or after `initialize`: an agent loop offers its own ports.
   * What was offered before stays, where the new ports do not have it.
   */
  offer(ports: HostPorts): void {
    this.#offered = joinPorts(ports, this.#offered);
    this.#bind();
  }

  /** Resolves when the host says that nothing runs. A host that does not know, or fails, is idle. Never rejects. */
  async whenIdle(): Promise<void> {
    try {
      await this.#ports.waitForIdle?.();
    } catch (error) {
      this.#report("the host", "session_shutdown", error);
    }
  }

  /** Ends the run of the host that is under way, and waits until it has ended, but no longer than this. Never rejects. */
  async endRun(milliseconds: number): Promise<void> {
    const { abort, waitForIdle } = this.#ports;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    try {
      abort?.();
      await Promise.race([waitForIdle?.(), late]);
    } catch (error) {
      this.#report("the host", "session_shutdown", error);
    } finally {
      clearTimeout(timer);
    }
  }

  #bind(): void {
    this.#ports = joinPorts(this.#host, this.#offered);
    for (const hook of this.#hooks) hook.bind(this.#ports);
  }

  /** Hears of every fault in a module or in the policy; the answer ends it. A listener that throws is not heard. */
  onError(listener: HookErrorListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** True when emitting the event can have an effect: a handler, or a policy that judges it. */
  hasHandlers(event: string): boolean {
    const key = handlerKey(event);
    return this.#judged(key) || this.#hooks.some((hook) => (hook.handlers.get(key)?.length ?? 0) > 0);
  }

  /** Before a tool runs. Rejects with a handler's error, on which the tool must not run. */
  emitToolCall(event: ToolCallEvent): Promise<ToolCallOutcome> {
    return emitToolCall(this.#chain, event);
  }

  /** After a tool ran; undefined when nothing changed. */
  emitToolResult(event: ToolResultEvent): Promise<ToolResultEventResult | undefined> {
    return emitToolResult(this.#chain, event);
  }

  /** Before a model call; undefined when nothing changed. The given messages are never written to. */
  emitContext(messages: readonly AgentMessage[]): Promise<AgentMessage[] | undefined> {
    return emitContext(this.#chain, messages);
  }

  /** Once per prompt. */
  emitBeforeAgentStart(event: BeforeAgentStartEvent): Promise<BeforeAgentStartOutcome> {
    return emitBeforeAgentStart(this.#chain, event);
  }

  emitUserBash(event: UserBashEvent): Promise<UserCommandOutcome> {
    return emitUserBash(this.#chain, event);
  }

  emitUserPython(event: UserPythonEvent): Promise<UserCommandOutcome> {
    return emitUserPython(this.#chain, event);
  }

  emitInput(event: InputEvent): Promise<InputOutcome> {
    return emitInput(this.#chain, event);
  }

  /** Any other event, under any of its names. */
  emit<Event extends Exclude<HookEvent, { type: Dedicated }>>(
    event: Event,
  ): Promise<ResultOf<Event["type"]> | undefined>;
  emit(event: OtherEvent): Promise<Record<string, unknown> | undefined>;
  emit(event: { type: string }): Promise<Record<string, unknown> | undefined> {
    const key = handlerKey(event.type);
    if (dedicated.has(key)) return Promise.reject(new Error(`\`${key}\` has an emit method of its own`));
    return emitSession(this.#chain, event);
  }

  /**
   * Text the human submitted: an extension command takes it before `input` fires; built-in commands come after
   * (seed pi-hook-reference, section 1, "Edge cases").
   */
  async submit(event: InputEvent): Promise<InputOutcome> {
    const typed = event.text.startsWith("/") ? event.text.slice(1) : "";
    const blank = typed.indexOf(" ");
    const name = blank < 0 ? typed : typed.slice(0, blank);
    if (name !== "" && this.getCommand(name) !== undefined) {
      await this.runCommand(name, blank < 0 ? "" : typed.slice(blank + 1));
      return { action: "handled", text: event.text, command: name };
    }
    return this.emitInput(event);
  }

  /** The command of the first module that has one of this name. */
  getCommand(name: string): RegisteredCommand | undefined {
    for (const hook of this.#hooks) {
      const found = hook.commands.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** All commands of all modules, without dedupe. */
  getRegisteredCommands(): RegisteredCommand[] {
    return this.#hooks.flatMap((hook) => [...hook.commands.values()]);
  }

  /** Runs a command with the context of commands; false when there is none. A fault is reported as event `command`. */
  async runCommand(name: string, args: string): Promise<boolean> {
    const owner = this.#hooks.find((hook) => hook.commands.has(name));
    const command = owner?.commands.get(name);
    if (owner === undefined || command === undefined) return false;
    try {
      await command.handler(args, commandContext(this.#ports, this.#options.cwd));
    } catch (error) {
      this.#report(owner.resolvedPath, "command", error);
    }
    return true;
  }

  /** The renderer of the first module that has one for this type. */
  getMessageRenderer(customType: string): HookMessageRenderer | undefined {
    for (const hook of this.#hooks) {
      const found = hook.messageRenderers.get(customType);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What the tool wrapper needs of the runner. */
  get chain(): Chain {
    return this.#chain;
  }

  #judged(key: string): boolean {
    const { policy } = this.#chain;
    if (policy === undefined) return false;
    const optional = new Map<string, unknown>([
      ["input", policy.input],
      ["user_python", policy.userPython],
      ["session_compacting", policy.sessionCompacting],
      ["resources_discover", policy.resourcesDiscover],
    ]);
    if (["tool_call", "tool_result", "context", "before_agent_start", "user_bash"].includes(key)) return true;
    if (optional.has(key)) return optional.get(key) !== undefined;
    if (key === "stop" || key === "subagent_stop") return (policy.stop ?? policy.observe) !== undefined;
    return (key.startsWith("session_before_") ? policy.sessionBefore : policy.observe) !== undefined;
  }

  #report(hookPath: string, event: string, error: unknown): void {
    const heard: HookError = Object.freeze({ hookPath, event, error: errorText(error) });
    const { audit } = this.#options;
    for (const listener of audit === undefined ? this.#listeners : [audit, ...this.#listeners]) {
      try {
        listener(heard);
      } catch {
        // Who listens must not be able to change what the runner answers.
      }
    }
  }
}

/** The options, if they are what they must be: with a value of another kind in its place a policy would not be asked. */
function checkedOptions(options: HookRunnerOptions): HookRunnerOptions {
  const { cwd, profile, engine, hookFaults, toolCallTimeout } = options;
  if (typeof cwd !== "string" || !isAbsolute(cwd)) throw new TypeError("`cwd` must be an absolute path");
  profileNamed(profile);
  if (Object.hasOwn(options, "engine") && !isEngine(engine))
    throw new TypeError("`engine` must be what `createEngine` returned; leave it out to run without a policy");
  if (hookFaults !== undefined && hookFaults !== "report" && hookFaults !== "closed")
    throw new TypeError("`hookFaults` is `report` or `closed`");
  if (toolCallTimeout !== undefined && !(typeof toolCallTimeout === "number" && toolCallTimeout > 0))
    throw new TypeError("`toolCallTimeout` must be a number of milliseconds above 0");
  return options;
}

function isEngine(given: Partial<Judge> | undefined): given is Judge {
  return (
    typeof given === "object" &&
    given !== null &&
    typeof given.active === "boolean" &&
    typeof given.judge === "function"
  );
}

/** The one profile by which the modules were loaded. Rules of another would drop what they answer without a word. */
function profileOf(hooks: readonly LoadedHook[], asked: ProfileName | undefined): Profile {
  const name = asked ?? hooks[0]?.profile ?? "omp-hookapi";
  const other = hooks.find((hook) => hook.profile !== name);
  if (other === undefined) return profileNamed(name);
  throw new TypeError(
    `\`${other.path}\` was loaded by the rules of \`${other.profile}\` and cannot run by those of \`${name}\`; load it with \`{ profile: "${name}" }\``,
  );
}
