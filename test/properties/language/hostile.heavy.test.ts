import { describe, expect, it } from "vitest";
import { hasErrors } from "../../../diagnostics/diagnostic.ts";
import { renderDiagnostic } from "../../../diagnostics/render.ts";
import { createEngine, type Engine } from "../../../runtime.ts";
import { compileTexts } from "../../literate/policies.ts";
import { seed } from "../seed.ts";
import { Random } from "./random.ts";

/** Input that nobody writes by hand: an error with a place or the closed outcome, in bounded time, and never a crash. */

const head = "version: 1\npolicy: p\nrules:\n  - id: r\n    event: tool_call\n    action: block\n    reason: x\n";
const withWhen = (when: string): string => `${head}    when: ${when}\n`;
const withExpression = (text: string): string => withWhen(JSON.stringify(text));
const many = 10_000;
const megabyte = 1_000_000;

/** Compiles, renders what is said, and judges a call where there is a plan. Returns the codes of the errors. */
function codesOf(text: string): readonly string[] {
  const result = compileTexts({ "policy.yaml": text });
  const errors = result.diagnostics.filter(({ severity }) => severity === "error");
  expect(hasErrors(result.diagnostics)).toBe(result.plan === undefined);
  for (const diagnostic of errors.slice(0, 20)) {
    const { span } = diagnostic;
    expect(span.start).toBeLessThanOrEqual(span.end);
    expect(span.end).toBeLessThanOrEqual(Math.max(text.length, 1));
    expect(renderDiagnostic(diagnostic, result.sources)).toContain(diagnostic.code);
  }
  const { decision } = createEngine(result.plan).decide({ event: "tool_call", tool: "bash", args: { command: "ls" } });
  expect(["allow", "ask", "block"]).toContain(decision.outcome);
  expect(decision.errors.map(({ code }) => code)).not.toContain("HW506");
  return errors.map(({ code }) => code);
}

describe("policies that nest without end", () => {
  it.each<[string, string]>([
    ["flow lists", `a: ${"[".repeat(many)}`],
    ["closed flow lists", `a: ${"[".repeat(many)}${"]".repeat(many)}`],
    ["flow mappings", `a: ${"{a: ".repeat(many)}${"}".repeat(many)}`],
    ["block mappings", Array.from({ length: 3_000 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
    ["a chain of list items", "- ".repeat(many)],
    ["a chain of explicit keys", "? ".repeat(many)],
    ["negations", withWhen(`${"{ not: ".repeat(many)}x${" }".repeat(many)}`)],
    ["combinators", withWhen(`${"{ all: [".repeat(many)}x${"] }".repeat(many)}`)],
    ["quantifiers", withWhen(`${"{ some: { effects.reads: ".repeat(many)}x${" } }".repeat(many)}`)],
    ["tags", `a: ${"!x ".repeat(many)}1`],
    ["anchors", `a: ${"&x ".repeat(many)}1`],
    ["aliases that double", Array.from({ length: 40 }, (_, i) => `a${i}: &a${i} [*a${i - 1}, *a${i - 1}]`).join("\n")],
    ["a key of a million", `${"k".repeat(megabyte - 10)}: 1`],
    ["a megabyte of dashes", "-".repeat(megabyte)],
    ["a megabyte of quotes", '"'.repeat(megabyte)],
    ["a megabyte of lines", "a\n".repeat(megabyte / 2)],
  ])("%s", (_, text) => {
    expect(codesOf(text).length).toBeGreaterThan(0);
  });

  it("two megabytes are too many", () => {
    expect(codesOf(`${head}# ${"x".repeat(2 * megabyte)}`).length).toBeGreaterThan(0);
  });

  it("named conditions in a long chain are refused, in a circle as well", () => {
    const chain = (last: string): string => {
      const links = Array.from({ length: 5_000 }, (_, i) => `  c${i}: { not: $c${i + 1} }`);
      return `version: 1\npolicy: p\nconditions:\n${links.join("\n")}\n  c5000: ${last}\nrules:\n  - { id: r, event: tool_call, when: $c0, action: block, reason: x }\n`;
    };
    expect(codesOf(chain("{ environment.interactive: true }"))).toEqual(["HW203"]);
    expect(codesOf(chain("$c0"))).toEqual(["HW310"]);
    expect(codesOf(chain("$c4990"))).toEqual(["HW310"]);
  });

  it("named conditions that use the next one twice take steps, not time", () => {
    const links = Array.from({ length: 60 }, (_, i) => `  c${i}: "conditions.c${i + 1} && conditions.c${i + 1}"`);
    const text = `version: 1\npolicy: p\nconditions:\n${links.join("\n")}\n  c60: "true"\nrules:\n  - { id: r, event: tool_call, when: $c0, action: ask, reason: x }\n`;
    const { plan } = compileTexts({ "policy.yaml": text });
    const { decision } = createEngine(plan).decide({ event: "tool_call", tool: "bash", args: { command: "ls" } });
    expect(decision).toMatchObject({ outcome: "ask", answered: "rule", errors: [{ code: "HW503" }] });
  });
});

describe("expressions out of all bounds", () => {
  const nested: readonly [string, string][] = [
    ["parentheses", `${"(".repeat(many)}true${")".repeat(many)}`],
    ["open parentheses", "(".repeat(many)],
    ["closing parentheses", ")".repeat(many)],
    ["brackets", `${"[".repeat(many)}1${"]".repeat(many)} == []`],
    ["braces", "{1:".repeat(many)],
    ["negations", `${"!".repeat(many)}true`],
    ["minuses", `${"-".repeat(many)}1 == 1`],
    ["conditionals", "true ? true : ".repeat(many)],
    ["fields", `args${".a".repeat(many)} == 1`],
    ["optional fields", `args${".?a".repeat(many)}.hasValue()`],
    ["indices", `args${"[0]".repeat(many)} == 1`],
    ["indices in indices", `${"args[".repeat(many)}0${"]".repeat(many)}`],
    ["calls", `${"size(".repeat(many)}""${")".repeat(many)}`],
    ["macros", `${"[1].exists(x, ".repeat(many)}true${")".repeat(many)}`],
    ["a long and", Array.from({ length: many }, () => "true").join(" && ")],
    ["a long or", Array.from({ length: 6_000 }, () => "false").join("||")],
    ["a long sum", `${"1+".repeat(many)}1 == 2`],
    ["a long chain of methods", `"a"${".trim()".repeat(many)} == ""`],
    ["escapes", `"${"\\u0041".repeat(many)}" == "a"`],
    ["open strings", '"'.repeat(many)],
    ["triple quotes", '"""'.repeat(many)],
    ["backslashes", "\\".repeat(many)],
    ["operators only", "&&||".repeat(many)],
    ["one name of all", "a".repeat(60_000)],
    ["one number of all", `${"9".repeat(60_000)} == 1`],
    ["a wide list", `1 in [${"1,".repeat(30_000)}1]`],
    ["a wide map", `size({${Array.from({ length: 5_000 }, (_, i) => `${i}: 1`).join(",")}}) == 1`],
  ];
  it.each(nested)("%s", (_, text) => {
    codesOf(withExpression(text));
    codesOf(withWhen(`|\n      ${text}`));
  });

  it.each(nested.filter(([name]) => !/sum|and|or$|wide|escapes/.test(name)))("%s in a text", (_, text) => {
    codesOf(`${head.replace("reason: x", `reason: ${JSON.stringify(`{${text}}`)}`)}`);
  });

  it.each(["(", "[", "{", "a.", "!", '"', "'", "\\", "//", " ", "x ", "&& ", "0", "é", "😀", "$", "\u0000"])(
    "a megabyte of %j",
    (piece) => {
      const text = piece.repeat(Math.floor(900_000 / JSON.stringify(piece).length));
      expect(codesOf(withWhen(`|\n      ${text}`)).length).toBeGreaterThan(0);
    },
  );

  it("whatever brackets and words come in whatever order", () => {
    const random = new Random(seed);
    const pieces = [
      ..."()[]{}<>!&|=+-*/%?:.,;'\"\\$#@`~^ \n\t",
      "in",
      "args",
      "true",
      "1",
      "has(",
      ".exists(x,",
      "&&",
      "||",
    ];
    for (let i = 0; i < 120; i++) {
      const text = random.times(random.below(200), () => random.pick(pieces)).join("");
      expect(() => codesOf(withExpression(text)), `seed ${seed}: ${JSON.stringify(text)}`).not.toThrow();
    }
  });
});

describe("characters that do not belong", () => {
  const codes = [
    ...Array.from({ length: 32 }, (_, i) => i),
    0x7f,
    0x80,
    0x85,
    0x9b,
    0xa0,
    0xad,
    0x200b,
    0x2028,
    0x202e,
  ];
  const more = [0x2066, 0xd800, 0xdfff, 0xfeff, 0xfffe, 0xffff, 0xe0001];
  it.each([...codes, ...more].map((code) => [code.toString(16), code] as const))("U+%s", (_, code) => {
    const character = code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
    codesOf(character + withExpression("true"));
    codesOf(withWhen(character));
    codesOf(withWhen(`tool.name == "${character}"`));
    codesOf(withExpression(`tool.name ${character} == "a"`));
    codesOf(withExpression(`tool.name == "a${character}"`));
    codesOf(`${head}    ${character}when: "true"\n`);
  });

  it("bytes that are not UTF-8", () => {
    const random = new Random(5);
    for (let i = 0; i < 40; i++) {
      const bytes = random.times(random.below(300), () => String.fromCharCode(random.below(256))).join("");
      codesOf(bytes);
    }
  });
});

describe("patterns that take for ever elsewhere", () => {
  const text = `${"a".repeat(200_000)}!`;
  const judged = (when: string): string => {
    const { plan, diagnostics } = compileTexts({ "policy.yaml": withExpression(when) });
    expect(diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([]);
    return createEngine(plan).decide({ event: "tool_call", tool: "task", args: { prompt: text } }).decision.outcome;
  };
  it.each(["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^([a-z]*)*\\\\d$", "(.*)(.*)(.*)(.*)x$", "(a?){50}a{50}b"])(
    "%s",
    (pattern) => {
      expect(judged(`has(args.prompt) && args.prompt.matches("${pattern}")`)).toBe("allow");
    },
  );

  it("globs with many stars", () => {
    const deep = `/${"a/".repeat(2_000)}b`;
    const stars = `${"**/a/".repeat(40)}c`;
    const { plan } = compileTexts({
      "policy.yaml": withWhen(`{ some: { effects.reads: { path: { glob: ${JSON.stringify(stars)} } } } }`),
    });
    const { decision } = createEngine(plan).decide({ event: "tool_call", tool: "read", args: { path: deep } });
    expect(decision.outcome).toBe("allow");
    expect(judged(`has(args.prompt) && args.prompt.glob("${"*a".repeat(60)}b")`)).toBe("allow");
  });

  it.each([
    "(?=a)",
    "(a)\\\\1",
    "((a{1000}){1000})",
    "(".repeat(3_000),
    "a".repeat(5_000),
    "[",
    "a**",
    "\\\\p{Nope}",
    "(?P<a",
    "x{2000}",
  ])("%s is refused with its place", (pattern) => {
    expect(codesOf(withExpression(`tool.name.matches("${pattern}")`))).toEqual(["HW307"]);
  });

  it("a pattern out of the event is an error value", () => {
    const when = "has(args.p) && tool.name.matches(string(args.p))";
    const { plan } = compileTexts({
      "policy.yaml": `${withExpression(when)}    tool: unheard_of\ntools: [unheard_of]\n`,
    });
    for (const pattern of ["(", "(?=a)", "(((a{1000}){1000}){1000})", "(".repeat(100_000), "a".repeat(100_000)]) {
      const { decision } = createEngine(plan).decide({ event: "tool_call", tool: "unheard_of", args: { p: pattern } });
      expect([decision.outcome, decision.answered]).toEqual(["block", "error"]);
    }
  });
});

describe("events out of all bounds", () => {
  const rules = (when: string): Engine => createEngine(compileTexts({ "policy.yaml": withExpression(when) }).plan);
  const call = (args: unknown, tool = "unheard_of"): unknown => ({ event: "tool_call", tool, args });
  const nest = (depth: number, wrap: (inner: unknown) => unknown): unknown => {
    let value: unknown = 1;
    for (let i = 0; i < depth; i++) value = wrap(value);
    return value;
  };

  it.each<[string, unknown]>([
    ["lists in lists", call({ a: nest(many, (inner) => [inner]) })],
    ["objects in objects", call({ a: nest(many, (inner) => ({ a: inner })) })],
    ["a million items", call({ a: Array.from({ length: megabyte }, () => 1) })],
    ["a million keys", call(Object.fromEntries(Array.from({ length: megabyte }, (_, i) => [`k${i}`, i])))],
  ])("%s are closed (HW504)", (_, event) => {
    const { decision } = rules("has(args.a) && args.a == args.a").decide(event);
    expect(decision).toMatchObject({ outcome: "block", answered: "error", errors: [{ code: "HW504" }] });
  });

  const items = Array.from({ length: 100_000 }, (_, i) => i);
  it.each<[string, string, readonly string[]]>([
    ["exists", "args.a.exists(x, x == -1)", ["HW503"]],
    ["all", "args.a.all(x, x >= 0)", ["HW503"]],
    ["a map in a filter", "size(args.a.map(x, x).filter(x, x > 1)) > 1", ["HW503"]],
    ["loops in loops", "args.a.exists(x, args.a.exists(y, y == -1))", ["HW503"]],
    ["sort and distinct", "size(args.a.distinct().sort().reverse()) < 1", []],
    ["a join", 'args.a.map(x, string(x)).join(",").size() < 1', ["HW503"]],
    ["equality", "args.a != args.a", []],
    ["membership", "-1 in args.a", []],
    ["a doubled list", `size(args.a${" + args.a".repeat(60)}) < 1`, ["HW504"]],
    ["containsAll", "args.a.containsAll(args.a + [-1])", []],
  ])("a list of 100,000 in %s", (_, when, codes) => {
    const { decision } = rules(when).decide(call({ a: items }));
    expect(decision.errors.map(({ code }) => code)).toEqual(codes);
    // A human can answer a call on which a rule ran out of steps (decision 31).
    expect(decision.outcome).toBe(codes.includes("HW503") ? "ask" : codes.length > 0 ? "block" : "allow");
  });

  it.each<[string, string]>([
    ["contains", 'args.a.contains("b")'],
    ["matches", 'args.a.matches("(a+)+b")'],
    ["split", 'size(args.a.split("")) < 1'],
    ["replace", 'args.a.replace("a", "bb").contains("c")'],
    ["growing", `size(args.a${" + args.a".repeat(40)}) < 1`],
    ["lower case", 'args.a.lowerAscii() == "b"'],
    ["a url", 'url(args.a).host == "b"'],
    ["a number", "double(args.a) == 1.0"],
    ["a time", "timestamp(args.a) == timestamp(0)"],
    ["reverse", 'args.a.reverse().endsWith("b")'],
    ["indexOf", 'args.a.indexOf("aab") == 0'],
  ])("a text of a megabyte in %s", (_, when) => {
    const { decision } = rules(when).decide(call({ a: "a".repeat(megabyte) }));
    expect(decision.errors.map(({ code }) => code).filter((code) => code === "HW506")).toEqual([]);
    expect(decision.outcome).toBe(decision.errors.length > 0 ? "block" : "allow");
  });

  it("a path longer than any matches on the strict side", () => {
    const engine = rules('path(args.a).glob("/b/**")');
    expect(engine.decide(call({ a: "a".repeat(megabyte) })).decision.outcome).toBe("block");
    expect(engine.decide(call({ a: "a" })).decision.outcome).toBe("allow");
  });

  it.each<[string, string]>([
    ["open quotes", "'".repeat(60_001)],
    ["subshells", "(".repeat(many)],
    ["substitutions", "$(".repeat(many)],
    ["back-ticks", "`".repeat(many + 1)],
    ["braces", "{a,b}".repeat(500)],
    ["nested braces", `${"{a,".repeat(1_000)}b${"}".repeat(1_000)}`],
    ["here-documents", "<<E ".repeat(many)],
    ["parameters", "${a:-".repeat(many)],
    ["arithmetic", "$((".repeat(many)],
    ["pipes", "ls | ".repeat(many)],
    ["assignments", "a=$a$a ".repeat(5_000)],
    ["loops", "for i in a; do ".repeat(2_000)],
    ["conditions", "if true; then ".repeat(2_000)],
    ["functions", "f() { ".repeat(2_000)],
    ["wrappers", `${"env ".repeat(5_000)}ls`],
    ["a text beyond the bound", "ls ".repeat(400_000)],
    ["stars", `ls ${"*".repeat(many)}`],
  ])("a command of %s", (_, command) => {
    const engine = rules(
      'shell.commands.exists(c, c.program == "nothing") || effects.reads.exists(r, r.path == "/nothing")',
    );
    const { decision } = engine.decide(call({ command }, "bash"));
    expect(decision.errors).toEqual([]);
    expect(["allow", "ask"]).toContain(decision.outcome);
  });

  it("objects that are no plain data", () => {
    const engine = rules("has(args.a) && args.a == 1");
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    const trap = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    const thrower = {
      get a(): number {
        throw new Error("no");
      },
    };
    for (const args of [circle, trap, thrower, null, "text", [1], { a: 1n }, { a: Symbol("a") }, { a: Number.NaN }]) {
      const { decision } = engine.decide(call(args));
      expect([decision.outcome, decision.answered]).toEqual(["block", "error"]);
    }
    // What JSON would leave out, or write as an empty object, is refused: a rule would not see what a host may read.
    for (const args of [() => 1, { a: () => 1 }, new Date(0), new Map([["a", 1]])])
      expect(engine.decide(call(args)).decision).toMatchObject({ outcome: "block", errors: [{ code: "HW504" }] });
    for (const event of [null, undefined, 1, "x", [], () => 1, trap, circle])
      expect(engine.decide(event).decision.outcome).toBe("block");
  });
});
