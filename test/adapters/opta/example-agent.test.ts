import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../../../adapters/run.ts";
import { installedPackage } from "../installed.ts";

/** `examples/opta` as a user has it: copied into a project that has the package, and started as a program of its own. */
const root = join(import.meta.dirname, "../../..");
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-opta-agent-")));
const home = join(scratch, "home");
const project = join(scratch, "project");
const read = (name: string) => (existsSync(join(project, name)) ? readFileSync(join(project, name), "utf8") : "");

beforeAll(async () => {
  await installedPackage(project, ["opta/index"]);
  for (const name of ["agent.mjs", "judge.mjs"]) copyFileSync(join(root, "examples/opta", name), join(project, name));
  mkdirSync(join(project, ".opta/hooks"), { recursive: true });
  copyFileSync(join(root, "examples/opta/block-rm.sh"), join(project, ".opta/hooks/block-rm.sh"));
});
beforeEach(() => {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(join(home, ".config/opta"), { recursive: true });
  rmSync(join(project, "log"), { force: true });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs the example on turns of a model, with these hooks in the project. */
async function agent(hooks: unknown, turns: unknown, more: Record<string, string> = {}, prompt?: string) {
  writeFileSync(join(project, ".opta/config.json"), typeof hooks === "string" ? hooks : JSON.stringify({ hooks }));
  writeFileSync(join(project, "turns.json"), JSON.stringify(turns));
  const words = ["agent.mjs", "turns.json", ...(prompt === undefined ? [] : [prompt])];
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, ...more };
  return runProgram([process.execPath, ...words], { cwd: project, env });
}

const witness = (event: string, background = false) => ({
  event,
  command: 'printf "%s|%s|%s|%s\\n" "$OPTA_EVENT" "$OPTA_TOOL_NAME" "$OPTA_TOOL_RESULT" "$OPTA_ERROR" >> log',
  ...(background && { background }),
});
const write = { tool: "write_file", args: { path: "made.txt", content: "hello" } };

describe("the example's agent, as a program with the package installed", () => {
  it("fires at each of its places, and ends right after the last", async () => {
    const events = ["session.start", "prompt.pre", "tool.pre", "tool.post", "stop", "error"];
    const hooks = [...events.map((event) => witness(event)), witness("session.end", true)];
    const turns = [{ calls: [write, { tool: "read_file", args: { path: "gone" } }] }, { text: "Finished." }];
    const { exitCode, stdout, stderr } = await agent(hooks, turns, {}, "Please");
    expect({ exitCode, stderr, said: stdout.split("\n") }).toEqual({
      exitCode: 0,
      stderr: "",
      said: [
        "user: Please",
        "tool: written",
        expect.stringMatching(/^tool: failed: ENOENT/),
        "assistant: Finished.",
        "",
      ],
    });
    await expect
      .poll(() =>
        read("log")
          .split("\n")
          .map((line) => line.replace(/ENOENT.*/, "ENOENT|")),
      )
      .toEqual([
        "session.start|||",
        "prompt.pre|||",
        "tool.pre|write_file||",
        "tool.post|write_file|written|",
        "tool.pre|read_file||",
        "tool.post|read_file|failed: ENOENT|",
        "stop|||",
        "session.end|||",
        "",
      ]);
  });

  it("runs nothing that a hook cancels, and tells the model why", async () => {
    const hooks = [{ event: "tool.pre", matcher: "run_command", command: "echo Not that >&2; exit 1" }];
    const turns = [{ calls: [{ tool: "run_command", args: { command: "touch FORBIDDEN" } }] }];
    const { stdout } = await agent(hooks, turns);
    expect(stdout).toContain("tool: [blocked] Not that");
    expect(existsSync(join(project, "FORBIDDEN"))).toBe(false);
  });

  it("says what is wrong with a configuration, and calls nothing until it is mended", async () => {
    const { stdout, stderr } = await agent("{", [{ calls: [write] }]);
    expect(stdout).toContain("tool: [blocked] the hooks do not load");
    expect(stderr).toContain("the file is not JSON");
  });

  it("without a file of turns says how it is used", async () => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: home };
    const ended = await runProgram([process.execPath, "agent.mjs"], { cwd: project, env });
    expect(ended).toMatchObject({ exitCode: 2, stderr: "usage: node agent.mjs turns.json [prompt]\n" });
  });
});

describe("the example's judge, behind config-v4.json", () => {
  const v4 = readFileSync(join(root, "examples/opta/config-v4.json"), "utf8");
  const asked: { messages: { role: string; content: string }[]; model: string }[] = [];
  let said = "";
  let status = 200;
  // A stand-in for a model's interface, on loopback: what a real one answers is not for a test to say.
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      asked.push(JSON.parse(body));
      response.statusCode = status;
      response.end(JSON.stringify({ choices: [{ message: { content: said } }] }));
    });
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => void server.close());
  beforeEach(() => {
    asked.length = 0;
    status = 200;
    rmSync(join(project, "made.txt"), { force: true });
  });
  const judged = (answer: string) => {
    said = answer;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
    return agent(v4, [{ calls: [write] }], { HOOKWARDEN_JUDGE_URL: url, HOOKWARDEN_JUDGE_MODEL: "small" });
  };

  it("asks the model with the call as data, and lets the call run", async () => {
    const { stdout, stderr } = await judged('{"decision":"allow"}');
    expect([stdout, read("made.txt")]).toEqual(["tool: written\n", "hello"]);
    expect(stderr).toContain("asking the judge");
    expect(asked[0]?.model).toBe("small");
    expect(asked[0]?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(asked[0]?.messages[1]?.content).toContain("Does this change keep to the task?");
    expect(asked[0]?.messages[1]?.content).toContain('"tool_args":{"path":"made.txt","content":"hello"}');
  });

  it.each([
    ["a denial", '{"decision":"deny","reason":"not the task"}', 200, "not the task"],
    ["a question, where nobody can be asked", '{"decision":"ask","reason":"unsure"}', 200, "unsure"],
    ["an answer that is none", "Sure, go ahead!", 200, "the judge failed"],
    ["a decision that is none", '{"decision":"yes"}', 200, "did not answer with a decision"],
    ["an interface that fails", '{"decision":"allow"}', 503, "status 503"],
  ])("lets nothing run after %s", async (_name, answer, code, why) => {
    status = code;
    const { stdout } = await judged(answer);
    expect(stdout).toContain("tool: [blocked] ");
    expect(stdout).toContain(why);
    expect(read("made.txt")).toBe("");
  });

  it("lets nothing run without a judge", async () => {
    const { stdout, stderr } = await agent(v4, [{ calls: [write] }]);
    expect(stdout).toContain("no judge answers prompts here");
    // In a project's file nobody passes variables.
    expect(stderr).toContain("only the user's own configuration passes variables");
  });

  it("is a configuration that the user's own file may be, whole", async () => {
    writeFileSync(join(home, ".config/opta/config.json"), v4);
    const { stderr } = await agent([], []);
    expect(stderr).toBe("");
  });
});
