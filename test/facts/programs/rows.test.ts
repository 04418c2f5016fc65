import { describe, expect, it } from "vitest";
import { knownNames } from "../../../facts/programs/registry.ts";
import { effectLine, exampleRows, generic } from "./rows.ts";

const rows = exampleRows();

describe("every row has an example", () => {
  it("names at least 250 programs", () => {
    expect(knownNames.length).toBeGreaterThanOrEqual(250);
  });

  it("leaves out no program and no wrapper", () => {
    const shown = new Set(rows.flatMap((row) => row.names));
    expect(knownNames.filter((name) => !shown.has(name))).toEqual([]);
  });

  it("has no example for a program that is not known", () => {
    const known = new Set(knownNames);
    expect(rows.flatMap((row) => row.names).filter((name) => !known.has(name))).toEqual([]);
  });
});

describe("examples of rows", () => {
  it.each(rows.flatMap((row) => row.names.map((name) => [`${name} ${row.words}`, row.effects, name] as const)))(
    "%j: %s",
    (command, effects, name) => {
      expect(generic(effectLine(command), name)).toBe(effects);
    },
  );
});
