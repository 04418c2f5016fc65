import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDocument } from "./literate/document.ts";
import { judgeSection } from "./literate/judge.ts";

/** The guide, executed: its rules compile and decide as its tables say (`test/literate/judge.ts`). */
const folder = join(import.meta.dirname, "..", "docs", "guide");
/** Lines that a rule of the guide may have. */
const mostLines = 8;

for (const name of readdirSync(folder)
  .filter((f) => f.endsWith(".md"))
  .sort()) {
  // A page may have other tables too; those beside a rule are judged. A block with the name of a file is no rule alone.
  const sections = readDocument(readFileSync(join(folder, name), "utf8")).filter(
    (s) => s.rows.length > 0 && s.blocks.some((b) => b.language === "yaml" && b.info === ""),
  );
  if (sections.length === 0) continue;
  describe(`guide ${name.replace(/\.md$/, "")}`, () => {
    it.each(sections.map((s) => [s.title, s] as const))("%s", (_title, section) => {
      judgeSection(section);
      expect(
        section.rows.some(([, outcome, , , changes]) => outcome !== "allow" || (changes ?? "`{}`") !== "`{}`"),
      ).toBe(true);
      expect(
        section.rows.some(([, outcome, , , changes]) => outcome === "allow" && (changes ?? "`{}`") === "`{}`"),
      ).toBe(true);
    });

    it.each(sections.map((s) => [s.title, s] as const))(
      `%s: a rule of at most ${mostLines} lines`,
      (_title, section) => {
        const rules = section.blocks.filter((b) => b.language === "yaml");
        expect(rules).toHaveLength(1);
        for (const { text } of rules) expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(mostLines);
      },
    );
  });
}

describe("guide five-rules", () => {
  it("holds the five commonest rules", () => {
    const text = readFileSync(join(folder, "five-rules.md"), "utf8");
    expect([...text.matchAll(/^- id: (.+)$/gm)].map((match) => match[1])).toEqual([
      "protected-delete",
      "force-push",
      "secret-read",
      "egress",
      "redact-keys",
    ]);
  });
});
