import type { Scratch } from "../hosts/scratch.ts";

/**
 * A hook as people write it in an afternoon: Node under an alarm, a package, and a list of words in the user's home. It denies
 * a forbidden call in each host's own form and does nothing for its process: the control of an attack is that it leaks.
 */
const program = `const { appendFileSync, mkdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const host = process.argv[2];
const payload = readFileSync(0, "utf8");
const state = process.env.XDG_STATE_HOME || join(process.env.HOME, ".local/state");
mkdirSync(join(state, "naive"), { recursive: true });
appendFileSync(join(state, "naive/log"), "called\\n");
try {
  require("re2js");
} catch {}
let words = [];
try {
  words = readFileSync(join(process.env.HOME, ".config/naive/words"), "utf8").trim().split("\\n");
} catch {}
if (words.some((word) => payload.includes(word))) {
  const reason = "may not be made";
  const forms = {
    "gemini": { decision: "deny", reason },
    "copilot": { permissionDecision: "deny", permissionDecisionReason: reason },
  };
  const own = { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason } };
  process.stdout.write(JSON.stringify(forms[host] || own));
}
`;

/** Writes the naive hook and its list into the scratch home, and gives the line that wires it. */
export function naiveHook(host: string, scratch: Scratch): string {
  scratch.write("home/.config/naive/words", "FORBIDDEN\n");
  const file = scratch.write("naive-hook.cjs", program);
  return `perl -e 'alarm 60; exec @ARGV' "${process.execPath}" "${file}" ${host} || exit 2`;
}
