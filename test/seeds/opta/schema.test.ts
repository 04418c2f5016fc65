// The zod schema of the seed opta-hook-system, read out of the seed itself, beside the schema that is shipped.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadOptaHooks, OptaConfigSchema } from "../../../adapters/opta/index.ts";
import { blockWith } from "../code-blocks.ts";
import { seedFolder, withSeeds } from "../seed-text.ts";
import { type StandInSchema, z } from "./zod-stand-in.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-opta-schema-")));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/**
 * The seed's schema: its block, cut before the comment that says where the last line goes, and that line put there. The
 * cut is needed, because the block is statements first and then a property of an object that the seed does not show.
 */
function seedSchema(): StandInSchema {
  const block = blockWith("opta-hook-system", "z.object(", "// Add to OptaConfigSchema");
  const cut = block.indexOf("// Add to OptaConfigSchema");
  const source = `${block.slice(0, cut)}return z.object({\n${block.slice(cut)}});`;
  return new Function("z", source)(z) as StandInSchema;
}

const hook = { event: "tool.pre", command: "true" };

/** A name of the configuration, the configuration, and whether it is one. */
const configurations: readonly (readonly [string, unknown, boolean])[] = [
  ["nothing", {}, true],
  ["no hooks", { hooks: [] }, true],
  ["one hook", { hooks: [hook] }, true],
  ["a hook with every field", { hooks: [{ ...hook, matcher: "a|b", timeout: 15_000, background: true }] }, true],
  ["several hooks", { hooks: [hook, { event: "error", command: "" }, hook] }, true],
  ["a field that nobody knows", { hooks: [{ ...hook, colour: "red" }] }, true],
  ["settings beside the hooks", { model: "m", search: {}, hooks: [hook] }, true],
  ["hooks that are null", { hooks: null }, false],
  ["hooks that are an object", { hooks: { 0: hook } }, false],
  ["hooks that are text", { hooks: "true" }, false],
  ["a hook that is null", { hooks: [null] }, false],
  ["a hook that is text", { hooks: ["true"] }, false],
  ["a hook that is a list", { hooks: [[hook]] }, false],
  ["one bad hook among good ones", { hooks: [hook, { command: "true" }, hook] }, false],
  ["a list", [], false],
  ["null", null, false],
  ["text", "hooks", false],
];

/** Values of each field, right and wrong; `undefined` leaves it out. Together they make every configuration of one hook. */
const values = {
  event: [
    ...["session.start", "session.end", "tool.pre", "tool.post", "compact", "error"],
    ...["tool.Pre", "tool", " error", "toString", "", 1, null, undefined],
  ],
  command: ["true", "", 7, null, ["true"], undefined],
  matcher: ["run_command", "", 7, null, undefined],
  timeout: [100, 100.5, 60_000, 99, 99.9, 60_001, 0, -100, 1e300, "100", null, undefined],
  background: [true, false, "true", 1, null, undefined],
} as const;

function product(): Record<string, unknown>[] {
  return Object.entries(values).reduce<Record<string, unknown>[]>(
    (hooks, [name, each]) =>
      hooks.flatMap((one) => each.map((value) => (value === undefined ? one : { ...one, [name]: value }))),
    [{}],
  );
}

/** Fields of V4, and their wrong values: this schema of V3 drops them unread, and the one that is shipped reads them. */
const later: readonly (readonly [string, object, boolean, boolean])[] = [
  ["an event of V4", { event: "stop", command: "true" }, false, true],
  ["a prompt in place of a command", { event: "tool.pre", prompt: "is it safe?" }, false, true],
  ["a prompt beside a command", { ...hook, prompt: "is it safe?" }, true, false],
  ["a protocol", { ...hook, protocol: "json" }, true, true],
  ["a protocol that nobody knows", { ...hook, protocol: "xml" }, true, false],
  ["a time-out that cancels", { ...hook, on_timeout: "cancel" }, true, true],
  ["a time-out that does something else", { ...hook, on_timeout: "retry" }, true, false],
];

describe("the stand-in for zod", () => {
  it.each([
    ["takes no NaN for a number", z.number(), Number.NaN, false],
    ["takes its bounds", z.number().min(1).max(2), 2, true],
    ["takes nothing beyond its bounds", z.number().min(1).max(2), 2.1, false],
    ["takes no null where a field may be left out", z.string().optional(), null, false],
    ["takes undefined where a field may be left out", z.string().optional(), undefined, true],
    ["takes no null for a default", z.string().default(""), null, false],
    ["takes no list for an object", z.object({}), [], false],
  ])("%s", (_name, one, value, success) => {
    expect(one.safeParse(value).success).toBe(success);
  });

  it("drops what an object does not name, and puts in a default", () => {
    const one = z.object({ a: z.string().optional(), b: z.array(z.string()).default([]) });
    expect(one.safeParse({ c: 1 })).toEqual({ success: true, data: { b: [] } });
  });
});

withSeeds("the seed's own schema", () => {
  const theirs = seedFolder() === undefined ? z.object({}) : seedSchema();

  it.each(configurations)("and the one that is shipped agree about %s", (_name, value, right) => {
    const [one, other] = [theirs.safeParse(value), OptaConfigSchema.safeParse(value)];
    expect([one.success, other.success]).toEqual([right, right]);
    if (one.success && other.success) expect({ hooks: other.data.hooks }).toEqual(one.data);
  });

  it.each(configurations)("and the files of a project agree about %s", (_name, value, right) => {
    const project = mkdtempSync(join(scratch, "project-"));
    mkdirSync(join(project, ".opta"));
    writeFileSync(join(project, ".opta/config.json"), JSON.stringify(value));
    const { findings, manager } = loadOptaHooks({ project, home: scratch });
    // A field that nobody knows is told and lets the hook be: `error` alone refuses.
    expect(findings.some(({ severity }) => severity === "error")).toBe(!right);
    if (right) {
      const hooks = manager.list().map(({ definition }) => definition);
      expect(theirs.safeParse(value)).toEqual({ success: true, data: { hooks } });
    }
  });

  it("and the one that is shipped agree about every hook of these values", () => {
    const hooks = product();
    const accepted = hooks.filter((one) => {
      const [told, ours] = [theirs.safeParse({ hooks: [one] }), OptaConfigSchema.safeParse({ hooks: [one] })];
      if (told.success !== ours.success) expect.fail(`they differ about ${JSON.stringify(one)}`);
      if (told.success && ours.success) expect(ours.data).toEqual(told.data);
      return told.success;
    });
    // Six events, two commands, matchers and their absence, three time-outs and none, two truth values and none.
    expect(accepted).toHaveLength(6 * 2 * 3 * 4 * 3);
    expect(hooks).toHaveLength(14 * 6 * 5 * 12 * 6);
  });

  it.each(later)("is of V3, and differs as recorded about %s", (_name, one, before, now) => {
    const config = { hooks: [one] };
    expect([theirs.safeParse(config).success, OptaConfigSchema.safeParse(config).success]).toEqual([before, now]);
  });
});
