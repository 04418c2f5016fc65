import type { EventName } from "../event-kinds.ts";

/** Actions for which an adapter needs its host. `label`, `run`, `notify` and `record` are the engine's own and work everywhere. */
export type HostAction =
  | "block"
  | "ask"
  | "allow"
  | "redact"
  | "modify"
  | "inject_message"
  | "inject_append"
  | "inject_system"
  | "truncate"
  | "drop";

/** Weaker forms in which a host may honour an action, each with its meaning for the rule. */
export const weakerForms = {
  blocks: "the host cannot ask, so the call is blocked instead",
  host_prompt_stays: "the call is allowed, but the host's own prompt cannot be skipped",
  skips_host_prompt: "the host takes new arguments only with its own prompt skipped",
  merged: "the host lays the new arguments over the model's, so none can be removed",
  as_failure: "the model gets the new text as the reason of a failed call, not as a result",
  not_failures: "what a failed tool said reaches the model unchanged",
  mcp_only: "only for tools of MCP servers; for others the host does not honour it",
  text_parts_only: "the host shows text parts alone; tool results reach the model unchanged",
  in_context: "the model is sent the new text, but the host's own record of the session keeps the old",
  beside_result: "the text is delivered beside the result of the call",
  later: "the text is delivered with the next request to the model",
  when_blocked: "the text reaches the model only where the call is blocked",
  unproven: "the host's documents say so, but it was not seen to work",
} as const;

/** A form in which an action is weaker than its rule says. */
export type WeakerForm = keyof typeof weakerForms;

/** Support of a host for an action. An action that is not listed is not honoured. */
export type Capability = "full" | WeakerForm;

/** Behaviour of the host if a hook fails: the call continues, does not run, waits for ever, or the case cannot arise. */
export type FailureMode = "open" | "closed" | "hangs" | "none" | "unknown";

/** How a host answers a hook that crashes, does not answer in time, or answers what the host cannot read. */
export interface HookFailure {
  readonly crash: FailureMode;
  readonly timeout: FailureMode;
  readonly malformed: FailureMode;
}

/** Source of a fact, strongest first: seen in a run, read in source, in types, in documents, reported by others. */
export type Evidence = "run" | "source" | "types" | "docs" | "third";

/** One event as a host delivers it. */
export interface HostEvent {
  /** The host's own names of it. */
  readonly names: readonly string[];
  readonly can: Readonly<Partial<Record<HostAction, Capability>>>;
  /** Set where failures differ from those of a tool call. */
  readonly fails?: Partial<HookFailure>;
  /** Further notes; they name the version where they do not hold for all. */
  readonly note?: string;
}

/** One host. Source: the hosts pages, as of 2026-11-21. */
export interface HostRow {
  readonly title: string;
  /** Host versions on which the facts are based. */
  readonly versions: readonly string[];
  readonly evidence: Evidence;
  readonly kind: "in process" | "command" | "proxy" | "wrapper";
  /** How an `ask` reaches the human, and its outcome without a human. */
  readonly ask: {
    readonly by: "ui port" | "host prompt" | "none";
    readonly headless: "blocks" | "ends the run" | "none";
  };
  /** How a hook before a tool call fails. */
  readonly fails: HookFailure;
  readonly events: Readonly<Partial<Record<EventName, HostEvent>>>;
  /** The host's own names of canonical tools. */
  readonly tools: Readonly<Record<string, readonly string[]>>;
  readonly notes: readonly string[];
}

/** Returns the row of an event that is delivered under `names`, with the actions that work on it. */
export function on(
  names: string | readonly string[],
  can: HostEvent["can"] = {},
  more: Pick<HostEvent, "fails" | "note"> = {},
): HostEvent {
  return { names: typeof names === "string" ? [names] : names, can, ...more };
}

/** Events that a host delivers under their canonical names, only to be seen. */
export function seen<const Name extends EventName>(...names: readonly Name[]): Record<Name, HostEvent> {
  return Object.fromEntries(names.map((name) => [name, on(name)])) as Record<Name, HostEvent>;
}
