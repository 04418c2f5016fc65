import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Type } from "../../../rules/types.ts";
import { Double, Duration, EvaluationError, Optional, Timestamp } from "../../../schema/ports.ts";
import { anyTool, bash, check, frameOf, run } from "../../rules/evaluate.ts";

const leaf = fc.constantFrom(
  ..."1|0|-3|2.5|1e300|'a'|'😀b'|true|false|null|[]|{}|[1, 2]|['a']|{'a': 1}|event|args|args.command|args.timeout|args.x".split(
    "|",
  ),
  ..."tool.server|session.labels|environment.cwd|now|duration('1m')|effects.deletes|shell.commands|x|dyn(1)|dyn('a')".split(
    "|",
  ),
  ..."optional.of(1)|text.bidi".split("|"),
);
const operator = fc.constantFrom(..."+ - * / % == != < <= > >= in && ||".split(" "));
const prefix = fc.constantFrom("!", "-");
const macro = fc.constantFrom("all", "exists", "exists_one", "filter", "map", "optMap");
const plainMethod = fc.constantFrom(
  ..."size trim sort distinct flatten reverse first hasValue value getHours lowerAscii".split(" "),
);
const method = fc.constantFrom(..."contains startsWith glob within split orValue matches containsAny join".split(" "));
const conversion = fc.constantFrom(..."int double string bool dyn type size math.abs path url".split(" "));
const part = fc.constantFrom(".a", ".?a", ".text", "[0]", "[?0]", "['a']");

/** Expressions that are often right: names, literals, operators, calls and macros, put together at random. */
const expressions = fc.letrec<{ any: string }>((tie) => {
  const inner = tie("any");
  return {
    any: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      leaf,
      fc.tuple(inner, operator, inner).map(([a, between, b]) => `(${a} ${between} ${b})`),
      fc.tuple(prefix, inner).map(([before, a]) => `${before}(${a})`),
      fc.tuple(inner, inner, inner).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc.tuple(inner, macro, inner).map(([a, name, b]) => `(${a}).${name}(x, ${b})`),
      fc.tuple(inner, plainMethod).map(([a, name]) => `(${a}).${name}()`),
      fc.tuple(inner, method, inner).map(([a, name, b]) => `(${a}).${name}(${b})`),
      fc.tuple(conversion, inner).map(([name, a]) => `${name}(${a})`),
      fc.tuple(inner, part).map(([a, access]) => `(${a})${access}`),
      fc.array(inner, { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
      fc.tuple(inner, inner).map(([a, b]) => `{${a}: ${b}}`),
    ),
  };
}).any;

/** True if a value is of the type that the checker gave its expression. */
function isOf(value: unknown, type: Type): boolean {
  switch (type.kind) {
    case "null":
      return value === null;
    case "bool":
    case "string":
      return typeof value === (type.kind === "bool" ? "boolean" : "string");
    case "int":
      return Number.isSafeInteger(value);
    case "double":
      return value instanceof Double || (typeof value === "number" && !Number.isSafeInteger(value));
    case "timestamp":
      return value instanceof Timestamp;
    case "duration":
      return value instanceof Duration;
    case "list":
      return Array.isArray(value) && value.every((item) => isOf(item, type.element));
    case "optional":
      return value instanceof Optional && (value.value === undefined || isOf(value.value, type.of));
    case "map":
    case "record":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "type":
      return typeof value === "string";
    default:
      return value !== undefined;
  }
}

describe("checker and link", () => {
  it("never throw, and give values of the type that was found", () => {
    let loaded = 0;
    fc.assert(
      fc.property(
        expressions,
        fc.constantFrom("block", "allow"),
        fc.constantFrom(anyTool, bash),
        (text, polarity, environment) => {
          const { ir, type, diagnostics } = check(text, environment, { polarity: polarity as "block" | "allow" });
          expect(ir === undefined).toBe(diagnostics.length > 0);
          if (!ir) return;
          loaded++;
          const value = run(ir, frameOf({ steps: 2_000 }));
          if (!(value instanceof EvaluationError)) expect([text, isOf(value, type)]).toEqual([text, true]);
          expect(run(ir, frameOf({ steps: 2_000 }))).toEqual(value);
        },
      ),
      { numRuns: 3_000, verbose: 1 },
    );
    expect(loaded).toBeGreaterThan(300);
  });
});
