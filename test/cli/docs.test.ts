import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { demoPolicy, type Ran, run, Scratch } from "./run.ts";

const scratch = new Scratch();
const here = (...args: readonly string[]): Promise<Ran> => run(args, { cwd: scratch.path });
const read = (name: string): string => readFileSync(join(scratch.path, name), "utf8");

const full = `version: 1
policy: full
title: All of it
description: Says <b>all</b> [here](http://evil.example).
parameters:
  hosts: { type: list(string), default: [a|b], description: Hosts that may be reached. }
lists:
  many: [${Array.from({ length: 22 }, (_, i) => `n${i}`).join(", ")}]
labels:
  secret: { kind: taint, description: A secret was seen. }
conditions:
  no_human: { environment.interactive: false }
imports:
  - pack: secrets
    with: { readable: ["*.pub"] }
    mode: monitor
rules:
  - id: egress
    title: Where calls go
    description: Only known hosts.
    severity: high
    tags: [owasp.asi02]
    references: [https://example.com/a]
    owner: platform
    event: tool_call
    tool: [bash, fetch]
    each: { n: effects.network }
    when: |
      n.url.host != "\`\`\`" &&
        !(n.url.host in parameters.hosts)
    unless: $no_human
    action: [ask, { label: { add: [secret] } }]
    reason: "{n.url.host} is not known"
    guidance: Use a mirror.
    false_positives: [New mirrors.]
    mode: monitor
  - id: off
    event: tool_call
    when: { environment.user: $many }
    action: block
    enabled: false
exceptions:
  - rules: [full/egress]
    when: { n.url.host: a.example }
    owner: platform
    reason: a mirror
    expires: 2031-01-31
`;

describe("docs", () => {
  it("renders rules, parameters, lists, labels, imports and exceptions", async () => {
    scratch.put("p.yaml", full);
    const { code, out, err } = await here("docs", "p.yaml");
    expect([code, err]).toEqual([0, ""]);
    for (const line of [
      "# All of it",
      "Says &lt;b>all&lt;/b> \\[here\\](http://evil.example).",
      "| `full/egress` | Where calls go | ask, label | high | tool_call | `bash` `fetch` | `owasp.asi02` | only records |",
      "| `full/off` |  | block | info | tool_call |  |  | off |",
      '| `hosts` | list(string) | `["a\\|b"]` | Hosts that may be reached. |',
      "`n19` and 2 more |",
      "| `secret` | taint | A secret was seen. |",
      '| `pack:secrets` | `{"readable":["*.pub"]}` | monitor |',
      "| `full/egress` | `{ n.url.host: a.example }` | platform | a mirror | 2031-01-31 |",
      "Rule `full/egress`. Only known hosts.",
      "- It says: {n.url.host} is not known",
      "- See: https://example.com/a",
    ])
      expect(out).toContain(`${line}\n`);
    expect(out).toContain("````yaml\nevent: tool_call\ntool: [bash, fetch]\n");
    expect(out).toContain(
      'when: |\n  n.url.host != "```" &&\n    !(n.url.host in parameters.hosts)\nunless: $no_human\n',
    );
    expect(out).not.toMatch(/\n\n\n/);
  });

  it("takes the project's policies when no path is given, and packs when they are named", async () => {
    scratch.put(".hookwarden/policy.yaml", demoPolicy);
    expect((await here("docs")).out).toContain("`demo/no-forbidden`");
    expect((await here("docs", "pack:secrets")).out).toContain("`secrets/redact-keys`");
  });

  it("--check is 0 for the page as it was written, 1 with what changes for a stale or missing one", async () => {
    scratch.put("p.yaml", demoPolicy);
    expect(await here("docs", "p.yaml", "--check", "-o", "p.md")).toMatchObject({
      code: 1,
      out: "p.md is missing; run `hookwarden docs -o p.md`\n",
    });
    expect(await here("docs", "p.yaml", "-o", "p.md")).toEqual({ code: 0, out: "p.md written\n", err: "" });
    expect(await here("docs", "p.yaml", "--check", "-o", "p.md")).toEqual({
      code: 0,
      out: "p.md: up to date\n",
      err: "",
    });
    scratch.put("p.yaml", demoPolicy.replace("the file is forbidden", "never"));
    const stale = await here("docs", "p.yaml", "--check", "-o", "p.md");
    expect(stale).toMatchObject({ code: 1, out: expect.stringContaining("p.md is stale") });
    expect(stale.out).toContain("+ - It says: never");
    expect(read("p.md")).toContain("the file is forbidden");
  });

  it("overwrites its own pages only", async () => {
    scratch.put("p.yaml", demoPolicy);
    scratch.put("README.md", "# Mine\n");
    expect(await here("docs", "p.yaml", "-o", "README.md")).toMatchObject({ code: 2, out: "" });
    expect(read("README.md")).toBe("# Mine\n");
    expect((await here("docs", "p.yaml", "-o", "README.md", "--force")).code).toBe(0);
    expect((await here("docs", "p.yaml", "-o", "README.md")).code).toBe(0);
  });

  it.each([
    ["a missing file", undefined, "HW001"],
    ["a policy with an error", demoPolicy.replace("action: block", "action: blok"), "HW105"],
    ["a file of ten megabytes", "#".repeat(10_000_000), "HW004"],
    ["a half-written file", demoPolicy.slice(0, demoPolicy.indexOf("]")), "HW005"],
  ])("%s: a diagnostic, exit code 2, and the page stays", async (_, text, code) => {
    if (text !== undefined) scratch.put("p.yaml", text);
    scratch.put("p.md", "");
    expect(await here("docs", "p.yaml", "-o", "p.md")).toMatchObject({ code: 2, err: expect.stringContaining(code) });
    expect(read("p.md")).toBe("");
  });

  it("is a usage error with --check and no page", async () => {
    scratch.put("p.yaml", demoPolicy);
    expect(await here("docs", "p.yaml", "--check")).toMatchObject({ code: 2, err: expect.stringContaining("HW701") });
  });
});
