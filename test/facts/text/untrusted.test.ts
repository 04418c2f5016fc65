import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { boundaryEdits } from "../../../facts/text/boundaries.ts";
import { type CharacterKind, characterEdits } from "../../../facts/text/clean.ts";
import { selectTextDetectors, type TextKind, textDetectors } from "../../../facts/text/detectors.ts";
import { textExamples } from "../../../facts/text/examples.ts";
import { hiddenMarkup } from "../../../facts/text/hidden-html.ts";
import { splice } from "../../../facts/text/splice.ts";
import { Counted, fasterThanLinear } from "../../work.ts";

const readers = { boundaryEdits, characterEdits, hiddenMarkup, splice };

function changed(kind: TextKind, text: string, how: "strip" | "mark", by = readers): string {
  if (kind === "hidden-html") return by.splice(text, by.hiddenMarkup(text).edits);
  if (kind === "boundaries")
    return by.splice(
      text,
      by.boundaryEdits(text, () => false),
    );
  return by.splice(text, by.characterEdits(text, new Set<CharacterKind>([kind]), how));
}

describe.each(textDetectors)("$id", ({ id, kind }) => {
  const { changed: examples, kept } = textExamples[id];
  it("has two examples of each side", () => {
    expect(new Set(examples.map(({ text }) => text)).size).toBeGreaterThanOrEqual(2);
    expect(new Set(kept).size).toBeGreaterThanOrEqual(2);
  });
  it.each(examples.map((example) => [JSON.stringify(example.text), example] as const))("changes %s", (_, example) => {
    expect(changed(kind, example.text, "strip")).toBe(example.strip);
    expect(changed(kind, example.text, "mark")).toBe(example.mark ?? example.strip);
  });
  it.each(examples.map((example) => [JSON.stringify(example.text), example] as const))(
    "twice is once: %s",
    (_, each) => {
      for (const how of ["strip", "mark"] as const) {
        const once = changed(kind, each.text, how);
        expect(changed(kind, once, how)).toBe(once);
      }
    },
  );
  it.each(kept.map((text) => [JSON.stringify(text), text] as const))("leaves %s alone", (_, text) => {
    expect(changed(kind, text, "strip")).toBe(text);
    expect(changed(kind, text, "mark")).toBe(text);
  });
});

describe("characters", () => {
  it("of kinds that are not wanted stay", () => {
    expect(splice("a\u200b\u202e\u001b[1m", characterEdits("a\u200b\u202e\u001b[1m", new Set(["bidi"]), "strip"))).toBe(
      "a\u200b\u001b[1m",
    );
  });
  it("go wherever they stand when it is strict", () => {
    const text = "\ufeff\u{1f468}\u200d\u{1f469} שלום\u200f\r\n";
    expect(splice(text, characterEdits(text, new Set(["invisible", "bidi"]), "strip", true))).toBe(
      "\u{1f468}\u{1f469} שלום\r\n",
    );
  });
  it("in long runs are counted, not listed", () => {
    const text = "\u200b\u200c".repeat(1000);
    const marked = splice(text, characterEdits(text, new Set(["invisible"]), "mark"));
    expect(marked).toBe(`⟨${"U+200B U+200C ".repeat(4)}… 2000 in all⟩`);
  });
});

describe("notes of ours", () => {
  const ours = "[policy note 0123456789abcdef]\nx\n[end of policy note 0123456789abcdef]";
  it("stay", () => {
    expect(boundaryEdits(ours, (given) => given === "0123456789abcdef")).toEqual([]);
    expect(boundaryEdits(ours, () => false)).toHaveLength(2);
  });
});

describe("selectTextDetectors", () => {
  it.each([
    ["text/*", 7],
    ["*", 7],
    ["text/bidi", 1],
    ["text/hidden-*", 1],
    ["*i", 2],
    ["text/*i*i", 1],
    ["text/nope", 0],
    ["text", 0],
    ["secrets/*", 0],
  ])("%s selects %i", (name, count) => expect(selectTextDetectors(name)).toHaveLength(count));
});

describe("work is linear", () => {
  let counted: Counted<typeof readers>;
  beforeAll(() => {
    counted = new Counted(...["boundaries", "clean", "hidden-html", "splice"].map((name) => `facts/text/${name}.ts`));
  });
  afterAll(() => counted.end());
  it.each<[string, TextKind, string]>([
    ["tags without end", "hidden-html", "<a "],
    ["open quotes", "hidden-html", '<a b="'],
    ["open quotes of two kinds", "hidden-html", `<a b="'<a c='"`],
    ["open elements", "hidden-html", "<b hidden "],
    ["nested hidden elements", "hidden-html", "<b hidden><b>"],
    ["open images", "hidden-html", "!["],
    ["open image addresses", "hidden-html", "![](//a?"],
    ["open definitions", "hidden-html", "\n[a"],
    ["data addresses", "hidden-html", "data:"],
    ["comments without end but for a bang", "hidden-html", "<!--x-->"],
    ["open control strings", "ansi", "\u001b]"],
    ["open C1 strings", "ansi", "\u009d1"],
    ["long parameters", "ansi", "\u001b[1;"],
    ["alternating characters", "invisible", "\u200b\u200c"],
    ["open bars", "boundaries", "<|"],
    ["open notes", "boundaries", "[policy note "],
    ["tags of flags", "tags", "\u{1f3f4}\u{e0067}"],
  ])("for %s", (_, kind, unit) => {
    const work = (length: number): number =>
      counted.blocks(() => changed(kind, unit.repeat(length / unit.length), "mark", counted.modules));
    expect(fasterThanLinear(work, 25_000)).toBeUndefined();
  });
  it("and markup that would take more is withheld", () => {
    expect(hiddenMarkup('<a b="'.repeat(50_000)).over || hiddenMarkup("![".repeat(50_000)).over).toBe(true);
  });
});
