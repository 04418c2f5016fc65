import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../engine/canonical.ts";
import { eventTexts } from "../../engine/event-json.ts";
import { KnownMessages } from "../../engine/known-messages.ts";
import { normalise } from "../../engine/normalise.ts";
import { plainCopy } from "../../engine/plain-copy.ts";
import { type RecordTexts, textsJson } from "../../engine/recorded-texts.ts";
import { createEngine } from "../../runtime.ts";
import { effectKinds } from "../../schema/facts.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import { compileTexts, withHead } from "../literate/policies.ts";
import { seed } from "../properties/seed.ts";

const judged = (wire: unknown, known?: KnownMessages): JudgedEvent => {
  const read = normalise(wire, known);
  if ("code" in read) throw new Error(read.message);
  return read.event;
};

/** Any text, with quotes, control characters and halves of characters. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("", '"', "\\", "\n", "\ud800", "é"),
);
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined });

const environment = fc.record({
  cwd: fc.constantFrom("/w", "/w/\ud800", "/home/dev/app"),
  os: maybe(fc.constantFrom("linux" as const, "macos" as const)),
  branch: maybe(text),
  variables: maybe(fc.dictionary(fc.constantFrom("A", "B"), text)),
});

const wires = fc.oneof(
  fc.record({
    event: fc.constantFrom("tool_call", "preToolUse"),
    id: text.map((id) => id.slice(0, 20)),
    time: fc.constantFrom("2026-01-01T00:00:00.000Z", "1969-12-31T23:59:59.001Z"),
    host: text,
    tool: fc.constantFrom("bash", "Bash", "mcp__a__b", "write"),
    args: fc.oneof(
      fc.record({ command: text }),
      fc.record({ cmd: text, command: text }),
      fc.dictionary(text, fc.jsonValue({ maxDepth: 2 })),
    ),
    environment: maybe(environment),
    session: maybe(fc.record({ id: text, parent: maybe(fc.constantFrom("p")), turn: maybe(fc.nat()) })),
    labels: maybe(fc.array(fc.constantFrom("a", "b"))),
  }),
  fc.record({ event: fc.constant("user_bash"), command: text, environment }),
  fc.record({ event: fc.constant("input"), text, source: fc.constant("user"), environment }),
  fc.record({
    event: fc.constant("tool_result"),
    tool: fc.constant("bash"),
    args: fc.record({ command: text }),
    result: fc.record({ content: fc.array(fc.record({ type: fc.constant("text"), text })) }),
  }),
);

/** What normalising a wire event gives, whether it can be judged or not. */
const whole = (wire: unknown, known?: KnownMessages): unknown => structuredClone(normalise(wire, known));

describe("what is known from the event before changes nothing", () => {
  it("an event is normalised alike, whatever came before", () => {
    const known = new KnownMessages();
    const same = (wire: object): void => {
      for (let time = 0; time < 2; time++) expect(whole(wire, known)).toEqual(whole(wire));
    };
    fc.assert(fc.property(wires, same), { seed, numRuns: 400 });
  });

  it("surroundings that differ in one thing are others", () => {
    const known = new KnownMessages();
    const of = (own: object): JudgedEvent["environment"] =>
      judged({ event: "tool_call", tool: "bash", args: {}, environment: { cwd: "/w", ...own } }, known).environment;
    const first = of({ variables: { A: "1" } });
    expect(of({ variables: { A: "1" } })).toBe(first);
    expect(of({ variables: { A: "2" } })).toMatchObject({ variables: { A: "2" } });
    expect(of({ variables: { A: "1" }, branch: "main" })).toMatchObject({ branch: "main" });
    expect(of({ variables: { A: "1" }, cwd: "/v" })).toMatchObject({ cwd: "/v", workspace: "/v" });
    expect(Object.isFrozen(first) && Object.isFrozen(first.variables)).toBe(true);
  });

  it("a payload that is changed after it was judged is another one", () => {
    const known = new KnownMessages();
    const wire = { event: "tool_call", tool: "bash", args: { command: "ls" }, environment: { cwd: "/w" } };
    const before = judged(wire, known);
    wire.environment.cwd = "/etc";
    wire.args.command = "pwd";
    expect(before).toMatchObject({ args: { command: "ls" }, environment: { cwd: "/w" } });
    expect(judged(wire, known)).toMatchObject({ args: { command: "pwd" }, environment: { cwd: "/etc" } });
  });

  it("what another event's payload holds stays its own", () => {
    const event = { event: "tool_call", tool: "bash", args: {}, text: "x", prompt: "y", messages: [] };
    expect(judged(event)).toMatchObject({ input: undefined, prompt: undefined, messages: undefined });
  });
});

describe("JSON that is put together from parts", () => {
  it("is that of the whole event", () => {
    const known = new KnownMessages();
    let bares = 0;
    const same = (wire: object): void => {
      const read = normalise(wire, known);
      if ("code" in read) return;
      for (const view of [read.event, ...read.views]) {
        const { json, bare } = eventTexts(view);
        expect(json).toBe(canonicalJson(view));
        if (bare === undefined) continue;
        bares += 1;
        expect(bare).toBe(JSON.stringify({ ...view, environment: {} }));
      }
    };
    fc.assert(fc.property(wires, same), { seed, numRuns: 400 });
    expect(bares).toBeGreaterThan(20);
  });

  it("is that of the texts of a record", () => {
    const effects = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constantFrom(...effectKinds), target: text }),
        fc.record({ kind: fc.constantFrom(...effectKinds), possible: fc.constant(true as const), target: text }),
      ),
    );
    const texts = fc.record({
      background: fc.constantFrom([], [{ rule: "r", command: ["x"] }]),
      doubts: maybe(fc.array(text)),
      effects: maybe(effects),
      errors: fc.constantFrom([], [{ code: "HW502", message: "m" }]),
      labels_in: maybe(fc.array(text)),
      labels_out: maybe(fc.array(text)),
      more_effects: maybe(fc.nat()),
      notices: fc.constant([]),
      observed: fc.constantFrom([], ["x"]),
      programs: fc.constant({}),
      reason: maybe(text),
      recorded: fc.constantFrom({}, { r: { a: "b" } }),
    });
    fc.assert(
      fc.property(texts, (one) => {
        expect(textsJson(one as unknown as RecordTexts)).toBe(canonicalJson(one));
      }),
      { seed, numRuns: 400 },
    );
  });
});

describe("a mapping that the platform clones", () => {
  it("is copied as field by field", () => {
    const values = fc.oneof(text, fc.integer(), fc.boolean(), fc.constantFrom(null, undefined), fc.jsonValue());
    const keys = fc.oneof(text, fc.constantFrom("__proto__", "constructor", "toJSON", "0", "7"));
    const expected = (value: unknown): unknown =>
      typeof value === "string"
        ? value.toWellFormed()
        : Array.isArray(value)
          ? value.map((item) => expected(item) ?? null)
          : typeof value === "object" && value !== null
            ? Object.fromEntries(
                Object.entries(value).flatMap(([key, one]) =>
                  one === undefined ? [] : [[key.toWellFormed(), expected(one)]],
                ),
              )
            : value;
    const same = (entries: readonly (readonly [string, unknown])[]): void => {
      const given = Object.fromEntries(entries);
      const copied = plainCopy(given);
      expect(copied).toEqual({ ok: true, value: expected(given) });
      expect(Object.keys((copied as { value: object }).value)).toEqual(Object.keys(expected(given) as object));
    };
    fc.assert(fc.property(fc.array(fc.tuple(keys, values)), same), { seed, numRuns: 400 });
  });

  it("runs no accessor, and takes no symbol over", () => {
    let ran = 0;
    const given = { a: 1, [Symbol("s")]: () => 1 };
    const sly = Object.defineProperty({ a: 1 }, "b", { enumerable: true, get: () => ++ran });
    expect(Reflect.ownKeys((plainCopy(given) as { value: object }).value)).toEqual(["a"]);
    expect(plainCopy(sly).ok).toBe(false);
    expect(ran).toBe(0);
  });

  it("cannot be answered otherwise by a proxy the second time", () => {
    let asked = 0;
    const fields = { a: "x", b: "x", c: "x", d: "x" };
    const turning = new Proxy(fields as Record<string, unknown>, {
      get: () => (asked++ > 3 ? "y" : () => "code"),
    });
    expect(plainCopy({ args: turning }).ok).toBe(false);
    let listed = 0;
    const growing = new Proxy(fields as Record<string, unknown>, {
      ownKeys: () => (listed++ === 0 ? Object.keys(fields) : [...Object.keys(fields), "e"]),
      getOwnPropertyDescriptor: () => ({ value: "x", enumerable: true, configurable: true }),
    });
    const copied = plainCopy({ args: growing });
    expect(copied.ok && JSON.stringify(copied.value)).toMatch(
      /^\{"args":\{"a":"x","b":"x","c":"x","d":"x"(?:,"e":"x")?\}\}$/,
    );
  });
});

describe("what the index has seen", () => {
  it("is of one revision: what a transform made is looked at anew", () => {
    const rules = `  - { id: m, event: tool_call, tool: bash, when: { args.command: safe }, action: { modify: { set: { command: "touch made" } } } }
  - { id: g, event: tool_call, tool: bash, when: { args.command: { contains: made } }, action: block, reason: x }
`;
    const { plan } = compileTexts({ "policy.yaml": withHead(rules) });
    if (!plan) throw new Error("the rules compile");
    const call = (command: string): object => ({ event: "tool_call", tool: "bash", args: { command } });
    for (const index of [true, false]) {
      const engine = createEngine(plan, { index });
      expect(engine.decide(call("safe")).decision).toMatchObject({ outcome: "block", rule: "p/g" });
      expect(engine.decide(call("other")).decision.matched.filter(({ rule }) => rule.startsWith("p/"))).toEqual([]);
    }
  });

  it("shares nothing between records that one of them could change", () => {
    const { plan } = compileTexts({
      "policy.yaml": withHead("  - { id: r, event: tool_call, when: 'true', action: block, reason: x }\n"),
    });
    if (!plan) throw new Error("the rule compiles");
    const engine = createEngine(plan);
    const body = engine.decide({ event: "tool_call", tool: "bash", args: { command: "ls" } }).body;
    expect(Object.isFrozen(body?.policies) && body?.policies?.every((one) => Object.isFrozen(one))).toBe(true);
    expect(Object.isFrozen(body?.tables)).toBe(true);
  });
});
