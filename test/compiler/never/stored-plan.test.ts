import { describe, expect, it } from "vitest";
import type { Plan } from "../../../engine/plan.ts";
import { createEngine } from "../../../runtime.ts";
import { compileTexts } from "../../literate/policies.ts";
import { foundIn } from "./found.ts";

const text = `version: 1
policy: p
rules:
  - { id: tool, event: tool_call, tool: search, action: block, reason: "no" }
  - { id: host, event: tool_call, tool: fetch, when: { host: codex }, action: block, reason: "no" }
  - { id: glob, event: tool_call, tool: "mcp__a__*", action: block, reason: "no" }
  - { id: program, event: tool_call, each: { c: shell.commands }, when: { c.program: nice-tool }, action: block, reason: "no" }
  - { id: install, event: tool_call, each: { i: effects.installs }, when: { i.manager: npm, i.source: registry }, action: block, reason: "no" }
`;

/** Names that no table has, in the place of names that tables have: what an older or newer program of ours may have written. */
const grown: Readonly<Record<string, string>> = {
  '"search"': '"search_of_tomorrow"',
  '"codex"': '"codex-of-tomorrow"',
  '"mcp__a__*"': '"a/*"',
  '"npm"': '"npm-of-tomorrow"',
  '"registry"': '"registry-of-tomorrow"',
};

describe("a plan that is stored", () => {
  it("goes on loading and deciding where the tables have other names", () => {
    const { plan } = compileTexts({ "policy.yaml": text });
    let written = JSON.stringify(plan);
    for (const [name, other] of Object.entries(grown)) {
      expect(written).toContain(name);
      written = written.replaceAll(name, other);
    }
    const engine = createEngine(JSON.parse(written) as Plan);
    const outcome = (event: object): string => engine.decide({ event: "tool_call", ...event }).decision.outcome;
    expect(outcome({ tool: "search_of_tomorrow", args: {} })).toBe("block");
    expect(outcome({ tool: "search", args: { query: "x" } })).toBe("allow");
    expect(outcome({ host: "codex-of-tomorrow", tool: "fetch", args: { url: "https://a.test/" } })).toBe("block");
    expect(outcome({ host: "codex", tool: "fetch", args: { url: "https://a.test/" } })).toBe("allow");
    expect(outcome({ tool: "bash", args: { command: "nice-tool x" } })).toBe("block");
  });

  it("was refused by `check` with the same names, which is where tables speak", () => {
    const newer = text
      .replace("host: codex", "host: codex-of-tomorrow")
      .replace("i.manager: npm", "i.manager: npm-of-tomorrow");
    expect(foundIn(newer).filter(({ code }) => code === "HW305")).toHaveLength(2);
  });
});

describe("a declaration that is itself a glob", () => {
  it.each([
    "tools: ['own_*']",
    "tools: ['*']",
    "tools: ['mcp__*']",
    "programs: { 'dep*': {} }",
    "programs: { '*': {} }",
  ])("%s is one finding, and declares nothing more", (head) => {
    const found = foundIn(
      `version: 1\npolicy: p\n${head}\nrules:\n  - { id: r, event: tool_call, tool: own_tool, action: ask, reason: "no" }\n`,
    ).filter(({ severity, code }) => severity === "error" && code !== "HW412");
    expect(found.length, JSON.stringify(found)).toBeLessThanOrEqual(1);
    const tool = foundIn(
      `version: 1\npolicy: p\n${head}\nrules:\n  - { id: r, event: tool_call, tool: own_tol, action: ask, reason: "no" }\n`,
    );
    expect(tool.some(({ severity }) => severity === "error")).toBe(true);
  });
});
