import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addProject, type CompileRequest, compile, outlinesOf } from "../../compiler/compile.ts";
import type { Scope } from "../../engine/plan.ts";
import { policyFile } from "../literate/policies.ts";
import { randomPolicies, yamlOf } from "../properties/language/policies.ts";
import { Random } from "../properties/language/random.ts";
import "../properties/seed.ts";

const file = (text: string, name: string, scope: Scope) => ({ ...policyFile(text, name), scope });

/** The plan that all files give at once, and the one that adding the project's to the others gives. */
function bothWays(request: CompileRequest) {
  const whole = compile({ ...request, brokenProject: "ask" });
  const base = compile({ ...request, files: request.files.filter(({ scope }) => scope !== "project") });
  if (!base.plan) return { whole, added: "no base" as const };
  const files = request.files.filter(({ scope }) => scope === "project");
  // As the plan cache gives it back.
  const stored = JSON.parse(JSON.stringify({ plan: base.plan, outline: outlinesOf(base) }));
  return { whole, added: addProject(stored, { ...request, files, brokenProject: "ask" }) };
}

const user = `version: 1
policy: mine
parameters: { limit: { type: int, default: 3 } }
lists: { words: [a, b] }
labels: { seen: { kind: mark } }
conditions: { known: 'args.command in lists.words' }
rules:
  - { id: one, event: tool_call, tool: bash, when: $known, action: block, reason: "{parameters.limit}" }
  - { id: two, event: tool_call, when: 'session.labels.contains("seen")', action: ask, reason: two }
`;
const project = `version: 1
policy: theirs
lists: { words: [c] }
conditions: { known: 'args.command in lists.words' }
rules:
  - { id: three, event: tool_call, tool: bash, when: $known, action: block, reason: three }
`;
const waives = (glob: string) =>
  `${user}exceptions: [{ rules: ["${glob}"], when: 'tool.name == "write"', owner: me, reason: mine }]\n`;
const labelled = (kind: string) => `${project.replace("rules:", `labels: { seen: { kind: ${kind} } }\nrules:`)}`;

describe("a project's policies that are added to those of its user", () => {
  it.each<[string, string, string, ("added" | "together" | "no base")?]>([
    ["other names", user, project],
    ["the id of the user's", user, project.replace("policy: theirs", "policy: mine")],
    ["the id of the built-in one", user, project.replace("policy: theirs", "policy: self-protection")],
    ["an exception of the user that reaches them", waives("theirs/*"), project, "no base"],
    ["an exception of the user for every rule", waives("*"), project, "together"],
    ["an exception of the user for its own", waives("mine/*"), project],
    [
      "an exception of the project for the user's",
      user,
      `${project}exceptions: [{ rules: [mine/one], owner: x, reason: x }]\n`,
    ],
    [
      "an exception of the project for its own",
      user,
      `${project}exceptions: [{ rules: [theirs/three], owner: x, reason: x }]\n`,
    ],
    ["a label that the user declares", user, labelled("mark")],
    ["a taint that is a mark of the user's", user, labelled("taint"), "together"],
    [
      "a label that only the user declares",
      user,
      project.replace("action: block", "action: { label: { add: [seen] } }"),
    ],
    ["an error", user, project.replace("$known", "$unknown")],
    ["no YAML", user, "version: ["],
    ["nothing", user, ""],
    ["an error, and an exception for whatever stands in", waives("*"), "version: [", "together"],
    ["a pack that is missing", user, project.replace("rules:", "imports: [{ pack: none }]\nrules:")],
  ])("give the plan of all together: %s", (_, mine, theirs, way = "added") => {
    const { whole, added } = bothWays({
      files: [file(mine, "mine.yaml", "user"), file(theirs, "theirs.yaml", "project")],
    });
    expect(whole.plan).toBeDefined();
    expect(typeof added === "string" ? added : "added").toBe(way);
    if (typeof added !== "string") expect(added.plan).toEqual(whole.plan);
  });

  it("give the plan of all together where they cannot be read", () => {
    const files = [file(user, "mine.yaml", "user")];
    const { whole, added } = bothWays({ files, unreadableProject: "HW001: permission denied" });
    expect(typeof added === "string" ? added : added.plan).toEqual(whole.plan);
  });

  it("take their parameters from the command line, as the user's do", () => {
    const theirs = project
      .replace("lists:", "parameters: { limit: { type: int, default: 1 } }\nlists:")
      .replace("reason: three", 'reason: "{parameters.limit}"');
    const files = [file(user, "mine.yaml", "user"), file(theirs, "theirs.yaml", "project")];
    const { whole, added } = bothWays({ files, set: { limit: "7" } });
    expect(typeof added === "string" ? added : added.plan).toEqual(whole.plan);
    expect(JSON.stringify(whole.plan)).toContain("7");
  });

  it("give the plan of all together, for generated policies in any scope", () => {
    const ways = { added: 0, together: 0, "no base": 0 };
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed);
        const files = [...randomPolicies(random), ...randomPolicies(random)].map(({ data }, i) =>
          file(yamlOf(data), `p${i}.yaml`, random.pick(["managed", "user", "project", "project"])),
        );
        if (files.every(({ scope }) => scope !== "project")) return;
        const { whole, added } = bothWays({ files });
        if (typeof added === "string") ways[added] += 1;
        else {
          ways.added += 1;
          expect(added.plan).toEqual(whole.plan);
        }
      }),
      { numRuns: 40 },
    );
    expect(ways.added).toBeGreaterThan(3);
  });
});
