import { describe, expect, it } from "vitest";
import type { CheckOptions } from "../../../compiler/check/check.ts";
import { checkTemplatePart } from "../../../compiler/check/check.ts";
import { parseExpression } from "../../../compiler/parse/expression.ts";
import { Source } from "../../../diagnostics/source.ts";
import type { Ir } from "../../../engine/plan.ts";
import { type Environment, environmentOf } from "../../../rules/environment.ts";
import { effectTypes } from "../../../rules/fact-types.ts";
import type { Type } from "../../../rules/types.ts";
import { list, printType, string } from "../../../rules/types.ts";
import { anyTool, bash, check, regex } from "../../rules/evaluate.ts";

const each = environmentOf(["tool_call"], [], {
  each: { name: "d", type: effectTypes["deletes"] as Type },
  lists: new Map([["scratch", ["/tmp/**"]]]),
  parameters: new Map([["branches", { type: list(string), value: ["main"] }]]),
  conditions: new Map([["no_human", { id: "p/no_human", needs: true }]]),
});

/** IR in the manner of expressions, for tables: roots and slots by name, calls by overload id. */
function show(ir: Ir | undefined): string {
  switch (ir?.k) {
    case undefined:
      return "refused";
    case "const":
      return ir.type ? `${ir.type}:${JSON.stringify(ir.value)}` : JSON.stringify(ir.value);
    case "root":
      return ir.certain ? `${ir.name}!` : ir.name;
    case "slot":
      return `${ir.name}#${ir.slot}`;
    case "field":
      return `${show(ir.of)}.${ir.optional ? "?" : ""}${ir.name}`;
    case "has":
      return `has(${show(ir.of)}.${ir.name})`;
    case "index":
      return `${show(ir.of)}[${ir.optional ? "?" : ""}${show(ir.index)}]`;
    case "call":
      return `${ir.fn}${ir.forms ? "!" : ""}(${ir.args.map(show).join(", ")})`;
    case "and":
    case "or":
      return `${ir.k}(${ir.args.map(show).join(", ")})`;
    case "not":
      return `not(${show(ir.arg)})`;
    case "if":
      return `if(${show(ir.test)}, ${show(ir.then)}, ${show(ir.else)})`;
    case "list":
      return `[${ir.items.map(({ value, optional }) => (optional ? "?" : "") + show(value)).join(", ")}]`;
    case "map":
      return `{${ir.entries.map(({ key, value, optional }) => `${optional ? "?" : ""}${show(key)}: ${show(value)}`).join(", ")}}`;
    case "loop":
      return `${ir.loop}(${show(ir.list)}, #${ir.slot}, ${ir.where ? `${show(ir.where)}, ` : ""}${show(ir.body)})`;
    case "condition":
      return `$${ir.name}`;
  }
}

describe("checkCondition: types and IR", () => {
  const table: readonly (readonly [expression: string, type: string, ir: string, environment?: Environment])[] = [
    ["1", "int", "1"],
    ["-1", "int", "-1"],
    ["-1.0", "double", "double:-1"],
    ["1.5", "double", "double:1.5"],
    ["-0.0", "double", 'double:"-0"'],
    ["[1, 2]", "list(int)", "[1,2]"],
    ["[1, 'a']", "list(dyn)", '[1,"a"]'],
    ["[1, event]", "list(dyn)", "[1, event]"],
    ["{'a': 1}", "map(string, int)", '{"a": 1}'],
    ["event", "string", "event"],
    ["1 + 2", "int", "int.add(1, 2)"],
    ["1.0 + 2.0", "double", "double.add(double:1, double:2)"],
    ["dyn(1) + 2", "int", "any.add(dyn.of(1), 2)"],
    ["dyn(1) + dyn(2)", "dyn", "any.add(dyn.of(1), dyn.of(2))"],
    ["1 < 2.0", "bool", "number.less(1, double:2)"],
    ["event == 'tool_call'", "bool", 'equal(event, "tool_call")'],
    ["1 != 2", "bool", "not(equal(1, 2))"],
    ["true && false && true", "bool", "and(true, false, true)"],
    ["true && (false || true)", "bool", "and(true, or(false, true))"],
    ["!true", "bool", "not(true)"],
    ["true ? 1 : 2", "int", "if(true, 1, 2)"],
    ["duration('10m')", "duration", 'duration:"10m"'],
    ["timestamp('2026-01-01T00:00:00Z')", "timestamp", 'timestamp:"2026-01-01T00:00:00Z"'],
    ["'a' in ['a']", "bool", 'list.in("a", ["a"])'],
    ["'a' in {'a': 1}", "bool", 'map.in("a", {"a": 1})'],
    ["args.x in ['a']", "bool", 'any.in(args.x, ["a"])'],
    ["args.command.contains('x')", "bool", 'string.contains(args.command, "x")', bash],
    ["args.x.within('/etc')", "bool", 'any.within(args.x, "/etc")'],
    ["args.x.contains('x')", "bool", 'any.contains(args.x, "x")'],
    ["session.labels.contains('x')", "bool", 'list.contains(session.labels, "x")'],
    ["size(session.labels)", "int", "list.size(session.labels)"],
    [
      "args.path.within('/tmp')",
      "bool",
      'path.within(path.of(args.path), "/tmp")',
      environmentOf(["tool_call"], ["read"]),
    ],
    [
      "args.?path.hasValue()",
      "bool",
      "optional.has_value(list.first(map([?args.?path], #2, path.of(value#2))))",
      environmentOf(["tool_call"], ["list"]),
    ],
    ["environment.cwd == '/x'", "bool", 'path.equals(path.of(environment.cwd), "/x")'],
    ["'/x' == environment.cwd", "bool", 'string.equals_path("/x", path.of(environment.cwd))'],
    ["d.path.name", "string", "path.name(d#0.path)", each],
    ["d.path in lists.scratch.map(x, x)", "bool", 'path.in(d#0.path, map(["/tmp/**"], #2, x#2))', each],
    ["d.path.glob(lists.scratch)", "bool", 'path.glob_any(d#0.path, ["/tmp/**"])', each],
    ["parameters.branches", "list(string)", '["main"]', each],
    ["conditions.no_human", "bool", "$p/no_human", each],
    ["effects.deletes", "list(delete)", "effects.deletes"],
    ["effects.deletes.exists(x, x.recursive)", "bool", "exists(effects.deletes, #2, x#2.recursive)"],
    [
      "shell.commands.all(c, c.operands.exists(o, o == c.program))",
      "bool",
      "all(shell.commands, #2, exists(c#2.operands, #3, equal(o#3, c#2.program)))",
    ],
    [
      "has(d.command) && d.command.program == 'rm'",
      "bool",
      'and(number.greater_equal(d#0.command, 0), equal(shell.commands[d#0.command].program, "rm"))',
      each,
    ],
    ["[1, 2].map(x, x > 1, x + 1)", "list(int)", "map([1,2], #2, number.greater(x#2, 1), int.add(x#2, 1))"],
    ["optional.of(1).orValue(2)", "int", "optional.or_value(optional.of(1), 2)"],
    ["{'a': 1}.?b", "optional(int)", '{"a": 1}.?b'],
    ["[1][?0].orValue(2)", "int", "optional.or_value([1][?0], 2)"],
    ["optional.of(1).optMap(x, x + 1)", "optional(int)", "list.first(map([?optional.of(1)], #2, int.add(x#2, 1)))"],
    ["cel.bind(x, 2, x * x)", "int", "map([2], #2, int.multiply(x#2, x#2))[0]"],
    ["math.greatest(1, 2)", "int", "math.greatest(1, 2)"],
    ["'abc'.matches('b')", "bool", 'string.matches("abc", "b")'],
    ["type(1) == int", "bool", 'equal(type.of(1), "int")'],
    ["type(int)", "type", '"type"'],
  ];
  for (const [expression, type, ir, environment] of table) {
    it(`${expression}: ${type}`, () => {
      const result = check(expression, environment);
      expect(result.diagnostics).toEqual([]);
      expect([printType(result.type), show(result.ir)]).toEqual([type, ir]);
    });
  }

  it("marks the place of every node", () => {
    const { ir } = check("true && event == 'tool_call'");
    expect(ir).toMatchObject({
      k: "and",
      at: [0, 28],
      args: [{ at: [0, 4] }, { at: [8, 28], args: [{ at: [8, 13] }, { at: [17, 28] }] }],
    });
  });
});

describe("checkCondition: polarity", () => {
  const allow: Partial<CheckOptions> = { polarity: "allow" };
  const table: readonly (readonly [expression: string, block: string, allow: string])[] = [
    ["d.path == '/x'", 'path.equals(d#0.path, "/x")', 'path.equals!(d#0.path, "/x")'],
    ["d.path != '/x'", 'not(path.equals!(d#0.path, "/x"))', 'not(path.equals(d#0.path, "/x"))'],
    ["!d.path.is('temp')", 'not(path.is!(d#0.path, "temp"))', 'not(path.is(d#0.path, "temp"))'],
    ["!(!(d.path.is('temp')))", 'not(not(path.is(d#0.path, "temp")))', 'not(not(path.is!(d#0.path, "temp")))'],
    ["d.recursive", "d#0.recursive", "d#0.recursive"],
    [
      "effects.writes.all(w, w.path.is('temp'))",
      'all(effects.writes, #2, path.is(w#2.path, "temp"))',
      'and(has(effects.writes), all(effects.writes, #2, path.is!(w#2.path, "temp")))',
    ],
    [
      "has(effects.writes) && effects.writes.all(w, w.certain)",
      "and(has(effects.writes), all(effects.writes, #2, w#2.certain))",
      "and(has(effects.writes), all(effects.writes, #2, w#2.certain))",
    ],
    [
      "size(effects.writes) > 0",
      "number.greater(list.size(effects.writes), 0)",
      "number.greater(list.size(effects.writes!), 0)",
    ],
    [
      "!effects.writes.exists(w, w.path.is('temp'))",
      'not(exists(effects.writes, #2, path.is!(w#2.path, "temp")))',
      'not(exists(effects.writes, #2, path.is(w#2.path, "temp")))',
    ],
    ["conditions.no_human", "$p/no_human", "$p/no_human#allow"],
    ["!conditions.no_human", "not($p/no_human#not)", "not($p/no_human#allow-not)"],
  ];
  for (const [expression, inBlock, inAllow] of table) {
    it(`${expression} means the strict side in a block and in an allow`, () => {
      expect([show(check(expression, each).ir), show(check(expression, each, allow).ir)]).toEqual([inBlock, inAllow]);
    });
  }

  it("says which variants of named conditions the plan must have", () => {
    const { uses, needs } = check("conditions.no_human && !conditions.no_human", each, allow);
    expect(uses).toEqual([
      { name: "no_human", ir: "p/no_human#allow", polarity: "allow", negated: false },
      { name: "no_human", ir: "p/no_human#allow-not", polarity: "allow", negated: true },
    ]);
    expect(needs).toBe(true);
  });

  it("needs facts exactly if it uses shell or effects", () => {
    expect(
      [
        "event == 'tool_call'",
        "effects.reads == []",
        "shell.commands.all(c, true)",
        "d.recursive",
        "has(d.command)",
      ].map((text) => check(text, each).needs),
    ).toEqual([false, true, true, false, false]);
  });
});

describe("checkCondition: guards of optional fields", () => {
  const guarded = [
    "has(tool.server) && tool.server == 'fs'",
    "has(tool.server) && event == 'tool_call' && tool.server == 'fs'",
    "!has(tool.server) || tool.server == 'fs'",
    "has(tool.server) ? tool.server == 'fs' : false",
    "!has(tool.server) ? false : tool.server == 'fs'",
    "!(!has(tool.server)) && tool.server == 'fs'",
    "!(!has(tool.server) || false) && tool.server == 'fs'",
    "has(tool.server) && [1].exists(x, tool.server == 'fs')",
    "tool.?server.orValue('') == 'fs'",
    "has(tool.server) && (tool.server == 'fs' || tool.server == 'git')",
    "shell.commands.exists(c, has(c.subcommand) && c.subcommand == 'push')",
    "(has(tool.server) && true || has(tool.server)) && tool.server == 'fs'",
  ];
  for (const expression of guarded)
    it(`accepts ${expression}`, () => expect(check(expression).diagnostics).toEqual([]));

  const unguarded = [
    "tool.server == 'fs'",
    "tool.server == 'fs' && has(tool.server)",
    "has(tool.server) || tool.server == 'fs'",
    "!has(tool.server) && tool.server == 'fs'",
    "(has(tool.server) || true) && tool.server == 'fs'",
    "has(tool.server) ? true : tool.server == 'fs'",
    "shell.commands.exists(c, has(c.subcommand)) && shell.commands.exists(c, c.subcommand == 'push')",
    "shell.commands.exists(c, has(c.subcommand) && shell.commands.exists(d, d.subcommand == 'push'))",
    "shell.commands[0].piped_to.program == 'sh'",
  ];
  for (const expression of unguarded)
    it(`refuses ${expression}`, () => expect(check(expression).diagnostics.map(({ code }) => code)).toEqual(["HW306"]));
});

describe("checkTemplatePart", () => {
  function template(text: string): readonly string[] {
    const source = new Source("test", text);
    return checkTemplatePart(parseExpression(source).expression, each, { source, regex }).diagnostics.map(
      ({ code }) => code,
    );
  }
  const table: readonly (readonly [string, readonly string[]])[] = [
    ["d.path", []],
    ["tool.server", []],
    ["args.anything", []],
    ["session.labels", []],
    ["size(session.labels)", []],
    ["environment", ["HW304"]],
    ["d", ["HW304"]],
    ["d.pth", ["HW302"]],
  ];
  for (const [text, codes] of table)
    it(`{${text}} ${codes.length === 0 ? "prints" : "has no text"}`, () => expect(template(text)).toEqual(codes));
});

describe("checkCondition: many findings in one run", () => {
  it("reports each once and nothing that only follows from another", () => {
    const { diagnostics, ir } = check(
      "tol.name == 'a' && tool.nam == 'b' && event == 1 && 'x'.startswith('y')",
      anyTool,
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(["HW301", "HW302", "HW305", "HW303"]);
    expect(ir).toBeUndefined();
  });
});
