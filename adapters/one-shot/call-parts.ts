import { folded } from "../../schema/tools.ts";
import { type HookCall, isPayload, type Payload } from "./dialect.ts";

/** Where the parts of a call stand in a payload, and which of them the host puts there for one event. */
interface Place {
  /** The object that holds them; the payload itself where none is named. */
  readonly inside?: string;
  /** Events of the place, as the host names them; every event where none is named. */
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

/** Every name that some host or agent has for a part of a call, or for what came of one; folded. */
const partNames: ReadonlySet<string> = new Set(
  [
    ...["tool", "tool_name", "name", "function", "input", "args", "arguments", "parameters", "params", "tool_input"],
    ...["tool_args", "tool_arguments", "tool_call", "command", "command_line", "cmd", "file_path", "edits", ...server],
    ...["user_prompt", "output", "result", "error", "success", "result_json", "mcp_result", "tool_result"],
    ...["tool_output", "tool_response", "error_message", "response"],
  ].map(folded),
);

/** A field of another call, or of a result, among the parts of a call: which of the two runs, readers could differ in. */
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
 * Arguments of a call: an object, its JSON text, or a text that a tool takes in place of one. Undefined for anything else, and
 * for a text that begins like JSON and is none: readers differ in what they make of it.
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
