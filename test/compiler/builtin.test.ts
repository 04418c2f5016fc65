import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinFile, standIn } from "../../compiler/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import { canonicalJson } from "../../engine/canonical.ts";
import type { Scope } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import { policyFile } from "../literate/policies.ts";
import { randomEvent } from "../properties/language/events.ts";
import { randomPolicies, yamlOf } from "../properties/language/policies.ts";
import { Random } from "../properties/language/random.ts";
import "../properties/seed.ts";

const strictness = { allow: 0, ask: 1, block: 2 } as const;
const environment = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev" };
const bash = (command: string) => ({ event: "tool_call", tool: "bash", args: { command }, environment });
const file = (text: string, name: string, scope: Scope) => ({ ...policyFile(text, name), scope });
const anything = `version: 1
policy: anything
unknown: allow
rules:
  - { id: all, event: tool_call, action: { allow: { opaque: true } } }
`;

describe("the built-in policy", () => {
  it("is in every plan that has a policy, and in none that has not", () => {
    const { plan } = compile({ files: [policyFile(anything)] });
    expect(plan?.policies.map(({ id, scope }) => [id, scope])).toEqual([
      ["self-protection", "builtin"],
      ["anything", "user"],
    ]);
    expect(compile({ files: [] }).plan).toBeUndefined();
    expect(createEngine([]).decide(bash("rm -r .hookwarden")).decision.outcome).toBe("allow");
  });

  it("says nothing of a call that is not about hookwarden", () => {
    const { decision } = createEngine(compile({ files: [policyFile(anything)] }).plan).decide(bash("touch notes.md"));
    expect(decision.matched.map(({ rule }) => rule)).toEqual(["anything/all"]);
  });

  it("leaves the audit trail to the other policies", () => {
    const head = "version: 1\npolicy: p\naudit: { mode: best_effort, keep: events }\nrules: []\n";
    const { plan } = compile({ files: [policyFile(head)] });
    expect(plan?.policies.some(({ audit }) => audit.mode === "required")).toBe(false);
    const { body } = createEngine(plan).decide(bash("ls"));
    expect(body?.view).toBeDefined();
  });

  it("takes no parameter from a command line", () => {
    const { diagnostics } = compile({ files: [policyFile(anything)], set: { host_wiring: "x" } });
    expect(diagnostics.map(({ code }) => code)).toContain("HW404");
  });

  const attacks = [
    "echo x > .hookwarden/policy.yaml",
    "mv ~/.config/hookwarden /tmp/x",
    "npx hookwarden trust .",
    "cat ~/.local/state/hookwarden/keys/install.key",
  ];
  it("is lifted by no generated set of policies, in whatever scope", () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...attacks), (seed, command) => {
        const random = new Random(seed);
        const files = randomPolicies(random).map(({ data }, i) =>
          file(yamlOf(data), `p${i}.yaml`, random.pick(["managed", "user", "project"])),
        );
        const { plan } = compile({ files: [...files, policyFile(anything, "anything.yaml")] });
        if (!plan) return;
        const { decision } = createEngine(plan).decide(bash(command));
        // A rule may have put another command in its place, which is then what runs and what is judged.
        if (decision.changes.args && decision.changes.args["command"] !== command) return;
        expect(decision.outcome).toBe("block");
      }),
      { numRuns: 40 },
    );
  });
});

describe("a lower scope", () => {
  it("only tightens: with it, no outcome is weaker than without it", () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = new Random(seed);
        const higher = randomPolicies(random).map(({ data }, i) => file(yamlOf(data), `h${i}.yaml`, "managed"));
        const lower = randomPolicies(random).map(({ data }, i) => file(yamlOf(data), `l${i}.yaml`, "project"));
        const one = compile({ files: higher }).plan;
        const both = compile({ files: [...higher, ...lower] }).plan;
        if (!one || !both) return;
        compared++;
        for (const wire of random.times(6, () => randomEvent(random))) {
          const before = createEngine(one).decide(wire).decision.outcome;
          const after = createEngine(both).decide(wire).decision.outcome;
          expect(strictness[after], canonicalJson(wire)).toBeGreaterThanOrEqual(strictness[before]);
        }
      }),
      { numRuns: 40 },
    );
    expect(compared).toBeGreaterThan(15);
  });

  it("changes nothing by the order in which files are given", () => {
    const a = file(anything, "a.yaml", "project");
    const b = file(
      anything.replace("allow: { opaque: true }", "redact: { detectors: ['secrets/*'] }"),
      "b.yaml",
      "user",
    );
    expect(compile({ files: [a, b] }).plan?.digest).toBe(compile({ files: [b, a] }).plan?.digest);
  });
});

describe("a project's policy that does not load", () => {
  const broken = file("version: 1\npolicy: p\nrules: 7\n", "p.yaml", "project");
  const user = file(
    "version: 1\npolicy: u\nrules: [{ id: r, event: tool_call, tool: fetch, action: block, reason: no fetching }]\n",
    "u.yaml",
    "user",
  );
  const decide = (wire: object) =>
    createEngine(compile({ files: [broken, user], brokenProject: "ask" }).plan).decide({ environment, ...wire })
      .decision;

  it.each<[string, object, string]>([
    ["writing", { event: "tool_call", tool: "write", args: { path: "x", content: "x" } }, "ask"],
    ["a command that writes", bash("touch x"), "ask"],
    ["an unknown program", bash("frobnicate"), "ask"],
    ["a command that is not understood", bash("echo 'open"), "ask"],
    ["an MCP tool", { event: "tool_call", tool: "mcp__t__run", args: {} }, "ask"],
    ["the human's own command", { event: "user_bash", command: "touch x" }, "ask"],
    ["reading", { event: "tool_call", tool: "read", args: { path: "x" } }, "allow"],
    ["a command that reads", bash("cat x | head -3"), "allow"],
    [
      "what the user's policy blocks",
      { event: "tool_call", tool: "fetch", args: { url: "https://example.com/" } },
      "block",
    ],
  ])("%s", (_, wire, outcome) => expect(decide(wire).outcome).toBe(outcome));

  it("says why", () => {
    expect(decide(bash("touch x")).reason).toContain("the project's policy does not load (HW102 in p.yaml");
  });

  it("is an error for authors, and closed where a policy of another scope is broken as well", () => {
    expect(compile({ files: [broken, user] }).plan).toBeUndefined();
    const managed = { ...broken, name: "m.yaml", path: "/m.yaml", scope: "managed" as const };
    expect(compile({ files: [broken, managed], brokenProject: "ask" }).plan).toBeUndefined();
  });

  it("stands in for what could not even be read, whatever its reason says", () => {
    const { plan } = compile({ files: [], brokenProject: "ask", unreadableProject: '{broken} "quoted"\n: #' });
    const { outcome, reason } = createEngine(plan).decide(bash("touch x")).decision;
    expect(outcome).toBe("ask");
    expect(reason).toContain('{broken} "quoted"');
    expect(standIn("x").scope).toBe("project");
    expect(builtinFile.scope).toBe("builtin");
  });
});
