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

/** A handler's answer to an event, by the event's name. */
type ResultOf<Name extends HookEventName> = Exclude<HookEventMap[Name]["result"], void>;

const dedicated: ReadonlySet<string> = new Set(dedicatedNames);

/** Options of a runner, fixed for its life. `cwd` is the absolute path of the folder in which modules work. */
export interface HookRunnerOptions {
  readonly cwd: string;
  /**
   * Host whose rules apply. It must be the profile under which the modules were loaded; another name is an error. Without
   * modules the default is `omp-hookapi`, the profile of the seeds that this API comes from.
   */
  readonly profile?: ProfileName;
  /** The engine that judges every event, outermost. A closed engine, whose policies did not compile, closes every event. */
  readonly engine?: Judge;
  /** How the engine's gate names its host and sees the machine. */
  readonly gate?: GuardOptions;
  /** A custom gate instead of an engine. A method that it leaves out lets its event pass. */
  readonly policy?: PolicyGate;
  /** How a fault in a handler is treated, except in `tool_call`; default `report`. */
  readonly hookFaults?: HookFaults;
  /** Records faults, besides the listeners; `hookFaultAudit` makes one that writes to an audit store. */
  readonly audit?: HookErrorListener;
  /** Replaces the profile's limit for `tool_call` handlers, in milliseconds. */
  readonly toolCallTimeout?: number;
  /**
   * Validates arguments with which a handler or the policy replaced the model's (hosts page, section 3: "re-validated").
   * A returned text says what is wrong and blocks the call. Absent: they run as they are.
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

  /** Returns the policy's gate. It asks the human through the same ports as the modules, and sees the same session. */
  #gate(): PolicyGate | undefined {
    const { engine, policy, cwd, gate } = this.#options;
    if (engine === undefined) return policy;
    if (policy !== undefined)
      throw new TypeError("a runner takes an `engine` or a `policy`, not both: only one can be outermost");
    return engineGate(engine, () => eventContext(this.#ports, cwd), gate);
  }

  /** Gives handlers the host's ports: its UI, its session, and the methods behind the API. */
  initialize(ports: HostPorts): void {
    this.#host = ports;
    this.#bind();
  }

  /**
   * Adds ports that the host does not have itself, before or after `initialize`; an agent loop offers its own this way.
   * Ports offered earlier stay unless the new ones replace them.
   */
  offer(ports: HostPorts): void {
    this.#offered = joinPorts(ports, this.#offered);
    this.#bind();
  }

  /** Resolves when the host is idle. A host without `waitForIdle`, or whose `waitForIdle` fails, counts as idle. Never rejects. */
  async whenIdle(): Promise<void> {
    try {
      await this.#ports.waitForIdle?.();
    } catch (error) {
      this.#report("the host", "session_shutdown", error);
    }
  }

  /** Ends the host's current run and waits for its end, at most for the given time. Never rejects. */
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

  /** Adds a listener for faults of modules and the policy; returns a function that removes it. Errors of a listener are ignored. */
  onError(listener: HookErrorListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** True if emitting the event can have an effect: it has a handler, or the policy judges it. */
  hasHandlers(event: string): boolean {
    const key = handlerKey(event);
    return this.#judged(key) || this.#hooks.some((hook) => (hook.handlers.get(key)?.length ?? 0) > 0);
  }

  /** Emits `tool_call` before a tool runs. Rejects with a handler's error; the tool must not run then. */
  emitToolCall(event: ToolCallEvent): Promise<ToolCallOutcome> {
    return emitToolCall(this.#chain, event);
  }

  /** Emits `tool_result` after a tool ran; undefined when nothing changed. */
  emitToolResult(event: ToolResultEvent): Promise<ToolResultEventResult | undefined> {
    return emitToolResult(this.#chain, event);
  }

  /** Emits `context` before a model call; undefined when nothing changed. The given messages are never written to. */
  emitContext(messages: readonly AgentMessage[]): Promise<AgentMessage[] | undefined> {
    return emitContext(this.#chain, messages);
  }

  /** Emits `before_agent_start`, once per prompt. */
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

  /** Emits any other event, under any of its names. */
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
   * Submits text of the human: an extension command takes it before `input` fires; built-in commands come after
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

  /** Returns the command of the first module that has one of this name. */
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

  /** Runs a command with a command context; false if there is no such command. A fault is reported as event `command`. */
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

  /** Returns the renderer of the first module that has one for this type. */
  getMessageRenderer(customType: string): HookMessageRenderer | undefined {
    for (const hook of this.#hooks) {
      const found = hook.messageRenderers.get(customType);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The chain, for the tool wrapper. */
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
        // A listener must not be able to change the runner's answer.
      }
    }
  }
}

/** Returns the options, or throws a TypeError for an invalid one: with a wrong value the policy would not be asked. */
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

/** Returns the profile under which all modules were loaded; throws if they differ. Another profile would silently drop their answers. */
function profileOf(hooks: readonly LoadedHook[], asked: ProfileName | undefined): Profile {
  const name = asked ?? hooks[0]?.profile ?? "omp-hookapi";
  const other = hooks.find((hook) => hook.profile !== name);
  if (other === undefined) return profileNamed(name);
  throw new TypeError(
    `\`${other.path}\` was loaded by the rules of \`${other.profile}\` and cannot run by those of \`${name}\`; load it with \`{ profile: "${name}" }\``,
  );
}
