import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { glob } from "../../../facts/paths/match.ts";
import { GlobIndex, inRows } from "../../../facts/paths/row-index.ts";
import type { PathValue } from "../../../schema/facts.ts";
import type { Forms } from "../../../schema/ports.ts";
import { seed } from "../../properties/seed.ts";

const names = fc.constantFrom(
  "a",
  "A",
  ".env",
  ".env.local",
  "id_rsa",
  "*",
  "?",
  "[ab]",
  "x\0y",
  "home",
  "dev",
  "b.pem",
);
const places = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}`);
const paths: fc.Arbitrary<PathValue> = fc
  .record({ lexical: places, real: fc.option(places, { nil: undefined }), pattern: fc.boolean(), fold: fc.boolean() })
  .map(({ lexical, real, pattern, fold }) => {
    return { kind: "path", text: lexical, lexical, real: real ?? lexical, pattern, fold };
  });
const globs = ["*.pem", ".env*", "!.env.local", "~/a/", "**/dev/**", "/home/dev/*", "id_rsa"];
const lists = fc.subarray(globs, { minLength: 1 });
const forms = fc.constantFrom<Forms>("any", "all");
const homes = fc.constantFrom("/home/dev", "/a", "");

describe("a path that was compared before", () => {
  it("is answered as one that never was", () => {
    const rows = ["*.pem", ".env*", "!.env.local", "~/a/", "id_rsa", "/home/dev/*"];
    const same = (path: PathValue, home: string, of: Forms, foldersOnly: boolean): void => {
      const options = { home, forms: of };
      const known = inRows(path, rows, options, foldersOnly);
      // A table and a path that nobody has seen: of these nothing can be remembered.
      const fresh = inRows({ ...path }, [...rows], options, foldersOnly);
      expect(known).toBe(fresh);
      expect(inRows(path, rows, options, foldersOnly)).toBe(fresh);
    };
    fc.assert(fc.property(paths, homes, forms, fc.boolean(), same), { seed, numRuns: 2_000 });
  });

  it("matches globs as each of them does by itself", () => {
    const known = new Map<string, GlobIndex>();
    const same = (path: PathValue, list: readonly string[], home: string, of: Forms): void => {
      const index = known.get(list.join()) ?? new GlobIndex(list);
      known.set(list.join(), index);
      const options = { home, forms: of };
      const plainly = (form: PathValue): boolean => list.some((one) => glob(form, one, options));
      const both = [
        { ...path, real: path.lexical },
        { ...path, lexical: path.real },
      ];
      const expected = of === "any" ? both.some(plainly) : both.every(plainly);
      for (let time = 0; time < 2; time++) expect(index.matches(path, options)).toBe(expected);
    };
    fc.assert(fc.property(paths, lists, homes, forms, same), { seed, numRuns: 2_000 });
  });

  it("is another one where only the folder, the link, the letter case or the glob differs", () => {
    const index = new GlobIndex(["/a/b"]);
    const of = (own: Partial<PathValue>): boolean => {
      const path: PathValue = {
        kind: "path",
        text: "",
        lexical: "/a/b",
        real: "/a/b",
        pattern: false,
        fold: false,
        ...own,
      };
      return index.matches(path, { home: "", forms: "all" });
    };
    expect(of({})).toBe(true);
    expect(of({ lexical: "/a", real: "/b/a/b" })).toBe(false);
    expect(of({ real: "/a/c" })).toBe(false);
    expect(of({ lexical: "/A/b", real: "/A/b" })).toBe(false);
    expect(of({ lexical: "/A/b", real: "/A/b", fold: true })).toBe(true);
    expect(of({ lexical: "/a/?", real: "/a/?", pattern: true })).toBe(false);
    expect(of({})).toBe(true);
  });
});
