import { describe, expect, it } from "vitest";
import { lintPolicies } from "../../../compiler/lint/run.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { compileTexts } from "../../literate/policies.ts";

const regex = createRegexEngine();

/** A policy for others, with a parameter of each kind of fact. */
const base = `version: 1
policy: base
parameters:
  branches: { type: list(string), default: [main] }
  hosts: { type: list(string), default: [example.com] }
  programs: { type: list(string), default: [git] }
  places: { type: list(string), default: ["build/**"] }
  servers: { type: list(string), default: [files] }
  level: { type: string, default: main }
rules:
  - { id: a, event: [tool_call, user_bash], each: { p: effects.pushes }, when: { p.target.branch: $branches }, action: ask, reason: r }
  - { id: b, event: [tool_call, user_bash], each: { n: effects.network }, unless: { n.url.host: { host_in: $hosts } }, action: ask, reason: r }
  - { id: c, event: [tool_call, user_bash], each: { c: shell.commands }, when: { c.program: $programs }, action: ask, reason: r }
  - { id: d, event: [tool_call, user_bash], each: { w: effects.writes }, when: { w.path: { glob: $places } }, action: ask, reason: r }
  - { id: e, event: tool_call, tool: "mcp__*", when: 'has(tool.server) && tool.server in parameters.servers', action: ask, reason: r }
  - { id: f, event: [tool_call, user_bash], when: { environment.branch: $level }, action: ask, reason: r }
`;

const rows = [
  ["branches: [main, refs/heads/dev]", "refs/heads/dev", "write `dev`"],
  ["hosts: [example.org, 'https://api.example.org/']", "'https://api.example.org/'", "write `api.example.org`"],
  ["programs: [git, /usr/bin/curl]", "/usr/bin/curl", "write `curl`"],
  ["programs: [git push]", "git push", "`subcommand: push`"],
  ["programs: [gti]", "gti", "did you mean `git`?"],
  ["places: [dist/]", "dist/", "write `dist/**`"],
  ["servers: [mcp__files]", "mcp__files", "write `files`"],
  ["level: origin/main", "origin/main", "write `main`"],
] as const;

describe("values that an importer gives", () => {
  const found = (given: string) => {
    const text = `version: 1\npolicy: own\nimports:\n  - file: base.yaml\n    with: { ${given} }\nrules: []\n`;
    const result = compileTexts({ "own.yaml": text, "base.yaml": base });
    expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return lintPolicies(result, { regex }).flatMap(({ source, span, severity, help }) =>
      source === "own.yaml" && severity !== "info" ? [{ at: text.slice(span.start, span.end), help }] : [],
    );
  };

  it.each(rows)("%s: told at the value", (given, at, help) => {
    expect(found(given)).toEqual([{ at, help: expect.stringContaining(help) }]);
  });

  it.each([
    "branches: [main, release/1.0]",
    "hosts: [example.org, api.example.net]",
    "programs: [git, curl]",
    "places: [dist/**]",
    "servers: [files, notes]",
    "level: release",
  ])("%s: nothing to say", (given) => expect(found(given)).toEqual([]));
});
