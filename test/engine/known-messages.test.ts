import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, digest } from "../../engine/canonical.ts";
import { eventDigest, payloadDigest } from "../../engine/event-digest.ts";
import { isCopyOf, KnownMessages } from "../../engine/known-messages.ts";
import { normalise } from "../../engine/normalise.ts";
import { messageCopy, plainCopy } from "../../engine/plain-copy.ts";
import { createEngine } from "../../runtime.ts";
import { limits } from "../../schema/limits.ts";
import { conversations, type Turn } from "../properties/conversations.ts";
import "../properties/seed.ts";
import { planOf } from "./actions/engine.ts";

/** Conversations that come again at every turn cost what is new in them, and nothing else changes by that. */

// In two parts, so that no scanner of sources takes this file for a leak.
const token = `${"ghp"}_${"a8Kd93mZq0LxPv72RtYw5BnCs4UeHj61GfTo"}`;

const plan = planOf(`version: 1
policy: p
rules:
- { id: redact, event: context, action: { redact: { detectors: ["secrets/*"] } } }
- { id: drop, event: context, action: { drop: { where: { message.text: { contains: forget } } } } }
- { id: short, event: context, action: { truncate: { max_chars: 40 } } }
`);

const words = fc.constantFrom("hello", "forget this", `key ${token}`, "x".repeat(90), "\ud800 odd", "");
const part = fc.oneof(
  fc.record({ type: fc.constant("text"), text: words }),
  fc.record({ type: fc.constant("tool_call"), name: fc.constant("bash"), arguments: fc.record({ command: words }) }),
);
const message = fc.record({
  role: fc.constantFrom("user", "assistant", "tool_result", "tool", "toolResult"),
  content: fc.oneof(words, fc.array(part, { maxLength: 3 })),
});

const turns = conversations<object>(message, ["a", "b", "c"], 12);

const wire = ({ session, messages }: Turn<object>) => ({
  event: "context",
  id: "e",
  session: { id: session },
  messages: structuredClone(messages),
});

describe("an engine that has seen a conversation before", () => {
  it("decides and records like one that has not", () => {
    fc.assert(
      fc.property(turns, (all) => {
        const engine = createEngine(plan, { sessionKey: "key" });
        for (const turn of all) {
          const { decision, body } = engine.decide(wire(turn));
          const fresh = createEngine(plan, { sessionKey: "key" }).decide(wire(turn));
          expect(decision).toEqual(fresh.decision);
          expect({ ...body, state: {} }).toEqual({ ...fresh.body, state: {} });
        }
      }),
      { numRuns: 30 },
    );
  });

  it("cannot be made to see something else by whoever holds what it was given, or what it gave", () => {
    const engine = createEngine(plan, { sessionKey: "key" });
    const given = wire({ session: "a", messages: [{ role: "user", content: [{ type: "text", text: "hello" }] }] });
    const before = engine.decide(given).body?.event_digest;
    (given.messages[0] as { content: { text: string }[] }).content[0] = { text: token };
    expect(engine.decide(given).body?.event_digest).not.toBe(before);
    const told = engine.decide(
      wire({
        session: "a",
        messages: [
          { role: "user", content: "hello" },
          { role: "user", content: token },
        ],
      }),
    );
    const [first] = told.decision.changes.messages as { content: string }[];
    expect(() => Object.assign(first as object, { content: "changed" })).toThrow();
  });
});

describe("KnownMessages", () => {
  const copies = (known: KnownMessages, session: string, messages: readonly object[]): readonly unknown[] => {
    const result = normalise(wire({ session, messages }), known);
    return "code" in result ? [] : (result.event.messages ?? []);
  };
  const two = [
    { role: "user", content: "one" },
    { role: "toolResult", content: "two" },
  ];

  it("gives the very same copies again, renamed roles too", () => {
    const known = new KnownMessages();
    const first = copies(known, "a", two);
    const again = copies(known, "a", [...two, { role: "user", content: "three" }]);
    expect(again.slice(0, 2).every((copy, i) => copy === first[i])).toBe(true);
  });

  it("keeps sessions apart, and forgets those that have not spoken for long", () => {
    const known = new KnownMessages();
    const first = copies(known, "a", two);
    expect(copies(known, "b", two)[0]).not.toBe(first[0]);
    expect(copies(known, "a", two)[0]).toBe(first[0]);
    for (const other of ["c", "d", "e", "f"]) copies(known, other, two);
    expect(copies(known, "a", two)[0]).not.toBe(first[0]);
  });

  it("counts the values of known messages as often as they come", () => {
    const known = new KnownMessages();
    const long = { role: "user", content: [{ type: "x", list: new Array(limits.payloadNodes / 2).fill(1) }] };
    expect(copies(known, "a", [long])).toHaveLength(1);
    expect(normalise(wire({ session: "a", messages: [long, long, long] }), known)).toMatchObject({ code: "HW504" });
    expect(copies(known, "a", [long])).toHaveLength(1);
  });
});

describe("isCopyOf", () => {
  const copyOf = (value: unknown): unknown => {
    const copied = plainCopy(value);
    if (!copied.ok) throw new Error(copied.message);
    return copied.value;
  };

  it("holds for what a copy was made of, and for nothing that would be copied otherwise", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(isCopyOf(copyOf(one), structuredClone(copyOf(one)))).toBe(true);
        expect(isCopyOf(copyOf(one), other)).toBe(JSON.stringify(copyOf(one)) === JSON.stringify(copyOf(other)));
      }),
    );
  });

  const accessor = { a: 1 };
  Object.defineProperty(accessor, "a", { get: () => 1, enumerable: true });
  const listed = [1];
  Object.defineProperty(listed, 0, { get: () => 1 });

  it.each<[string, unknown, unknown]>([
    ["an accessor", { a: 1 }, accessor],
    ["an accessor in a list", [1], listed],
    ["a list for an object", {}, []],
    ["an object for a list", [], {}],
    ["an object of a class", {}, new Date(0)],
    ["another order of names", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["a name more", { a: 1 }, { a: 1, b: 2 }],
    ["a name more, before the others", { a: 1 }, { b: 2, a: 1 }],
    ["a name less", { a: 1, b: 2 }, { a: 1 }],
    ["nothing where there was something", { a: 1, b: 2 }, { a: 1, b: undefined }],
    ["a hole in a list", [null], new Array(1)],
    ["an inherited value", { a: 1 }, Object.create({ a: 1 })],
    ["a text that is not well-formed", "\ufffd", "\ud800"],
    ["nothing for an object", {}, null],
  ])("does not hold for %s", (_, copy, value) => {
    expect(isCopyOf(copy, value)).toBe(false);
  });

  it("holds for names of what is not there, which no copy has", () => {
    expect(isCopyOf({ a: 1 }, { b: undefined, a: 1, c: undefined })).toBe(true);
  });
});

describe("messageCopy", () => {
  it("is the copy that an event would have of the message, and stays as it is", () => {
    const given = { role: "user", content: [{ type: "text", text: "a\ud800", none: undefined }] };
    const copy = messageCopy(given) as typeof given;
    expect(copy).toEqual({ role: "user", content: [{ type: "text", text: "a\ufffd" }] });
    expect(() => Object.assign(copy.content[0] as object, { text: "changed" })).toThrow();
    expect(Object.isFrozen(copy) && Object.isFrozen(copy.content)).toBe(true);
  });

  it.each<[string, object]>([
    ["a function", { run: () => 1 }],
    ["an accessor", accessorOf()],
    ["a number that is none", { n: Number.NaN }],
    ["a circle", circle()],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("no");
          },
        },
      ),
    ],
    ["too many values", { list: new Array(limits.payloadNodes + 1).fill(1) }],
  ])("is none of %s", (_, value) => {
    expect(messageCopy(value)).toBeUndefined();
  });

  it("decides and records alike where it stands in place of a message", () => {
    fc.assert(
      fc.property(turns, (all) => {
        const engine = createEngine(plan, { sessionKey: "key" });
        for (const turn of all) {
          const given = wire(turn);
          const { decision, body } = engine.decide({ ...given, messages: given.messages.map((m) => messageCopy(m)) });
          const fresh = createEngine(plan, { sessionKey: "key" }).decide(given);
          expect(decision).toEqual(fresh.decision);
          expect({ ...body, state: {} }).toEqual({ ...fresh.body, state: {} });
        }
      }),
      { numRuns: 30 },
    );
  });

  it("counts as many values as the message has", () => {
    const long = messageCopy({
      role: "user",
      content: [{ type: "x", list: new Array(limits.payloadNodes / 2).fill(1) }],
    });
    const event = (messages: unknown[]) => ({ event: "context", session: { id: "a" }, messages });
    expect(normalise(event([long]), new KnownMessages())).not.toHaveProperty("code");
    expect(normalise(event([long, long, long]), new KnownMessages())).toMatchObject({ code: "HW504" });
  });
});

function accessorOf(): object {
  return Object.defineProperty({}, "a", { get: () => 1, enumerable: true });
}

function circle(): object {
  const value: Record<string, unknown> = {};
  value["self"] = value;
  return value;
}

describe("the digest of an event", () => {
  it("has each message by its own digest", () => {
    const result = normalise(wire({ session: "a", messages: [{ role: "user", content: "one" }] }));
    if ("code" in result) throw new Error(result.message);
    const { event } = result;
    const messages = event.messages?.map((one) => digest(one));
    expect(eventDigest(event)).toBe(digest(JSON.parse(canonicalJson({ ...event, messages }))));
  });

  it.each([0, 1, 3])("leaves the digest of a payload of %i messages what it is", (count) => {
    const messages = Array.from({ length: count }, (_, n) => ({ role: "user", content: `${n} é \ud800` }));
    const digests = messages.map((one) => digest(one));
    expect(payloadDigest({ messages } as never)).toBe(digest({ messages: digests }));
    expect(payloadDigest({ messages, text: "x" } as never)).toBe(digest({ messages: digests, text: "x" }));
  });

  it("is the same in conversations that grow, shrink, change and come in turns", () => {
    const message = fc.record({ role: fc.constant("user"), content: fc.constantFrom("one", "two", "é \ud800") });
    const step = fc.record({
      session: fc.nat(9),
      kept: fc.nat(6),
      added: fc.array(fc.oneof(message, fc.constantFrom(null, "a text", 7)), { maxLength: 3 }),
      beside: fc.constantFrom({}, { text: "x" }, { args: { a: 1 }, zone: [1] }, { args: undefined }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        const sessions = new Map<number, unknown[]>();
        for (const { session, kept, added, beside } of steps) {
          const messages = [...(sessions.get(session) ?? []).slice(0, kept), ...added];
          sessions.set(session, messages);
          const digests = messages.map((one) => digest(one));
          expect(payloadDigest({ ...beside, messages } as never)).toBe(digest({ ...beside, messages: digests }));
        }
      }),
    );
  });
});
