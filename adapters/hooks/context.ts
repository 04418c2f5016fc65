import type { ExecOptions, ExecResult } from "./exec.ts";
import type { ContentPart, HookMessage } from "./messages.ts";
import { frontOf, type HookUIContext, noUI } from "./ui.ts";

/** A line of the session file. */
export interface SessionEntry {
  type: string;
  id?: string;
  customType?: string;
  data?: unknown;
  [field: string]: unknown;
}

/** The session as modules may read it. */
export interface SessionManager {
  /** Entries from the root to the current leaf: the whole history, not one run. */
  getBranch(): SessionEntry[];
  getEntries(): SessionEntry[];
  /** Path of the session file; undefined when the session is not kept. */
  getSessionFile(): string | undefined;
  getSessionId?(): string;
}

/** A session that is being set up by `newSession`. */
export interface WritableSession extends SessionManager {
  appendMessage(message: { role: string; content: unknown; timestamp: number }): void;
}

/** How a session begins: the file of the session it comes from, and a callback that fills it before it is shown. */
export interface NewSessionOptions {
  parentSession?: string | undefined;
  setup?: (session: WritableSession) => Promise<void> | void;
}

/** Second argument of every event handler. Source: seeds omp-hooks "UI interactions" and pi-hook-reference. */
export interface HookContext {
  readonly ui: HookUIContext;
  /** False in headless, print and sub-agent mode: guard interactive calls. */
  readonly hasUI: boolean;
  readonly cwd: string;
  readonly sessionManager: SessionManager;
  readonly model: unknown;
  isIdle(): boolean;
  hasPendingMessages(): boolean;
  abort(): void;
  shutdown(): void;
}

/** Context of a command handler; adds methods that would deadlock in an event handler. Source: seed omp-hooks, examples. */
export interface HookCommandContext extends HookContext {
  waitForIdle(): Promise<void>;
  newSession(options?: NewSessionOptions): Promise<{ cancelled: boolean }>;
  fork(entryId: string): Promise<{ cancelled: boolean }>;
  navigateTree(targetId: string, options?: { summarize?: boolean }): Promise<{ cancelled: boolean }>;
}

/** The host's side of the runner, given to `initialize`. All ports are optional; a missing one does nothing or throws. */
export interface HostPorts {
  ui?: HookUIContext;
  hasUI?: boolean;
  sessionManager?: SessionManager;
  getModel?(): unknown;
  isIdle?(): boolean;
  hasPendingMessages?(): boolean;
  abort?(): void;
  shutdown?(): void;
  sendMessage?(message: HookMessage, options?: SendMessageOptions): void;
  sendUserMessage?(content: string | ContentPart[], options?: SendUserMessageOptions): void;
  getActiveTools?(): string[];
  getAllTools?(): ToolInfo[];
  setActiveTools?(names: string[]): void;
  appendEntry?(customType: string, data?: unknown): void;
  exec?(command: string, args: readonly string[], options?: ExecOptions & { cwd?: string }): Promise<ExecResult>;
  waitForIdle?(): Promise<void>;
  newSession?(options?: NewSessionOptions): Promise<{ cancelled: boolean }>;
  fork?(entryId: string): Promise<{ cancelled: boolean }>;
  navigateTree?(targetId: string, options?: { summarize?: boolean }): Promise<{ cancelled: boolean }>;
}

/**
 * When a message of a module reaches the model: into the running turn (`steer`), after the run (`followUp`) or with
 * the next prompt; `triggerTurn` starts a run when the agent is idle.
 */
export interface SendMessageOptions {
  triggerTurn?: boolean;
  deliverAs?: "steer" | "followUp" | "nextTurn";
}

/** Where a module's user message goes. `deliverAs` is required while the agent runs; when idle, the message starts a run. */
export interface SendUserMessageOptions {
  deliverAs?: "steer" | "followUp";
}

/** A tool of the agent as modules see it, without the other fields of the host's tools. */
export interface ToolInfo {
  name: string;
  description?: string;
  parameters?: unknown;
}

/** The names of all ports. */
const portNames: Readonly<Record<keyof HostPorts, true>> = {
  ui: true,
  hasUI: true,
  sessionManager: true,
  getModel: true,
  isIdle: true,
  hasPendingMessages: true,
  abort: true,
  shutdown: true,
  sendMessage: true,
  sendUserMessage: true,
  getActiveTools: true,
  getAllTools: true,
  setActiveTools: true,
  appendEntry: true,
  exec: true,
  waitForIdle: true,
  newSession: true,
  fork: true,
  navigateTree: true,
};

/** Merges two sets of ports; the host's win over `offered`. Each port is read from its owner at the time of use. */
export function joinPorts(host: HostPorts, offered: HostPorts): HostPorts {
  const joined: HostPorts = {};
  for (const name of Object.keys(portNames) as (keyof HostPorts)[]) {
    const get = (): unknown => {
      const owner = host[name] === undefined ? offered : host;
      const port: unknown = owner[name];
      return typeof port === "function" ? port.bind(owner) : port;
    };
    Object.defineProperty(joined, name, { get, enumerable: true });
  }
  return joined;
}

const emptySession: SessionManager = Object.freeze({
  getBranch: () => [],
  getEntries: () => [],
  getSessionFile: () => undefined,
});

function missing(port: string): Promise<never> {
  return Promise.reject(new Error(`the host has no \`${port}\``));
}

/** Makes the context of event handlers. It is frozen, so no module can change the context of another. */
export function eventContext(ports: HostPorts, cwd: string): HookContext {
  return Object.freeze(contextFields(ports, cwd));
}

/** Makes the context of command handlers, frozen. */
export function commandContext(ports: HostPorts, cwd: string): HookCommandContext {
  return Object.freeze({
    ...contextFields(ports, cwd),
    waitForIdle: () => ports.waitForIdle?.() ?? Promise.resolve(),
    newSession: (options?: NewSessionOptions) => ports.newSession?.(options) ?? missing("newSession"),
    fork: (entryId: string) => ports.fork?.(entryId) ?? missing("fork"),
    navigateTree: (targetId: string, options?: { summarize?: boolean }) =>
      ports.navigateTree?.(targetId, options) ?? missing("navigateTree"),
  });
}

function contextFields(ports: HostPorts, cwd: string): HookContext {
  const ui = ports.ui === undefined ? noUI : frontOf(ports.ui);
  return {
    ui,
    hasUI: ports.ui !== undefined && (ports.hasUI ?? true),
    cwd,
    sessionManager: ports.sessionManager ?? emptySession,
    model: ports.getModel?.(),
    isIdle: () => ports.isIdle?.() ?? true,
    hasPendingMessages: () => ports.hasPendingMessages?.() ?? false,
    abort: () => ports.abort?.(),
    shutdown: () => ports.shutdown?.(),
  };
}
