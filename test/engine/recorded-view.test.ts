import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bounded, boundedText } from "../../engine/recorded-view.ts";
import { limits } from "../../schema/limits.ts";
import "../properties/seed.ts";

/** What `bounded` is to come to, written as plainly as it can be: everything is copied and counted, and nothing is looked at before. */
function plainly(given: unknown): unknown {
  let text: number = limits.recordedView;
  let values: number = limits.recordedValues;
  const left = (count: number): string => `[… ${count} left out]`;
  const bound = (one: string): string => {
    const most = Math.max(0, Math.min(limits.recordedText, text));
    text -= Math.min(one.length, most);
    return one.length <= most ? one : boundedText(one, most);
  };
  const list = (items: readonly unknown[], depth: number): unknown[] => {
    const most = limits.recordedItems;
    if (items.length <= most) return items.map((item) => value(item, depth));
    const head = items.slice(0, most / 4).map((item) => value(item, depth));
    const rest = items.slice(-(most - most / 4 - 1)).map((item) => value(item, depth));
    return [...head, left(items.length - head.length - rest.length), ...rest];
  };
  const object = (one: object, depth: number): object => {
    const all = Object.entries(one);
    const kept = all.length <= limits.recordedItems ? all : all.slice(0, limits.recordedItems - 1);
    const name = (key: string, i: number): string =>
      key.length <= limits.interpolated ? key : `${boundedText(key, limits.interpolated)} (${i})`;
    const shown = kept.map(([key, inner], i) => [name(key, i), value(inner, depth)] as const);
    return Object.fromEntries(kept === all ? shown : [...shown, ["…", left(all.length - kept.length)]]);
  };
  const value = (one: unknown, depth: number): unknown => {
    if (typeof one === "string") return bound(one);
    if (typeof one !== "object" || one === null) return one;
    const size = Array.isArray(one) ? one.length : Object.keys(one).length;
    values -= 1 + Math.min(size, limits.recordedItems);
    if (size > 0 && (depth >= limits.recordedDepth || values < 0)) return left(size);
    return Array.isArray(one) ? list(one, depth + 1) : object(one, depth + 1);
  };
  return value(given, 0);
}

describe("bounded", () => {
  const word = fc.constantFrom("", "hello", "x".repeat(300), "y".repeat(limits.recordedText + 1), "😀".repeat(300));
  const part = fc.record({ type: fc.constant("text"), text: word });
  const message = fc.oneof(
    fc.record({ role: fc.constant("user"), content: fc.oneof(word, fc.array(part, { maxLength: 4 })) }),
    fc.record({ role: fc.constant("user"), details: fc.jsonValue({ maxDepth: 12 }) }),
    fc.record({ role: fc.constant("user"), many: fc.constant(Array.from({ length: 70 }, (_, i) => i)) }),
    fc.dictionary(fc.constantFrom("a", "b", "k".repeat(limits.interpolated + 1)), word),
    word,
  );
  const event = fc.record({
    event: fc.constant("context"),
    messages: fc.array(message, { minLength: 0, maxLength: 200 }),
    rest: fc.jsonValue(),
  });

  it("leaves out of a value what it leaves out when everything is counted one by one", () => {
    fc.assert(
      fc.property(event, (given) => {
        expect(JSON.stringify(bounded(given).value)).toBe(JSON.stringify(plainly(given)));
      }),
      { numRuns: 300 },
    );
  });

  it("has messages that are whole as they are, and says that others were left out", () => {
    const messages = Array.from({ length: 100 }, (_, i) => ({ role: "user", content: `message ${i}` }));
    const { value, cut } = bounded({ messages });
    expect(cut).toBe(true);
    const shown = (value as { messages: unknown[] }).messages;
    expect([shown[0], shown.at(-1), shown.length]).toEqual([messages[0], messages[99], limits.recordedItems]);
    expect(shown[0]).toBe(messages[0]);
  });
});
