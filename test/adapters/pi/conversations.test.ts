import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PiMessage } from "../../../adapters/pi/api.ts";
import { Conversations } from "../../../adapters/pi/conversations.ts";
import { fromWireMessages, toWireMessages } from "../../../adapters/pi/messages.ts";
import { contextOf, type Frame } from "../../../adapters/pi/translate.ts";
import { createEngine } from "../../../runtime.ts";
import { planOf } from "../../engine/actions/engine.ts";
import { conversations } from "../../properties/conversations.ts";
import "../../properties/seed.ts";
import { everyRole } from "./payloads.ts";

/** What is remembered of a conversation changes nothing of what is judged, decided, or given back to pi. */

// In two parts, so that no scanner of sources takes this file for a leak.
const token = `${"ghp"}_${"a8Kd93mZq0LxPv72RtYw5BnCs4UeHj61GfTo"}`;

const engine = () =>
  createEngine(
    planOf(`version: 1
policy: p
rules:
- { id: redact, event: context, action: { redact: { detectors: ["secrets/*"] } } }
- { id: drop, event: context, action: { drop: { where: { message.text: { contains: forget } } } } }
- { id: short, event: context, action: { truncate: { max_chars: 40 } } }
`),
    { sessionKey: "key" },
  );

const words = fc.constantFrom("hello", "forget this", `key ${token}`, "x".repeat(90), "\ud800 odd", "");
const part = fc.oneof(
  fc.record({ type: fc.constant("text"), text: words, textSignature: fc.option(words, { nil: undefined }) }),
  fc.record({
    type: fc.constant("toolCall"),
    id: fc.constantFrom("a", "b", "c"),
    name: fc.constant("bash"),
    arguments: fc.record({ command: words, more: fc.option(fc.array(words, { maxLength: 2 }), { nil: undefined }) }),
  }),
  fc.record({ type: fc.constant("image"), mimeType: fc.constant("image/png"), data: fc.constantFrom("AAAA", "BB") }),
);
/** What no pi sends, and what does not survive the way there and back. */
const odd = fc.oneof(
  fc.record({
    role: fc.constantFrom("user", "bashExecution"),
    content: fc.constantFrom<unknown>([null], ["a text"], null),
  }),
  fc.record({ role: fc.constant("bashExecution"), content: words, output: fc.option(words, { nil: undefined }) }),
) as fc.Arbitrary<PiMessage>;
const message: fc.Arbitrary<PiMessage> = fc.oneof(
  fc.constantFrom(...everyRole),
  fc.record({
    role: fc.constantFrom("user", "assistant", "toolResult", "of a newer host"),
    content: fc.oneof(words, fc.array(part, { maxLength: 3 }), fc.constant(undefined)),
    output: fc.option(words, { nil: undefined }),
    toolCallId: fc.constantFrom("a", "b", "c"),
    isError: fc.option(fc.boolean(), { nil: undefined }),
    details: fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined }),
    usage: fc.record({ input: fc.nat(3) }),
    timestamp: fc.nat(3),
  }) as fc.Arbitrary<PiMessage>,
);

/** Turns of a conversation, as pi shows them: each in new objects, longer than before, now and then with something changed. */
const turnsOf = (message: fc.Arbitrary<PiMessage>) =>
  conversations(message, ["a", "b"], 8).map((turns) =>
    turns.map(({ session, messages }) => ({ session, messages: structuredClone(messages) })),
  );

const frame = (session: string): Frame => ({
  id: "e",
  time: "2026-11-22T10:00:00.000Z",
  host: "pi",
  environment: { cwd: "/work" },
  session: { id: session },
});

/** As JSON has it: what is undefined is not there. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
const wellFormed = (value: unknown): string => JSON.stringify(value).replaceAll("\\ud800", "\ufffd");

describe("a conversation that is remembered", () => {
  it("is on the wire what it is without memory", () => {
    fc.assert(
      fc.property(turnsOf(fc.oneof(message, odd)), (all) => {
        const known = new Conversations();
        for (const { session, messages } of all)
          expect(wellFormed(known.toWire(session, messages))).toBe(wellFormed(toWireMessages(messages)));
      }),
    );
  });

  it("is decided, recorded and given back alike", () => {
    fc.assert(
      fc.property(turnsOf(message), (all) => {
        const known = new Conversations();
        const [remembering, fresh] = [engine(), engine()];
        for (const { session, messages } of all) {
          const sent = known.toWire(session, messages);
          const one = remembering.decide(contextOf(sent, frame(session)));
          const other = fresh.decide(contextOf(toWireMessages(messages), frame(session)));
          expect(one.decision).toEqual(other.decision);
          expect(one.body).toEqual(other.body);
          const changed = one.decision.changes.messages;
          if (changed === undefined) continue;
          const back = fromWireMessages(changed, messages, 5, sent);
          const slow = fromWireMessages(other.decision.changes.messages ?? [], messages, 5);
          expect(wellFormed(back.map(sorted))).toBe(wellFormed(slow.map(sorted)));
        }
      }),
      { numRuns: 40 },
    );
  });

  it("has the very same values for messages that are as they were, whatever stays behind of them", () => {
    const known = new Conversations();
    const first = known.toWire("s", structuredClone(everyRole));
    const again = structuredClone(everyRole).map((one) => ({ ...one, timestamp: 77, usage: { input: 9 } }));
    const second = known.toWire("s", again);
    expect(second.map((one, i) => one === first[i])).toEqual(everyRole.map(() => true));
    expect(known.toWire("another", again)[0]).not.toBe(first[0]);
  });

  it("cannot be changed by who holds what was sent or given", () => {
    const known = new Conversations();
    const given = [{ role: "user", content: [{ type: "text", text: "hello" }] }] as PiMessage[];
    const [sent] = known.toWire("s", given) as unknown as [{ content: { text: string }[] }];
    expect(() => Object.assign(sent.content[0] as object, { text: "changed" })).toThrow();
    (given[0] as unknown as { content: { text: string }[] }).content[0] = { text: token };
    expect(plain(known.toWire("s", given))).toMatchObject([{ content: [{ text: token }] }]);
  });

  it.each<[string, () => unknown]>([
    ["an accessor", () => Object.defineProperty({}, "text", { get: () => "x", enumerable: true })],
    ["a function", () => ({ run: () => 1 })],
    ["an object of a class", () => new Date(0)],
  ])("with %s in it is refused every time, as it is without memory", (_, value) => {
    const known = new Conversations();
    const messages = (): PiMessage[] => [
      { role: "user", content: "hi" },
      { role: "custom", content: "x", details: value() },
    ];
    for (let turn = 0; turn < 2; turn++) {
      const { decision } = engine().decide(contextOf(known.toWire("s", messages()), frame("s")));
      expect(decision.errors).toMatchObject([{ code: "HW504" }]);
      expect(decision).toEqual(engine().decide(contextOf(toWireMessages(messages()), frame("s"))).decision);
    }
  });

  it.each<[string, unknown]>([
    ["nothing", null],
    ["a text", "hello"],
    ["a list", []],
    [
      "an object that cannot be read",
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("no");
          },
        },
      ),
    ],
  ])("with %s where a message stood is on the wire as without memory", (_, value) => {
    const known = new Conversations();
    known.toWire("s", [{ role: "user", content: "hello" }]);
    const messages = [value] as PiMessage[];
    expect(wellFormed(known.toWire("s", messages))).toBe(wellFormed(toWireMessages(messages)));
  });

  it("gives pi its own messages back where nothing in them was changed", () => {
    const messages: PiMessage[] = [
      { role: "user", content: "hello", timestamp: 1 },
      { role: "toolResult", toolCallId: "a", content: [{ type: "text", text: "x".repeat(90) }] },
    ];
    const sent = new Conversations().toWire("s", messages);
    const { changes } = engine().decide(contextOf(sent, frame("s"))).decision;
    const back = fromWireMessages(changes.messages ?? [], messages, 5, sent);
    expect(back[0]).toBe(messages[0]);
    expect(back[1]).not.toEqual(messages[1]);
  });
});

/** Fields in one order, since what is put together anew has its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sorted(one)]));
}
