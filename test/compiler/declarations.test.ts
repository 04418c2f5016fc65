import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addProject, type CompileRequest, compile, outlinesOf, type PolicyFile } from "../../compiler/compile.ts";
import { digest } from "../../engine/canonical.ts";
import type { Plan, Scope } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import { limits } from "../../schema/limits.ts";
import { latePlan, storePlan, wholePlan } from "../../store/stored-plan.ts";
import { Counted } from "../work.ts";

const encoder = new TextEncoder();

function file(scope: Scope, id: string, more: string): PolicyFile {
  const text = `version: 1\npolicy: ${id}\n${more}\n${/^rules:/m.test(more) ? "" : "rules: []\n"}`;
  return { name: `${id}.yaml`, path: `/${id}.yaml`, bytes: encoder.encode(text), scope };
}

function codesOf(more: string, request: Partial<CompileRequest> = {}): readonly string[] {
  const { diagnostics } = compile({ files: [file("user", "p", more)], ...request });
  return [...new Set(diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code))];
}

function planOf(...files: readonly PolicyFile[]): Plan {
  const { plan, diagnostics } = compile({ files });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return plan as Plan;
}

const home = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev" };

function outcome(plan: Plan | undefined, command: string): string {
  const event = { event: "tool_call", tool: "bash", args: { command }, environment: home };
  return createEngine(plan).decide(event).decision.outcome;
}

const deploy = 'programs: { deploy: { options: { --env: value }, effects: [{ writes: "{operand(0)}" }] } }';
const refusing =
  "rules: [{ id: r, event: tool_call, each: { w: effects.writes }, when: { w.path: { within: /etc } }, action: block, reason: no }]";

describe("what a plan holds of declarations", () => {
  it("is nothing where policies declare nothing, or names alone", () => {
    for (const more of ["", "programs: { deploy: {} }", "tools: [deploy_app]", "programs: {}\ntools: []"])
      expect(planOf(file("user", "p", more))).not.toHaveProperty("declared");
  });

  it("is sorted by name, in the order of no file, and part of the digest", () => {
    const other = "programs: { zeta: { effects: [] }, alpha: { wraps: rest } }\ntools: [{ name: t, effects: [] }]";
    const [a, b] = [file("user", "a", deploy), file("user", "b", other)];
    const plan = planOf(a, b);
    expect(plan.declared?.programs.map(({ name }) => name)).toEqual(["alpha", "deploy", "zeta"]);
    expect(plan.declared?.tools.map(({ name }) => name)).toEqual(["t"]);
    expect(planOf(b, a)).toEqual(plan);
    const changed = planOf(file("user", "a", deploy.replace("operand(0)", "operand(1)")), b);
    expect(changed.digest).not.toBe(plan.digest);
    // The same but for what is declared: the digest is of that too.
    const { digest: given, ...body } = plan;
    const { declared: _, ...without } = body;
    expect(digest(body)).toBe(given);
    expect(digest(without)).not.toBe(given);
  });

  it.each([
    [["user"], { standing: "known" }],
    [["managed"], { standing: "known" }],
    [["project"], { standing: "possible" }],
    [["managed", "user"], { standing: "known" }],
    [["user", "project"], { standing: "known" }],
  ] as const)("says of a declaration in %j that it is %j", (scopes, expected) => {
    const plan = planOf(...scopes.map((scope) => file(scope, scope, deploy)));
    expect(plan.declared?.programs).toHaveLength(1);
    expect(plan.declared?.programs[0]).toMatchObject(expected);
    expect(plan.declared?.programs[0]).not.toHaveProperty("listed");
  });

  it("says of a user's declaration beside policies of the machine that it is listed", () => {
    const plan = planOf(file("managed", "m", refusing), file("user", "u", deploy));
    expect(plan.declared?.programs[0]).toMatchObject({ standing: "known", listed: true });
  });

  it("is the same where a project's policies are added to those that are compiled", () => {
    const user = file("user", "u", `${deploy}\n${refusing}`);
    const project = file("project", "p", `${deploy.replace("} } }", "} }, ship: { effects: [{ reads: x }] } }")}`);
    const base = compile({ files: [user] });
    const added = addProject({ plan: base.plan as Plan, outline: outlinesOf(base) }, { files: [project] });
    expect(added).not.toBe("together");
    if (added !== "together") expect(added.plan).toEqual(planOf(user, project));
  });

  it("is what a project's policies are held against, though the others are compiled already", () => {
    const base = compile({ files: [file("user", "u", deploy)] });
    const other = file("project", "p", deploy.replace("writes", "reads"));
    const added = addProject({ plan: base.plan as Plan, outline: outlinesOf(base) }, { files: [other] });
    expect(added).toMatchObject({ diagnostics: [{ code: "HW415", source: "p.yaml" }] });
    // What stands in for the project asks; the user's declarations hold.
    if (added !== "together") expect(added.plan?.declared?.programs[0]).toMatchObject({ standing: "known" });
  });

  it("is kept by a stored plan, read in part or whole", () => {
    const plan = planOf(file("user", "u", `${deploy}\n${refusing}`));
    const { head, parts } = storePlan(plan);
    const known = JSON.parse(JSON.stringify(head)) as typeof head;
    const read = (at: number, length: number): Buffer => parts.subarray(at, at + length);
    expect(wholePlan(known, read)).toEqual(JSON.parse(JSON.stringify(plan)));
    for (const one of [plan, wholePlan(known, read), latePlan(known, read)]) {
      expect(outcome(one, "deploy --env x /etc/motd")).toBe("block");
      expect(outcome(one, "deploy --env /etc/motd x")).toBe("allow");
    }
  });
});

describe("declarations that nobody means well", () => {
  let counted: Counted<typeof import("../../compiler/compile.ts")>;
  beforeAll(() => {
    counted = new Counted("compiler/compile.ts");
  });
  afterAll(() => counted.end());

  it.each([
    [
      "ten thousand programs",
      `programs: { ${Array.from({ length: 10_000 }, (_, i) => `p${i}: {}`).join(", ")} }`,
      "HW013",
    ],
    ["ten thousand tools", `tools: [${Array.from({ length: 10_000 }, (_, i) => `t${i}`).join(", ")}]`, "HW013"],
    ["a text of a megabyte", `programs: { p: { effects: [{ writes: "${"x".repeat(900_000)}" }] } }`, "HW418"],
    ["braces of a megabyte", `programs: { p: { effects: [{ writes: "${"{".repeat(900_000)}" }] } }`, "HW010"],
    ["a text of many parts", `programs: { p: { effects: [{ writes: "${"{operands}".repeat(100)}" }] } }`, "HW418"],
    [
      "many options",
      `programs: { p: { options: { ${Array.from({ length: 300 }, (_, i) => `--o${i}: flag`).join(", ")} } } }`,
      "HW418",
    ],
    ["many effects", `programs: { p: { effects: [${"{ reads: x }, ".repeat(33)}] } }`, "HW418"],
    ["a name with a space", 'programs: { "a b": {} }', "HW104"],
    ["a name with a slash", 'programs: { "a/b": {} }', "HW104"],
    ["a name with NUL", 'programs: { "a\\0b": {} }', "HW104"],
    ["a name that is an option", 'programs: { "-rf": {} }', "HW104"],
    ["a name that facts fold", "programs: { ours.exe: {} }", "HW104"],
    ["an empty name", 'programs: { "": {} }', "HW104"],
    ["an alias of itself", "programs: { a: { aliases: [a] } }", "HW104"],
    ["aliases of each other", "programs: { a: { aliases: [b] }, b: { aliases: [a] } }", "HW415"],
    ["an alias with a wildcard", 'programs: { a: { aliases: ["./bin/*"] } }', "HW104"],
    ["an alias of another's home", "programs: { a: { aliases: [~root/x] } }", "HW104"],
    ["a far operand", 'programs: { a: { effects: [{ reads: "{operand(99999999999)}" }] } }', "HW205"],
    ["a tool that is a glob", 'tools: [{ name: "mcp__x__*", reads: x }]', "HW104"],
  ])("%s", (_what, more, code) => {
    expect(codesOf(more)).toEqual([code]);
    // As many steps as a policy takes that lists names, for each of its characters.
    const files = [file("user", "p", more)];
    const blocks = counted.blocks(() => counted.modules.compile({ files }));
    expect(blocks).toBeGreaterThan(500);
    expect(blocks).toBeLessThan(100_000 + 60 * more.length);
  });

  it("a project that nobody trusts may declare less", () => {
    const most = limits.projectDeclarations;
    const of = (count: number): string => `tools: [${Array.from({ length: count }, (_, i) => `t${i}`).join(", ")}]`;
    const made = (count: number): Plan | undefined =>
      compile({ files: [file("project", "p", of(count))], brokenProject: "ask" }).plan;
    expect(made(most)?.policies.some(({ id }) => id === "p")).toBe(true);
    expect(made(most + 1)?.policies.some(({ id }) => id === "p")).toBe(false);
  });

  it("names of every object are names like any", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
    const own = names.map((name) => `"${name}": { effects: [{ writes: "{operand(0)}" }] }`).join(", ");
    const plan = planOf(file("user", "p", `programs: { ${own} }\n${refusing}`));
    for (const name of names) {
      expect(outcome(plan, `${name} /etc/motd`), name).toBe("block");
      expect(outcome(planOf(file("user", "p", refusing)), `${name} x`), name).toBe("allow");
    }
    const tools = '["__proto__", { name: "constructor", writes: "{args.__proto__}" }]';
    const told = planOf(file("user", "p", `tools: ${tools}\n${refusing}`));
    const event = { event: "tool_call", tool: "constructor", args: {}, environment: home };
    expect(createEngine(told).decide(event).decision.outcome).toBe("ask");
  });

  it("upper case is another program", () => {
    const plan = planOf(file("user", "p", `programs: { Deploy: { effects: [{ writes: /etc/x }] } }\n${refusing}`));
    expect(outcome(plan, "Deploy")).toBe("block");
    expect(outcome(plan, "deploy")).toBe("allow");
  });

  it("a wrapper around itself ends, and what is too deep asks", () => {
    const plan = planOf(file("user", "p", `programs: { rtk: { wraps: rest } }\n${refusing}`));
    expect(outcome(plan, `${"rtk ".repeat(5)}touch /etc/motd`)).toBe("block");
    expect(outcome(plan, `${"rtk ".repeat(500)}touch /etc/motd`)).toBe("ask");
  });

  it("each of many operands is an effect like any", () => {
    const plan = planOf(file("user", "p", `programs: { p: { effects: [{ writes: "{operands}" }] } }\n${refusing}`));
    const words = Array.from({ length: 1_000 }, (_, i) => `w${i}`).join(" ");
    expect(outcome(plan, `p ${words}`)).toBe("allow");
    expect(outcome(plan, `p ${words} /etc/motd`)).toBe("block");
  });

  it("texts of many operands are bounded, and what is over is not known", () => {
    const many = "{operands}".repeat(8);
    const plan = planOf(file("user", "p", `programs: { p: { effects: [{ writes: "${many}" }] } }\n${refusing}`));
    const words = Array.from({ length: 400 }, (_, i) => `w${i}`).join(" ");
    // What stands behind the first word is not known, so that one word says where it may lead, and the others that they do not.
    expect(outcome(plan, `p /etc/ ${words}`)).toBe("block");
    expect(outcome(plan, `p ${words}`)).toBe("allow");
  });
});
