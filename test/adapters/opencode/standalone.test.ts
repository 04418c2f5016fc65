import { describe, expect, it } from "vitest";
import * as standalone from "../../../adapters/opencode/standalone.ts";

describe("the self-contained guard for OpenCode", () => {
  it("has one export, since the host takes each for a plugin", () => {
    expect(Object.keys(standalone)).toEqual(["Hookwarden"]);
  });

  it("refuses every call while no plan is in it, and says how to make one", async () => {
    const told: string[] = [];
    const client = { tui: { showToast: ({ body }: { body: { message: string } }) => void told.push(body.message) } };
    const input = { directory: "/work", client } as unknown as Parameters<typeof standalone.Hookwarden>[0];
    const hooks = await standalone.Hookwarden(input);
    const call = { tool: "bash", sessionID: "s", callID: "c" };
    await expect(hooks["tool.execute.before"]?.(call, { args: { command: "ls" } })).rejects.toThrow(
      /HW508.*compile --target opencode/s,
    );
    expect(told.join("\n")).toContain("carries no plan");
  });
});
