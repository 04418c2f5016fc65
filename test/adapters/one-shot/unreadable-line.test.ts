import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hookLine } from "../../../adapters/install/command.ts";
import { limits } from "../../../schema/limits.ts";
import { LineWorld } from "./line-world.ts";

const world = new LineWorld();
beforeAll(() => world.build(), 120_000);
afterAll(() => world.remove());

const secret = "RAW-RESULT-OF-THE-TOOL";
const deep = `${"[".repeat(200)}"${secret}"${"]".repeat(200)}`;
const inputs: Readonly<Record<string, string>> = {
  "200 deep": `{"session_id":"s","cwd":"/w","hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{},"tool_response":${deep}}`,
  "too large": `{"session_id":"s","hook_event_name":"PostToolUse","tool_response":"${secret}${"x".repeat(limits.eventBytes + 8_000_000)}"}`,
  "no JSON": `{"tool_response":"${secret}`,
};

/** The answer of the line that `install` writes, run as the host runs it. */
async function answered(host: string, event: string, input: string): Promise<Record<string, unknown>> {
  const { code, out } = await world.run("dash", {}, input, hookLine(host, event, world.place()));
  expect([code, out.includes(secret)]).toEqual([0, false]);
  return JSON.parse(out) as Record<string, unknown>;
}

describe("the line as install writes it, for a result that it cannot read", () => {
  it.each(Object.keys(inputs))("%s: the model gets the refusal in its place", async (kind) => {
    const input = inputs[kind] ?? "";
    const claude = await answered("claude-code", "PostToolUse", input);
    expect(claude["continue"]).toBe(false);
    expect(claude["hookSpecificOutput"]).toMatchObject({ updatedToolOutput: [{ type: "text" }] });
    const own = [/"hook_event_name":"PostToolUse"/, /tool_name/, /tool_input/, /tool_response/];
    const names = ['"timestamp":1', "toolName", "toolArgs", "toolResult"];
    const asCopilot = own.reduce((text, name, i) => text.replace(name, names[i] ?? ""), input);
    expect((await answered("copilot", "postToolUse", asCopilot))["modifiedResult"]).toMatchObject({
      resultType: "failure",
    });
  });

  it("and by a launcher whose program cannot begin", async () => {
    const programs = readdirSync(join(world.root, "bin")).filter((name) => name.endsWith(".program"));
    expect(programs).not.toEqual([]);
    for (const name of programs) rmSync(join(world.root, "bin", name));
    const claude = await answered("claude-code", "PostToolUse", "{}");
    expect(claude["stopReason"]).toContain("its program could not begin");
    const { code, err } = await world.run("dash", {}, world.call("echo hello"));
    expect([code, err.includes("Blocked by hookwarden")]).toEqual([2, true]);
  });
});
