import { describe, expect, it } from "vitest";
import { PromptRevisions } from "../../../adapters/pi/prompt-revisions.ts";

describe("prompt revisions", () => {
  const image = { type: "image", data: "aGk=", mimeType: "image/png" };

  it("replace a prompt in user messages alone, images kept", () => {
    const revisions = new PromptRevisions();
    revisions.remember("raw", "[x]");
    const messages = [
      { role: "user", content: [{ type: "text", text: "raw" }, image] },
      { role: "assistant", content: [{ type: "text", text: "raw" }] },
    ];
    expect(revisions.apply(messages)).toEqual([
      { role: "user", content: [{ type: "text", text: "[x]" }, image] },
      messages[1],
    ]);
  });

  it("give the same list back when there is nothing to replace", () => {
    const revisions = new PromptRevisions();
    const messages = [{ role: "user", content: "a" }];
    expect(revisions.apply(messages)).toBe(messages);
    revisions.remember("other", "[x]");
    expect(revisions.apply(messages)).toBe(messages);
  });

  it("never take an image for an empty prompt", () => {
    const revisions = new PromptRevisions();
    revisions.remember("", "[withheld]");
    const messages = [{ role: "user", content: [image] }];
    expect(revisions.apply(messages)).toBe(messages);
  });

  it("stay bounded, the oldest going first", () => {
    const revisions = new PromptRevisions();
    for (let i = 0; i < 300; i++) revisions.remember(`p${i}`, "[x]");
    expect(revisions.apply([{ role: "user", content: "p299" }])).toEqual([{ role: "user", content: "[x]" }]);
    expect(revisions.apply([{ role: "user", content: "p0" }])).toEqual([{ role: "user", content: "p0" }]);
  });
});
