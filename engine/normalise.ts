import { canonicalEvent, type EventName, isToolEvent } from "../schema/events.ts";
import type { WireEvent } from "../schema/generated.ts";
import type { Environment, JudgedEvent, ToolName } from "../schema/judged-event.ts";
import { limits } from "../schema/limits.ts";
import { canonicalTool, mcpName, toolArguments } from "../schema/tools.ts";
import { validateEvent } from "../schema/validators.generated.js";
import { wireFields } from "../schema/wire-fields.ts";
import { plainCopy } from "./plain-copy.ts";

/** Why a payload cannot be judged, and as much of it as is needed to answer it closed. */
export interface Malformed {
  readonly code: "HW501" | "HW504";
  readonly message: string;
  readonly event: EventName;
  readonly id: string;
}

/** A wire event as judged, with one view per reading of arguments that disagree; the first view is the event itself. */
export interface Normalised {
  readonly event: JudgedEvent;
  readonly views: readonly JudgedEvent[];
  /** What the host set that only adapters and tests may set is passed through `environment.files` of the wire event. */
  readonly files: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Wire event → judged event (semantics section 3, step 1): bounded plain data, lone surrogates to U+FFFD, schema,
 * canonical names, defaults. Keys of one argument that disagree give several views, all of which are judged.
 */
export function normalise(wire: unknown): Normalised | Malformed {
  const copied = plainCopy(wire);
  if (!copied.ok) return malformed(wire, "HW504", copied.message);
  if (!validateEvent(copied.value)) return malformed(copied.value, "HW501", schemaMessage());
  const given = copied.value as WireEvent;
  const name = canonicalEvent(given.event);
  if (!name) return malformed(given, "HW501", `unknown event \`${given.event.slice(0, 60)}\``);
  const time = given.time === undefined ? 0 : instant(given.time);
  if (!Number.isFinite(time)) return malformed(given, "HW501", "`time` is not an RFC 3339 time");
  const tool = toolOf(given, name);
  const event = judged(given, name, time, tool);
  const views = argumentViews(event);
  return { event: views[0] as JudgedEvent, views, files: given.environment?.files };
}

/** RFC 3339 with a zone, in milliseconds since the epoch; NaN for anything else, so that no machine's own zone is read into it. */
function instant(time: string): number {
  return /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/.test(time)
    ? Date.parse(time)
    : Number.NaN;
}

function malformed(given: unknown, code: Malformed["code"], message: string): Malformed {
  const fields = typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
  const own = (key: string): unknown => (Object.hasOwn(fields, key) ? fields[key] : undefined);
  const named = own("event");
  const id = own("id");
  // An event that cannot even be named is answered like the one with the strictest answer.
  const event = (typeof named === "string" ? canonicalEvent(named) : undefined) ?? "tool_call";
  return { code, message, event, id: typeof id === "string" ? id.slice(0, 200).toWellFormed() : "" };
}

function schemaMessage(): string {
  const first = validateEvent.errors?.[0];
  if (!first) return "event does not fit its schema";
  const place = first.instancePath === "" ? "event" : `\`${first.instancePath.slice(1).replaceAll("/", ".")}\``;
  return `${place} ${first.message ?? "does not fit its schema"}`;
}

function toolOf(given: WireEvent, event: EventName): ToolName | undefined {
  if (event === "user_bash") return { name: "bash", host_name: "bash", server: undefined };
  if (given.tool === undefined || !(isToolEvent(event) || event.startsWith("tool_execution"))) return undefined;
  const isMcp = given.tool === "mcp" && given.server !== undefined && given.name !== undefined;
  const hostName = isMcp ? `mcp__${given.server}__${given.name}` : given.tool;
  return { name: canonicalTool(hostName), host_name: hostName, server: mcpName(hostName)?.server };
}

function judged(given: WireEvent, event: EventName, time: number, tool: ToolName | undefined): JudgedEvent {
  const { session, result } = given;
  const agent = session?.agent;
  const fields: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(given)) if (!wireFields.has(key)) fields[key] = given[key];
  const args = event === "user_bash" ? { command: given.command ?? "" } : given.args;
  return {
    event,
    id: given.id ?? "",
    time,
    host: given.host ?? "",
    call_id: given.call_id,
    tool,
    args: tool ? (args ?? {}) : undefined,
    args_raw: tool ? (args ?? {}) : undefined,
    environment: environmentOf(given),
    session: { id: session?.id ?? "", labels: given.labels ?? [], turn: session?.turn ?? 0 },
    agent: { id: agent?.id ?? "main", depth: agent?.depth ?? 0, type: agent?.type ?? "" },
    definition: definitionOf(given),
    result: result && {
      content: result.content ?? [],
      details: result.details,
      structured: result.structured,
      is_error: result.is_error ?? false,
    },
    messages: given.messages?.map(canonicalRole),
    prompt: given.prompt,
    system_prompt: Array.isArray(given.system_prompt) ? given.system_prompt.join("\n\n") : given.system_prompt,
    input:
      event === "input"
        ? { text: given.text ?? "", source: given.source ?? "", images: given.images ?? [] }
        : undefined,
    command: given.command,
    exclude_from_context: given.exclude_from_context ?? false,
    fields,
  };
}

function environmentOf(given: WireEvent): Environment {
  const set = given.environment ?? {};
  const cwd = given.cwd ?? set.cwd ?? "/workspace";
  const os = set.os ?? "linux";
  return {
    cwd,
    workspace: set.workspace ?? cwd,
    home: set.home ?? "/home/user",
    user: set.user ?? "user",
    os,
    shell: set.shell ?? "bash",
    branch: set.branch,
    default_branch: set.default_branch,
    case_insensitive: set.case_insensitive ?? os !== "linux",
    interactive: set.interactive ?? false,
    variables: set.variables ?? {},
  };
}

function definitionOf(given: WireEvent): JudgedEvent["definition"] {
  const d = given.definition;
  if (!d) return undefined;
  return {
    pinned: d.pinned_digest !== undefined,
    changed: d.pinned_digest !== undefined && d.pinned_digest !== d.digest,
  };
}

const roles: Readonly<Record<string, string>> = {
  tool: "tool_result",
  toolResult: "tool_result",
  bashExecution: "bash_execution",
  compactionSummary: "compaction_summary",
  branchSummary: "branch_summary",
};

function canonicalRole<T extends { role: string }>(message: T): T {
  const role = Object.hasOwn(roles, message.role) ? roles[message.role] : undefined;
  return role === undefined ? message : { ...message, role };
}

/** Canonical argument names; where several keys of one argument differ, every combination that a host could mean is a view. */
function argumentViews(event: JudgedEvent): readonly JudgedEvent[] {
  const shape = event.tool && toolArguments(event.tool.name);
  const raw = event.args;
  if (!shape || !raw) return [event];
  let views: Record<string, unknown>[] = [{ ...raw }];
  for (const [name, { aliases }] of Object.entries(shape)) {
    const keys = [name, ...(aliases ?? [])].filter((key) => Object.hasOwn(raw, key));
    if (keys.length === 0 || (keys.length === 1 && keys[0] === name)) continue;
    const distinct = keys.filter((key, i) => keys.findIndex((other) => sameJson(raw[other], raw[key])) === i);
    if (views.length * distinct.length > limits.argumentViews) return views.map((args) => ({ ...event, args }));
    views = views.flatMap((args) => distinct.map((key) => ({ ...args, [name]: raw[key] })));
  }
  return views.map((args) => ({ ...event, args }));
}

function sameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
