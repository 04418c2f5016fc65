import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentTool, type HookRunner, HookToolWrapper } from "../../adapters/hooks/index.ts";
import { bashTool, readTool } from "./tools.ts";

/** The scripted agent: each step says what happened, and whether that is what the policy promises. */
export async function agentRun(
  runner: HookRunner,
  scratch: string,
  say: (title: string, text: string) => void,
): Promise<boolean> {
  writeFileSync(join(scratch, "notes.txt"), `deploy notes\nAPI_KEY=${"demo-".repeat(3)}42\nend of notes\n`);
  const bash = new HookToolWrapper(bashTool(scratch), runner);
  const read = new HookToolWrapper(readTool(scratch), runner);

  const start = await runner.emitBeforeAgentStart({
    type: "before_agent_start",
    prompt: "tidy up and tell me what is in notes.txt",
  });
  const injected = start.messages.map((m) => String(m.content)).join("\n");
  say("2. injected before the agent starts", injected);

  const refused = await attempt(bash, "call-1", { command: "touch FORBIDDEN" });
  say("3. forbidden call: touch FORBIDDEN", `${refused}\nfile exists: ${existsSync(join(scratch, "FORBIDDEN"))}`);

  const wrapped = await attempt(bash, "call-2", { command: "env -i sh -c 'touch ./sub/../FORBIDDEN'" });
  say("4. the same in other words: env -i sh -c 'touch ./sub/../FORBIDDEN'", wrapped);

  const listed = await attempt(bash, "call-3", { command: "ls" });
  const shown = await attempt(read, "call-4", { path: "notes.txt" });
  say("5. allowed calls: ls, and read notes.txt with its key redacted", `${listed}\n${shown}`);

  const messages = [
    { role: "user", content: [{ type: "text", text: "hello" }] },
    { role: "custom", customType: "debug-only", content: [{ type: "text", text: "trace" }], display: false },
  ];
  const context = (await runner.emitContext(messages as never)) ?? [];
  say(
    "6. context for the model: debug messages are dropped",
    context.map((m) => `${m.role}: ${JSON.stringify((m as { content?: unknown }).content)}`).join("\n"),
  );

  return (
    injected.includes("Run the tests") &&
    refused.includes("must not be written") &&
    wrapped.includes("must not be written") &&
    !existsSync(join(scratch, "FORBIDDEN")) &&
    listed.includes("notes.txt") &&
    shown.includes("[REDACTED") &&
    !shown.includes("demo-demo") &&
    context.every((m) => !("customType" in m) || m.customType !== "debug-only")
  );
}

/** What the model would see of a call: its text, or the reason why it did not run. */
async function attempt(tool: AgentTool, id: string, args: Record<string, unknown>): Promise<string> {
  try {
    const { content } = await tool.execute(id, args);
    return content
      .map((part) => (part.type === "text" ? part.text : `(${part.type})`))
      .join("\n")
      .trimEnd();
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : String(error)}`;
  }
}
