import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import { readDocument, type Section } from "./literate/document.ts";
import { judgeExpressions, judgeSection } from "./literate/judge.ts";

/**
 * The language manual, executed: every section with a policy, and every table of expressions (`test/literate/judge.ts`).
 * `UPDATE_EXPECT=1` writes what policies that do not load say; the reader of the diff judges it.
 */
const folder = join(import.meta.dirname, "spec");
/** Documents with a runner of their own. */
const elsewhere = new Set(["profiles.md"]);
const updates = process.env["UPDATE_EXPECT"] === "1";

function run(path: string, section: Section): void {
  if (section.blocks.length === 0) judgeExpressions(section);
  else judgeSection(section, updates ? (said) => write(path, section.title, said) : undefined);
}

function write(path: string, title: string, said: string): void {
  const now = readFileSync(path, "utf8");
  const section = readDocument(now).find((s) => s.title === title);
  const block = section?.blocks.find((b) => b.language === "text");
  if (block) writeFileSync(path, now.slice(0, block.start) + said + now.slice(block.end));
}

for (const name of readdirSync(folder)
  .filter((f) => f.endsWith(".md") && !elsewhere.has(f))
  .sort()) {
  describe(name.replace(/\.md$/, ""), () => {
    const path = join(folder, name);
    const sections = readDocument(readFileSync(path, "utf8"));
    const executed = sections.filter((s) => s.blocks.length > 0 || s.rows.length > 0);
    it.each(executed.map((s) => [s.title, s] as const))("%s", (_title, section) => run(path, section));
  });
}
