import { type Command, Option } from "commander";
import type { HookOptions } from "./commands/hook.ts";
import type { McpOptions } from "./commands/mcp.ts";
import type { ServeOptions } from "./commands/serve.ts";
import type { Io } from "./io.ts";
import { policyOption, setOption, tokenOption } from "./options.ts";

type Add = (program: Command, io: Io, done: (code: number) => void) => void;

/** Adds `hook`. */
export const addHook: Add = (program, io, done) => {
  program
    .command("hook")
    .summary("answer one hook of an agent: its payload on standard input, its reply on standard output")
    .description(
      "One hook process. Agents are wired to `hookwarden-hook`, which takes the same and starts faster.\nBesides --policy: the managed, user and project locations.",
    )
    .argument("<host>", "whose payload it is, such as claude-code, codex, gemini, vscode")
    .addOption(policyOption())
    .addOption(setOption())
    .option("--budget <milliseconds>", "time in which the answer must be out")
    .action(async (host: string, options: HookOptions) => {
      const { hook } = await import("./commands/hook.ts");
      done(await hook(host, options, io));
    });
};

/** Adds `serve`. */
export const addServe: Add = (program, io, done) => {
  program
    .command("serve")
    .summary("answer the hooks of this user's agents from one process, for agents wired with `install --daemon`")
    .description(
      "Answers at a socket in a folder of this user's alone until it is stopped, or nobody has asked for long.\nWithout it hooks are answered by a process each.",
    )
    .option("--socket <file>", "where; by default in the state folder, where `install --daemon` looks")
    .option("--idle <minutes>", "minutes without a hook after which it ends (30)")
    .action(async (options: ServeOptions) => {
      const { serve } = await import("./commands/serve.ts");
      done(await serve(options, io));
    });
};

/** Adds `mcp`. */
export const addMcp: Add = (program, io, done) => {
  program
    .command("mcp")
    .summary("run an MCP server behind the policies: a proxy between its client and it, over standard input and output")
    .description(
      "Runs the server that stands behind `--` and judges what passes.\nBesides --policy: the managed, user and project locations.",
    )
    .argument("<command...>", "the server's command line")
    .addOption(policyOption())
    .addOption(setOption())
    .option("--server <name>", "name of the server in `mcp__<server>__<tool>`; by default after its program")
    .option("--session <id>", "session that the connection belongs to, by the agent's name of it; by default its own")
    .addOption(
      new Option("--env <variable>", "a variable that the server gets too: NAME, or NAME=value").argParser(
        (value: string, before: string[] | undefined) => [...(before ?? []), value],
      ),
    )
    .option("--forget", "start nothing; accept the definitions that the server has next")
    .addOption(tokenOption())
    .action(async (command: string[], options: McpOptions) => {
      const { mcp } = await import("./commands/mcp.ts");
      done(await mcp(command, options, io));
    });
};
