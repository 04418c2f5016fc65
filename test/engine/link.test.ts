import { describe, expect, it } from "vitest";
import { createLinker } from "../../engine/link.ts";
import type { Ir } from "../../engine/plan.ts";
import { environmentOf } from "../../rules/environment.ts";
import type { Value } from "../../schema/ports.ts";
import { Double, EvaluationError, Optional } from "../../schema/ports.ts";
import {
  anyTool,
  check,
  command,
  evaluate,
  event,
  frameOf,
  noEffects,
  pathValue,
  regex,
  run,
  vocabulary,
} from "../rules/evaluate.ts";

const yes: Ir = { k: "const", value: true };
const no: Ir = { k: "const", value: false };
const broken: Ir = {
  k: "call",
  fn: "int.divide",
  args: [
    { k: "const", value: 1 },
    { k: "const", value: 0 },
  ],
};
const error = { code: "HW502" };

/** Steps that an evaluation took. */
function stepsOf(ir: Ir, conditions: Readonly<Record<string, Ir>> = {}): number {
  const frame = frameOf();
  const before = frame.steps;
  run(ir, frame, conditions);
  return before - frame.steps;
}

describe("link: values", () => {
  const table: readonly (readonly [expression: string, value: unknown])[] = [
    ["1 / 0 == 1 || true", true],
    ["true || 1 / 0 == 1", true],
    ["1 / 0 == 1 || false", error],
    ["1 / 0 == 1 && false", false],
    ["false && 1 / 0 == 1", false],
    ["1 / 0 == 1 && true", error],
    ["1 / 0 == 1 ? true : true", error],
    ["true ? 1 : 1 / 0", 1],
    ["[1, 0].exists(x, 2 / x == 2)", true],
    ["[0, 1].exists(x, 2 / x == 2)", true],
    ["[0, 1].exists(x, 2 / x == 3)", error],
    ["[0, 1].all(x, 2 / x == 3)", false],
    ["[0, 1].all(x, 2 / x == 2)", error],
    ["[].all(x, x == 1)", true],
    ["[].exists(x, x == 1)", false],
    ["[1, 2, 1].exists_one(x, x == 2)", true],
    ["[0, 2].exists_one(x, 2 / x == 1)", error],
    ["[1, 2, 3].filter(x, x > 1)", [2, 3]],
    ["[1, 2, 3].map(x, x > 1, x * 2)", [4, 6]],
    ['{"a": 1, "b": 2}.all(k, k < "c")', true],
    ["1 == 1.0", true],
    ["1 < 1.5", true],
    ["[1] == [1.0]", true],
    ["2.0", new Double(2)],
    ["1 / 2", 0],
    ["-7 / 2", -3],
    ["1.0 / 2.0", 0.5],
    ["1.0 / 0.0 > 1.0", true],
    ["0.0 / 0.0 == 0.0 / 0.0", false],
    ["9007199254740991 + 1", error],
    ["9007199254740991 * 2", error],
    ["-9007199254740991 - 1", error],
    ["5 % 0", error],
    ['size("a😀")', 2],
    ['"\\U0001F600" > "\\uFFFD"', true],
    ['"a" < "b"', true],
    ['dyn("a") == 1', false],
    ['dyn("a") < 1', error],
    ["dyn(1) < 1.5", true],
    ['dyn("abc").startsWith("a")', true],
    ['dyn(1).startsWith("a")', error],
    ["dyn('build/../../x').within('/home/dev/app')", false],
    ["dyn('build/x').within(['/srv', '/home/dev/app'])", true],
    ["dyn('~').is('protected_root')", true],
    ["dyn('http://169.254.169.254/').is('metadata')", true],
    ["dyn(1).within('/srv')", error],
    ["[1, 2][size('ab')]", error],
    ["[1, 2][?2]", new Optional()],
    ['{"a": 1}.b', error],
    ['{"a": 1}.?a', new Optional(1)],
    ['{"a": {"b": 1}}.?a.b', new Optional(1)],
    ['dyn({"a": 1}).?b.c.orValue(7)', 7],
    ["optional.of(1).orValue(1 / 0)", 1],
    ["optional.of(1).or(optional.of(1 / 0)).value()", 1],
    ["[1, ?optional.none(), 2]", [1, 2]],
    ['{"a": 1, ?"b": optional.none()} == {"a": 1}', true],
    ['{"a": 1, "a": 2}', error],
    ["{true: 1}[true]", 1],
    ['{1: "x"}[1.0]', "x"],
    ["args.nested.list[1]", 2],
    ["args.?nothing.deeper.orValue(7)", 7],
    ["args.nothing", error],
    ["has(args.nothing)", false],
    ["has(args.timeout.deeper)", false],
    ["args.__proto__", error],
    ["has(args.constructor)", false],
    ["tool.name", "bash"],
    ["event", "tool_call"],
    ["environment.cwd.within('/home/dev')", true],
    ["environment.variables.NODE_ENV", "test"],
    ["has(environment.default_branch)", false],
    ["has(definition.pinned)", false],
    ["session.labels", ["secret"]],
    ["now == timestamp('2026-11-21T20:00:00Z')", true],
    ["shell.commands[0].wrappers", ["sudo"]],
    ["shell.pipelines[0][0].program", "rm"],
    ["effects.deletes.all(d, has(d.command) && d.command.program == 'rm')", true],
    ["has(shell.commands[0].piped_to)", false],
    ["effects.reads", []],
  ];
  for (const [expression, value] of table) {
    it(`${expression} is ${JSON.stringify(value)}`, () => {
      const result = evaluate(expression);
      if (value === error) expect(result).toBeInstanceOf(EvaluationError);
      else expect(result).toEqual(value);
    });
  }

  it("gives the sample's facts of another call", () => {
    expect(evaluate("shell.commands.exists(c, true)", anyTool, frameOf({ facts: { shell: undefined } }))).toBe(false);
    expect(
      evaluate("effects.reads == []", anyTool, frameOf({ facts: { understanding: "unknown", effects: undefined } })),
    ).toMatchObject({ code: "HW502" });
  });

  it("shows the text of a result and of messages, whatever shape the host gave them", () => {
    const result = {
      content: [{ type: "text", text: "a" }, { type: "image" }, { type: "text", text: "b" }],
      details: undefined,
      structured: undefined,
      is_error: false,
    };
    expect(evaluate("result.text", environmentOf(["tool_result"], []), frameOf({ event: { result } }))).toBe("a\nb");
    const messages = [
      { role: "user", content: "hi" },
      { role: "tool_result", content: [{ type: "text", text: "out" }], toolName: "bash" },
    ];
    const frame = frameOf({ event: { messages } });
    expect(evaluate("messages.map(m, m.text)", environmentOf(["context"], []), frame)).toEqual(["hi", "out"]);
    expect(
      evaluate('messages.exists(m, has(m.tool_name) && m.tool_name == "bash")', environmentOf(["context"], []), frame),
    ).toBe(true);
  });

  it("lets `certain` roots keep certain elements only", () => {
    const possible = { path: pathValue("/etc/x"), recursive: false, via: "rm", certain: false, command: -1 };
    const facts = {
      effects: { ...noEffects, deletes: [possible, { ...possible, certain: true }] },
      shell: { dialect: "bash", commands: [command, { ...command, certain: false }], pipelines: [[0], [0, 1]] },
    };
    const size = (name: string, certain: boolean): Value | EvaluationError =>
      run(
        { k: "call", fn: "list.size", args: [certain ? { k: "root", name, certain } : { k: "root", name }] },
        frameOf({ facts }),
      );
    expect([
      size("effects.deletes", false),
      size("effects.deletes", true),
      size("shell.commands", true),
      size("shell.pipelines", true),
    ]).toEqual([2, 1, 1, 1]);
  });
});

describe("link: budget", () => {
  const table: readonly (readonly [name: string, ir: Ir, steps: number])[] = [
    ["a constant", yes, 1],
    ["a call and its arguments", broken, 3],
    ["and that the first term decides", { k: "and", args: [no, yes, yes] }, 2],
    ["and that no term decides", { k: "and", args: [yes, yes, yes] }, 4],
    ["or that the second term decides", { k: "or", args: [no, yes, broken] }, 3],
    ["or with an error before the deciding term", { k: "or", args: [broken, yes] }, 5],
    ["the branch that is taken", { k: "if", test: no, then: broken, else: yes }, 3],
    [
      "a loop, per element until one decides",
      {
        k: "loop",
        loop: "exists",
        list: { k: "const", value: [false, true, false] },
        slot: 2,
        body: { k: "slot", slot: 2, name: "x" },
      },
      4,
    ],
    ["a loop over nothing", { k: "loop", loop: "all", list: { k: "const", value: [] }, slot: 2, body: yes }, 2],
    [
      "filter and body of a map",
      {
        k: "loop",
        loop: "map",
        list: { k: "const", value: [true, false] },
        slot: 2,
        where: { k: "slot", slot: 2, name: "x" },
        body: yes,
      },
      5,
    ],
  ];
  for (const [name, ir, steps] of table) it(`counts ${name}: ${steps}`, () => expect(stepsOf(ir)).toBe(steps));

  const condition: Ir = { k: "condition", name: "p/c" };
  const conditions = { "p/c": { k: "and", args: [yes, yes] } } as const;

  it("counts a named condition in full for each user, remembered or not", () => {
    expect(stepsOf(condition, conditions)).toBe(4);
    expect(stepsOf({ k: "and", args: [condition, condition] }, conditions)).toBe(9);
  });

  it("runs out at the same place whether a condition is remembered or not", () => {
    const both: Ir = { k: "and", args: [condition, condition] };
    for (let steps = 0; steps <= 9; steps++) {
      const frame = frameOf({ steps });
      const fresh = run(both, frame, conditions);
      if (steps < 9) expect(fresh).toMatchObject({ code: "HW503" });
      else expect(fresh).toBe(true);
      const again = { ...frame, steps };
      expect(run(both, again, conditions)).toEqual(fresh);
    }
  });

  it("ends in HW503 even where another term would decide", () => {
    const or: Ir = { k: "or", args: [broken, yes] };
    expect(run(or, frameOf({ steps: 5 }))).toBe(true);
    expect(run(or, frameOf({ steps: 4 }))).toMatchObject({ code: "HW503" });
  });

  it("ends in HW503 over a long list, in bounded time", () => {
    const frame = frameOf({ event: { args: { items: Array.from({ length: 1_000_000 }, (_, i) => i) } } });
    expect(evaluate("args.items.all(x, x >= 0)", anyTool, frame)).toMatchObject({ code: "HW503" });
  });
});

describe("link: plans that cannot be trusted", () => {
  const table: readonly (readonly [name: string, ir: Ir])[] = [
    ["an unknown function", { k: "call", fn: "nothing", args: [] }],
    ["an unknown root", { k: "root", name: "nothing" }],
    ["a slot that nothing is bound to", { k: "slot", slot: 7, name: "x" }],
    ["an unknown condition", { k: "condition", name: "p/none" }],
    ["a condition that refers to itself", { k: "condition", name: "p/self" }],
    [
      "arguments of wrong kinds",
      {
        k: "call",
        fn: "string.starts_with",
        args: [
          { k: "const", value: 1 },
          { k: "const", value: [] },
        ],
      },
    ],
    ["too few arguments", { k: "call", fn: "string.starts_with", args: [] }],
    [
      "a pattern that RE2 refuses",
      {
        k: "call",
        fn: "string.matches",
        args: [
          { k: "const", value: "a" },
          { k: "const", value: "(" },
        ],
      },
    ],
    ["a condition that is no bool", { k: "and", args: [{ k: "const", value: 1 }] }],
    ["a loop over a number", { k: "loop", loop: "all", list: { k: "const", value: 1 }, slot: 2, body: yes }],
    ["a time that is none", { k: "const", value: "soon", type: "duration" }],
  ];
  for (const [name, ir] of table) {
    it(`gives an error value for ${name}`, () => {
      expect(run(ir, frameOf(), { "p/self": { k: "not", arg: { k: "condition", name: "p/self" } } })).toBeInstanceOf(
        EvaluationError,
      );
    });
  }

  it("links a named condition once, whoever uses it", () => {
    let asked = 0;
    const linker = createLinker(vocabulary, regex, () => {
      asked++;
      return yes;
    });
    const use: Ir = { k: "condition", name: "p/c" };
    linker.link(use);
    linker.link({ k: "and", args: [use, use] });
    expect(asked).toBe(1);
  });

  it("keeps the growth of values under the bound of a payload", () => {
    const doubling = (depth: number): string =>
      depth === 0 ? '"0123456789abcdef"' : `cel.bind(x${depth}, ${doubling(depth - 1)}, x${depth} + x${depth})`;
    const { ir } = check(`size(${doubling(24)})`);
    expect(ir && run(ir, frameOf({ event }))).toMatchObject({ code: "HW504" });
  });
});
