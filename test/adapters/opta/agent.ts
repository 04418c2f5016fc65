import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HookContext, HookEvent, HookResult } from "../../../adapters/opta/index.ts";
import { runProgram } from "../../../adapters/run.ts";

/** What the model asks for in one turn; no calls end the loop. */
export interface Turn {
  readonly calls?: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[];
  /** True if the history is compacted after this turn. */
  readonly compact?: boolean;
  /** The model fails with this message. */
  readonly fails?: string;
}

/** Hooks, or hooks and a policy. */
export interface Fires {
  fire(event: HookEvent, context: HookContext): Promise<HookResult>;
}

/** What came of a session: texts for the model in their order, and the error that ended it. */
export interface Session {
  readonly messages: string[];
  readonly error?: string;
}

/** Opta's tools on a scratch folder. They are real: files are read and written, commands run. */
function tools(folder: string): Record<string, (args: Readonly<Record<string, unknown>>) => Promise<string>> {
  const path = (args: Readonly<Record<string, unknown>>) => join(folder, String(args["path"]));
  return {
    run_command: async (args) => {
      const { stdout, stderr } = await runProgram(["sh", "-c", String(args["command"])], {
        cwd: folder,
        timeout: 5_000,
      });
      return stdout + stderr;
    },
    read_file: async (args) => readFileSync(path(args), "utf8"),
    write_file: async (args) => {
      writeFileSync(path(args), String(args["content"]));
      return "written";
    },
    edit_file: async (args) => {
      const text = readFileSync(path(args), "utf8");
      writeFileSync(
        path(args),
        text.replace(String(args["old_text"]), () => String(args["new_text"])),
      );
      return "edited";
    },
  };
}

/**
 * A small agent loop with the call sites of the seed's section 3: at the start, before each tool, after it (whether it
 * worked or failed: two sites), after compaction, at the end, and on an error.
 */
export async function runAgent(hooks: Fires, folder: string, turns: readonly Turn[]): Promise<Session> {
  const messages: string[] = [];
  const base = { session_id: "s1", cwd: folder, model: "fake-1" };
  const fire = (event: HookEvent, more: Partial<HookContext> = {}) => hooks.fire(event, { ...base, event, ...more });
  const say = (text: string | undefined) => text !== undefined && messages.push(text);
  const registry = tools(folder);
  say((await fire("session.start")).additionalContext);
  try {
    for (const [i, turn] of turns.entries()) {
      if (turn.fails !== undefined) throw new Error(turn.fails);
      for (const { tool, args } of turn.calls ?? []) {
        const call = { tool_name: tool, tool_args: JSON.stringify(args), tool_call_id: `c${i}` };
        const before = await fire("tool.pre", call);
        say(before.additionalContext);
        if (before.cancelled) {
          messages.push(`[blocked] ${before.reason}`);
          continue;
        }
        const final = before.updatedInput ?? args;
        const ran = { ...call, tool_args: JSON.stringify(final) };
        try {
          const text = (await registry[tool]?.(final)) ?? "no such tool";
          const after = await fire("tool.post", { ...ran, tool_result: text });
          messages.push(after.result ?? text);
        } catch (error) {
          const text = `failed: ${(error as Error).message}`;
          const after = await fire("tool.post", { ...ran, tool_result: text, tool_failed: true });
          messages.push(after.result ?? text);
        }
      }
      if (turn.compact) await fire("compact");
    }
  } catch (error) {
    const message = (error as Error).message;
    await fire("error", { error_message: message });
    return { messages, error: message };
  }
  await fire("session.end");
  return { messages };
}
