import { describe, expect, it } from "vitest";
import { readConfig, withLevels } from "../../../authoring/lint/config.ts";
import { diagnostic } from "../../../diagnostics/diagnostic.ts";
import { Source } from "../../../diagnostics/source.ts";

const read = (text: string) => readConfig("check.yaml", "/repo/.hookwarden/check.yaml", new TextEncoder().encode(text));

describe("readConfig", () => {
  it("reads levels, paths and the level that fails", () => {
    const { config, diagnostics } = read(`version: 1
fail_level: info
paths: [policies, "pack:shell-safety"]
levels:
  HW632: warning
  HW625: { level: off, reason: exceptions are reviewed every month }
`);
    expect(diagnostics).toEqual([]);
    expect(config).toMatchObject({ failLevel: "info", paths: ["policies", "pack:shell-safety"], base: "/repo" });
    expect([...(config?.levels ?? [])]).toEqual([
      ["HW632", "warning"],
      ["HW625", "off"],
    ]);
  });

  it.each([
    ["an unknown key", "version: 1\nlevel: {}\n", "HW101"],
    ["an unknown code", "version: 1\nlevels: { HW599: info }\n", "HW104"],
    ["a code that is no lint", "version: 1\nlevels: { HW301: info }\n", "HW104"],
    ["a level that there is not", "version: 1\nlevels: { HW601: hint }\n", "HW102"],
    ["off without a reason", "version: 1\nlevels: { HW601: off }\n", "HW102"],
    ["off with an empty reason", "version: 1\nlevels: { HW601: { level: off, reason: '' } }\n", "HW104"],
    ["no version", "levels: {}\n", "HW103"],
    ["no mapping", "- 1\n", "HW102"],
    ["no YAML", "version: [\n", "HW005"],
    ["nothing", "", "HW002"],
  ])("refuses %s with a place and a next step", (_, text, code) => {
    const { config, diagnostics } = read(text);
    expect(config).toBeUndefined();
    expect(diagnostics.map((d) => d.code)).toContain(code);
    expect(diagnostics.every(({ help }) => help !== "")).toBe(true);
  });
});

describe("withLevels", () => {
  const source = new Source("p.yaml", "x");
  const lint = diagnostic("HW601", source, { start: 0, end: 1 }, "m", "h");
  const error = diagnostic("HW301", source, { start: 0, end: 1 }, "m", "h");

  it.each([
    ["HW601: error", "HW601: error", ["error", "error"]],
    ["HW601: info", "HW601: info", ["info", "error"]],
    ["another code", "HW603: error", ["warning", "error"]],
    ["off", "HW601: { level: off, reason: agents only }", ["error"]],
  ])("%s", (_, level, severities) => {
    const { config } = read(`version: 1\nlevels: { ${level} }\n`);
    expect(withLevels([lint, error], () => config).map(({ severity }) => severity)).toEqual(severities);
  });
});
