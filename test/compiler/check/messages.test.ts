import { describe, expect, it } from "vitest";
import { type Environment, environmentOf } from "../../../rules/environment.ts";
import { effectTypes } from "../../../rules/fact-types.ts";
import type { Type } from "../../../rules/types.ts";
import { list, string } from "../../../rules/types.ts";
import { anyTool, bash, check } from "../../rules/evaluate.ts";

const each = environmentOf(["tool_call"], [], {
  each: { name: "n", type: effectTypes["network"] as Type },
  parameters: new Map([["hosts", { type: list(string), value: ["a.com"] }]]),
});

/** An expression, carets below the place, the code and message, the help. */
type Fixture = readonly [expression: string, carets: string, message: string, help: string, environment?: Environment];

const fixtures: readonly Fixture[] = [
  ["tol.name == 'a'", "^^^", "HW301 unknown name `tol`", "did you mean `tool`?"],
  [
    "prompt == 'a'",
    "^^^^^^",
    "HW301 `prompt` is not there in every event of this rule",
    "only `before_agent_start` has it; give such a rule of its own; did you mean `args.prompt`?",
  ],
  [
    "args.command == 'x'",
    "^^^^",
    "HW301 `args` is not there in every event of this rule",
    "only `tool_call`, `tool_result`, `tool_execution_start`, `tool_execution_update`, `tool_execution_end` have it; give such a rule of its own",
    environmentOf(["tool_call", "user_bash"], []),
  ],
  ["tool.nam == 'a'", "     ^^^", "HW302 no field `nam` on tool", "did you mean `name`?"],
  ["args.comand == 'a'", "     ^^^^^^", "HW302 no field `comand` on args", "did you mean `command`?", bash],
  [
    "shell.commands.program == 'rm'",
    "               ^^^^^^^",
    "HW302 no field `program` on list(command)",
    "a list has no fields; bind its elements, `each: { c: shell.commands }`, and test `c.program`",
  ],
  ["'x'.startswith('y')", "    ^^^^^^^^^^", "HW303 unknown function `startswith`", "write `value.startsWith(…)`"],
  [
    "startsWith('x', 'y')",
    "^^^^^^^^^^",
    "HW303 unknown function `startsWith`",
    "`startsWith` is a method; write `value.startsWith(…)`",
  ],
  ["math.flor(1.5)", "     ^^^^", "HW303 unknown function `math.flor`", "did you mean `math.floor`?"],
  [
    "'a' in event",
    "       ^^^^^",
    "HW304 `in` needs a list or map, here string",
    "for a part of a text write `text.contains(part)`",
  ],
  [
    "event > 1",
    "^^^^^^^^^",
    "HW304 `>` does not take (string, int)",
    "it takes `int > int`, `double > double`, `int > double`, `double > int`, …",
  ],
  [
    "'a'.startsWith(1)",
    "    ^^^^^^^^^^",
    "HW304 `startsWith` does not take (string, int)",
    'it is compared with texts: write `"1"`',
  ],
  [
    "'a'.startsWith()",
    "    ^^^^^^^^^^",
    "HW304 `startsWith` takes 1 argument, here 0",
    "it takes `string.startsWith(string): bool`, `path.startsWith(string): bool`",
  ],
  ["1 && true", "^", "HW304 `&&` needs bool, here int", "compare it with a value"],
  ["!'a'", " ^^^", "HW304 `!` needs bool, here string", "compare it with a value"],
  ["true ? 1 : 'a'", "           ^^^", "HW304 branches are int and string", "give both branches one type"],
  [
    "event.exists(x, true)",
    "      ^^^^^^",
    "HW304 `exists` goes through lists and maps, here string",
    "use it on a list or map",
  ],
  [
    "[1].exists(x)",
    "    ^^^^^^",
    "HW304 `exists` takes a variable and an expression, here 1 arguments",
    "write `list.exists(x, …)`",
  ],
  ["'abc'[0]", "      ^", "HW304 no item of string by int", "use `charAt` or `substring`"],
  ["{1.5: 2}", " ^^^", "HW304 a key cannot be double", "write a string, an int or a bool"],
  ["has(event)", "    ^^^^^", "HW304 `has` takes a field", "write `has(a.b)`"],
  ["event == 1", "^^^^^^^^^^", "HW305 comparison of string with int can never hold", 'write `"1"`'],
  ["event == 'tool_result'", "         ^^^^^^^^^^^^^", "HW305 it is never `tool_result`", "known here: `tool_call`"],
  ["n.direction == 'uplaod'", "               ^^^^^^^^", "HW305 it is never `uplaod`", "did you mean `upload`?", each],
  [
    "n.direction in ['up']",
    "                ^^^^",
    "HW305 it is never `up`",
    "known here: `upload`, `download`, `both`",
    each,
  ],
  [
    "session.labels == 'a'",
    "^^^^^^^^^^^^^^^^^^^^^",
    "HW305 comparison of list(string) with string can never hold",
    "test an item with `contains`, or several with `containsAny` and `containsAll`",
  ],
  ["1 in ['a']", "     ^^^^^", "HW305 int is never an item of list(string)", "write a list of int"],
  [
    "session.labels in ['a']",
    "                  ^^^^^",
    "HW305 list(string) is never an item of list(string)",
    "to share an item use `contains_any`, in expressions `containsAny`",
  ],
  [
    "tool.?server == 'fs'",
    "^^^^^^^^^^^^^^^^^^^^",
    "HW305 comparison of optional(string) with string can never hold",
    "write `.orValue(…)` on the optional",
  ],
  [
    "event == null",
    "^^^^^^^^^^^^^",
    "HW305 comparison of string with null can never hold",
    "test presence with `has(…)`",
  ],
  [
    "tool.server == 'fs'",
    "     ^^^^^^",
    "HW306 `server` may be absent",
    "write `has(tool.server) && …` before it, or `.?server.orValue(…)`",
  ],
  [
    "event.matches('a(b')",
    "                ^",
    "HW307 regular expression refused: group `(` is never closed",
    "add `)` or write `\\(`",
  ],
  [
    "event.matches(r'\\d(?=x)')",
    "                  ^^^^^",
    "HW307 regular expression refused: look-ahead `(?=` is not in RE2",
    "match the text itself, or join a second test `matches: 'x'` by AND",
  ],
  [
    "event.matches('\\\\d(?=x)')",
    "                  ^^^^^",
    "HW307 regular expression refused: look-ahead `(?=` is not in RE2",
    "match the text itself, or join a second test `matches: 'x'` by AND",
  ],
  [
    "event.matches('\\u0028?=x)')",
    "              ^^^^^^^^^^^^",
    "HW307 regular expression refused: look-ahead `(?=` is not in RE2",
    "match the text itself, or join a second test `matches: 'x'` by AND",
  ],
  [
    "event in ['tool_call', 'tool_*']",
    "                       ^^^^^^^^",
    "HW308 `tool_*` is a glob, which is compared letter by letter",
    "write `{ glob: … }`, in expressions `.glob(…)`",
  ],
  ["environment.cwd.is('sekret')", "                   ^^^^^^^^", "HW308 no class `sekret`", "did you mean `secret`?"],
  ["n.url.is('loopbak')", "         ^^^^^^^^^", "HW308 no class `loopbak`", "did you mean `loopback`?", each],
  [
    "n.url.host.cidr('10.0.0.0')",
    "                ^^^^^^^^^^",
    "HW308 `10.0.0.0` is no address range",
    "write one such as `10.0.0.0/8` or `fc00::/7`",
    each,
  ],
  [
    "n.url.host.hostIn(['a.com', 'b.*'])",
    "                            ^^^^^",
    "HW308 `b.*` is no host",
    "write `example.com` (covers its subdomains), or `*.example.com` for subdomains only",
    each,
  ],
  [
    "environment.cwd.within('/srv/**')",
    "                       ^^^^^^^^^",
    "HW308 `within` takes a folder, not a glob",
    "write the folder itself, or use `glob`",
  ],
  ["duration('soon') > duration('1m')", "         ^^^^^^", "HW308 not a duration: soon", "write it like `10m`"],
  [
    "timestamp('2026-13-01T00:00:00Z') < now",
    "          ^^^^^^^^^^^^^^^^^^^^^^",
    "HW308 no such date and time: 2026-13-01T00:00:00Z",
    "write it like `2026-01-31T00:00:00Z`",
  ],
  [
    "parameters.host == 'a'",
    "           ^^^^",
    "HW404 no parameter `host` in this policy",
    "did you mean `hosts`?",
    each,
  ],
  ["conditions.x", "           ^", "HW404 no condition `x` in this policy", "remove it", each],
];

describe("findings of the checker", () => {
  for (const [expression, carets, message, help, environment] of fixtures) {
    it(`${message}: ${expression}`, () => {
      const { diagnostics, ir } = check(expression, environment ?? anyTool);
      const shown = diagnostics.map(({ code, message: text, help: next, span }) => [
        " ".repeat(span.start) + "^".repeat(span.end - span.start),
        `${code} ${text}`,
        next,
      ]);
      expect(shown).toEqual([[carets, message, help]]);
      expect(ir).toBeUndefined();
    });
  }

  for (const expression of [
    "effects.deletes.exists(d, d.recursive)",
    "shell.commands.exists_one(c, c.program == 'ls')",
  ]) {
    it(`HW309 in an allow: ${expression}`, () => {
      expect(check(expression, anyTool, { polarity: "allow" }).diagnostics.map(({ code }) => code)).toEqual(["HW309"]);
      expect(check(`!${expression}`, anyTool, { polarity: "allow" }).diagnostics).toEqual([]);
      expect(check(expression).diagnostics).toEqual([]);
    });
  }

  for (const expression of ["effects.writes.all(w, w.path.is('temp'))", "shell.commands.all(c, c.program == 'ls')"]) {
    it(`HW309 in an allow: a negated ${expression}, which holds as soon as one element does not`, () => {
      expect(check(`!${expression}`, anyTool, { polarity: "allow" }).diagnostics.map(({ code }) => code)).toEqual([
        "HW309",
      ]);
      expect(check(expression, anyTool, { polarity: "allow" }).diagnostics).toEqual([]);
      expect(check(`!${expression}`).diagnostics).toEqual([]);
    });
  }

  for (const expression of ["effects.reads.filter(r, r.certain).size() > 0", "effects.reads[0].certain"]) {
    it(`HW309 in an allow: ${expression}, which looks at some elements only`, () => {
      expect(check(expression, anyTool, { polarity: "allow" }).diagnostics.map(({ code }) => code)).toEqual(["HW309"]);
      expect(check(expression).diagnostics).toEqual([]);
    });
  }

  it("asks a condition to be bool", () => {
    expect(check("event", anyTool, { expect: { kind: "bool" } }).diagnostics[0]).toMatchObject({
      code: "HW304",
      message: "bool is needed here, this is string",
    });
  });
});
