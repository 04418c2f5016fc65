import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRegexEngine } from "../../../facts/regex.ts";
import { DigestCache } from "../../../facts/secrets/cache.ts";
import { isSecret } from "../../../facts/secrets/checks.ts";
import { expandExample } from "../../../facts/secrets/examples.ts";
import { scannerOf } from "../../../facts/secrets/scan.ts";
import { Selection } from "../../../facts/secrets/selection.ts";
import { detectors } from "../../../facts/secrets/table.ts";
import { limits } from "../../../schema/limits.ts";
import { cleanSamples, scannerFor, secretSamples } from "./made.ts";

const scanner = scannerFor(["secrets/*"]);
const root = join(import.meta.dirname, "../../..");

describe("texts without a secret", () => {
  it.each([
    ["a UUID", "id 123e4567-e89b-12d3-a456-426614174000, key: 123e4567-e89b-12d3-a456-426614174000"],
    ["hashes", expandExample("sha1 {h40} sha256:{h64} md5={h32}")],
    [
      "placeholders",
      "api_key: YOUR_API_KEY\ntoken=<token>\nsecret: ${SECRET}\npassword: changeme\nkey = xxxxxxxxxxxxxxxxxxxx",
    ],
    ["example keys", "AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
    ["minified code", 'var t=e.token,n=r(27);!function(e){e.secret=n.key||"";var i=t?t.password:null}(this);'],
    ["types", "interface A { token: string; apiKey?: string; password: Password1 }"],
    ["versions", "react@18.2.0 token-types@5.0.1 keyv@4.5.3"],
    ["a card number, without the group that knows it", "4539148803436467"],
  ])("%s", (_, text) => expect(scanner.find(text)).toEqual([]));

  it("nothing in the sources of this repository, its lock file and its documents", () => {
    const allowed = /^(?:\[REDACTED|ghp_0123456789abcdef)/;
    const found: string[] = [];
    // The lint that finds a key in a policy needs examples with one.
    const showing = new Set(["compiler/lint/units/secret-in-policy.ts", "docs/reference/codes/HW640.md"]);
    for (const file of sources(root).filter((name) => !showing.has(name))) {
      const text = readFileSync(join(root, file), "utf8");
      for (const { start, end, detector } of scanner.find(text)) {
        if (!allowed.test(text.slice(start, end))) found.push(`${file}: ${detector}`);
      }
    }
    expect(found).toEqual([]);
  });
});

const skipped = new Set(["node_modules", "dist", "test", "policies", "examples.ts", "examples-more.ts"]);

function sources(folder: string, under = ""): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith(".") || skipped.has(entry.name)) return [];
    const path = join(under, entry.name);
    if (entry.isDirectory()) return sources(folder, path);
    return /\.(?:ts|json|md|ya?ml)$/.test(entry.name) ? [path] : [];
  });
}

const piece = fc.oneof(
  fc.constantFrom(...secretSamples, ...cleanSamples),
  fc.constantFrom(...detectors.flatMap(({ keywords }) => keywords)),
  fc.constantFrom(" ", "\n", "=", ": ", "é", "😀", '"', "[REDACTED:x]", "a".repeat(700), "\\n", "%41"),
);
const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));

describe("scanning in windows", () => {
  const engine = createRegexEngine();
  it("finds what each pattern finds over the whole text", () => {
    const full = detectors.map((detector) => {
      const regex = engine.compile(detector.pattern);
      if ("kind" in regex) throw new Error(regex.message);
      return { detector, regex, scanner: scannerOf(engine, Selection.of([detector])) };
    });
    fc.assert(
      fc.property(text, (whole) => {
        for (const { detector, regex, scanner: own } of full) {
          const matches = regex.matches(whole);
          // A row that takes no path for a secret need not run where a path is assigned: such a match may be parted.
          const spans = matches
            .filter(({ groups }) => !(detector.noPath && groups[1]?.startsWith("/")))
            .flatMap(({ start, end }) => [start, end]);
          const together = own.survey(whole).together;
          const seen = new Set<string>();
          for (let i = 0; i < together.length; i += 2) seen.add(`${together[i]} ${together[i + 1]}`);
          for (let i = 0; i < spans.length; i += 2) {
            expect([detector.id, seen.has(`${spans[i]} ${spans[i + 1]}`)]).toEqual([detector.id, true]);
          }
          const secrets = matches.filter(({ groups }) => isSecret(detector, groups[1] ?? "", (groups[2] ?? "") !== ""));
          const found = own.find(whole);
          for (const { start, end } of secrets) {
            expect(found.some((one) => one.start < end && start < one.end)).toBe(true);
          }
        }
      }),
      { numRuns: 40 },
    );
  });
  it("redacting again comes to an end: what a token sets free is found the next time", () => {
    fc.assert(
      fc.property(text, (whole) => {
        let redacted = whole;
        let passes = 0;
        for (
          let next = scanner.redact(whole);
          next !== redacted && passes < 8;
          passes++, next = scanner.redact(redacted)
        )
          redacted = next;
        expect(scanner.find(redacted)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
  it("withholds a text over the bound", () => {
    const long = "a ".repeat(limits.scanLength / 2 + 1);
    expect(scanner.redact(long)).toBe("[REDACTED:unscanned]");
  });
  it("treats a row that the engine refuses as one that matches everything", () => {
    const refused = scannerOf(
      { ...engine, compile: () => ({ kind: "regex_error", message: "no" }) },
      Selection.of(detectors),
    );
    expect(refused.redact(expandExample("a ghp_{A36}"))).not.toContain("ghp_");
  });
});

describe("DigestCache", () => {
  it("makes a value once for each digest", () => {
    const cache = new DigestCache<number>();
    let made = 0;
    const make = (): number => ++made;
    expect([cache.get("a", make), cache.get("a", make), cache.get("b", make)]).toEqual([1, 1, 2]);
    cache.clear();
    expect([cache.get("a", make), cache.size]).toEqual([3, 1]);
  });
  it("forgets the least recently used over its bounds", () => {
    const cache = new DigestCache<string>({ maxEntries: 2, maxWeight: 10 });
    const weigh = (value: string): number => value.length;
    const get = (digest: string, value: string): string => cache.get(digest, () => value, weigh);
    get("a", "1");
    get("b", "2");
    get("a", "-");
    get("c", "3");
    expect([get("a", "new"), get("b", "new")]).toEqual(["1", "new"]);
    get("d", "12345678");
    expect(cache.size).toBe(1);
    expect([get("e", "x".repeat(11)), cache.size]).toEqual(["x".repeat(11), 1]);
  });
});
