import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentTool } from "../../adapters/hooks/index.ts";
import { runProgram } from "../../adapters/run.ts";

/** Makes a real shell in `folder`; allowed commands really run, with only PATH and HOME in their environment. */
export const bashTool = (folder: string): AgentTool => ({
  name: "bash",
  async execute(_id, params) {
    const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: folder };
    const command = ["bash", "--norc", "-c", String(params["command"])];
    const { stdout, stderr } = await runProgram(command, { cwd: folder, env, timeout: 10_000 });
    return { content: [{ type: "text", text: stdout + stderr }] };
  },
});

/** A real file reader in `folder`. */
export const readTool = (folder: string): AgentTool => ({
  name: "read",
  async execute(_id, params) {
    return { content: [{ type: "text", text: readFileSync(join(folder, String(params["path"])), "utf8") }] };
  },
});
