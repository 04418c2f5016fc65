import type {
  HookCommandContext,
  HookContext,
  HostPorts,
  SendMessageOptions,
  SendUserMessageOptions,
  ToolInfo,
} from "./context.ts";
import type { HookEventMap, HookEventName } from "./events.ts";
import { type ExecOptions, type ExecResult, execCommand } from "./exec.ts";
import type { ContentPart, CustomMessage, HookMessage } from "./messages.ts";
import { acceptsEvent, handlerKey, type Profile, type ProfileName } from "./profiles.ts";

/** A handler of one event. Nothing returned passes everything through. */
export type HookHandler<Event, Result> = (
  event: Event,
  ctx: HookContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler may have no return statement at all
) => Promise<Result | undefined | void> | Result | undefined | void;

/** A handler as the runner keeps it. */
export type AnyHandler = (event: unknown, ctx: HookContext) => unknown;

/** A slash command of a module. */
export interface RegisteredCommand {
  name: string;
  description?: string;
  handler(args: string, ctx: HookCommandContext): Promise<void> | void;
}

/** Draws a custom message; returns the host's own type of component. */
export type HookMessageRenderer = (message: CustomMessage, options: { expanded: boolean }, theme: unknown) => unknown;

/** API that a hook module's factory receives. Source: seed omp-hooks, "What a hook module is". */
export interface HookAPI {
  /** Registers a handler and returns a function that removes it. Throws if the profile refuses the event, or a call this late. */
  on<Name extends HookEventName>(
    event: Name,
    handler: HookHandler<HookEventMap[Name]["event"], HookEventMap[Name]["result"]>,
  ): () => void;
  /** Sends a message that the session keeps and the model sees. */
  sendMessage(message: HookMessage, options?: SendMessageOptions): void;
  /** Sends a message as if the human had said it: `input` fires with the source `extension`. For extensions only. */
  sendUserMessage(content: string | ContentPart[], options?: SendUserMessageOptions): void;
  /** Names of the tools that the model is offered. For extensions only, as are the two methods below. */
  getActiveTools(): string[];
  getAllTools(): ToolInfo[];
  /** Sets the tools that the model is offered from its next call on; unknown names are ignored. */
  setActiveTools(names: string[]): void;
  /** Keeps data in the session that the model never sees. */
  appendEntry(customType: string, data?: unknown): void;
  registerCommand(name: string, options: Omit<RegisteredCommand, "name">): void;
  registerMessageRenderer(customType: string, renderer: HookMessageRenderer): void;
  /** Runs a program, never through a shell, in the runner's folder unless `cwd` says another. */
  exec(command: string, args: readonly string[], options?: ExecOptions & { cwd?: string }): Promise<ExecResult>;
}

/** The same API under the name that extensions of pi and omp use. Source: seed omp-authoring-hooks, "Factory signature". */
export type ExtensionAPI = HookAPI;

/** The default export of a hook module. */
export type HookFactory = (api: HookAPI) => void | Promise<void>;

/** One handler, with the event name that its module registered. */
export interface Registration {
  readonly hookPath: string;
  readonly event: string;
  readonly handler: AnyHandler;
}

/** A module after its factory ran. */
export interface LoadedHook {
  /** The path as it was configured. */
  readonly path: string;
  readonly resolvedPath: string;
  /** The profile under which it was loaded and must run. */
  readonly profile: ProfileName;
  /** Handlers by canonical event, in registration order. */
  readonly handlers: ReadonlyMap<string, readonly Registration[]>;
  readonly commands: ReadonlyMap<string, RegisteredCommand>;
  readonly messageRenderers: ReadonlyMap<string, HookMessageRenderer>;
  /** Gives the module's API the host; called by the runner. */
  bind(ports: HostPorts): void;
}

/** A module being registered: its API, the record of what it registered, and the end of registration. */
export interface Registrar {
  readonly api: HookAPI;
  readonly hook: LoadedHook;
  /** Called when the factory has returned. */
  close(): void;
}

/** Methods of the API that the host serves. */
type ApiPort = "sendMessage" | "appendEntry" | "sendUserMessage" | "getActiveTools" | "getAllTools" | "setActiveTools";

const extensionPorts: ReadonlySet<ApiPort> = new Set([
  "sendUserMessage",
  "getActiveTools",
  "getAllTools",
  "setActiveTools",
]);

/** Makes the API for one module. `cwd` is where `exec` runs. */
export function createRegistrar(path: string, resolvedPath: string, cwd: string, profile: Profile): Registrar {
  const handlers = new Map<string, Registration[]>();
  const commands = new Map<string, RegisteredCommand>();
  const messageRenderers = new Map<string, HookMessageRenderer>();
  let closed = false;
  let ports: HostPorts | undefined;
  const port = <Name extends ApiPort>(name: Name): NonNullable<HostPorts[Name]> => {
    if (extensionPorts.has(name) && !profile.extensionEvents) {
      throw new Error(`\`${name}\` is not a method of \`${profile.name}\`; it requires an extension`);
    }
    if (ports === undefined) throw new Error(`\`${name}\` can be called only after the runner was initialised`);
    const found = ports[name];
    if (found === undefined) throw new Error(`the host has no \`${name}\``);
    return found.bind(ports) as NonNullable<HostPorts[Name]>;
  };
  const on = (event: string, handler: unknown): (() => void) => {
    if (closed && !profile.lateOn) {
      throw new Error(
        `\`on("${event}")\` was called after the factory returned; \`${profile.name}\` registers handlers synchronously`,
      );
    }
    if (!acceptsEvent(profile, event)) {
      throw new Error(`\`${event}\` is not an event of \`${profile.name}\`; it requires an extension`);
    }
    if (typeof handler !== "function") throw new Error(`the handler of \`${event}\` is not a function`);
    return register(handlers, { hookPath: resolvedPath, event, handler: handler as AnyHandler });
  };
  const api: HookAPI = {
    on,
    sendMessage: (message, options) => port("sendMessage")(message, options),
    sendUserMessage: (content, options) => port("sendUserMessage")(content, options),
    getActiveTools: () => port("getActiveTools")(),
    getAllTools: () => port("getAllTools")(),
    setActiveTools: (names) => port("setActiveTools")(names),
    appendEntry: (customType, data) => port("appendEntry")(customType, data),
    registerCommand: (name, options) => {
      if (typeof name !== "string" || name === "") throw new Error("a command needs a name");
      if (typeof options?.handler !== "function")
        throw new Error(`the command \`${name}\` needs a \`handler\` function`);
      commands.set(name, { name, ...options });
    },
    registerMessageRenderer: (customType, renderer) => {
      if (typeof renderer !== "function") throw new Error(`the renderer of \`${customType}\` is not a function`);
      messageRenderers.set(customType, renderer);
    },
    exec: (command, args = [], options) =>
      ports?.exec?.(command, args, options) ?? execCommand(command, args, options?.cwd ?? cwd, options),
  };
  const bind = (given: HostPorts): void => {
    ports = given;
  };
  const close = (): void => {
    closed = true;
  };
  return {
    api: Object.freeze(api),
    hook: { path, resolvedPath, profile: profile.name, handlers, commands, messageRenderers, bind },
    close,
  };
}

function register(handlers: Map<string, Registration[]>, registration: Registration): () => void {
  const key = handlerKey(registration.event);
  const list = handlers.get(key) ?? [];
  list.push(registration);
  handlers.set(key, list);
  return () => {
    const place = list.indexOf(registration);
    if (place >= 0) list.splice(place, 1);
  };
}
