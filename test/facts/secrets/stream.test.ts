import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandExample } from "../../../facts/secrets/examples.ts";
import { createRedactingStream } from "../../../facts/secrets/stream.ts";
import { cleanSamples, scannerFor, secretSamples } from "./made.ts";

const scanner = scannerFor(["secrets/*"]);
/** Few and short rows, so that the stream lets go early and every split is worth something. */
const small = scannerFor(["secrets/github-token", "secrets/aws-access-key", "secrets/private-key", "secrets/jwt"]);
const key = expandExample("ghp_{A36}");
const pem = expandExample("-----BEGIN RSA PRIVATE KEY-----\n{b64}\n{b64}\n{b20}==\n-----END RSA PRIVATE KEY-----");

function stream(text: string, cuts: readonly number[], by = scanner): string {
  const one = createRedactingStream(by);
  let out = "";
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    out += one.push(text.slice(from, cut));
    from = cut;
  }
  return out + one.flush();
}

const filler = "one two three four five\n".repeat(400);

describe("a stream gives out what a scan of the whole gives", () => {
  it.each([
    ["a token", key],
    ["an armoured key", pem],
    ["a web token", expandExample("eyJ{A20}.eyJ{w300}.{w43}")],
    ["an encoded token", Buffer.from(`token: ${key}\n`).toString("base64")],
  ])("%s cut at every place, in two and in three parts", (_, secret) => {
    const text = `${filler}a😀 ${secret} b\n${filler}`;
    const whole = small.redact(text);
    expect(whole).not.toContain(secret);
    const start = filler.length;
    for (let cut = start; cut <= start + secret.length + 8; cut++) {
      expect(stream(text, [cut], small)).toBe(whole);
      expect(stream(text, [cut, cut + 7], small)).toBe(whole);
    }
  });
  it("a token cut at every two places", () => {
    const text = `${filler}a ${key} b\n${filler}`;
    const whole = small.redact(text);
    const [from, to] = [filler.length, filler.length + key.length + 4];
    for (let first = from; first <= to; first++)
      for (let second = first; second <= to; second++) expect(stream(text, [first, second], small)).toBe(whole);
  });
  it.each([
    ["an armoured key", pem],
    ["an encoded token", Buffer.from(`token: ${key}\n`).toString("base64")],
    ["a token in colours", `\u001b[1m${key.slice(0, 9)}\u001b[m${key.slice(9)}`],
  ])("%s cut at two places anywhere", (_, secret) => {
    const text = `${filler}a ${secret} b\n${filler}`;
    const whole = small.redact(text);
    expect(whole).not.toContain(key.slice(9));
    const place = fc.integer({ min: filler.length, max: filler.length + secret.length + 4 });
    fc.assert(
      fc.property(place, place, (one, other) => {
        expect(stream(text, [Math.min(one, other), Math.max(one, other)], small)).toBe(whole);
      }),
      { numRuns: 150 },
    );
  });
  it("character by character", () => {
    const text = `${filler}${key} and ${pem} ${key}\n${filler}`;
    expect(
      stream(
        text,
        Array.from({ length: text.length }, (_, i) => i),
        small,
      ),
    ).toBe(small.redact(text));
  });
  it.each([
    ["before a name, behind a blank", "export ", "DB_PASSWORD='nb6km2fTybuH'"],
    ["before the blanks that a line begins with", "\n    ", "DB_PASSWORD='nb6km2fTybuH'"],
    ["in a word", "EX", "DB_PASSWORD='nb6km2fTybuH'"],
  ])("a line begins where it does in the whole, when the cut is %s", (_, before, after) => {
    const longest = scanner.reach * 12;
    for (const ahead of ["x".repeat(longest), "x ".repeat(longest / 2), `${"x".repeat(longest)}\n`])
      for (const behind of ["x".repeat(longest), " x".repeat(longest / 2)]) {
        const text = `${ahead}${before}${after}${behind}`;
        expect(stream(text, [])).toBe(scanner.redact(text));
      }
  });
  it("where a scan leaves a path out, though a pattern spans it (`noPath`)", () => {
    const name = fc.constantFrom("PWD", "password", "API_KEY", "db_pass", "credentials", "Server=db;pwd", '{"token');
    const sign = fc.constantFrom("=", ": ", '": "', " = '", ":= ", "=\n  ");
    const value = fc.constantFrom(
      "/srv/x1",
      "/Zk3vT9xQ2mW7&rL5nB8",
      "/a/Zk3vT9xQ2mW7,password=Zk3vT9xQ2mW7",
      "Zk3v/T9xQ2mW7",
      "/srv/PWD=Zk3vT9xQ2mW7",
    );
    const assigned = fc
      .tuple(name, sign, value, fc.constantFrom(" ", "\n", '"', ";", ""))
      .map((parts) => parts.join(""));
    const many = fc.array(assigned, { minLength: 1, maxLength: 40 }).map((parts) => parts.join(""));
    const padding = fc.nat(3 * scanner.reach).map((length) => "x ".repeat(length / 2));
    fc.assert(
      fc.property(padding, many, padding, many, fc.array(fc.nat(1e6), { maxLength: 5 }), (...given) => {
        const [ahead, first, between, second, places] = given;
        const text = ahead + first + between + second;
        const cuts = places.map((place) => place % (text.length + 1)).sort((a, b) => a - b);
        expect(stream(text, cuts)).toBe(scanner.redact(text));
      }),
      { numRuns: 100 },
    );
  });
  it("any text in any parts", () => {
    const piece = fc.oneof(
      fc.constantFrom(...secretSamples),
      fc.constantFrom(...cleanSamples),
      fc.constantFrom(" ", "\n", "=", "😀", "\\n", "%3D", '"', "a ".repeat(3_000), "x".repeat(9_000)),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 12 }).map((parts) => parts.join("")),
        fc.array(fc.nat(40_000), { maxLength: 4 }),
        (text, places) => {
          const cuts = places.map((place) => place % (text.length + 1)).sort((a, b) => a - b);
          expect(stream(text, cuts)).toBe(scanner.redact(text));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("what is held back", () => {
  it("is bounded: long text leaves while more is to come", () => {
    const one = createRedactingStream(small);
    let out = "";
    for (let i = 0; i < 20; i++) out += one.push(filler);
    expect(out.length).toBeGreaterThan(filler.length * 15);
    expect(out + one.flush()).toBe(filler.repeat(20));
  });
  it("also of a long line without blanks", () => {
    const one = createRedactingStream(small);
    const text = "abcdefghi,".repeat(20_000);
    const out = one.push(text);
    expect(out.length).toBeGreaterThan(100_000);
    expect(out + one.flush()).toBe(text);
  });
  it("is withheld, with all that follows, when it grows over the bound", () => {
    const one = createRedactingStream(small, { maxHeld: 20_000 });
    const text = `safe\n-----BEGIN RSA PRIVATE KEY-----\n${expandExample("{b64}\n").repeat(1_000)}`;
    const out = one.push(text) + one.push(`${key} tail`);
    expect(one.withheld).toBe(true);
    expect(out + one.flush()).toBe("safe\n[REDACTED:unscanned]");
    expect(one.withheld).toBe(false);
    expect(one.push("next ") + one.flush()).toBe("next ");
  });
  it("does not part the halves of a character", () => {
    const one = createRedactingStream(small);
    const out = Array.from({ length: 9_000 }, () => one.push("\ud83d") + one.push("\ude00"));
    for (const part of out) expect(/^[\ud800-\udbff]|[\ud800-\udbff]$/.test(part) && part.length % 2 === 1).toBe(false);
    expect(out.join("") + one.flush()).toBe("😀".repeat(9_000));
  });
});
