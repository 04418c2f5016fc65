import type { EventName } from "./events.ts";

/** Surroundings of an event with every default filled in (events page; language section 4). */
export interface Environment {
  readonly cwd: string;
  readonly workspace: string;
  readonly home: string;
  readonly user: string;
  readonly os: string;
  readonly shell: string;
  readonly branch: string | undefined;
  readonly default_branch: string | undefined;
  readonly case_insensitive: boolean;
  readonly interactive: boolean;
  readonly variables: Readonly<Record<string, string>>;
  /** Files and folders that the engine runs from on this machine (`facts/paths/engine-places.ts`); absent if unknown. */
  readonly engine?: readonly string[];
}

/** The tool of a tool event: canonical name, the host's own name, and the server of an MCP tool. */
export interface ToolName {
  readonly name: string;
  readonly host_name: string;
  readonly server: string | undefined;
}

/**
 * An event as the engine judges it: canonical names, defaults filled, well-formed Unicode, plain data.
 * Made by `engine/normalise.ts` from the wire form (`event.schema.json`).
 */
export interface JudgedEvent {
  readonly event: EventName;
  readonly id: string;
  /** Event time, milliseconds since the epoch. */
  readonly time: number;
  readonly host: string;
  readonly call_id: string | undefined;
  readonly tool: ToolName | undefined;
  /** Canonical arguments. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
  /** The host's own argument shape. */
  readonly args_raw: Readonly<Record<string, unknown>> | undefined;
  readonly environment: Environment;
  readonly session: {
    readonly id: string;
    readonly labels: readonly string[];
    readonly turn: number;
    readonly parent?: string;
  };
  readonly agent: { readonly id: string; readonly depth: number; readonly type: string };
  readonly definition: { readonly pinned: boolean; readonly changed: boolean } | undefined;
  readonly result:
    | {
        readonly content: readonly unknown[];
        readonly details: unknown;
        readonly structured: unknown;
        readonly is_error: boolean;
      }
    | undefined;
  readonly messages: readonly unknown[] | undefined;
  readonly prompt: string | undefined;
  readonly system_prompt: string | undefined;
  readonly input: { readonly text: string; readonly source: string; readonly images: readonly unknown[] } | undefined;
  /** The command of `user_bash`, and whether it stays out of the context. */
  readonly command: string | undefined;
  readonly exclude_from_context: boolean;
  /** The code of `user_python`. */
  readonly code?: string;
  /** Names of fields that the host set and that only adapters and tests may set; they had no effect. */
  readonly ignored?: readonly string[];
  /** Fields of the event's payload that have no place of their own, as `payloads.ts` names them. */
  readonly fields: Readonly<Record<string, unknown>>;
}
