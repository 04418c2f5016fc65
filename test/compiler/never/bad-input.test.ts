import { describe, expect, it } from "vitest";
import { unitsOf } from "../../../facts/meter.ts";
import { foundIn } from "./found.ts";

/** Fields of every kind of table, each as the keys of a rule with a hole for the value. */
const fields: Readonly<Record<string, (value: string) => string>> = {
  tool: (value) => `tool: ${value}`,
  "tool.name": (value) => `when: { tool.name: ${value} }`,
  host: (value) => `when: { host: ${value} }`,
  "environment.os": (value) => `when: { environment.os: ${value} }`,
  event: (value) => `when: { event: ${value} }`,
  manager: (value) => `each: { i: effects.installs }, when: { i.manager: ${value} }`,
  source: (value) => `each: { i: effects.installs }, when: { i.source: ${value} }`,
  detector: (value) => `each: { s: secrets }, when: { s.detector: ${value} }`,
  direction: (value) => `each: { n: effects.network }, when: { n.direction: ${value} }`,
  host_in: (value) => `each: { n: effects.network }, when: { n.url.host: { host_in: [${value}] } }`,
  program: (value) => `each: { c: shell.commands }, when: { c.program: ${value} }`,
  subcommand: (value) => `each: { c: shell.commands }, when: { c.program: git, c.subcommand: ${value} }`,
  option: (value) => `each: { c: shell.commands }, when: { c.program: git, c: { has_option: ${value} } }`,
  wrapper: (value) => `each: { c: shell.commands }, when: { c.wrappers: { contains: ${value} } }`,
  glob: (value) => `each: { r: effects.reads }, when: { r.path: { glob: ${value} } }`,
  label: (value) => `when: { session.labels: { contains: ${value} } }`,
};

const policy = (keys: string, head = ""): string => `version: 1
policy: p
${head}rules:
  - { id: r, event: tool_call, ${keys}, action: ask, reason: "no", examples: { match: [ls] } }
`;

/** What is said of the values themselves, however they are judged. */
const about = (text: string): readonly string[] =>
  foundIn(text)
    .filter(({ code, severity }) => severity !== "info" && code !== "HW403")
    .map(({ code, message, help }) => `${code} ${message} ${help}`);

const letters = "x".repeat(65_536);

describe("values that nobody writes by hand", () => {
  it.each(Object.entries(fields))("a value of 64 KB for %s gets one finding at most", (_name, keys) => {
    const values = [letters, `"${"a*".repeat(200)}${letters}"`, `"${letters}|${letters}"`, `"${"(".repeat(65_536)}"`];
    for (const value of values) expect(about(policy(keys(value))).length).toBeLessThanOrEqual(1);
  });

  it.each(Object.entries(fields))("a value of 64 KB for %s costs no more than its length allows", (_name, keys) => {
    const units = unitsOf(() => about(policy(keys(letters))));
    expect(units).toBeLessThan(4_000_000);
  });

  it.each(Object.entries(fields))("a value of %s that is a glob, a set or braces never crashes", (_name, keys) => {
    for (const value of ['"*"', '"["', '"{"', '"[a-"', '"{a,b"', '"\\\\"', '"**"', '"?"', '"[!a]"', '"{*,?}"'])
      expect(about(policy(keys(value))).length).toBeLessThanOrEqual(1);
  });

  it.each(["host", "program", "manager", "option", "tool"])(
    "10,000 near names of %s are told for as many as somebody reads",
    (name) => {
      const near: Readonly<Record<string, string>> = {
        host: "codx",
        program: "kubctl",
        manager: "pyp",
        option: "--hrad",
        tool: "bsh",
      };
      const texts = Array.from({ length: 10_000 }, (_, i) => `${near[name]}${i === 0 ? "" : i}`);
      const found = about(policy(fields[name]?.(`[${texts.join(", ")}]`) ?? ""));
      expect(found.length).toBeGreaterThan(0);
      expect(found.length).toBeLessThanOrEqual(20);
      expect(found.join("\n")).toMatch(/more here are wrong too|did you mean/);
    },
  );

  it.each(["host", "program", "manager", "option", "tool"])(
    "10,000 names of %s cost ten times what 1,000 do",
    (name) => {
      const texts = (count: number): string => Array.from({ length: count }, (_, i) => `--nam-${i}`).join(", ");
      const unitsOfMany = (count: number): number =>
        unitsOf(() => about(policy(fields[name]?.(`[${texts(count)}]`) ?? "")));
      expect(unitsOfMany(10_000)).toBeLessThan(12 * unitsOfMany(1_000));
    },
  );
});
