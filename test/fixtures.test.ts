import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDocument } from "./literate/document.ts";
import { compileTexts, givenBy, rendered } from "./literate/policies.ts";

/**
 * One document per diagnostic code: a policy in a `yaml` block and what `check` says of it in the `text` block after
 * it, carets and all. `UPDATE_EXPECT=1` writes the expectations; the reader of the diff judges them.
 */
const folder = join(import.meta.dirname, "fixtures", "codes");
/** Codes that `check` raises only with `--thorough`. */
const onlyThorough = new Set(["HW673", "HW674", "HW675"]);
const update = process.env["UPDATE_EXPECT"] === "1";

for (const name of readdirSync(folder)
  .filter((f) => f.endsWith(".md"))
  .sort()) {
  describe(`diagnostic ${name.replace(/\.md$/, "")}`, () => {
    const path = join(folder, name);
    const sections = readDocument(readFileSync(path, "utf8")).filter((s) => s.blocks.length > 0);
    it.each(sections.map((s) => [s.title, s] as const))("%s", (_title, section) => {
      const files = section.blocks.filter((b) => b.language === "yaml");
      const expected = section.blocks.find((b) => b.language === "text");
      const result = compileTexts(...givenBy(files));
      const actual = rendered(result, onlyThorough.has(name.slice(0, 5)));
      if (update && expected && actual !== expected.text) {
        const now = readFileSync(path, "utf8");
        const from = now.indexOf(`## ${section.title}\n`);
        const at = now.indexOf(expected.text, now.indexOf("```text\n", from));
        writeFileSync(path, now.slice(0, at) + actual + now.slice(at + expected.text.length));
        return;
      }
      expect(actual).toBe(expected?.text);
      expect(actual).toContain(name.slice(0, 5));
      const hasError = /^error\[(?!HW403)/m.test(actual);
      expect(result.plan === undefined, "a policy with an error gives no plan, one without gives one").toBe(hasError);
    });
  });
}
