import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runExamples } from "../authoring/examples.ts";
import { runSuite } from "../authoring/suite.ts";
import { compile } from "../compiler/compile.ts";
import { renderDiagnostic } from "../diagnostics/render.ts";
import { createEngine } from "../runtime.ts";
import { discoverPolicies, resolveImport } from "../store/discover.ts";

/** Shipped packs: no finding, every example holds, every suite passes, and the promises of the seeds' three hooks are kept. */
const root = join(import.meta.dirname, "..");
const packs = readdirSync(join(root, "policies")).sort();

function load(...packNames: string[]) {
  const { files } = discoverPolicies(
    packNames.map((pack) => `pack:${pack}`),
    root,
  );
  return compile({ files, resolveImport });
}

describe.each(packs)("pack %s", (pack) => {
  it("has no finding, warnings included, and its examples hold", () => {
    const result = load(pack);
    // Examples of an import run with the pack that they stand in.
    const own = result.policies.map((one) => ({ ...one, rules: one.rules.filter((r) => r.id.startsWith(`${pack}/`)) }));
    const found = [...result.diagnostics, ...runExamples({ ...result, policies: own })];
    expect(found.map((d) => renderDiagnostic(d, result.sources))).toEqual([]);
    expect(result.plan?.rules.length).toBeGreaterThan(0);
  });

  it("says of every rule what it is, why it decides, and gives examples", () => {
    const result = load(pack);
    for (const rule of result.plan?.rules ?? []) {
      expect(rule.title, rule.id).not.toBe("");
      const decides = rule.actions.some((a) => a.action === "block" || a.action === "ask");
      if (decides) expect(rule.guidance, rule.id).toBeDefined();
    }
    for (const rule of result.policies.flatMap((p) => p.rules)) {
      expect(rule.examples.match.length + rule.examples.no_match.length, rule.id).toBeGreaterThan(0);
    }
  });

  it("passes its suites", () => {
    const suites = readdirSync(join(root, "policies", pack)).filter((name) => name.endsWith(".test.yaml"));
    expect(suites).toContain("policy.test.yaml");
    for (const name of suites) {
      const { diagnostics, sources, cases } = runSuite(join(root, "policies", pack, name), name);
      expect(diagnostics.map((d) => renderDiagnostic(d, sources))).toEqual([]);
      expect(cases).toBeGreaterThan(0);
    }
  });
});

/** The three hooks of the seed omp-authoring-hooks ("Three complete examples") and where the packs do better. */
describe("the seed's three hooks", () => {
  const engine = createEngine(load("shell-safety", "secrets", "context-hygiene").plan);
  const result = (text: string, isError = false) => {
    const event = {
      event: "tool_result",
      tool: "bash",
      args: {},
      result: { content: [{ type: "text", text }], details: { raw: text }, is_error: isError },
    };
    return JSON.stringify({ ...event.result, ...engine.decide(event).decision.changes });
  };

  const tokens: [name: string, token: string][] = [
    ["sk-", ["sk", "-", "abcdefghijklmnopqrstuvwx12"].join("")],
    ["AKIA", ["AKIA", "QRSTUVWXYZ234567"].join("")],
    ["ghp_", ["ghp", "_", "0123456789abcdefghijABCDEFGHIJ012345"].join("")],
  ];
  it.each(tokens)("redacts %s keys in content and details", (_name, token) => {
    expect(result(`key ${token} end`)).not.toContain(token);
    expect(result(`key ${token} end`)).toContain(" end");
  });

  it.each(tokens)("redacts %s keys in error results too, which the original skips", (_name, token) => {
    expect(result(`failed with ${token}`, true)).not.toContain(token);
  });

  it("trims long results of the role that hosts really use, which the original misses", () => {
    const long = "x".repeat(20_000);
    const { changes } = engine.decide({
      event: "context",
      messages: [{ role: "toolResult", toolCallId: "c", content: [{ type: "text", text: long }] }],
    }).decision;
    const [message] = changes.messages as { content: { text: string }[] }[];
    expect(message?.content[0]?.text.length).toBeLessThanOrEqual(8_000);
  });

  it("drops debug messages and leaves all else alone", () => {
    const { changes } = engine.decide({
      event: "context",
      messages: [
        { role: "custom", customType: "debug-only", content: "x" },
        { role: "user", content: "y" },
      ],
    }).decision;
    expect(changes.messages).toEqual([{ role: "user", content: "y" }]);
  });
});
