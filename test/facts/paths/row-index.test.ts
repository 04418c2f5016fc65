import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentConfigRows, deviceRows, engineRows, secretRows, systemRows } from "../../../facts/paths/class-rows.ts";
import { glob, type MatchOptions } from "../../../facts/paths/match.ts";
import { GlobIndex, inRows } from "../../../facts/paths/row-index.ts";
import type { PathValue } from "../../../schema/facts.ts";
import { seed } from "../../properties/seed.ts";

const tables = { secretRows, agentConfigRows, engineRows, deviceRows, systemRows };

/** The meaning of the rows, one by one and without an index. */
function plainly(path: PathValue, rows: readonly string[], options: MatchOptions, foldersOnly: boolean): boolean {
  const opposite: MatchOptions = { ...options, forms: options.forms === "any" ? "all" : "any" };
  const inRow = (form: PathValue, row: string, o: MatchOptions): boolean =>
    row.endsWith("/") ? glob(form, row.slice(0, -1), o) || glob(form, `${row.slice(0, -1)}/**`, o) : glob(form, row, o);
  const one = (form: PathValue): boolean =>
    rows.some((row) => !row.startsWith("!") && (!foldersOnly || row.includes("/")) && inRow(form, row, options)) &&
    !rows.some((row) => row.startsWith("!") && inRow(form, row.slice(1), opposite));
  const forms = [path.lexical, path.real].map((text) => ({ ...path, lexical: text, real: text }));
  return options.forms === "any" ? forms.some(one) : forms.every(one);
}

const names = [
  ...new Set(
    Object.values(tables)
      .flat()
      .flatMap((row) => row.replace(/^!/, "").split("/"))
      .flatMap((part) => [part, part.replace(/\{([^,}]*)[^}]*\}/g, "$1"), part.replace(/.$/, "*")])
      .filter((part) => part !== ""),
  ),
  ...["src", "a.ts", "*", "**", ".*", "[k]*", "?ey", ".ENV"],
];
const text = fc
  .tuple(
    fc.constantFrom("", "/home/user", "/etc", "/dev"),
    fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }),
  )
  .map(([root, parts]) => `${root}/${parts.join("/")}`);

describe("inRows", () => {
  it.each(Object.entries(tables))("answers for %s as the rows do one by one", (_name, rows) => {
    fc.assert(
      fc.property(
        fc.record({ lexical: text, other: fc.option(text), pattern: fc.boolean(), fold: fc.boolean() }),
        fc.constantFrom("/home/user", "", "/srv/J [x]"),
        fc.constantFrom("any" as const, "all" as const),
        fc.boolean(),
        ({ lexical, other, pattern, fold }, home, forms, foldersOnly) => {
          const path: PathValue = { kind: "path", text: lexical, lexical, real: other ?? lexical, pattern, fold };
          const options = { forms, home };
          expect(inRows(path, rows, options, foldersOnly)).toBe(plainly(path, rows, options, foldersOnly));
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("GlobIndex", () => {
  const globs = [...names, "~/.ssh/*", "**/a.{ts,js}", "/home/*/x", "!x", "src/", "{a,b}".repeat(9)];

  it("answers for a list of globs as they do one by one, for each form by itself", () => {
    fc.assert(
      fc.property(
        fc.record({ lexical: text, other: fc.option(text), pattern: fc.boolean(), fold: fc.boolean() }),
        fc.array(fc.constantFrom(...globs), { maxLength: 8 }),
        fc.constantFrom("/home/user", "", "/srv/J [x]"),
        fc.constantFrom("any" as const, "all" as const),
        ({ lexical, other, pattern, fold }, list, home, forms) => {
          const path: PathValue = { kind: "path", text: lexical, lexical, real: other ?? lexical, pattern, fold };
          const options = { forms, home };
          const one = (real: string): boolean =>
            list.some((row) => glob({ ...path, lexical: real, real }, row, options));
          const wanted = forms === "any" ? one(path.lexical) || one(path.real) : one(path.lexical) && one(path.real);
          expect(new GlobIndex(list).matches(path, options)).toBe(wanted);
        },
      ),
      { numRuns: 600, seed },
    );
  });
});
