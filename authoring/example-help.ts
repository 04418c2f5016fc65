import type { CheckedRule } from "../compiler/compile.ts";
import { toolMatcher } from "../schema/tool-matcher.ts";

/** Fields of hosts' payloads, with the corresponding fields of an example. */
const payload: Readonly<Record<string, string>> = {
  tool_name: "tool",
  toolName: "tool",
  name: "tool",
  tool_input: "args",
  toolInput: "args",
  input: "args",
  arguments: "args",
  params: "args",
  command: "args: { command: … }",
  file_path: "args: { path: … }",
  path: "args: { path: … }",
  url: "args: { url: … }",
  hook_event_name: "event",
};

/**
 * Returns advice for a `match` example that fails because of its form: a shell command for a rule of other tools, or the
 * fields of a host's payload. Undefined if the form is right.
 */
export function exampleHelp(
  { tools }: Pick<CheckedRule, "tools">,
  example: unknown,
  event: string,
): string | undefined {
  if (event !== "tool_call") return undefined;
  if (typeof example === "string") {
    if (tools.length === 0 || toolMatcher(tools)("bash")) return undefined;
    return `a text is a call of \`bash\`: write \`{ tool: ${quoted(tools[0] as string)}, args: { … } }\``;
  }
  if (typeof example !== "object" || example === null || Object.hasOwn(example, "args")) return undefined;
  const found = Object.keys(example).filter((key) => Object.hasOwn(payload, key));
  if (found.length === 0) return undefined;
  return `write ${found.map((key) => `\`${payload[key]}\` for \`${key}\``).join(" and ")}`;
}

/** Returns a name as YAML text: a glob needs quotes. */
function quoted(name: string): string {
  return /^[\w-]+$/.test(name) ? name : `"${name}"`;
}
