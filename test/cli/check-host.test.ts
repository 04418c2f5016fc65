import { describe, expect, it } from "vitest";
import { checkHosts, hostOf } from "../../authoring/host-check.ts";
import { compile } from "../../compiler/compile.ts";
import { enforceable, hostNames } from "../../schema/hosts.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";
import { packNames } from "../../store/packs.ts";
import { demoPolicy, run, Scratch } from "./run.ts";

const scratch = new Scratch();

const policy = `version: 1
policy: p
title: Rules that few hosts honour in full
labels: { seen: { kind: mark } }
rules:
  - { id: hide, title: Hides, event: tool_result, action: { redact: { detectors: ["secrets/*"] } } }
  - { id: asks, title: Asks, event: tool_call, tool: write, action: ask, reason: is it meant, examples: { match: [{ tool: write, args: { path: x } }] } }
  - { id: marks, title: Marks, event: tool_call, action: { label: { add: [seen] } } }
  - { id: humans, title: Of people, event: user_bash, action: block, reason: "no", examples: { match: [ls] } }
  - { id: watches, title: Watches, event: tool_result, mode: monitor, action: { redact: { detectors: ["secrets/*"] } } }
`;

async function check(...args: string[]) {
  scratch.put("p.yaml", policy);
  const ran = await run(["check", "p.yaml", "--format", "json", ...args], { cwd: scratch.path });
  const { diagnostics } = JSON.parse(ran.out) as {
    diagnostics: { code: string; severity: string; message: string; help: string; source: string; from: object }[];
  };
  // What only tells is not about hosts.
  return { ...ran, diagnostics: diagnostics.filter(({ severity }) => severity !== "info") };
}

describe("check --host", () => {
  it("says at the rule what a host cannot enforce, and in which weaker form it would", async () => {
    const { code, diagnostics } = await check("--host", "windsurf");
    expect(code).toBe(1);
    expect(diagnostics).toMatchObject([
      {
        code: "HW607",
        severity: "warning",
        source: "p.yaml",
        from: { line: 6 },
        message:
          "Windsurf (`windsurf`) cannot enforce rule `p/hide`: `redact`: Windsurf has no way to do it on `tool_result`",
        help: expect.stringContaining("hookwarden mcp"),
      },
      {
        code: "HW608",
        from: { line: 7 },
        message: expect.stringContaining("`ask`: on Windsurf the host cannot ask, so the call is blocked instead"),
      },
      { code: "HW607", from: { line: 9 }, message: expect.stringContaining("does not deliver `user_bash`") },
    ]);
  });

  it("is silent where a host honours everything, and without a host", async () => {
    expect(await check("--host", "pi")).toMatchObject({ code: 0, diagnostics: [] });
    expect(await check()).toMatchObject({ code: 0, diagnostics: [] });
  });

  it("takes several hosts, each once, by any of their names", async () => {
    const { diagnostics } = await check("--host", "gemini", "--host", "gemini-cli", "--host", "codex");
    const named = new Set(diagnostics.map(({ message }) => /\(`([^`]+)`\)/.exec(message)?.[1]));
    expect([...named].sort()).toEqual(["codex", "gemini-cli"]);
    const once = diagnostics.filter(({ message }) => message.includes("(`gemini-cli`)")).map(({ message }) => message);
    expect(new Set(once).size).toBe(once.length);
  });

  it("asks whether another host was meant", async () => {
    const { code, diagnostics } = await check("--host", "coddex");
    expect(code).toBe(2);
    expect(diagnostics).toMatchObject([{ code: "HW701", help: "did you mean `codex`?" }]);
  });

  it("says nothing of hosts while a policy has an error", async () => {
    scratch.put("broken.yaml", demoPolicy.replace("action: block", "acton: block"));
    const ran = await run(["check", "broken.yaml", "--host", "windsurf"], { cwd: scratch.path });
    expect(ran.code).toBe(2);
    expect(ran.out).not.toMatch(/HW60[78]/);
  });
});

describe("every host and every pack", () => {
  const compiled = packNames().map((name) => {
    const { files } = discoverPolicies([`pack:${name}`], "/");
    return [name, compile({ files, resolveImport })] as const;
  });
  const rows = hostNames.flatMap((host) => compiled.map(([pack, result]) => [host, pack, result] as const));

  it.each(rows)("%s, pack:%s: a finding for each rule with a gap, and for no other", (host, _, result) => {
    const found = checkHosts(result, [host]);
    for (const { id } of result.policies.flatMap(({ rules }) => rules)) {
      const rule = result.plan?.rules.find((each) => each.id === id);
      if (!rule) continue;
      const simple = rule.actions.filter(({ action }) => !["inject", "run", "record"].includes(action));
      const levels = rule.events.flatMap((event) =>
        simple.map(({ action }) => enforceable(host, event, action as never).level),
      );
      const codes = found.filter(({ message }) => message.includes(`\`${id}\``)).map(({ code }) => code);
      if (rule.mode !== "monitor") {
        if (levels.includes("none")) expect(codes).toContain("HW607");
        if (levels.includes("weaker")) expect(codes).toContain("HW608");
        if (simple.length === rule.actions.length && levels.every((level) => level === "full"))
          expect(codes).toEqual([]);
      }
      expect(new Set(codes).size).toBe(codes.length);
    }
    for (const { help } of found) expect(help).not.toBe("");
  });

  it("knows every host by its own name", () => {
    expect(hostNames.map(hostOf)).toEqual(hostNames);
    expect(hostOf("gemini")).toBe("gemini-cli");
  });
});
