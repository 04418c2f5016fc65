import { describe, expect, it } from "vitest";
import type { WireEvent } from "../../schema/generated.ts";
import { type Listing, listings, type MadeKey, madeKeys, shown, told } from "../facts/secrets/listings.ts";
import { engineOf, recommended } from "../scaling/subject.ts";

/**
 * Results of tools in which a private key stands, as programs show files, judged by the packs that are recommended: what the agent
 * gets holds no line of it.
 */
const engine = engineOf(recommended());
const rsa = madeKeys[1] as MadeKey;
const plain: Listing = (_, text) => text;

/** The part of a result that reaches the agent. */
function given(result: WireEvent["result"], tool = "bash"): string {
  const args = tool === "read" ? { path: "notes.txt" } : { command: "make show" };
  const { decision } = engine.decide({ event: "tool_result", tool, args, result } as WireEvent);
  expect(decision.errors).toEqual([]);
  return JSON.stringify({ ...result, ...decision.changes });
}

const parts = (...texts: string[]) => ({ content: texts.map((text) => ({ type: "text", text })) });

describe.each(Object.entries(listings))("a key in a result: %s", (_, listing) => {
  it.each(["read", "bash"])("of %s", (tool) => {
    for (const key of madeKeys) {
      const text = given(parts(`one two\n${shown(key.lines, listing)}\nlast words`), tool);
      expect(told(text, key.body)).toEqual([]);
      expect(text).toMatch(/one two.*-key:?.*last words/);
    }
  });

  it("in details and in data", () => {
    const text = shown(rsa.lines, listing);
    expect(told(given({ ...parts("a"), details: { output: [text] } } as WireEvent["result"]), rsa.body)).toEqual([]);
    expect(told(given({ ...parts("a"), structured: { [text]: text } } as WireEvent["result"]), rsa.body)).toEqual([]);
  });

  it("in one of several parts", () => {
    const text = given(parts("one", shown(rsa.lines, listing), "two", `three\n${shown(rsa.lines, listing)}`));
    expect(told(text, rsa.body)).toEqual([]);
    expect(text).toMatch(/one.*two.*three/);
  });

  it("divided between parts, as far as without anything before its lines", () => {
    for (let at = 1; at < rsa.lines.length; at++) {
      const [first, second] = [rsa.lines.slice(0, at), rsa.lines.slice(at)];
      const expected = told(given(parts(shown(first, plain), shown(second, plain))), rsa.body);
      expect(told(given(parts(shown(first, listing), shown(second, listing, at + 1))), rsa.body)).toEqual(expected);
    }
  });
});
