import type { Answers, HostEvent } from "./pi-api.ts";

const text = (words: string): readonly object[] => [{ type: "text", text: words }];
const ran = (event: HostEvent): string => String((event["input"] as { command?: unknown } | undefined)?.command);

/** A tool of the extension itself, which does nothing: it tells how far it is, or fails. */
export const seedTool = {
  name: "seed_tool",
  label: "Seed tool",
  description: "Does nothing.",
  parameters: { type: "object", properties: { action: { type: "string" } }, required: ["action"] },
  execute(
    _id: string,
    args: { readonly action: string },
    _signal: unknown,
    onUpdate?: (partial: object) => void,
  ): Promise<object> {
    onUpdate?.({ content: text("half done"), details: { half: true } });
    if (args.action === "fail") return Promise.reject(new Error("the seed tool fails"));
    return Promise.resolve({ content: text("all done"), details: { whole: true } });
  },
};

/** Tools, and commands of the human. */
export const toolScenarios: Readonly<Record<string, Readonly<Record<string, Answers>>>> = {
  "a call is blocked": {
    a: {
      tool_call: (event) =>
        ran(event) === "touch FORBIDDEN" ? { block: true, reason: "not in the read-only mode" } : undefined,
    },
  },
  "results are changed": {
    a: {
      tool_result: (event) => {
        if (ran(event) === "echo two") return { isError: true };
        return { content: text(`${JSON.stringify(event["content"])} and a`) };
      },
    },
    b: {
      tool_result: (event) => {
        if (ran(event) === "echo two") return undefined;
        return { details: { by: "b" }, ...(event["isError"] === true ? { isError: false } : {}) };
      },
    },
  },
  "a command has a result": {
    a: {
      user_bash: () => ({
        result: { output: "output of the handler", exitCode: 3, cancelled: false, truncated: false },
      }),
    },
  },
  "a command runs elsewhere": {
    a: {
      user_bash: (_event, { note }) => {
        const run = (way: string) => (command: string, _cwd?: string, more?: { onData?(data: Buffer): void }) => {
          note({ type: "ran elsewhere", way, command });
          more?.onData?.(Buffer.from("output from elsewhere\n"));
          return Promise.resolve({ exitCode: 0, output: "output from elsewhere\n" });
        };
        return { operations: { execute: run("execute"), exec: run("exec") } };
      },
    },
  },
};
