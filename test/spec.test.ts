import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createEngine } from "../runtime.ts";
import { code, readDocument, type Section } from "./literate/document.ts";
import { compileTexts, rendered, withHead } from "./literate/policies.ts";

/**
 * The language manual, executed. A section holds a policy (or rules only) in a `yaml` block and either a table of calls
 * (`| call | outcome | by | reason |`: a command or an event, the outcome, the rule or who else answered, the reason or a
 * part of it) or, in a `text` block, what is said when it does not load.
 */
const folder = join(import.meta.dirname, "spec");
/** Documents with a runner of their own. */
const elsewhere = new Set(["profiles.md"]);
const home = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev" };

function wireEvent(cell: string): object {
  const given = code(cell);
  if (!given.startsWith("{")) return { event: "tool_call", tool: "bash", args: { command: given }, environment: home };
  const parsed = JSON.parse(given) as Record<string, unknown>;
  return { event: "tool_call", ...parsed, environment: { ...home, ...(parsed["environment"] as object) } };
}

function judge(section: Section): void {
  const policies = section.blocks
    .filter((b) => b.language === "yaml")
    .map((b, i) => [b.info.replace(/^as /, "") || `policy${i || ""}.yaml`, withHead(b.text)]);
  const result = compileTexts(Object.fromEntries(policies));
  const text = section.blocks.find((b) => b.language === "text");
  if (text) {
    expect(rendered(result)).toBe(text.text);
    expect(result.plan).toBeUndefined();
  } else
    expect(
      rendered(result)
        .split("\n")
        .filter((line) => line.startsWith("error")),
    ).toEqual([]);
  const engine = createEngine(result.plan);
  for (const [call = "", outcome, by = "", reason = "", changes = ""] of section.rows) {
    const { decision } = engine.decide(wireEvent(call));
    const who = decision.answered === "rule" ? decision.rule : decision.answered;
    expect(`${decision.outcome} ${by === "" ? "" : who}`, `${call} ${JSON.stringify(decision)}`).toBe(
      `${outcome} ${by === "" ? "" : code(by)}`,
    );
    expect(decision.errors.length > 0, call).toBe(by === "error");
    if (reason !== "") expect(decision.reason, call).toBe(code(reason));
    if (changes !== "") expect(decision.changes, call).toEqual(JSON.parse(code(changes)));
  }
}

for (const name of readdirSync(folder)
  .filter((f) => f.endsWith(".md") && !elsewhere.has(f))
  .sort()) {
  describe(name.replace(/\.md$/, ""), () => {
    const sections = readDocument(readFileSync(join(folder, name), "utf8")).filter((s) => s.blocks.length > 0);
    it.each(sections.map((s) => [s.title, s] as const))("%s", (_title, section) => judge(section));
  });
}
