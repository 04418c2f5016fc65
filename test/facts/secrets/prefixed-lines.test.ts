import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactionToken } from "../../../facts/secrets/scan.ts";
import { createRedactingStream } from "../../../facts/secrets/stream.ts";
import { seed } from "../../properties/seed.ts";
import { type Listing, listings, longKey, type MadeKey, madeKeys, madeUp, shown, told } from "./listings.ts";
import { scannerFor } from "./made.ts";

const scanner = scannerFor(["secrets/*"]);
const plain: Listing = (_, text) => text;
const ways = Object.entries(listings);
const tokens = ["secrets/private-key", "secrets/putty-key"].map(redactionToken);
const dashes = "-".repeat(5);
const head = `${dashes}BEGIN PRIVATE KEY${dashes}`;
const end = `${dashes}END PRIVATE KEY${dashes}`;
const rsa = madeKeys[1] as MadeKey;

describe.each(ways)("a key that is shown with something before each line: %s", (_, listing) => {
  it.each(madeKeys.map((key) => [key.name, key] as const))("%s", (_name, key) => {
    const redacted = scanner.redact(`one two\n${shown(key.lines, listing)}\nlast words`);
    expect(told(redacted, key.body)).toEqual([]);
    expect(redacted).toMatch(/^one two\n/);
    expect(redacted).toMatch(/\nlast words$/);
    expect(tokens.some((token) => redacted.includes(token))).toBe(true);
  });

  it("is found as far as without it, if its end is cut off", () => {
    for (const key of madeKeys)
      for (let count = 1; count < key.lines.length; count++) {
        const lines = key.lines.slice(0, count);
        const cut = scanner.redact(`${shown(lines, listing)}\nlast words`);
        const expected = told(scanner.redact(lines.join("\n")), key.body);
        expect(told(cut, key.body)).toEqual(expected);
        expect(cut).toMatch(/\nlast words$/);
      }
  });

  it("is found as far as without it, if its last line is cut", () => {
    const [first, second, third] = rsa.body as [string, string, string];
    for (let length = 16; length < third.length; length++) {
      const cut = scanner.redact(
        shown([head, first, second, third.slice(0, length)], listing).replace(/[^\w+/=]+$/, ""),
      );
      expect(told(cut, [first, second, third.slice(0, length)])).toEqual([]);
    }
  });

  it("is left as it is, as without it, if its beginning is cut off", () => {
    const rest = rsa.lines.slice(3);
    expect(scanner.find(rest.join("\n"))).toEqual([]);
    expect(scanner.find(shown(rest, listing, 4))).toEqual([]);
  });

  it("streams as it is scanned", () => expect(streamed(listing)).toEqual(Array(5).fill(whole(listing))));
});

const before = "one two three\n".repeat(300);
const behind = "\nfour five".repeat(600);
const few = scannerFor(["secrets/private-key"]);

function whole(listing: Listing): string {
  return few.redact(before + shown(longKey.lines, listing) + behind);
}

/** Output of streams that receive the same text in parts of several sizes. */
function streamed(listing: Listing): string[] {
  const text = before + shown(longKey.lines, listing) + behind;
  return [61, 511, 961, 1_411, 1_861].map((size) => {
    const stream = createRedactingStream(few);
    let out = "";
    for (let at = 0; at < text.length; at += size) out += stream.push(text.slice(at, at + size));
    return out + stream.flush();
  });
}

describe("a key of lines that are not all alike", () => {
  it("in a diff that changes it", () => {
    const [old, now] = [madeKeys[2] as MadeKey, madeUp("another", 70)];
    const [first = "", ...rest] = old.lines;
    const lines = [
      ` ${first}`,
      ` ${rest[0]}`,
      ...rest.slice(1, -1).map((line) => `-${line}`),
      `+${now}`,
      ` ${rest.at(-1)}`,
    ];
    const redacted = scanner.redact(`@@ -1,8 +1,4 @@\n${lines.join("\n")}\n`);
    expect(told(redacted, [...old.body, now])).toEqual([]);
  });
  it("behind another one that is cut off", () => {
    for (const [, listing] of ways) {
      const text = shown([...rsa.lines.slice(0, 9), ...rsa.lines.slice(0, 9), ...rsa.lines], listing);
      expect(told(scanner.redact(text), rsa.body)).toEqual([]);
    }
  });
  it("behind the first lines of others", () => {
    const lines = [`${dashes}BEGIN X${dashes}`, head, head, ...rsa.lines.slice(1)];
    for (const [, listing] of ways) expect(told(scanner.redact(shown(lines, listing)), rsa.body)).toEqual([]);
  });
  it("behind words that differ, if its last line is there", () => {
    const words: Listing = (line, text) => `${madeUp(`word ${line}`, 7)} → ${text}`;
    for (const key of madeKeys.slice(0, 4)) expect(told(scanner.redact(shown(key.lines, words)), key.body)).toEqual([]);
    expect(streamed(words)).toEqual(Array(5).fill(whole(words)));
    expect(told(whole(words), longKey.body)).toEqual([]);
  });
  it("inside JSON that is shown so", () => {
    for (const [, listing] of ways) {
      const text = JSON.stringify({ stdout: shown(rsa.lines, listing), code: 0 });
      expect(told(scanner.redact(text), rsa.body)).toEqual([]);
    }
  });
  it("in a list of lines", () => {
    for (const [name, listing] of ways.filter(([, way]) => !way(1, "").includes("\n")))
      for (const gap of ["", " "]) {
        const lines = rsa.lines.map((text, i) => JSON.stringify(listing(i + 1, text)));
        const text = `{"lines":[${lines.join(`,${gap}`)}],"n":1}`;
        expect([name, told(scanner.redact(text), rsa.body)]).toEqual([name, []]);
        expect(told(scanner.redact(text.slice(0, text.length / 2)), rsa.body.slice(0, 9))).toEqual([]);
      }
  });
  it("in a line of its own each, numbered as a whole", () => {
    const lines = [
      "{",
      '  "type": "service_account",',
      `  "private_key": "${rsa.lines.join("\\n")}\\n",`,
      '  "a": 1',
      "}",
    ];
    for (const [, listing] of ways) expect(told(scanner.redact(shown(lines, listing)), rsa.body)).toEqual([]);
  });
});

describe("listings that nobody looked at", () => {
  const word = fc.constantFrom("a", "key", "src/a.b", "[info]", "pod/x-1", "é", "日本", "▏", "$", "<t>", "x@y.example");
  const digits =
    (width: number, first: number): Listing =>
    (line) =>
      String(first + line).padStart(width, line % 2 ? " " : "0");
  const field: fc.Arbitrary<Listing> = fc.oneof(
    word.map(
      (text): Listing =>
        () =>
          text,
    ),
    fc.tuple(fc.nat(7), fc.nat(2_000)).map(([width, first]) => digits(width, first)),
    fc.constant<Listing>((line) => `2031-12-0${1 + (line % 9)} 1${line % 10}:00`),
  );
  const gap = fc.constantFrom(" ", "\t", ": ", " | ", ":", "|", "  ", "→", "│", ") ", "] ", " - ", "» ", ";", "#");
  const listing = fc.array(fc.tuple(field, gap), { minLength: 1, maxLength: 4 }).map(
    (fields): Listing =>
      (line, text) =>
        fields.map(([one, sign]) => one(line, "") + sign).join("") + text,
  );
  const key = fc.constantFrom(...madeKeys);

  it("hide no key, whole or cut off", () => {
    fc.assert(
      fc.property(listing, key, fc.nat(100), (way, one, count) => {
        const whole = scanner.redact(`one\n${shown(one.lines, way)}\nlast`);
        expect(told(whole, one.body)).toEqual([]);
        const lines = one.lines.slice(0, 2 + (count % one.lines.length));
        const cut = scanner.redact(shown(lines, way));
        expect(told(cut, one.body)).toEqual(told(scanner.redact(lines.join("\n")), one.body));
      }),
      { seed, numRuns: 300 },
    );
  });
  it("hide no base64 of a key in lines", () => {
    fc.assert(
      fc.property(listing, fc.constantFrom(64, 76), (way, width) => {
        const lines = wrapped(rsa.lines.join("\n"), width);
        expect(told(scanner.redact(shown(lines, way)), lines)).toEqual([]);
      }),
      { seed, numRuns: 100 },
    );
  });
});

function wrapped(text: string, width: number): string[] {
  return Buffer.from(text)
    .toString("base64")
    .match(new RegExp(`.{1,${width}}`, "g")) as string[];
}

describe("base64 and hexadecimal in lines", () => {
  // A number in a line of its own is like text of such a run.
  const one = ways.filter(([name]) => name !== "sed =");
  it.each(one)("%s", (_, listing) => {
    const secret = rsa.lines.join("\n");
    const base64 = wrapped(secret, 76);
    expect(told(scanner.redact(`one\n${shown(base64, listing)}\nlast words`), base64)).toEqual([]);
    const hex = Buffer.from(secret)
      .toString("hex")
      .match(/.{1,60}/g) as string[];
    expect(told(scanner.redact(`one\n${shown(hex, listing)}\nlast words`), hex)).toEqual([]);
  });
  it("is left as it is without a secret", () => {
    const data = Array.from({ length: 40 }, (_, i) => madeUp(`data ${i}`, 76));
    for (const [, listing] of ways) expect(scanner.find(shown(data, listing))).toEqual([]);
  });
});

describe("no alarm", () => {
  const random = madeUp("other", 44);
  it.each([
    ["a first line alone", [head]],
    ["first and last line", [head, end]],
    [
      "lines of a program",
      [`const head = "${head}";`, `const end = "${end}";`, "export const isKey = text.includes(head);"],
    ],
    ["words after it", [head, "a line of words", random, end]],
    ["a value of another name", [`pem: "${head}",`, `digest: "${random}",`]],
    [
      "a list of marks",
      [`"${head}",`, `"${dashes}BEGIN RSA PRIVATE KEY${dashes}",`, "];", `const hash = sha256("${random}")`],
    ],
    ["a placeholder", [head, "(key)", end]],
    ["points in its place", [head, "...", end]],
    ["a path after it", [head, "see src/components/settings/forms"]],
    ["a certificate", [`${dashes}BEGIN CERTIFICATE${dashes}`, random, random, `${dashes}END CERTIFICATE${dashes}`]],
    ["a public key", [`${dashes}BEGIN PUBLIC KEY${dashes}`, random, `${dashes}END PUBLIC KEY${dashes}`]],
  ])("%s", (_, lines) => {
    for (const [, listing] of ways.filter(([name]) => name !== "code, numbered"))
      expect(scanner.find(shown(lines, listing))).toEqual(scanner.find(shown(lines, plain)));
    expect(scanner.find(shown(lines, plain))).toEqual([]);
  });
  it("for the lines behind a key that is cut off", () => {
    const lines = [
      ...rsa.lines.slice(0, 4),
      "const aLongNameWithoutAnyBlank = anotherLongNameWithoutAny",
      "ls src/one/two/three",
    ];
    for (const [, listing] of ways) {
      const redacted = scanner.redact(shown(lines, listing));
      expect(redacted).toContain("aLongNameWithoutAnyBlank = ");
      expect(redacted).toContain("ls src/one/two/three");
    }
  });
});
