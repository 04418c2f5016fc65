import { describe, expect, it } from "vitest";
import { type CompileRequest, compile } from "../../compiler/compile.ts";
import { standInName } from "../../compiler/policy-name.ts";
import { sourceDigest } from "../../compiler/resolve.ts";
import { createEngine } from "../../runtime.ts";
import { limits } from "../../schema/limits.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";
import { policyFile } from "../literate/policies.ts";
import { Counted } from "../work.ts";
import { type LargeProject, largeProjects, manyRules } from "./large-projects.ts";

const mine = policyFile(
  "version: 1\npolicy: mine\nrules:\n  - { id: no, event: tool_call, tool: bash, when: { args.command: { contains: FORBIDDEN } }, action: block, reason: mine }\n",
  "mine.yaml",
);

function request(texts: readonly string[]): CompileRequest {
  const files = texts.map((text, i) => ({ ...policyFile(text, `.hookwarden/p${i}.yaml`), scope: "project" as const }));
  return { files: [mine, ...files], resolveImport, brokenProject: "ask" };
}

const bash = (command: string) => ({ event: "tool_call", tool: "bash", args: { command } });

describe("a project that nobody has trusted", () => {
  it.each(largeProjects)("delays nobody, and the user's rule holds: $name", ({ texts, code }: LargeProject) => {
    const { plan, diagnostics } = compile(request(texts));
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(code === undefined ? errors.length === 0 : errors.some((error) => error.code === code)).toBe(true);
    expect(plan?.policies.some(({ id }) => id === standInName)).toBe(code !== undefined);
    const engine = createEngine(plan);
    expect(engine.decide(bash("touch FORBIDDEN")).decision).toMatchObject({ outcome: "block", reason: "mine" });
    const other = engine.decide(bash("touch other")).decision;
    if (code === undefined) return;
    expect(other.outcome).toBe("ask");
    expect(other.reason).toContain(`${errors[0]?.code} in .hookwarden/p`);
    if (errors[0]?.code === "HW013")
      expect(other.reason).toMatch(/make them smaller, or look at them and run `hookwarden trust`/);
  });

  it("costs no more than some times what the shipped packs cost, whatever is in it", () => {
    const counted = new Counted<typeof import("../../compiler/compile.ts")>("compiler/compile.ts");
    try {
      const blocks = (given: CompileRequest): number => counted.blocks(() => counted.modules.compile(given));
      const packs = discoverPolicies(["pack:recommended"], "/", "user").files;
      // The first one makes tables that are kept.
      blocks({ files: packs, resolveImport });
      const usual = blocks({ files: packs, resolveImport });
      const worst = largeProjects.map(({ name, texts }) => ({ name, times: blocks(request(texts)) / usual }));
      worst.sort((a, b) => b.times - a.times);
      // By units of work it is 4.5 times; some units take more blocks than others.
      expect(worst[0], JSON.stringify(worst.slice(0, 3))).toMatchObject({
        times: expect.toSatisfy((times) => times < 25),
      });
    } finally {
      counted.end();
    }
  });

  it("is refused after the same work however much more there is", () => {
    const seen = [80, 160].map((files) => compile(request(manyRules(files, 100))).stages.resolved.length);
    expect(seen[0]).toBe(seen[1]);
  });

  it("may import every shipped pack", () => {
    const text = "version: 1\npolicy: p\nimports: [{ pack: recommended }]\nrules: []\n";
    const { plan } = compile(request([text]));
    expect(plan?.policies.some(({ id }) => id === standInName)).toBe(false);
  });
});

describe("a project that a human has trusted", () => {
  it("has the bounds of a user", () => {
    const given = request(manyRules(2, 600));
    const trusted = new Set(given.files.map(({ bytes }) => sourceDigest(bytes)));
    expect(compile({ ...given, trusted }).plan?.rules.length).toBeGreaterThan(1_200);
    expect(compile(given).plan?.policies.at(-1)?.id).toBe(standInName);
  });
});

describe("policies of anybody", () => {
  it("name the bound that they are over, and the file", () => {
    const files = Array.from({ length: limits.policyFiles + 1 }, (_, i) =>
      policyFile(`version: 1\npolicy: p-${i}\nrules: []\n`, `p${i}.yaml`),
    );
    const { plan, diagnostics } = compile({ files });
    expect(plan).toBeUndefined();
    const over = diagnostics.find(({ code }) => code === "HW013");
    expect(over?.message).toBe(
      `policies have more than ${limits.policyFiles} files together, which \`p${limits.policyFiles}.yaml\` goes over`,
    );
  });
});
