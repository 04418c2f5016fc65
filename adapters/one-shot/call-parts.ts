import { folded } from "../../schema/tools.ts";
import { type HookCall, isPayload, type Payload } from "./dialect.ts";

/** Place of a call's parts in a payload, and the parts that the host puts there for some events. */
interface Place {
  /** The object that holds them; default the payload itself. */
  readonly inside?: string;
  /** Events with this place, in the host's names; default every event. */
  readonly events?: RegExp;
  readonly own: readonly string[];
}

const server = ["mcp_server_name", "mcp_tool_name", "mcp_tool_arguments"];

/** Hosts that have one field for each kind of call, or two forms of one call. Source: hosts page others, section 2. */
const places: Readonly<Record<string, readonly Place[]>> = {
  cursor: [
    { events: /^beforeShellExecution$/, own: ["command"] },
    { events: /^before(?:TabFileRead|ReadFile)$/, own: ["file_path"] },
    { events: /^beforeMCPExecution$/, own: ["tool_name", "tool_input", "command"] },
    { events: /^[pP]reToolUse$/, own: ["tool_name", "tool_input"] },
  ],
  windsurf: [
    { inside: "tool_info", events: /^pre_run_command$/, own: ["command_line"] },
    { inside: "tool_info", events: /^pre_read_code$/, own: ["file_path"] },
    { inside: "tool_info", events: /^pre_write_code$/, own: ["file_path", "edits"] },
    { inside: "tool_info", events: /^pre_mcp_tool_use$/, own: server },
  ],
  cline: [
    { inside: "tool_call", own: ["name", "input"] },
    { inside: "preToolUse", own: ["toolName", "parameters"] },
  ],
};

/** All names that hosts and agents use for parts of a call or of its result, folded. */
const partNames: ReadonlySet<string> = new Set(
  [
    ...["tool", "tool_name", "name", "function", "input", "args", "arguments", "parameters", "params", "tool_input"],
    ...["tool_args", "tool_arguments", "tool_call", "command", "command_line", "cmd", "file_path", "edits", ...server],
    ...["user_prompt", "output", "result", "error", "success", "result_json", "mcp_result", "tool_result"],
    ...["tool_output", "tool_response", "error_message", "response"],
  ].map(folded),
);

/** Finds a field of another call or of a result among the parts of a call, because readers could differ in which call runs. */
export function secondCall(host: string, { name, event, given }: HookCall): string | undefined {
  if (event !== "tool_call") return undefined;
  for (const { inside, events, own } of places[host] ?? []) {
    if (events?.test(name) === false) continue;
    const holder = inside === undefined ? given : given[inside];
    const names = new Set(own.map(folded));
    const found = isPayload(holder) ? Object.entries(holder).find((entry) => isSecond(entry, names)) : undefined;
    if (found) return found[0];
  }
  return undefined;
}

function isSecond([key, value]: readonly [string, unknown], own: ReadonlySet<string>): boolean {
  const name = folded(key);
  return partNames.has(name) && !own.has(name) && value !== undefined && value !== null && value !== "";
}

/**
 * Reads the arguments of a call: an object, its JSON text, or a plain text that a tool takes instead. Undefined for anything
 * else, and for a text that begins like JSON but is invalid, because readers differ in how they read it.
 */
export function givenArguments(value: unknown): Payload | undefined {
  if (isPayload(value)) return value;
  if (typeof value !== "string") return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isPayload(parsed) ? parsed : { input: value };
  } catch {
    return /^\s*[{[]/.test(value) ? undefined : { input: value };
  }
}
