import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, demoPolicy, type Ran, Scratch } from "./run.ts";

const scratch = new Scratch();
const root = join(import.meta.dirname, "..", "..");

/** The command line in a process of its own, from the sources. `readBytes` closes its output early, as `head` does. */
function start(
  args: readonly string[],
  stdin: string,
  readBytes = Number.POSITIVE_INFINITY,
): Promise<Omit<Ran, "shown">> {
  const tsx = join(root, "node_modules", "tsx", "dist", "cli.mjs");
  const child = spawn(process.execPath, [tsx, join(root, "cli", "main.ts"), ...args], {
    cwd: scratch.path,
    env: { PATH: process.env.PATH ?? "" },
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    if (out.length > readBytes) child.stdout.destroy();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  // A child that ended before it read everything is what the early-close case is about.
  child.stdin.on("error", () => {});
  child.stdin.end(stdin);
  return new Promise((done) => child.on("close", (code) => done({ code: code ?? -1, out, err })));
}

describe("the command line as a process", () => {
  it("judges events from standard input, byte-equal each time, with exit code 2 for one that does not fit", async () => {
    scratch.put("p.yaml", demoPolicy);
    const events = `${call("touch FORBIDDEN")}${call("ls")}nonsense\n`;
    const [first, second] = await Promise.all([
      start(["eval", "--policy", "p.yaml"], events),
      start(["eval", "--policy", "p.yaml"], events),
    ]);
    expect(first.code).toBe(2);
    expect(first.out).toBe(second.out);
    const outcomes = first.out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { outcome: string }).outcome);
    expect(outcomes).toEqual(["block", "allow", "block"]);
    expect(first.err).toContain("error[HW501]");
  });

  it("prints everything before it ends, also much of it, and never colours a pipe", async () => {
    scratch.put("p.yaml", demoPolicy);
    const ran = await start(["eval", "--policy", "p.yaml"], call("ls", { repeat: 3_000 }));
    expect(ran.code).toBe(0);
    expect(ran.out.split("\n")).toHaveLength(3_001);
    const checked = await start(["check", "nowhere.yaml"], "");
    expect(checked.code).toBe(2);
    expect(checked.out).toContain("error[HW001]");
    expect(checked.out).not.toContain("\u001b[");
  });

  it("ends quietly when its reader goes away", async () => {
    scratch.put("p.yaml", demoPolicy);
    const ran = await start(["eval", "--policy", "p.yaml"], call("ls", { repeat: 10_000 }), 10);
    expect(ran.err).toBe("");
    expect(ran.code).toBe(0);
  });

  it("maps usage errors to exit code 2", async () => {
    expect(await start(["eval", "--nothing"], "")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("error[HW701]"),
    });
  });
});
