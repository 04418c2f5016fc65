import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import { openAuditFile } from "../../store/audit-file.ts";
import { policyFile, withHead } from "../literate/policies.ts";
import { run, Scratch } from "./run.ts";

/** What a host could not do of what was decided, as `audit show` and `audit verify --gaps` say it. */
const scratch = new Scratch();
const policy = withHead(
  '  - { id: hide, event: tool_result, action: { redact: { patterns: [{ name: k, regex: "k[0-9]+" }] } } }\n',
);

function trail(name: string, failed: boolean): string {
  const path = join(scratch.path, name);
  const store = openAuditFile(path, { durability: "relaxed" });
  const engine = createEngine(compile({ files: [policyFile(policy)] }).plan as Plan, { store });
  const result = { content: [{ type: "text", text: "k12" }], is_error: failed };
  const event = {
    event: "tool_result",
    tool: "bash",
    args: { command: "x" },
    host: "claude-code",
    session: { id: "s" },
  };
  for (const id of ["a", "b"]) engine.decide({ ...event, id, result });
  store.close();
  return path;
}

describe("what did not reach the model", () => {
  it("is said by `audit show` beside the rewrite", async () => {
    const { out } = await run(["audit", "show", trail("show.jsonl", true)]);
    expect(out).toContain("rewritten by p/hide  host: redact not delivered (on Claude Code what a failed tool said");
    expect((await run(["audit", "show", trail("full.jsonl", false)])).out).not.toContain("host:");
  });

  it("is counted by `audit verify --gaps`, which ends with 4", async () => {
    const bad = trail("gaps.jsonl", true);
    const found = await run(["audit", "verify", "--gaps", bad]);
    expect(found.code).toBe(4);
    expect(found.out).toContain("not delivered: redact at tool_result on claude-code, 2 times;");
    expect((await run(["audit", "verify", bad])).code).toBe(0);
    const json = await run(["audit", "verify", "--gaps", "--format", "json", bad]);
    const lines = json.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { gaps?: object[] });
    expect(lines.at(-1)?.gaps).toMatchObject([{ delivered: "no", times: 2, host: "claude-code" }]);
    const fine = await run(["audit", "verify", "--gaps", trail("fine.jsonl", false)]);
    expect([fine.code, fine.out.split("\n").at(-2)]).toEqual([
      0,
      "no gaps: what was decided was delivered in full, as far as records say",
    ]);
  });
});
