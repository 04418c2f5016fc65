import { describe, expect, it } from "vitest";
import { limits } from "../../schema/limits.ts";
import { callOf, framed, repeated, textResult } from "./shape.ts";
import { engineOf, judged, planFrom, recommended } from "./subject.ts";
import { value } from "./texts.ts";

/**
 * What an event comes to that would take too much work: the answer is closed, says why, and is the same whatever was
 * judged before and whether or not the index leaves rules out. Work is counted, so that nothing here looks at a clock.
 */
const text = (units: number): string => repeated(units, (n) => `${"ab"[(n * 7) % 2]}${"ba"[(n * 3) % 2]}`);

/** A call with so many short edits, each a text of its own. */
const effects = (count: number): string => Array.from({ length: count }, (_, n) => `touch f${n}`).join("; ");

/** A text that a longer one nearly holds at each of its places. */
const nearly = `aaaaaaaaaab${"a".repeat(100_000)}`;
const alike = Array.from({ length: 1_000 }, (_, n) => `${"a".repeat(8_000)}${value(n, 4)}`);

/** What native code does for each item of a list, in one step of a rule. */
const again: readonly (readonly [name: string, when: string, args: Readonly<Record<string, unknown>>])[] = [
  ["texts joined", `args.list.exists(x, args.texts.join(",") == x)`, { texts: alike }],
  ["texts in a text", `args.list.exists(x, "%s".format([args.texts]) == x)`, { texts: alike }],
  [
    "a map in a text",
    `args.list.exists(x, "%s".format([args.map]) == x)`,
    { map: Object.fromEntries(alike.map((key) => [key, 1])) },
  ],
  ["texts sorted that begin alike", `args.list.exists(x, args.texts.sort()[0] == x)`, { texts: alike }],
  ["texts compared that begin alike", `args.list.exists(x, args.text + x + "b" < args.text)`, { text: text(900_000) }],
  ["texts that are equal", `args.list.exists(x, args.text + x == args.text + "never")`, { text: text(900_000) }],
  [
    "a text in a list of its length",
    `args.list.exists(x, ("a" + x + args.text) in args.texts)`,
    {
      text: "a".repeat(8_000),
      texts: alike,
    },
  ],
  ["a text without its blanks", `args.list.exists(x, args.text.trim() == x)`, { text: " ".repeat(400_000) }],
  [
    "a text that grows",
    `args.list.exists(x, args.text.replace("a", args.by) == x)`,
    {
      text: "a".repeat(3_000),
      by: "b".repeat(5_000),
    },
  ],
  [
    "a text in another",
    `args.list.exists(x, args.text.contains(args.part + x))`,
    {
      text: "a".repeat(400_000),
      part: nearly,
    },
  ],
  [
    "the last place of a text",
    `args.list.exists(x, args.text.lastIndexOf(args.part + x) > 0)`,
    {
      text: "a".repeat(400_000),
      part: nearly,
    },
  ],
  [
    "a text parted by another",
    `args.list.exists(x, args.text.split(args.part + x).size() > 1)`,
    {
      text: "a".repeat(400_000),
      part: nearly,
    },
  ],
  [
    "a path with another",
    `args.list.exists(x, path(args.text).contains(args.part + x))`,
    {
      text: `/${"a".repeat(400_000)}`,
      part: nearly,
    },
  ],
];

/** Rules that take long, each in its own way, and the events that they take long for. */
const heavy: readonly { readonly name: string; readonly when: string; readonly event: object }[] = [
  {
    name: "a native search that nothing interrupts",
    when: `args.text.matches("a[ab]{1000}c")`,
    event: callOf("mcp__x__y", { text: text(400_000) }),
  },
  {
    name: "many searches of one text",
    when: Array.from({ length: 40 }, (_, n) => `args.text.matches("[a-m]{${n + 40}}[n-z]{${n + 40}}x")`).join(" || "),
    event: callOf("mcp__x__y", { text: text(4_000_000) }),
  },
  {
    name: "a pattern out of the event",
    when: `args.list.exists(x, args.text.matches(args.pattern + x))`,
    event: callOf("mcp__x__y", {
      list: Array.from({ length: 800 }, (_, n) => `q${n}`),
      text: "a",
      pattern: "(?:\\w{20}){20}",
    }),
  },
  {
    name: "pieces of a text",
    when: `args.text.split("").size() == 1`,
    event: callOf("mcp__x__y", { text: text(9_000_000) }),
  },
  {
    name: "pieces of a text, again and again",
    when: `args.list.exists(x, args.text.split(",").size() == x)`,
    event: callOf("mcp__x__y", { text: ",".repeat(200_000), list: Array.from({ length: 100 }, (_, n) => n) }),
  },
  {
    name: "a text written anew for each item",
    when: `args.list.exists(x, args.text.replace("a", x).lowerAscii().contains("never"))`,
    event: callOf("mcp__x__y", { text: text(100_000), list: Array.from({ length: 200 }, (_, n) => `${n}`) }),
  },
  {
    name: "keys gone through for each item",
    when: `args.list.exists(x, args.map.exists(k, true) && x == "never")`,
    event: callOf("mcp__x__y", {
      map: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, n])),
      list: Array.from({ length: 1_000 }, (_, n) => `${n}`),
    }),
  },
  {
    name: "lists sorted for each item",
    when: `args.list.exists(x, args.list.sort()[0] == x + "never")`,
    event: callOf("mcp__x__y", { list: Array.from({ length: 2_000 }, (_, n) => value(n, 6)) }),
  },
  {
    name: "structures compared for each item",
    when: `args.list.exists(x, args.one == args.two && x == "never")`,
    event: callOf("mcp__x__y", {
      one: Array.from({ length: 20_000 }, (_, n) => n),
      two: Array.from({ length: 20_000 }, (_, n) => n),
      list: Array.from({ length: 1_000 }, (_, n) => `${n}`),
    }),
  },
  ...again.map(([name, when, args]) => ({
    name,
    when,
    event: callOf("mcp__x__y", { list: Array.from({ length: 2_000 }, (_, n) => `${n}`), ...args }),
  })),
];

const ruled = (when: string, more = ""): string =>
  `- { id: heavy, event: tool_call, ${more} when: '${when}', action: block }`;

describe("a rule that takes too much work", () => {
  it.each(heavy)("closes the event: $name", ({ when, event }) => {
    const { decision, units } = judged(engineOf(planFrom(ruled(when))), event as never);
    expect(decision.errors.map(({ code }) => code)).toEqual(["HW516"]);
    expect(decision).toMatchObject({ outcome: "block", answered: "error" });
    // The last thing that was asked for is paid for and not done.
    expect(units).toBeLessThan(limits.eventWork * 400);
  });

  it.each(heavy)("changes no answer in monitor mode: $name", ({ when, event }) => {
    const { decision } = judged(engineOf(planFrom(ruled(when, "mode: monitor,"))), event as never);
    expect(decision.outcome).toBe("allow");
    expect(decision.errors.map(({ code }) => code)).toEqual(["HW516"]);
  });

  it.each(heavy)("closes it with an index and without one, byte for byte: $name", ({ when, event }) => {
    const other = `- { id: other, event: tool_call, tool: bash, when: 'args.command.contains("needle") && args.command.matches("a[ab]{1000}c")', action: block }`;
    const plan = planFrom(`${ruled(when)}\n${other}`);
    const answers = [true, false].map((index) => {
      const { decision, body } = judged(engineOf(plan, { index }), event as never);
      return JSON.stringify([decision, body]);
    });
    expect(answers[1]).toBe(answers[0]);
  });
});

describe("what the index leaves out", () => {
  it("is judged without an index for nothing, so that the answer is the same", () => {
    const rules = Array.from(
      { length: 60 },
      (_, n) =>
        `- { id: r${n}, event: tool_call, tool: mcp__x__y, when: 'args.text.matches("[a-m]{60}[n-z]{60}x${n}") && args.name == "needle${n}"', action: block }`,
    );
    const event = callOf("mcp__x__y", { text: text(3_000_000), name: "nothing" });
    const plan = planFrom(rules.join("\n"));
    const [indexed, plain] = [true, false].map((index) => judged(engineOf(plan, { index }), event));
    expect(indexed?.decision.outcome).toBe("allow");
    expect(JSON.stringify([plain?.decision, plain?.body])).toBe(JSON.stringify([indexed?.decision, indexed?.body]));
  });
});

describe("what an engine remembers", () => {
  const secrets = repeated(3_000, (n) => `password = "${value(n, 24)}"\n`);
  const history = (turns: number) =>
    framed({
      event: "context",
      messages: Array.from({ length: turns }, (_, n) => ({
        role: "user",
        content: [
          { type: "text", text: `${n} ${n % 3 === 0 ? secrets : "plain words of a message that says nothing at all"}` },
        ],
      })),
    } as never);
  it.each([
    ["a result", textResult(secrets)],
    ["arguments", callOf("mcp__x__y", { password: value(1, 20), text: secrets, path: "a/b" })],
    ["a conversation", history(12)],
  ])("takes no less work: %s", (_, event) => {
    const engine = engineOf(recommended());
    const first = judged(engine, event);
    engine.decide(history(8));
    const again = judged(engine, event);
    expect(again.decision.changes).toEqual(first.decision.changes);
    expect(again.units).toBe(first.units);
  });
});

describe("text that takes too much work", () => {
  const keys = repeated(
    3_000_000,
    (n) =>
      `AKIA${value(n, 16)
        .toUpperCase()
        .replace(/[01689]/g, "A")} `,
  );

  it("is withheld in a result", () => {
    const { decision } = judged(engineOf(recommended()), textResult(keys));
    expect(decision.errors.map(({ code }) => code)).toEqual(["HW516"]);
    expect(JSON.stringify(decision.changes.content)).toContain("withheld: could not be checked (HW516");
    expect(JSON.stringify(decision)).not.toContain("AKIA");
  });

  it("closes a call, and leaves nothing of it in the record", () => {
    const { decision, body } = judged(engineOf(recommended()), callOf("mcp__x__y", { text: keys }));
    expect(decision).toMatchObject({ outcome: "block", answered: "error" });
    expect(body).toMatchObject({ view_masked: true, masked: [{ detector: "secrets/unscanned", count: 1 }] });
    expect(JSON.stringify(body)).not.toContain("AKIA");
  });

  it("is no text without secrets for a rule that asks for them", () => {
    const plan = planFrom(
      `- { id: r, event: tool_call, when: 'secrets.exists(s, s.confidence == "high")', action: ask }`,
    );
    const { decision } = judged(engineOf(plan), callOf("mcp__x__y", { text: keys }));
    expect(decision).toMatchObject({ outcome: "block", errors: [{ code: "HW516", rule: "p/r" }] });
  });

  it("is no plain text for a rule that asks what it shows", () => {
    const plan = planFrom(`- { id: r, event: tool_call, when: 'text.bidi > 0', action: ask }`);
    const { decision } = judged(engineOf(plan), callOf("mcp__x__y", { text: "\u00e9".repeat(9_000_000) }));
    expect(decision).toMatchObject({ outcome: "block", errors: [{ code: "HW516", rule: "p/r" }] });
  });

  it("a pattern of a redaction that reads on behind each match is paid for that", () => {
    const redact = `action: { redact: { patterns: [{ name: p, regex: 'a(?:[^z]*z)?' }] } }`;
    const plan = planFrom(`- { id: r, event: tool_result, ${redact} }`);
    const { decision } = judged(engineOf(plan), textResult("a".repeat(400_000)));
    expect(decision.errors.map(({ code }) => code)).toEqual(["HW516"]);
  });
});

describe("readings of a call", () => {
  it("share the work of facts, and so do revisions", () => {
    const views = callOf("bash", { command: effects(400), cmd: effects(399), script: effects(398) });
    const one = judged(engineOf(recommended()), callOf("bash", { command: effects(400) }));
    const all = judged(engineOf(recommended()), views);
    expect(all.units).toBeLessThan(one.units * 4 + 100_000);
  });
});
