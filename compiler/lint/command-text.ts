import type { Claim } from "./claims.ts";

const paths: ReadonlySet<string> = new Set(["args.command", "args_raw.command", "command", "shell.text"]);
const operators: ReadonlySet<string> = new Set([
  ...["contains", "contains_any", "contains_all", "starts_with", "ends_with", "glob", "matches"],
]);

/** True for a test of the text of a shell command, as the agent or the human wrote it. */
export function isCommandText({ path, operator }: Claim): boolean {
  return paths.has(path) && operators.has(operator);
}
