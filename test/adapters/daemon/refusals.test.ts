import { describe, expect, it } from "vitest";
import { budgetOf, refusalOf } from "../../../adapters/daemon/refusals.ts";
import { dialects } from "../../../adapters/one-shot/registry.ts";
import { mark, read, request, useWorld } from "./world.ts";

useWorld();

const refused = (given: readonly string[], payload: Readonly<Record<string, unknown>> | string) =>
  read(`hookwarden 1\n${refusalOf(Buffer.from(request(given, payload)), "no time")}`);

const claude = (event: string, more = {}) => ({ session_id: "s", cwd: "/", hook_event_name: event, ...more });
const bash = { tool_name: "Bash", tool_input: { command: "ls" } };

describe("the front's refusal", () => {
  it.each<[string, Readonly<Record<string, unknown>>, string, string | undefined]>([
    ["claude-code", claude("PreToolUse", bash), '"permissionDecision":"deny"', "2"],
    ["claude-code", claude("PostToolUse", { ...bash, tool_response: "SECRET" }), "no time", undefined],
    ["claude-code", claude("UserPromptSubmit", { prompt: "x" }), '"decision":"block"', undefined],
    [
      "gemini",
      claude("BeforeTool", { tool_name: "run_shell_command", tool_input: {} }),
      '"decision":"deny"',
      undefined,
    ],
    ["cline", { hookName: "PreToolUse", taskId: "t" }, '"cancel":true', undefined],
  ])("has the form that %s has for %o", (host, payload, part, code) => {
    const answer = refused([host], payload);
    expect(answer.stdout).toContain(part);
    expect(answer.stdout).toContain("no time");
    expect(answer.stdout).not.toContain("SECRET");
    if (code) expect(answer.code).toBe(Number(code));
  });

  it("never lets a call through: every host, payloads that are none", () => {
    for (const host of [...Object.keys(dialects), "nobody"])
      for (const payload of ["", "{", "[]", "null", "7", '"x"', "{}", '{"hook_event_name":"PreToolUse"}']) {
        const { code, stdout, stderr } = refused([host], payload);
        expect([host, payload, code === 2 || stdout.includes("no time")]).toEqual([host, payload, true]);
        expect(`${stdout}${stderr}`).toContain("no time");
      }
  });

  it("goes by the event that the hook was wired for where the payload says none", () => {
    expect(refused(["claude-code", "--event", "PreToolUse"], "{").stdout).toContain('"permissionDecision":"deny"');
  });

  it("is one by exit code for what is no request", () => {
    const text = refusalOf(Buffer.from(`${mark}\nnothing\n${mark}\n{}\n${mark}\n`), "no time");
    expect(read(`hookwarden 1\n${text}`)).toMatchObject({ code: 2, stdout: "" });
  });

  it("takes as long as the command line says, or the host", () => {
    expect(budgetOf(["claude-code", "--budget", "700"])).toBe(700);
    expect(budgetOf(["claude-code"])).toBe(10_000);
    for (const words of [["nobody"], [], ["claude-code", "--budget"], ["claude-code", "--budget", "x"]])
      expect(budgetOf(words)).toBeGreaterThan(0);
  });
});
