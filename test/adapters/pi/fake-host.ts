import type { PiApi, PiContext, PiEventName, PiEvents, PiMessage } from "../../../adapters/pi/api.ts";
import { type GuardOptions, installGuard, type Judge } from "../../../adapters/pi/guard.ts";
import type { AuditBody, Decision, WireEvent } from "../../../schema/generated.ts";
import type { AuditStore } from "../../../schema/ports.ts";
import { contexts, contextWith, judgeOf } from "./payloads.ts";

export type Handler = (event: unknown, context: PiContext) => Promise<unknown>;

/** A pi that only keeps what was registered and sent. */
export function host(): PiApi & { readonly handlers: Map<string, Handler>; readonly sent: unknown[] } {
  const handlers = new Map<string, Handler>();
  const sent: unknown[] = [];
  return {
    handlers,
    sent,
    on: (name: string, handler: unknown) => void handlers.set(name, handler as Handler),
    sendMessage: (message: unknown, options: unknown) => void sent.push([message, options]),
  };
}

export function memoryStore(): AuditStore & { readonly bodies: AuditBody[] } {
  const bodies: AuditBody[] = [];
  return {
    bodies,
    append(body) {
      bodies.push(body);
      return { seq: 0, written: "", mono: 0, pid: 0, latency_us: 0, prev: "", hash: "" };
    },
  };
}

/** A guard on a fake pi: `fire` gives it an event and returns what pi would get. */
export function guarded(answer: Judge | ((event: WireEvent) => Decision), options: GuardOptions = {}) {
  const pi = host();
  const store = memoryStore();
  const log: string[] = [];
  const judge = typeof answer === "function" ? judgeOf(answer) : answer;
  installGuard(pi, () => judge, { store, now: () => 5, idPrefix: "t", log: (line) => void log.push(line), ...options });
  const fire = async <Name extends PiEventName>(
    name: Name,
    event: PiEvents[Name]["event"],
    context: PiContext = contextWith(),
  ) => (await pi.handlers.get(name)?.(event, context)) as PiEvents[Name]["reply"] | undefined;
  return { pi, store, log, judge, fire };
}

export const contextEvent = () =>
  ({ type: "context", messages: structuredClone(contexts[1]?.messages) as PiMessage[] }) as const;
export const start = { type: "before_agent_start", prompt: "raw prompt", systemPrompt: "You are" } as const;
export const userBash = { type: "user_bash", command: "echo hi", excludeFromContext: false, cwd: "/work" } as const;
