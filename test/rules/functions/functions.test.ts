import { describe, expect, it } from "vitest";
import { callable, families } from "../../../rules/signatures.ts";
import { functions } from "../../../rules/vocabulary.ts";
import { EvaluationError } from "../../../schema/ports.ts";
import { evaluate } from "../evaluate.ts";

const all = Object.values(families).flat();
/** Chosen by the checker or at run time, not by a name that authors write. */
const silent: ReadonlySet<string> = new Set([
  "equal",
  "path.equals",
  "path.equals_path",
  "string.equals_path",
  "path.name",
  "string.within",
  "string.within_any",
  "string.is",
  "path.ext",
  "path.parent",
  "url.equals",
  "url.host_skeleton",
  "url.mixed_scripts",
  "url.embedded",
  "string.equals_url",
  "map.of_entries",
  "map.merge",
]);

function refusal(value: unknown): string | undefined {
  return typeof value === "object" && value !== null && "refused" in value ? String(value.refused) : undefined;
}

describe("functions", () => {
  it("has code for every overload that is described, and a description of every overload that a name reaches", () => {
    expect(all.filter(({ id }) => !functions.has(id))).toEqual([]);
    const described = new Set(all.map(({ id }) => id));
    const reached = [...functions.keys()].filter((id) => !/^(?:any|argument)\./.test(id) && !silent.has(id));
    expect(reached.filter((id) => !described.has(id))).toEqual([]);
  });

  it("keeps no silent overload that has gone, or that an author can name", () => {
    const described = new Set(all.map(({ id }) => id));
    expect([...silent].filter((id) => !functions.has(id) || described.has(id))).toEqual([]);
  });

  it("has a dispatcher for every family", () => {
    expect(Object.keys(families).filter((family) => !functions.has(`any.${family}`))).toEqual([]);
  });

  it("shows every name by an example", () => {
    const shown = (name: string, method: boolean): boolean =>
      callable(name, method)?.overloads.some(({ examples }) => examples.length > 0) ?? false;
    expect(
      all.filter(({ name, method }) => /^[a-z]/.test(name) && !shown(name, method)).map(({ signature }) => signature),
    ).toEqual([]);
  });

  for (const { signature, examples } of all) {
    for (const [expression, gives] of examples) {
      it(`${signature}: ${expression} is ${gives}`, () => {
        const value = evaluate(expression);
        // A constant that can never do is refused when the policy loads, not when it runs.
        if (gives === "error")
          expect(value instanceof EvaluationError || refusal(value)?.startsWith("HW308")).toBe(true);
        else {
          expect(refusal(value)).toBeUndefined();
          expect(value).toEqual(evaluate(gives));
        }
      });
    }
  }
});
