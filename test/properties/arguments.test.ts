import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../runtime.ts";
import { compileTexts, withHead } from "../literate/policies.ts";
import { seed } from "./seed.ts";

/** A rule for any tool decides about a path argument as the rule for that one tool does, whoever wrote the files. */
const home = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev" };

const tests = [
  '{ glob: "~/.ssh/**" }',
  '{ glob: ["*.pem", "/etc/**"] }',
  "{ within: [~/.ssh, /etc] }",
  "/etc/shadow",
  "[/etc/shadow, /home/dev/.ssh/id]",
  "{ not_in: [/etc/shadow] }",
  "{ starts_with: /etc/ }",
  "{ ends_with: .pem }",
  "{ contains: /.ssh/ }",
  "{ matches: '^/etc/[a-z]+$' }",
  "{ is: secret }",
];

const engines = tests.map((test) =>
  ['"*"', "read", '[read, "x_*"]'].map((tool) => {
    const block = (id: string, when: string, rest = ""): string =>
      `  - { id: ${id}, event: tool_call, tool: ${tool}, when: ${when}, action: block, reason: "no"${rest} }\n`;
    const text = `tools: [x_read]\n${withHead(
      block("a", `{ args.path: ${test} }`) +
        block("b", `{ args.path: { present: true } }`, `, unless: { args.path: ${test} }`) +
        block("c", `{ not: { args.path: ${test} } }`),
    )}`;
    const { plan, diagnostics } = compileTexts({ "policy.yaml": text });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return createEngine(plan);
  }),
);

const part = fc.constantFrom(
  "..",
  ".",
  "",
  "etc",
  "shadow",
  ".ssh",
  "id",
  "a.pem",
  "home",
  "dev",
  "app",
  "key",
  "~",
  "link",
);
const path = fc
  .tuple(
    fc.constantFrom("", "/", "~/", "file:///", "./", "/proc/self/root/"),
    fc.array(part, { minLength: 1, maxLength: 7 }),
  )
  .map(([start, parts]) => start + parts.join("/"));
const files = fc.constantFrom<Record<string, object>>(
  {},
  { "/home/dev/app/key": { symlink: "/etc/shadow" } },
  { "/home/dev/app/link": { symlink: "/home/dev/.ssh" }, "/etc/app": { symlink: "/home/dev/app" } },
);

describe("arguments of a tool that the rule leaves open", () => {
  it("are judged as in a rule for the tool", () => {
    fc.assert(
      fc.property(path, files, fc.constantFrom("read", "Read", "view"), (text, world, tool) => {
        const args = tool === "read" ? { path: text } : { file_path: text };
        const event = { event: "tool_call", tool, args, environment: { ...home, files: world } } as const;
        engines.forEach((set, i) => {
          const [any, one, several] = set.map((engine) => {
            const { decision } = engine.decide(event);
            return { outcome: decision.outcome, matched: decision.matched, errors: decision.errors };
          });
          expect(any, tests[i]).toEqual(one);
          expect(several, tests[i]).toEqual(one);
        });
      }),
      { seed, numRuns: 100 },
    );
  });

  it("of a tool that nobody knows are never waved through by one reading alone", () => {
    const { plan } = compileTexts({
      "policy.yaml": `version: 1\npolicy: p\ndefault: ask\n${withHead('  - { id: a, event: tool_call, tool: "mcp__*", when: { args.path: { glob: "/srv/**" } }, action: { allow: { opaque: true } }, reason: "yes" }\n').replace(/^version: 1\npolicy: p\n/, "")}`,
    });
    const engine = createEngine(plan);
    const inside = fc.array(fc.constantFrom("..", ".", "", "srv", "etc", "a", "~"), { maxLength: 6 });
    fc.assert(
      fc.property(inside, (parts) => {
        const text = `/srv/${parts.join("/")}`;
        const event = { event: "tool_call", tool: "mcp__x__y", args: { path: text }, environment: home } as const;
        if (engine.decide(event).decision.outcome !== "allow") return;
        expect(new URL(`file://${text}`).pathname).toMatch(/^\/+srv\//);
      }),
      { seed, numRuns: 300 },
    );
  });
});
