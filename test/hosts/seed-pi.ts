import { join } from "node:path";
import type { InstalledHost } from "./install.ts";
import type { Cases } from "./report.ts";
import { promptCases } from "./seed-pi/prompts.ts";
import { logName } from "./seed-pi/recorder.ts";
import { sessionCases } from "./seed-pi/sessions.ts";
import { startCases } from "./seed-pi/starts.ts";
import { Talk } from "./seed-pi/talk.ts";
import { terminalCases } from "./seed-pi/terminals.ts";
import { toolCases } from "./seed-pi/tools.ts";
import { turnCases } from "./seed-pi/turns.ts";

/**
 * What the seed pi-hook-reference says of pi, on the real pi: extensions that write down each event, and answer what a case
 * asks for. One process serves nearly all cases of a version, because a start of pi costs more than a run.
 */
export async function seedPiCases(host: InstalledHost, cases: Cases): Promise<void> {
  const talk = await Talk.start(host, ["a", "b"], {}, (scratch) => {
    scratch.write(
      "skills/seed-skill/SKILL.md",
      "---\nname: seed-skill\ndescription: A skill of the test.\n---\nWhat the seed skill says.\n",
    );
    scratch.write(
      "prompts/seed-template.md",
      "---\ndescription: A template of the test.\n---\nWhat the template says: $1\n",
    );
    // Pictures go as they are, and the smallest history is compacted.
    const settings = { images: { autoResize: false }, compaction: { keepRecentTokens: 1 } };
    scratch.write("home/agent/settings.json", JSON.stringify(settings));
    return [scratch.write("narrow.ts", narrow(join(scratch.root, logName)))];
  });
  try {
    await promptCases(talk, cases);
    await turnCases(talk, cases, host.host.version);
    await toolCases(talk, cases, host.host.version);
    await sessionCases(talk, cases);
  } finally {
    await talk.close();
  }
  await startCases(host, cases);
  await cases.group("the terminal", () => terminalCases(host, cases));
}

/** A module as the seed has it, which takes the host's own function; every version of pi knows it by the old package name. */
const narrow = (log: string): string => `import { appendFileSync } from "node:fs";
import { isToolCallEventType } from "@mariozechner/pi-coding-agent";
export default (pi: any) =>
  pi.on("tool_call", (event: any) => {
    const data: Record<string, unknown> = { type: "narrowed", bash: false, custom: false };
    if (isToolCallEventType("bash", event)) Object.assign(data, { bash: true, command: event.input.command });
    if (isToolCallEventType<"seed_tool", { action: string }>("seed_tool", event))
      Object.assign(data, { custom: true, action: event.input.action });
    appendFileSync(${JSON.stringify(log)}, JSON.stringify({ by: "narrow", at: "note", event: "tool_call", data }) + "\\n");
  });
`;
