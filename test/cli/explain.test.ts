import { describe, expect, it } from "vitest";
import { run, Scratch } from "./run.ts";

const scratch = new Scratch();

const policy = `version: 1
policy: demo
conditions:
  no_human: { environment.interactive: false }
rules:
  - id: delete
    event: [tool_call, user_bash]
    each: { d: effects.deletes }
    when:
      d.recursive: true
      d.path: { is: protected_root }
      any:
        - $no_human
        - host: pi
    action: block
    reason: "deleting {d.path} cannot be undone"
  - id: other-tool
    event: tool_call
    tool: write
    action: ask
    reason: writes are asked for
  - id: results
    event: tool_result
    action: { redact: { detectors: ["secrets/*"] } }
  - id: all-calls
    event: tool_call
    mode: monitor
    tool: bash
    when: size(args.command) > 3
    action: ask
    reason: seen
`;

async function explain(...args: string[]) {
  scratch.put("p.yaml", policy);
  return run(["explain", "--policy", "p.yaml", "--all", ...args], { cwd: scratch.path });
}

const rootDelete = JSON.stringify({ command: "sudo rm -rf /" });

describe("explain", () => {
  it("shows commands, effects, every condition with its source text and value, and who won", async () => {
    const ran = await explain("--tool", "bash", "--args", rootDelete);
    expect(ran).toMatchObject({ code: 0, err: "" });
    const lines = ran.out.split("\n").map((line) => line.trim());
    const part = (text: string): void => expect(ran.out).toContain(text);
    part("program rm; behind sudo");
    part("deletes");
    part("demo/delete (block): matched");
    part("effects.deletes[0] = ");
    expect(lines).toContainEqual(expect.stringMatching(/^true +d\.recursive: true$/));
    expect(lines).toContainEqual(expect.stringMatching(/^true +.*is: protected_root/));
    expect(lines).toContainEqual(expect.stringMatching(/^false +host: pi$/));
    expect(lines).toContainEqual(expect.stringMatching(/^true +environment\.interactive: false$/));
    part("demo/all-calls (ask, in monitor mode): matched");
    part("not asked, for other events:");
    part("not asked, for other tools:");
    expect(ran.out).toMatch(/^block, by demo\/delete\n/);
    part("monitor rules would have answered: demo/all-calls (ask)");
    expect(Math.max(...ran.out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  it("shows rules that did not match with the values that decided", async () => {
    const ran = await explain("--tool", "bash", "--args", JSON.stringify({ command: "rm -rf build" }));
    expect(ran.out).toContain("demo/delete (block): did not match");
    expect(ran.out).toMatch(/false +.*is: protected_root/);
    expect(ran.out).toMatch(/^allow, answered by default\n/);
  });

  it("says why a call is not understood", async () => {
    const ran = await explain("--tool", "bash", "--args", JSON.stringify({ command: "rm -rf 'unclosed" }));
    expect(ran.out).toContain("understanding  unknown");
    expect(ran.out).toContain("doubt: ");
    expect(ran.out).toContain("not asked, needs facts that an unknown call has not:");
  });

  it("reads an event from a file, on one line or several", async () => {
    const event = { event: "user_bash", command: "rm -rf /" };
    scratch.put("e.json", JSON.stringify(event, null, 2));
    const ran = await explain("--event", "e.json");
    expect(ran.out).toContain("event  user_bash, tool bash");
    expect(ran.out).toMatch(/^block, by demo\/delete\n/);
  });

  it("prints one JSON object with values, places and texts", async () => {
    const ran = await explain("--tool", "bash", "--args", rootDelete, "--format", "json");
    const report = JSON.parse(ran.out) as {
      facts: { understanding: string };
      rules: { id: string; result: string; attempts: { when: { text: string } }[] }[];
      decision: { rule: string };
    };
    expect(report.decision.rule).toBe("demo/delete");
    const own = report.rules.filter((rule) => rule.id.startsWith("demo/"));
    expect(own.map((rule) => [rule.id, rule.result])).toEqual([
      ["demo/delete", "match"],
      ["demo/other-tool", "no"],
      ["demo/results", "no"],
      ["demo/all-calls", "match"],
    ]);
    expect(own[0]?.attempts[0]?.when).toMatchObject({ result: { value: true }, source: "p.yaml" });
    expect((await explain("--tool", "bash", "--args", rootDelete, "--format", "json")).out).toBe(ran.out);
  });

  it.each([
    ["a file that does not exist", undefined, "HW703"],
    ["a file without JSON", "nonsense", "HW501"],
    ["an event that does not fit", '{"event":"tool_call"}', "HW501"],
    ["several events", '{"event":"stop"}\n{"event":"stop"}\n', "HW501"],
  ])("refuses %s", async (_, content, code) => {
    if (content !== undefined) scratch.put("e.json", content);
    expect(await explain("--event", "e.json")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining(`error[${code}]`),
    });
  });

  it("shows what is declared of the call", async () => {
    const of = (id: string, more: string): string => `version: 1\npolicy: ${id}\n${more}\nrules: []\n`;
    scratch.put("user.yaml", of("user", 'programs: { deploy: { effects: [{ writes: "{operand(0)}" }] } }'));
    const known = ["explain", "--policy", "user.yaml", "--tool", "bash", "--args", '{"command": "deploy out"}'];
    const ran = await run(known, { cwd: scratch.path });
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toMatch(/understanding {2}understood/);
    expect(ran.out).toMatch(/^declared\n {2}program deploy$/m);
    expect(ran.out).toMatch(/^ {2}writes +.*out, certain, by deploy \[0\]$/m);
    const json = await run([...known, "--format", "json"], { cwd: scratch.path });
    expect(JSON.parse(json.out)).toMatchObject({ declared: [{ of: "program", name: "deploy", standing: "known" }] });
    const other = await explain("--tool", "bash", "--args", '{"command": "ls"}');
    expect(other.out).not.toContain("declared");
  });

  it("shows control characters as escapes", async () => {
    const ran = await explain("--tool", "bash", "--args", JSON.stringify({ command: "echo \u001b[31m\u202e" }));
    expect(ran.out).not.toMatch(/[\u001b\u202e]/);
  });
});
