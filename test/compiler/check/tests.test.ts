import { describe, expect, it } from "vitest";
import type { CheckOptions } from "../../../compiler/check/check.ts";
import { environmentOf } from "../../../rules/environment.ts";
import { effectTypes } from "../../../rules/fact-types.ts";
import type { Type } from "../../../rules/types.ts";
import { list, string } from "../../../rules/types.ts";
import { bash, check, event, facts, frameOf, noEffects, pathValue, run } from "../../rules/evaluate.ts";
import { checkYaml } from "./yaml.ts";

const declared = {
  lists: new Map([["scratch", ["/tmp/**"]]]),
  parameters: new Map([["branches", { type: list(string), value: ["main", "release/*"] }]]),
  conditions: new Map([["no_human", { id: "p/no_human", needs: false }]]),
};
const each = environmentOf(["tool_call"], [], {
  ...declared,
  each: { name: "d", type: effectTypes["deletes"] as Type },
});
const allow: Partial<CheckOptions> = { polarity: "allow" };

/** IR without places, since both spellings are compared by what they mean. */
function plain(ir: unknown): unknown {
  return JSON.parse(
    JSON.stringify(ir ?? null, (key, value: unknown) => (key === "at" || key === "name" ? undefined : value)),
  );
}

describe("YAML tests lower to the IR of the expression that says the same", () => {
  const table: readonly (readonly [yaml: string, expression: string])[] = [
    ["{ d.recursive: true, d.path: { is: protected_root } }", "d.recursive == true && d.path.is('protected_root')"],
    ["{ d.path: /x }", "d.path == '/x'"],
    ["{ d.path: { not_equals: /x } }", "d.path != '/x'"],
    ["{ d.path: [/a, /b] }", "d.path in ['/a', '/b']"],
    ["{ d.path: { not_in: [/a, /b] } }", "!(d.path in ['/a', '/b'])"],
    ["{ d.path: { glob: $scratch } }", "d.path.glob(lists.scratch)"],
    ["{ d.path: { within: /tmp } }", "d.path.within('/tmp')"],
    ["{ d.path: { starts_with: [/a, /b] } }", "d.path.startsWith('/a') || d.path.startsWith('/b')"],
    ["{ d.path: { is: [temp, home] } }", "d.path.is('temp') || d.path.is('home')"],
    ["{ d.command.program: rm }", "has(d.command) && d.command.program == 'rm'"],
    [
      "{ environment.branch: { glob: $branches } }",
      "has(environment.branch) && environment.branch.glob(parameters.branches)",
    ],
    ["{ args.foo.bar: 1 }", "has(args.foo) && has(args.foo.bar) && args.foo.bar == 1"],
    ["{ tool.server: { present: true } }", "has(tool.server)"],
    ["{ tool.server: { present: false } }", "!has(tool.server)"],
    ["{ tool.name: { present: true } }", "true"],
    ["{ session.labels: { contains: a } }", "session.labels.contains('a')"],
    ["{ session.labels: { contains_any: [a, b] } }", "session.labels.containsAny(['a', 'b'])"],
    ["{ session.labels: { size: 2 } }", "session.labels.size() == 2"],
    ["{ session.labels: { size: { ge: 1, lt: 5 } } }", "session.labels.size() >= 1 && session.labels.size() < 5"],
    ["{ session.turn: { gt: 2, le: 9 } }", "session.turn > 2 && session.turn <= 9"],
    ["{ now: { lt: 2026-01-01T00:00:00Z } }", "now < timestamp('2026-01-01T00:00:00Z')"],
    ["{ now: { within: 10m } }", "now.within(duration('10m'))"],
    ["{ tool.name: { matches: '^b' } }", "tool.name.matches('^b')"],
    ["{ tool.name: { ends_with: sh } }", "tool.name.endsWith('sh')"],
    ["{ any: [{ tool.name: bash }, { not: { tool.name: write } }] }", "tool.name == 'bash' || !(tool.name == 'write')"],
    [
      "{ all: [{ tool.server: { present: true } }, 'tool.server == \"fs\"'] }",
      "has(tool.server) && tool.server == 'fs'",
    ],
    [
      "{ some: { effects.reads: { path: { is: secret }, certain: true } } }",
      "effects.reads.exists(r, r.path.is('secret') && r.certain == true)",
    ],
    ["{ every: { session.labels: { equals: a } } }", "session.labels.all(l, l == 'a')"],
    ["{ none: { session.labels: { equals: a } } }", "!session.labels.exists(l, l == 'a')"],
    [
      "{ every: { shell.commands: { program: ls } } }",
      "has(shell.commands) && shell.commands.all(c, c.program == 'ls')",
    ],
    ["{ some: { shell.commands: { has_option: -r } } }", "shell.commands.exists(c, c.has_option('-r'))"],
    [
      "{ some: { shell.commands: { some: { redirects: { operator: '>' } } } } }",
      "shell.commands.exists(c, c.redirects.exists(r, r.operator == '>'))",
    ],
    ["$no_human", "conditions.no_human"],
  ];
  for (const [yaml, expression] of table) {
    for (const options of [{}, allow]) {
      // `some` over effects is an error in an allow, in both spellings.
      if (options === allow && /some: \{ (?:effects|shell)/.test(yaml)) continue;
      it(`${yaml}${options === allow ? " in an allow" : ""}`, () => {
        const written = checkYaml(yaml, each, options);
        const other = check(expression, each, options);
        expect([...written.diagnostics, ...other.diagnostics]).toEqual([]);
        expect(plain(written.ir)).toEqual(plain(other.ir));
        expect(written.needs).toBe(other.needs);
      });
    }
  }
});

describe("YAML tests on what is absent", () => {
  const table: readonly (readonly [yaml: string, value: boolean])[] = [
    ["{ tool.server: fs }", false],
    ["{ not: { tool.server: fs } }", true],
    ["{ tool.server: { not_equals: fs } }", false],
    ["{ tool.server: { not_in: [fs] } }", false],
    ["{ args.a.b.c: 1 }", false],
    ["{ args.timeout.deeper: 1 }", false],
    ["{ args.timeout: 5 }", true],
    ["{ 'args.nested.list[0]': 1 }", true],
    ["{ 'args.nested.list[9]': 1 }", false],
    ["{ 'args.nested[\"text\"]': a😀 }", true],
    ["{ some: { args.none: { a: 1 } } }", false],
    ["{ every: { args.none: { a: 1 } } }", false],
    ["{ none: { args.none: { a: 1 } } }", true],
    ["{ every: { effects.reads: { certain: true } } }", true],
    ["{ some: { effects.reads: { certain: true } } }", false],
    ["{ none: { effects.reads: { certain: true } } }", true],
  ];
  for (const [yaml, value] of table) {
    it(`${yaml} is ${value}`, () => {
      const { ir, diagnostics } = checkYaml(yaml, each);
      expect(diagnostics).toEqual([]);
      expect(ir && run(ir)).toBe(value);
    });
  }

  const noShell = { facts: { shell: undefined } };
  for (const [yaml, value] of [
    ["{ every: { shell.commands: { program: ls } } }", false],
    ["{ none: { shell.commands: { program: ls } } }", false],
    ["{ none: { args.none: { a: 1 } } }", false],
  ] as const) {
    it(`in an allow, over a list that is not there: ${yaml} is ${value}`, () => {
      const { ir } = checkYaml(yaml, each, allow);
      expect(ir && run(ir, frameOf(noShell))).toBe(value);
    });
  }

  it("lets `all` over commands of a call without a shell allow nothing", () => {
    const { ir } = check("shell.commands.all(c, c.program == 'ls')", each, allow);
    expect(ir && run(ir, frameOf(noShell))).toBe(false);
  });

  it("is an error value where a dyn argument has the wrong type", () => {
    const { ir } = checkYaml("{ args.command: { gt: 5 } }", each);
    expect(ir && run(ir)).toMatchObject({ code: "HW502" });
  });
});

describe("forms of paths and certainty, as judged", () => {
  const link = { path: pathValue("/tmp/x", "/etc/passwd"), recursive: false, via: "rm", certain: true, command: 0 };
  const frame = (): ReturnType<typeof frameOf> => {
    const made = frameOf();
    made.slots[0] = link as never;
    return made;
  };
  const table: readonly (readonly [yaml: string, block: boolean, allow: boolean])[] = [
    ["{ d.path: { within: /etc } }", true, false],
    ["{ d.path: { within: /tmp } }", true, false],
    ["{ d.path: { within: [/tmp, /etc] } }", true, true],
    ["{ not: { d.path: { within: /tmp } } }", true, false],
    ["{ d.path: /etc/passwd }", true, false],
    ["{ d.path: { not_equals: /tmp/x } }", true, false],
    ["{ d.path: { glob: '/tmp/*' } }", true, false],
    ["{ d.path: { in: [/tmp/x, /etc/passwd] } }", true, true],
  ];
  for (const [yaml, inBlock, inAllow] of table) {
    it(`${yaml} is ${inBlock} in a block and ${inAllow} in an allow`, () => {
      const values = [{}, allow].map((options) => {
        const { ir } = checkYaml(yaml, each, options);
        return ir && run(ir, frame());
      });
      expect(values).toEqual([inBlock, inAllow]);
    });
  }

  it("does not let an allow say `every` or `none` while a possible effect says otherwise", () => {
    const possible = {
      url: { kind: "url", text: "", scheme: "https", host: "evil.test", port: "", path: "", query: "", userinfo: "" },
      direction: "upload",
      via: "x",
      certain: false,
      command: -1,
    } as const;
    const judged = (): ReturnType<typeof frameOf> =>
      frameOf({ event, facts: { ...facts, effects: { ...noEffects, network: [possible] } } });
    for (const yaml of [
      "{ every: { effects.network: { url.host: { host_in: [a.com] } } } }",
      "{ none: { effects.network: { direction: upload } } }",
      "{ not: 'effects.network.exists(n, n.direction == \"upload\")' }",
    ]) {
      const { ir, diagnostics } = checkYaml(yaml, each, allow);
      expect(diagnostics).toEqual([]);
      expect(ir && run(ir, judged())).toBe(false);
    }
  });
});

describe("findings of YAML tests stand at the author's words", () => {
  const table: readonly (readonly [yaml: string, code: string, at: string, message: string])[] = [
    ["{ d.path: { is: secrt } }", "HW308", "secrt", "no class `secrt`"],
    ["{ d.path: { contains: [a] } }", "HW304", "[a]", "`contains` takes one value"],
    [
      "{ session.labels: secret }",
      "HW305",
      "session.labels: secret",
      "comparison of list(string) with string can never hold",
    ],
    ["{ session.turn: { starts_with: a } }", "HW304", "starts_with", "`starts_with` does not take (int, string)"],
    ["{ d.pth: /x }", "HW302", "pth", "no field `pth` on delete"],
    ["{ tol.name: bash }", "HW301", "tol", "unknown name `tol`"],
    [
      "{ environment.branch: { in: $branches } }",
      "HW308",
      "$branches",
      "`release/*` is a glob, which `in` compares letter by letter",
    ],
    ["{ tool.name: { matches: 'a(' } }", "HW307", "(", "regular expression refused: group `(` is never closed"],
    ["{ tool.name: { present: maybe } }", "HW304", "maybe", "`present` takes true or false"],
    ["{ tool.name: { in: bash } }", "HW304", "bash", "`in` takes a list"],
    ["{ session.labels: { size: { about: 3 } } }", "HW105", "about", "`size` has no test `about`"],
    ["{ some: { tool.name: { equals: a } } }", "HW304", "tool.name", "`some` goes through lists, here string"],
  ];
  for (const [yaml, code, at, message] of table) {
    it(`${yaml}: ${code}`, () => {
      const { diagnostics, ir } = checkYaml(yaml, each);
      expect(diagnostics.map((d) => [d.code, yaml.slice(d.span.start, d.span.end), d.message])).toEqual([
        [code, at, message],
      ]);
      expect(ir).toBeUndefined();
    });
  }

  it("refuses `some` over effects in an allow", () => {
    const { diagnostics } = checkYaml("{ some: { effects.reads: { certain: true } } }", each, allow);
    expect(diagnostics.map(({ code }) => code)).toEqual(["HW309"]);
  });

  it("guards an argument that the tool may leave out", () => {
    const { ir, diagnostics } = checkYaml("{ args.timeout: { gt: 3 } }", bash);
    expect(diagnostics).toEqual([]);
    expect(ir && run(ir)).toBe(true);
    expect(ir && run(ir, frameOf({ event: { args: { command: "x" } } }))).toBe(false);
  });
});
