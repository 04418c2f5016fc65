import { describe, expect, it } from "vitest";
import type { PiMessage, PiPart } from "../../../adapters/pi/api.ts";
import { fromWireContent, fromWireMessages, toWireContent, toWireMessages } from "../../../adapters/pi/messages.ts";
import { withheldMessage } from "../../../adapters/pi/withheld.ts";
import { validateEvent } from "../../../schema/validators.generated.js";
import { contexts, everyRole } from "./payloads.ts";

type Wire = Record<string, unknown> & { content: Record<string, unknown>[] };

/** A content part of one of the messages of every role. */
function partOf(message: number, part: number): unknown {
  const content = everyRole[message]?.content;
  return Array.isArray(content) ? content[part] : undefined;
}

/** Through the wire as the engine sends it: plain JSON, with a change made by `edit`. */
function through(messages: readonly PiMessage[], edit: (wire: Wire[]) => unknown[] = (wire) => wire): PiMessage[] {
  const wire = JSON.parse(JSON.stringify(toWireMessages(messages))) as Wire[];
  return fromWireMessages(edit(wire), messages, 99);
}

describe("messages on the wire", () => {
  it.each(contexts)("of pi $version come back as they were", ({ messages }) => {
    expect(through(messages)).toEqual(messages);
  });

  it("of every role come back as they were", () => {
    expect(through(everyRole)).toEqual(everyRole);
  });

  it("fit the event schema", () => {
    const event = { event: "context", messages: JSON.parse(JSON.stringify(toWireMessages(everyRole))) };
    expect(validateEvent(event), JSON.stringify(validateEvent.errors)).toBe(true);
  });

  it("have the roles and names of the schema", () => {
    const wire = toWireMessages(everyRole);
    expect(wire.map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "tool_result",
      "custom",
      "bash_execution",
      "compaction_summary",
      "branch_summary",
      "custom",
    ]);
    expect(wire[2]).toMatchObject({ tool_name: "bash", is_error: false });
    expect(wire[4]).toMatchObject({ content: "b", command: "echo b", exclude_from_context: true });
    expect(wire[5]).toMatchObject({ content: "what came before" });
    expect(toWireContent(everyRole[1]?.content as PiPart[]).map((part) => part.type)).toEqual([
      "thinking",
      "text",
      "tool_call",
    ]);
  });

  it("carry neither signatures, ids, usage nor image data", () => {
    const text = JSON.stringify(toWireMessages(everyRole));
    for (const opaque of ["c2lnbmVk", "msg_1", "dA==", "aGVsbG8=", "totalTokens", "anthropic-messages"]) {
      expect(text).not.toContain(opaque);
    }
  });

  it("carry fields that we do not know, so that redaction reaches them", () => {
    const message: PiMessage = {
      role: "toolResult",
      toolCallId: "c",
      content: [],
      structuredContent: { a: "secret" },
      novel: ["secret"],
    };
    const [wire] = toWireMessages([message]);
    expect(wire).toMatchObject({ structured: { a: "secret" }, novel: ["secret"] });
    expect(through([message], ([first]) => [{ ...first, structured: { a: "x" }, novel: ["x"] }])).toEqual([
      { ...message, structuredContent: { a: "x" }, novel: ["x"] },
    ]);
  });
});

describe("changed messages", () => {
  it("keep what is pi's own when their text is redacted", () => {
    const [changed] = through([everyRole[2] as PiMessage], ([wire]) => [
      { ...(wire as Wire), content: [{ ...wire?.content[0], text: "[REDACTED]" }, wire?.content[1]] },
    ]);
    expect(changed).toEqual({
      ...everyRole[2],
      content: [{ type: "text", text: "[REDACTED]" }, partOf(2, 1)],
    });
  });

  it.each([
    [4, "output"],
    [5, "summary"],
    [6, "summary"],
  ] as const)("have the text of role %i back in its `%s`", (index, field) => {
    const [changed] = through([everyRole[index] as PiMessage], ([wire]) => [{ ...wire, content: "short" }]);
    expect(changed).toEqual({ ...everyRole[index], [field]: "short" });
  });

  it("lose a reasoning signature with the text it vouches for", () => {
    const edit = (wire: Wire[]) => [
      {
        ...wire[0],
        content: [{ ...wire[0]?.content[0], thinking: "[REDACTED]" }, ...(wire[0]?.content.slice(1) ?? [])],
      },
    ];
    const [changed] = through([everyRole[1] as PiMessage], edit);
    const parts = changed?.content as Record<string, unknown>[];
    expect(parts[0]).toEqual({ type: "thinking", thinking: "[REDACTED]" });
    expect(parts[2]).toEqual(partOf(1, 2));
  });

  it("change the arguments of a call and keep its id", () => {
    const edit = (wire: Wire[]) => [
      {
        ...wire[0],
        content: wire[0]?.content.map((part) => (part["type"] === "tool_call" ? { ...part, arguments: {} } : part)),
      },
    ];
    const parts = through([everyRole[1] as PiMessage], edit)[0]?.content as Record<string, unknown>[];
    expect(parts[2]).toEqual({ type: "toolCall", id: "c1", name: "bash", arguments: {}, thoughtSignature: "dA==" });
  });

  it("may be dropped, in any order", () => {
    expect(through(everyRole, (wire) => wire.filter((_, i) => i > 2))).toEqual(everyRole.slice(3));
  });

  it("take a result along when its call is dropped, since providers refuse it alone", () => {
    expect(through(everyRole, (wire) => wire.filter((_, i) => i !== 1)).map((message) => message.role)).not.toContain(
      "toolResult",
    );
  });

  it("leave a call whose result is dropped, which pi completes itself", () => {
    expect(through(everyRole, (wire) => wire.filter((_, i) => i !== 2))[1]).toEqual(everyRole[1]);
  });

  it("gain those that a rule adds", () => {
    const added = { role: "custom", custom_type: "hint", content: "new", display: true };
    const messages = through(everyRole.slice(0, 1), (wire) => [...wire, added, { role: "user", content: "also" }]);
    expect(messages.slice(1)).toEqual([
      { role: "custom", customType: "hint", content: "new", display: true, timestamp: 99 },
      { role: "user", content: "also", timestamp: 99 },
    ]);
  });

  it("keep roles and ids when all come back as placeholders without reference", () => {
    const messages = through(everyRole, (wire) =>
      wire.map(({ role }) => ({ role, content: [{ type: "text", text: "[withheld]" }] })),
    );
    expect(messages.map((message) => message.role)).toEqual(everyRole.map((message) => message.role));
    expect(messages[2]).toMatchObject({ toolCallId: "c1", content: [{ type: "text", text: "[withheld]" }] });
    expect(JSON.stringify(messages)).not.toContain("plain text");
  });

  it("that the engine withheld one by one keep role, id and place", () => {
    const bare = (wire: Wire | undefined) => ({
      role: wire?.["role"],
      content: [{ type: "text", text: "[withheld]" }],
    });
    const messages = through(everyRole, (wire) => [
      ...wire.slice(0, 2),
      bare(wire[2]),
      wire[3],
      bare(wire[5]),
      wire[6],
    ]);
    expect(messages.map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "custom",
      "compactionSummary",
      "branchSummary",
    ]);
    expect(messages[2]).toMatchObject({ toolCallId: "c1", content: [{ type: "text", text: "[withheld]" }] });
    expect(messages[2]).not.toHaveProperty("details");
    expect(messages[4]).toMatchObject({ summary: "[withheld]", tokensBefore: 100 });
  });

  it("cannot change the prototype of anything", () => {
    const message = JSON.parse('{"role":"user","content":"a","__proto__":{"polluted":true}}') as PiMessage;
    const [back] = through([message]);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(Object.hasOwn(back as object, "__proto__")).toBe(true);
  });
});

describe("withheld messages", () => {
  it.each(everyRole.map((message) => [message.role, message] as const))(
    "of role %s have no text of their own",
    (_role, message) => {
      const withheld = withheldMessage(message, "[withheld]");
      const text = JSON.stringify(withheld);
      expect(withheld.role).toBe(message.role);
      expect(text).toContain("[withheld]");
      for (const raw of [
        "plain text",
        "let me think",
        "I will look",
        "echo",
        "/tmp/x",
        "a note",
        "what came before",
        "a branch",
        "payload",
        "aGVsbG8=",
      ]) {
        expect(text).not.toContain(raw);
      }
    },
  );

  it("keep calls and results together", () => {
    expect(withheldMessage(everyRole[1] as PiMessage, "x").content).toContainEqual({
      type: "toolCall",
      id: "c1",
      name: "bash",
      arguments: {},
    });
    expect(withheldMessage(everyRole[2] as PiMessage, "x")).toMatchObject({ toolCallId: "c1", toolName: "bash" });
  });

  it("that were left out of the context stay out", () => {
    expect(withheldMessage(everyRole[4] as PiMessage, "x")).toMatchObject({ excludeFromContext: true });
  });
});

describe("content parts", () => {
  it("that a rule adds become text", () => {
    expect(fromWireContent([{ type: "text", text: "note" }], [])).toEqual([{ type: "text", text: "note" }]);
  });

  it("keep unknown types and fields", () => {
    const part = { type: "resource", uri: "file:///a", nested: { text: "x" } };
    expect(fromWireContent(JSON.parse(JSON.stringify(toWireContent([part]))) as unknown[], [part])).toEqual([part]);
  });

  it("show data that is no image to the rules", () => {
    expect(JSON.stringify(toWireContent([{ type: "blob", data: "plain secret" }]))).toContain("plain secret");
    expect(JSON.stringify(toWireContent([{ type: "image", mimeType: "text/plain", data: "plain secret" }]))).toContain(
      "plain secret",
    );
  });
});
