import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Pins, pinFile } from "../../adapters/mcp/pins.ts";
import { runCommandLine } from "../../cli/program.ts";
import { humanWho } from "./human.ts";

const server = join(import.meta.dirname, "..", "adapters", "mcp", "small-server.mjs");
let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hookwarden-mcp-cli-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Runs the command with these messages from the client. */
async function run(
  given: readonly string[],
  messages: readonly object[] = [],
  answer?: string,
): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  async function* stdin(): AsyncGenerator<Uint8Array> {
    for (const message of messages) yield Buffer.from(`${JSON.stringify(message)}\n`);
    // What was asked is answered before the client goes.
    for (let tries = 0; tries < 6_000 && out.split("\n").length <= messages.length; tries++)
      await new Promise((done) => setTimeout(done, 10));
  }
  const io = {
    cwd: root,
    home: root,
    env: { PATH: "/usr/bin:/bin" },
    color: false,
    stdin: stdin(),
    out: async (text: string) => {
      out += text;
    },
    err: (text: string) => {
      err += text;
    },
  };
  const human = async () => humanWho(answer, () => {});
  return { code: await runCommandLine(["mcp", ...given], { ...io, human }), out, err };
}

describe("mcp", () => {
  it("runs the command behind `--`, options and all, by the policies that are named", async () => {
    writeFileSync(join(root, "said.json"), JSON.stringify({ tools: [{ name: "t", inputSchema: { type: "object" } }] }));
    writeFileSync(
      join(root, "p.yaml"),
      "version: 1\npolicy: p\nrules:\n  - id: r\n    event: tool_call\n    tool: mcp__small-server__t\n    when: { args.x: 1 }\n    action: block\n    reason: not one\n",
    );
    const call = (id: number, x: number) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: "t", arguments: { x } },
    });
    const given = [
      "--policy",
      "p.yaml",
      "--",
      process.execPath,
      server,
      join(root, "said.json"),
      "--policy",
      "of the server",
    ];
    const { code, out, err } = await run(given, [call(1, 1), call(2, 2)]);
    expect(out).toContain("not one");
    expect(out.split("\n")[1]).toContain('"id":2');
    expect(out.split("\n")[1]).not.toContain("isError");
    expect(err).toContain("small server: started");
    expect(code).toBe(0);
  });

  it.each([
    ["a server's command line", ["--policy", "p.yaml"]],
    ["a known option", ["--no-such-option", "--", "server"]],
  ])("needs %s", async (_what, given) => {
    const { code, err } = await run(given);
    expect(code).toBe(2);
    expect(err).toContain("HW701");
  });

  it("forgets the pins of a server once a human agrees, and starts nothing", async () => {
    const state = join(root, ".local/state/hookwarden");
    new Pins(state, ["server", "x"]).check([[{ tool: "t" }, "sha256:1"]]);
    expect((await run(["--forget", "--", "server", "x"])).err).toContain("there is no terminal to ask at");
    expect(existsSync(pinFile(state, ["server", "x"]))).toBe(true);
    expect((await run(["--forget", "--", "server", "x"], [], "yes")).code).toBe(0);
    expect(existsSync(pinFile(state, ["server", "x"]))).toBe(false);
    expect(new Pins(state, ["server", "x"]).of({ tool: "t" })).toBeUndefined();
  });
});
