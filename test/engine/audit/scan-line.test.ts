import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanLine } from "../../../engine/audit/scan-line.ts";
import { canonicalJson, sha256 } from "../../../engine/canonical.ts";
import { checkLine, domain, firstPrev, sealLine } from "../../../engine/chain.ts";
import { recordBody } from "../../audit/trail.ts";

const link = { seq: 12, written: "2026-01-01T00:00:00.000Z", mono: 3, pid: 7, latency_us: 12, prev: firstPrev };
const lineOf = (extra: object) => sealLine(canonicalJson({ ...recordBody("sé", "e"), ...extra }), link).line;
const scan = (line: string) => scanLine(Buffer.from(line, "utf8"), domain);

/** A line with a body spelled as given, and the hash that it ought to have, if it were one. */
function spelled(body: string): string {
  const rest = `"latency_us":12,"mono":3,"pid":7,"prev":"${firstPrev}","seq":12,"written":"2026-01-01T00:00:00.000Z"}}`;
  const hash = sha256(`${domain}{"body":${body},"seal":{${rest}`);
  return `{"body":${body},"seal":{"hash":"${hash}",${rest}`;
}

describe("scanLine", () => {
  it("takes what is written for ordinary records, and says where it stands", () => {
    const line = lineOf({ view: { a: [1, -2, 0, true, false, null, 'x\n"\\é😀', {}, []], b: {} } });
    const found = scan(line);
    expect(found).toMatchObject({ seq: 12, prev: firstPrev });
    const [start, end] = found?.session ?? [0, 0];
    expect(Buffer.from(line, "utf8").subarray(start, end).toString("utf8")).toBe('"sé"');
  });

  it.each([
    ["a space", '{"a": 1}'],
    ["keys out of order", '{"b":1,"a":1}'],
    ["a key twice", '{"a":1,"a":1}'],
    ["a key and a shorter one after it", '{"aa":1,"a":1}'],
    ["an escape that is not needed", '{"a":"\\u0062"}'],
    ["a slash that is escaped", '{"a":"\\/"}'],
    ["a control character as it is", '{"a":"\u0001"}'],
    ["a lone surrogate's escape", '{"a":"\\ud800"}'],
    ["a fraction", '{"a":1.0}'],
    ["an exponent", '{"a":1e3}'],
    ["a leading zero", '{"a":01}'],
    ["a zero below zero", '{"a":-0}'],
    ["a plus", '{"a":+1}'],
    ["a comma too many", '{"a":[1,]}'],
    ["a bracket that closes a brace", '{"a":[1}}'],
    ["no value", '{"a":}'],
    ["a word", '{"a":nul}'],
    ["a list for the body", "[1]"],
    ["a text for the body", '"a"'],
  ])("does not take %s", (_name, body) => {
    expect(scan(spelled(body))).toBeUndefined();
    expect(checkLine(spelled(body)).ok).toBe(false);
  });

  it.each([
    ["a number with a fraction", { view: 1.5 }],
    ["a long number", { view: 2 ** 53 }],
    ["a key outside ASCII", { view: { é: 1 } }],
    ["a key with an escape", { view: { "\n": 1 } }],
    ["a control character", { reason: "\u0001" }],
    ["great depth", { view: JSON.parse(`${"[".repeat(80)}${"]".repeat(80)}`) }],
  ])("leaves %s to the long way, which takes it", (_name, extra) => {
    expect(scan(lineOf(extra))).toBeUndefined();
    expect(checkLine(lineOf(extra)).ok).toBe(true);
  });

  it("leaves a depth that would break the runtime's own writer to the long way, which is not broken by it", () => {
    const deep = spelled(`{"v":${"[".repeat(200_000)}${"]".repeat(200_000)}}`);
    expect(scan(deep)).toBeUndefined();
    expect(checkLine(deep)).toMatchObject({ ok: true });
    expect(checkLine(deep.replace("]}", "] }"))).toMatchObject({ ok: false });
  });

  it("never takes what the long way does not take: changes of one byte", () => {
    const bytes = Buffer.from(lineOf({ view: { a: [1, { b: "x\\y" }] } }), "utf8");
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, byte) => {
        const changed = Buffer.from(bytes);
        changed[at] = byte;
        if (scanLine(changed, domain)) expect(checkLine(changed).ok).toBe(true);
      }),
    );
  });

  it("never takes another spelling, whose hash is made to fit", () => {
    const parts = [
      '{"a":',
      "[",
      "]",
      "}",
      ",",
      '"b":',
      "1",
      "0",
      "-",
      '"',
      "\\",
      "x",
      "n",
      "true",
      " ",
      '"a":',
      "\u0001",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 14 }), (given) => {
        const line = spelled(`{"v":${given.join("")}}`);
        if (scan(line)) expect(checkLine(line).ok).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it("agrees with the long way on any record that is written", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (view) => {
        const found = scan(lineOf({ view }));
        if (found)
          expect(checkLine(lineOf({ view }))).toMatchObject({ ok: true, record: { seal: found && { seq: 12 } } });
      }),
    );
  });
});
