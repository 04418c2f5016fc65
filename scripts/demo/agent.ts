import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentTool, type HookRunner, HookToolWrapper } from "../../adapters/hooks/index.ts";
import type { Palette } from "../../diagnostics/render.ts";
import { bashTool, readTool } from "./tools.ts";

/** Prints a step: its title, and below it what was seen. */
export type Say = (title: string, text: string) => void;

/** Runs the scripted agent: each step prints what happened, and the result is true if that is what the policy promises. */
export async function agentRun(runner: HookRunner, scratch: string, say: Say, colours: Palette): Promise<boolean> {
  writeFileSync(join(scratch, "notes.txt"), `deploy notes\nAPI_KEY=${"demo-".repeat(3)}42\nend of notes\n`);
  const bash = new HookToolWrapper(bashTool(scratch), runner);
  const read = new HookToolWrapper(readTool(scratch), runner);
  const forbidden = (): boolean => existsSync(join(scratch, "FORBIDDEN"));

  const start = await runner.emitBeforeAgentStart({
    type: "before_agent_start",
    prompt: "tidy up and tell me what is in notes.txt",
  });
  const injected = start.messages.map((m) => String(m.content)).join("\n");
  say("2. injected before the agent starts", injected);

  const direct = "touch FORBIDDEN";
  const refused = await attempt(bash, "call-1", { command: direct });
  const file = `file exists: ${(forbidden() ? colours.error : colours.strong)(String(forbidden()))}`;
  say(`3. forbidden call: ${colours.info(direct)}`, `${marked(refused, colours)}\n${file}`);

  const disguised = "env -i sh -c 'touch ./sub/../FORBIDDEN'";
  const wrapped = await attempt(bash, "call-2", { command: disguised });
  say(`4. the same in other words: ${colours.info(disguised)}`, marked(wrapped, colours));

  const listed = await attempt(bash, "call-3", { command: "ls" });
  const shown = await attempt(read, "call-4", { path: "notes.txt" });
  say(
    `5. allowed calls: ${colours.info("ls")}, and ${colours.info("read notes.txt")} with its key redacted`,
    `${marked(listed, colours)}\n${marked(shown, colours)}`,
  );

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
    isRefusal(refused) &&
    isRefusal(wrapped) &&
    !forbidden() &&
    listed.text.includes("notes.txt") &&
    shown.text.includes("[REDACTED") &&
    !shown.text.includes("demo-demo") &&
    context.every((m) => !("customType" in m) || m.customType !== "debug-only")
  );
}

/** The result of a call for the model: its text, or the reason why it did not run. */
interface Seen {
  readonly ran: boolean;
  readonly text: string;
}

async function attempt(tool: AgentTool, id: string, args: Record<string, unknown>): Promise<Seen> {
  try {
    const { content } = await tool.execute(id, args);
    const text = content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n");
    return { ran: true, text: text.trimEnd() };
  } catch (error) {
    return { ran: false, text: error instanceof Error ? error.message : String(error) };
  }
}

const isRefusal = (seen: Seen): boolean => !seen.ran && seen.text.includes("must not be written");

/** The model's view; the reason of a refusal and the mark of a redaction stand out. */
function marked({ ran, text }: Seen, colours: Palette): string {
  if (ran) return text.replace(/\[REDACTED[^\]]*\]/g, colours.warning);
  const [reason, ...rest] = text.split("\n");
  return [colours.error(reason ?? ""), ...rest.map((line) => colours.quiet(line))].join("\n");
}
