import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { demoPolicy, Scratch } from "./run.ts";

const scratch = new Scratch();
const root = join(import.meta.dirname, "..", "..");
let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill("SIGKILL");
  child = undefined;
});

const suite = (outcome: string): string => `suite: demo
policies: [policy.yaml]
cases:
  - name: one
    events:
      - { event: tool_call, tool: bash, args: { command: touch FORBIDDEN }, expect: { outcome: ${outcome} } }
`;

/** The command line in a process of its own, with what it has printed so far. */
class Watching {
  readonly process: ChildProcess;
  out = "";
  readonly ended: Promise<number | null>;

  constructor() {
    // The loader inside one process, so that a signal reaches the command and no parent of it.
    const loader = join(root, "node_modules", "tsx", "dist", "loader.mjs");
    const args = ["--import", `file://${loader}`, join(root, "cli", "main.ts"), "test", "--watch"];
    this.process = spawn(process.execPath, args, { cwd: scratch.path, env: { PATH: process.env.PATH ?? "" } });
    child = this.process;
    const take = (bytes: Buffer): void => {
      this.out += bytes.toString();
    };
    this.process.stdout?.on("data", take);
    this.process.stderr?.on("data", take);
    this.ended = new Promise((done) => this.process.on("close", (code) => done(code)));
  }

  /** Waits until a text was printed so many times. */
  async said(text: string, times: number): Promise<void> {
    const late = Date.now() + 240_000;
    while (this.out.split(text).length <= times) {
      if (Date.now() > late) throw new Error(`\`${text}\` was not said ${times} times in:\n${this.out}`);
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

describe("test --watch, as a process", () => {
  it("runs again when the suite or its policy changes, and ends with the code of the last run", async () => {
    scratch.put("policy.yaml", demoPolicy);
    scratch.put("policy.test.yaml", suite("block"));
    const watching = new Watching();
    await watching.said("watching 2 files", 1);
    expect(watching.out).toContain("all hold");
    scratch.put("policy.test.yaml", suite("allow"));
    await watching.said("1 case failed", 1);
    await watching.said("watching 2 files", 2);
    scratch.put("policy.yaml", demoPolicy.replace("action: block", "action: blok"));
    await watching.said("1 suite cannot be run", 1);
    await watching.said("watching", 3);
    scratch.put("policy.test.yaml", suite("block"));
    scratch.put("policy.yaml", demoPolicy);
    await watching.said("all hold", 2);
    await watching.said("watching 2 files", 3);
    watching.process.kill("SIGTERM");
    expect(await watching.ended).toBe(0);
  });
});
