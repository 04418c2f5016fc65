import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KnownMessages } from "../../engine/known-messages.ts";
import { normalise } from "../../engine/normalise.ts";
import { messageCopy } from "../../engine/plain-copy.ts";
import "../properties/seed.ts";

/** What a message is known to fit by changes nothing of what is said of an event: copies are judged as what they are of. */

const fit = fc.oneof(
  fc.record({ role: fc.constantFrom("user", "assistant", "tool_result", "custom"), content: fc.string() }),
  fc.record({
    role: fc.constant("user"),
    content: fc.array(fc.record({ type: fc.constant("text"), text: fc.string() })),
  }),
);
const unfit = fc.constantFrom<object>(
  { role: "nobody", content: "x" },
  { content: "x" },
  { role: "user", content: 5 },
  { role: "user", content: [{ text: "no type" }] },
);
const around = fc.constantFrom<object>(
  { event: "context" },
  { event: "context", time: 5 },
  { event: "context", session: "s" },
  { event: "agent_end" },
  { event: "before_agent_start", prompt: "p" },
  { event: "before_agent_start", prompt: 5 },
  { event: "tool_call", tool: "bash", args: {} },
);

describe("an event with messages that are known", () => {
  it("is read as the same event with messages that nobody has seen", () => {
    const conversation = fc.array(fc.oneof({ weight: 9, arbitrary: fit }, { weight: 1, arbitrary: unfit }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(
        conversation,
        conversation,
        fc.array(around, { minLength: 1, maxLength: 4 }),
        (first, more, events) => {
          const copies = [...first, ...more].map((message) => messageCopy(message) as object);
          const known = new KnownMessages();
          for (const event of events) {
            for (const length of [first.length, copies.length]) {
              const plain = structuredClone([...first, ...more].slice(0, length));
              const seen = normalise({ ...event, messages: copies.slice(0, length) }, known);
              expect(seen).toEqual(normalise({ ...event, messages: plain }, new KnownMessages()));
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it("may itself have any fault, which is said as ever", () => {
    const messages = [messageCopy({ role: "user", content: "hello" })];
    const read = (more: object) => normalise({ event: "context", messages, ...more }, new KnownMessages());
    for (let n = 0; n < 2; n++) {
      expect(read({})).toMatchObject({ event: { event: "context" } });
      expect(read({ time: 5 })).toMatchObject({ code: "HW501", message: "`time` must be string" });
      expect(read({ messages: [...messages, messageCopy({ role: "nobody" })] })).toMatchObject({ code: "HW501" });
      expect(read({ messages: "none" })).toMatchObject({ code: "HW501" });
    }
  });
});
