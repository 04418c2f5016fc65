import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { guardJudge, isGuardJudge, type JudgeCommand, packageJudge } from "../../../adapters/judge-process/program.ts";
import { RemoteSessions } from "../../../adapters/judge-process/remote-judge.ts";
import { compile } from "../../../compiler/compile.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-judge-program-")));
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));

const policy = `version: 1
policy: p
default: allow
unknown: allow
rules:
  - { id: no, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: not this }
`;
const { plan } = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(policy) }] });

let state = 0;

/** What a judge process by this command says to a call. */
async function said(command: JudgeCommand, text: string): Promise<string> {
  const folder = join(root, `state${++state}`);
  const setup = { state: folder, sessions: join(folder, "audit"), variables: {}, caller: { adapter: "pi" } };
  const sessions = new RemoteSessions(setup, { command });
  if (!plan) throw new Error("the policy does not compile");
  const event = { event: "tool_call", id: "e", session: { id: "s" }, tool: "bash", args: { command: text } };
  const { decision } = await sessions.judge(plan).judge(event);
  await sessions.release();
  return `${decision.outcome} ${decision.answered} ${decision.errors.map(({ message }) => message).join()}`;
}

const guards = join(import.meta.dirname, "../../../dist/guard/guards.json.br");
const guardOf = (host: string): string =>
  (JSON.parse(brotliDecompressSync(readFileSync(guards)).toString("utf8")) as Record<string, string>)[host] ?? "";

describe("the judge process", () => {
  it("of the package judges, and no variable of the host reaches it", async () => {
    const command = packageJudge();
    expect(Object.keys(command.variables)).toEqual([]);
    expect(await said(command, "touch FORBIDDEN")).toBe("block rule ");
    expect(await said(command, "true")).toBe("allow default ");
  });

  it.each(["pi", "opencode"])("of the guard of %s is the guard's own file, whatever its name", async (guard) => {
    for (const name of ["guard.mjs", "guard.ts", "guard.js", "guard of mine"]) {
      writeFileSync(join(root, name), guardOf(guard));
      const command = guardJudge(pathToFileURL(join(root, name)).href);
      expect(await said(command, "touch FORBIDDEN")).toBe("block rule ");
    }
  });

  it("of a guard behind a link is the same", async () => {
    writeFileSync(join(root, "linked.mjs"), guardOf("pi"));
    symlinkSync(join(root, "linked.mjs"), join(root, "link.mjs"));
    const command = guardJudge(pathToFileURL(join(root, "link.mjs")).href);
    expect(await said(command, "touch FORBIDDEN")).toBe("block rule ");
  });

  it("that an installation lacks is said to lack", () => {
    expect(() => packageJudge(pathToFileURL(join(root, "a/b/c/d/e.js")).href)).toThrow("not part of this installation");
  });

  it("is no host that a guard is loaded into, whatever that is called with", () => {
    const guard = join(root, "host-guard.mjs");
    writeFileSync(guard, "");
    const url = pathToFileURL(guard).href;
    const [, , marker] = guardJudge(url).command;
    expect(isGuardJudge(url, [process.execPath, guard, marker as string])).toBe(true);
    for (const started of [
      [process.execPath, "/host/cli.js"],
      [process.execPath, "/host/cli.js", marker as string],
      [process.execPath, guard],
      [process.execPath, guard, marker as string, "more"],
      [process.execPath, guard, "else"],
    ])
      expect(isGuardJudge(url, started)).toBe(false);
  });
});
