import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { facts } from "../../../facts/facts.ts";
import { foldCase, foldName } from "../../../facts/tables/case-folding.ts";
import { asciiSkeleton, fullSkeleton } from "../../../facts/tables/confusables.ts";
import { decodeHost, decodePunycode } from "../../../facts/tables/punycode.ts";
import { mixesScripts, scriptOf, scriptsOf } from "../../../facts/tables/scripts.ts";
import { composed, decomposed, isSettled } from "../../../facts/tables/settled.ts";
import { dataVersions } from "../../../facts/versions.ts";
import { createEngine } from "../../../runtime.ts";
import { compileTexts, withHead } from "../../literate/policies.ts";
import { seed } from "../../properties/seed.ts";

const any = fc.string({ unit: "binary", maxLength: 40 });

describe("case folding", () => {
  it.each([
    ["Straße", "strasse"],
    ["STRASSE", "strasse"],
    ["ΑΣ", "ας".replace("ς", "σ")],
    ["ſecret", "secret"],
    ["\u212aey", "key"],
    ["İ", "i\u0307"],
    ["ﬁle", "file"],
    ["\u{10400}", "\u{10428}"],
    ["日本", "日本"],
  ])("folds %j to %j", (text, expected) => expect(foldCase(text)).toBe(expected));

  it("makes names equal that volumes take for one", () => {
    expect(foldName("Ａ\u0301")).toBe(foldName("ａ\u0301"));
    expect(foldName("CAFE\u0301")).toBe(foldName("caf\u00e9"));
    expect(foldName(".ENV")).toBe(".env");
  });

  it("agrees with the platform on letters that have one lower-case form in every context", () => {
    const differ: string[] = [];
    for (let code = 0x80; code < 0x2000; code++) {
      const c = String.fromCodePoint(code);
      const lower = c.toLowerCase();
      const plain = isSettled(c) && foldCase(c).length === 1 && lower.length === 1 && c.toUpperCase().length === 1;
      // Cherokee folds to upper case, and final sigma to sigma.
      if (!plain || c === "ς" || (code >= 0x13a0 && code <= 0x13ff)) continue;
      if (c.toUpperCase().toLowerCase() === lower && foldCase(c) !== lower) differ.push(c);
    }
    expect(differ).toEqual([]);
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(any, (text) => {
        expect(foldCase(foldCase(text))).toBe(foldCase(text));
        expect(foldName(foldName(text))).toBe(foldName(text));
      }),
      { seed, numRuns: 500 },
    );
  });
});

describe("composition", () => {
  it.each([
    ["e\u0301", "é"],
    ["\u1100\u1161", "가"],
    ["plain", "plain"],
  ])("composes %j", (text, expected) => expect(composed(text)).toBe(expected));

  it.each([
    ["a letter of a later version", "\u{105d2}\u0307"],
    ["private use", "\ue000e\u0301"],
    ["a half pair", "\ud800e\u0301"],
  ])("leaves text with %s as it is, since runtimes differ on it", (name, text) => {
    const kept = name === "a half pair" || !isSettled(text);
    expect(kept).toBe(true);
    if (!isSettled(text)) expect(composed(text)).toBe(text);
  });
});

describe("marks on one letter", () => {
  const marked = (count: number): string => `e${"\u0315".repeat(count - 1)}\u0301`;

  it("are ordered as far as names of files have them", () => {
    expect(composed(`x${marked(256)}`)).toBe(`x\u00e9${"\u0315".repeat(255)}`);
  });

  it.each([257, 10_000])("are left as they are where %i of them stand together", (count) => {
    expect(composed(marked(count))).toBe(marked(count));
    expect(decomposed(marked(count))).toBe(marked(count));
  });

  it("are counted anew behind each letter", () => {
    expect(composed(marked(200).repeat(20))).toBe(`\u00e9${"\u0315".repeat(199)}`.repeat(20));
  });
});

describe("skeletons", () => {
  it.each([
    ["p\u0430ypal", "paypal"],
    ["\u0430\u0440\u0440\u04cf\u0435", "appie"],
    ["\u0391dmin", "admin"],
    ["ｇithub", "github"],
    ["𝗀𝗂𝗍hub", "github"],
    ["gіthυb", "github"],
    ["exаmple.com", "example.com"],
    ["Example", "example"],
    ["bücher", "bucher"],
    ["日本", "日本"],
    ["a\u200bb", "ab"],
    // One character that no supported table knows must not hide what the others look like.
    ["\u1e96\u{2ebe1}", "h\u{2ebe1}"],
    ["b\u00fccher\u{2ebe1}", "bucher\u{2ebe1}"],
  ])("%j looks like %j", (text, expected) => expect(asciiSkeleton(text)).toBe(expected));

  it.each([
    ["paypa1", "paypal"],
    ["g00gle", "google"],
    ["exarnple", "example"],
    ["vvikipedia", "wikipedia"],
    ["PAYPAI", "paypal"],
    ["\u0430\u0440\u0440\u04cf\u0435", "apple"],
  ])("%j and %j are one", (a, b) => expect(fullSkeleton(a)).toBe(fullSkeleton(b)));

  it("keeps apart what does not look alike", () => expect(fullSkeleton("github")).not.toBe(fullSkeleton("gitlab")));

  it("is idempotent", () => {
    fc.assert(
      fc.property(any, (text) => {
        expect(asciiSkeleton(asciiSkeleton(text))).toBe(asciiSkeleton(text));
        expect(fullSkeleton(fullSkeleton(text))).toBe(fullSkeleton(text));
      }),
      { seed, numRuns: 500 },
    );
  });
});

describe("punycode", () => {
  it.each([
    ["bcher-kva", "bücher"],
    ["80ak6aa92e", "аррӏе"],
    ["egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"],
    ["ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"],
    ["b1abfaaepdrnnbgefbadotcwatmq2g4l", "почемужеонинеговорятпорусски"],
    ["", ""],
    ["99999999", undefined],
    ["é", undefined],
    ["a".repeat(64), undefined],
  ])("%j stands for %j", (text, expected) => expect(decodePunycode(text)).toBe(expected));

  it.each([
    ["xn--bcher-kva.example", "bücher.example"],
    ["XN--BCHER-KVA.example", "BüCHER.example"],
    ["a.xn--80ak6aa92e.com", "a.аррӏе.com"],
    ["xn--abc-.com", "xn--abc-.com"],
    ["xn--99999999.com", "xn--99999999.com"],
    ["plain.example", "plain.example"],
  ])("decodes %s", (host, expected) => expect(decodeHost(host)).toBe(expected));

  it("decodes what the platform encodes", () => {
    const letters = fc.stringMatching(/^[a-zа-яàéüöñα-ω一二三ا-ي]{1,12}$/);
    fc.assert(
      fc.property(letters, (label) => {
        if (!URL.canParse(`http://a${label}z.example/`)) return;
        const host = new URL(`http://a${label}z.example/`).hostname;
        expect(decodeHost(host)).toBe(decodeHost(decodeHost(host)));
        expect(new URL(`http://${decodeHost(host)}/`).hostname).toBe(host);
      }),
      { seed },
    );
  });
});

describe("scripts", () => {
  it.each([
    ["a", "Latin"],
    ["а", "Cyrillic"],
    ["α", "Greek"],
    ["一", "Han"],
    ["ひ", "Hiragana"],
    ["1", ""],
    ["-", ""],
    ["\u0301", ""],
    ["\u{10ffff}", ""],
  ])("%j is %s", (c, expected) => expect(scriptOf(c.codePointAt(0) as number)).toBe(expected));

  it.each([
    ["paypal", false],
    ["p\u0430ypal", true],
    ["東京tokyoとカ", false],
    ["한국abc漢", false],
    ["abcα", true],
    ["аррӏе", false],
    ["a1-2", false],
  ])("%j mixes scripts: %s", (word, expected) => expect(mixesScripts(word)).toBe(expected));

  it("names the scripts of a word in order", () => expect(scriptsOf("pа1α")).toEqual(["Latin", "Cyrillic", "Greek"]));
});

describe("versions", () => {
  it("name every table, and are what plans and records get", () => {
    expect(facts.versions).toBe(dataVersions);
    expect(Object.keys(dataVersions)).toEqual(
      expect.arrayContaining(["programs", "case_folding", "composition", "confusables", "idna", "scripts"]),
    );
    expect(Object.values(dataVersions).filter((version) => !/^[\w.+-]+$/.test(version))).toEqual([]);
  });

  it("stand in plans and in audit records", () => {
    const { plan } = compileTexts({ "p.yaml": withHead("- { id: a, event: tool_call, action: block, reason: no }") });
    expect(plan?.tables).toEqual(dataVersions);
    const { body } = createEngine(plan).decide({ event: "tool_call", tool: "bash", args: { command: "ls" } });
    expect(body).toMatchObject({ tables: dataVersions });
  });
});
