import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";
import { code, readDocument, type Section } from "../literate/document.ts";
import { judgeSection } from "../literate/judge.ts";

/** The README, executed: its calls, its rule, and the figures that it takes from other pages. */
const root = join(import.meta.dirname, "..", "..");
const page = (name: string): string => readFileSync(join(root, name), "utf8");
const readme = page("README.md");
const sections = readDocument(readme);
const section = (title: string): Section => {
  const found = sections.find((one) => one.title === title);
  if (!found) throw new Error(`README.md has no section "${title}"`);
  return found;
};
/** The rows of a section's tables, by their first cell. */
const cells = (title: string): readonly (readonly string[])[] => section(title).rows;

describe("the front page", () => {
  it("fits on a few screens", () => {
    expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  });

  const { files } = discoverPolicies(["pack:recommended"], root);
  const engine = createEngine(compile({ files, resolveImport }).plan);
  const environment = { cwd: "/workspace", workspace: "/workspace", home: "/home/dev", os: "linux" };

  it("shows six calls", () => expect(cells("What it decides")).toHaveLength(6));

  it.each(cells("What it decides").map(([call = "", answer = ""]) => [code(call), answer] as const))(
    "says what `pack:recommended` answers to %s",
    (call, answer) => {
      const given = call.startsWith("{") ? JSON.parse(call) : { tool: "bash", args: { command: call } };
      const { decision } = engine.decide({ event: "tool_call", ...given, session: { id: call }, environment });
      const [, outcome, said] = /^\*\*(\w+)\*\*: (.*)$/.exec(answer) ?? [];
      expect(decision.outcome).toBe(outcome);
      if (outcome !== "allow") expect(decision.reason).toBe(said);
    },
  );

  it("shows a rule and what it answers", () => {
    expect(cells("Write a rule").length).toBeGreaterThanOrEqual(3);
    judgeSection(section("Write a rule"));
  });
});

describe("figures of the front page", () => {
  const figure = (what: string): string => {
    const row = cells("What is measured").find(([cell = ""]) => cell.includes(what));
    if (!row) throw new Error(`README.md has no figure for "${what}"`);
    return row[1] ?? "";
  };
  const percentages = (text: string): string[] => [...text.matchAll(/(\d+\.\d) %/g)].map(([, one = ""]) => one);

  it("are those of every first run on record", () => {
    const runs = page("docs/guide/evaluation.md")
      .split(/^(?=- )/m)
      .filter((item) => /^- The .*set, first run/.test(item));
    const recall = runs.map((item) => /recall \*\*(\d+\.\d) %\*\*/.exec(item)?.[1]);
    const friction = runs.map((item) => /friction\s+(\d+\.\d) %/.exec(item)?.[1]);
    expect(percentages(figure("dangerous calls"))).toEqual(recall);
    expect(percentages(figure("everyday calls"))).toEqual(friction);
  });

  it("count the attacks that the page of attacks lists", () => {
    const counts = [...page("docs/reference/attacks.md").matchAll(/^## .* \((\d+)\)$/gm)].map(([, n]) => Number(n));
    expect(figure("attacks on the guard")).toBe(counts.reduce((sum, n) => sum + n, 0).toLocaleString("en"));
  });

  it("are those of the benchmark's page, failed bars included", () => {
    const performance = page("docs/reference/performance.md");
    const measured = (what: string): string | undefined =>
      performance
        .split("\n")
        .find((line) => line.startsWith(`| ${what}`))
        ?.split(" | ")[2];
    expect(figure("one decision")).toBe(measured("`recommended` on a bash call"));
    expect(measured("the same, `recommended`")).toBe(`${figure("one-shot hook")} \`node -e 0\``);
    expect(performance).toContain(`${figure("bars of the benchmark")} bars met.`);
  });
});

describe("hosts of the front page", () => {
  /** Hosts of the table by how a block is known there. */
  const known = (how: string): readonly string[] =>
    page("docs/reference/hosts.md")
      .split("\n")
      .flatMap((line) => /^\| `([\w-]+)` \| (run|recorded payload) \[/.exec(line)?.slice(1) ?? [])
      .flatMap((name, i, all) => (i % 2 === 0 && all[i + 1] === how ? [name] : []));
  const names: Readonly<Record<string, string>> = {
    ...{ pi: "pi", omp: "oh-my-pi", gastown: "Gastown", "claude-code": "Claude Code", codex: "Codex", mcp: "MCP" },
    ...{ "gemini-cli": "Gemini CLI", opencode: "OpenCode", copilot: "Copilot", opta: "Opta", vscode: "VS Code" },
    ...{ cursor: "Cursor", windsurf: "Windsurf", cline: "Cline", goose: "Goose" },
  };
  const frameworks = ["claude-agent-sdk", "ai-sdk", "openai-agents", "langchain", "mastra"];
  const listed = (lead: string): readonly string[] => {
    const [, list = ""] = new RegExp(`${lead}: ([^.]*)\\.`).exec(readme) ?? [];
    return list.split(/, | and /).sort();
  };

  it("are called proven by a run where the table has one, and by payloads where it has not", () => {
    const runs = known("run");
    expect(runs).toEqual(expect.arrayContaining(frameworks));
    const hosts = runs.filter((host) => !frameworks.includes(host));
    expect(listed("runs of the real host")).toEqual([...hosts.map((host) => names[host]), "five frameworks"].sort());
    const payloads = known("recorded payload").filter((host) => host !== "omp-hookapi");
    expect(listed("payloads alone")).toEqual(payloads.map((host) => names[host]).sort());
  });
});
