import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../engine/canonical.ts";
import { ChainVerifier, checkLine, firstPrev, recordLine, sealBytes, sealRecord } from "../../engine/chain.ts";
import type { AuditBody } from "../../schema/generated.ts";

function body(id: string, extra: Partial<AuditBody> = {}): AuditBody {
  return {
    v: 1,
    event: "tool_call",
    id,
    time: "2026-01-01T00:00:00.000Z",
    host: "pi",
    session: "s",
    agent: "main",
    event_digest: "sha256:00",
    outcome: "block",
    answered: "rule",
    rule: "p/r",
    reason: "because",
    matched: [],
    would: [],
    transforms: [],
    errors: [],
    observations: {},
    policy_digest: "sha256:11",
    engine: "0.1.0",
    tables: {},
    ...extra,
  };
}

function chain(bodies: readonly AuditBody[]): string[] {
  let prev = firstPrev;
  return bodies.map((b, seq) => {
    const record = sealRecord(b, { seq, prev, written: "2026-01-01T00:00:00.001Z", mono: 3, pid: 7, latency_us: 12 });
    prev = record.seal.hash;
    return recordLine(record);
  });
}

/** Splits bytes the way a file reader does. */
function verify(bytes: Uint8Array) {
  const verifier = new ChainVerifier();
  let start = 0;
  for (let at = bytes.indexOf(10, start); at >= 0; at = bytes.indexOf(10, start)) {
    verifier.push(bytes.subarray(start, at));
    start = at + 1;
  }
  if (start < bytes.length) verifier.push(bytes.subarray(start), false);
  return verifier.report();
}

const lines = chain([body("a"), body("b", { reason: "zwei\n\ud800 é 😀" }), body("c"), body("d")]);
const file = Buffer.from(lines.map((line) => `${line}\n`).join(""), "utf8");

describe("the bytes of a record", () => {
  it("are those of its line, whatever is in it and however long it is", () => {
    const texts = fc.constantFrom("", "a", "é", "…", "😀", "\ud800", '"', "\n", "x".repeat(40_000), "…".repeat(40_000));
    fc.assert(
      fc.property(
        fc.array(texts, { maxLength: 4 }),
        fc.nat(),
        fc.constantFrom(firstPrev, "sha256:é"),
        (parts, seq, prev) => {
          const given = body(parts.join(""), { reason: parts.join("|") });
          const link = { seq, prev, written: "2026-01-01T00:00:00.001Z", mono: 3, pid: 7, latency_us: 12 };
          const { seal, bytes } = sealBytes(canonicalJson(given), link);
          expect(Buffer.compare(bytes, Buffer.from(`${recordLine({ body: given, seal })}\n`, "utf8"))).toBe(0);
          expect(checkLine(bytes.subarray(0, -1))).toMatchObject({ ok: true });
        },
      ),
    );
  });
});

describe("ChainVerifier", () => {
  it("finds an untouched chain intact and names its head", () => {
    const report = verify(file);
    expect(report).toMatchObject({ status: "intact", records: 4, problem: undefined });
    expect(report.head).toBe((JSON.parse(lines[3] as string) as { seal: { hash: string } }).seal.hash);
  });

  it("detects any changed bit of any byte", () => {
    fc.assert(
      fc.property(fc.nat(file.length - 1), fc.nat(7), (at, bit) => {
        const changed = Buffer.from(file);
        changed[at] = (changed[at] as number) ^ (1 << bit);
        expect(verify(changed).status).not.toBe("intact");
      }),
      { numRuns: 1500 },
    );
  });

  it("detects every byte that is removed", () => {
    for (let at = 0; at < file.length; at++) {
      const cut = Buffer.concat([file.subarray(0, at), file.subarray(at + 1)]);
      expect(verify(cut).status, `byte ${at}`).not.toBe("intact");
    }
  });

  const rebuilt: readonly [string, (string | undefined)[], number][] = [
    ["a removed first record", [lines[1], lines[2], lines[3]], 1],
    ["a removed record in the middle", [lines[0], lines[2], lines[3]], 2],
    ["a repeated record", [lines[0], lines[1], lines[1], lines[2]], 3],
    ["two records that changed places", [lines[0], lines[2], lines[1], lines[3]], 2],
    ["a blank line", [lines[0], "", lines[1]], 2],
    ["other spacing of a record", [lines[0], (lines[1] as string).replace('"v":1', '"v": 1')], 2],
    ["a byte order mark", [`\ufeff${lines[0]}`], 1],
    ["a key beside body and seal", [(lines[0] as string).replace(/^\{/, '{"a":1,')], 1],
    ["a repeated key", [(lines[0] as string).replace('"body":{', '"body":{"agent":"other",')], 1],
    ["JSON that is no record", ["[]", "null"], 1],
  ];
  it.each(rebuilt)("detects %s at its line", (_, parts, line) => {
    const report = verify(Buffer.from(parts.map((part) => `${part}\n`).join(""), "utf8"));
    expect(report.status).toBe("altered");
    expect(report.problem?.line).toBe(line);
  });

  it("detects a record from another chain with the right number", () => {
    const other = chain([body("x"), body("y")]);
    expect(verify(Buffer.from(`${lines[0]}\n${other[1]}\n`)).problem).toMatchObject({ line: 2, seq: 1 });
  });

  it("tells a torn last line from an altered one, at every length", () => {
    const start = file.length - (lines[3] as string).length - 1;
    for (let end = start + 1; end < file.length; end++) {
      expect(verify(file.subarray(0, end))).toMatchObject({ status: "incomplete", records: 3 });
    }
  });

  it("names the first altered record, not a torn tail behind it", () => {
    const changed = Buffer.from(file.toString("utf8").replace("because", "becausE").slice(0, -5), "utf8");
    expect(verify(changed)).toMatchObject({ status: "altered", problem: { line: 1, seq: 0 } });
  });

  it("counts a line over the bound as altered", () => {
    const verifier = new ChainVerifier();
    verifier.push(lines[0] as string);
    verifier.pushOversized();
    expect(verifier.report()).toMatchObject({ status: "altered", records: 1, problem: { line: 2 } });
  });
});

describe("a chain that goes on", () => {
  it("is checked from the record before it on", () => {
    const first = checkLine(lines[1] as string);
    const after = first.ok ? first.record.seal : { seq: 0, hash: "" };
    const verifier = new ChainVerifier(after);
    for (const line of lines.slice(2)) verifier.push(line);
    expect(verifier.report()).toMatchObject({ status: "intact", records: 2 });
    const moved = new ChainVerifier(after);
    moved.push(lines[3] as string);
    expect(moved.report()).toMatchObject({ status: "altered", records: 0, head: after.hash });
  });
});

describe("checkLine", () => {
  const [line = ""] = chain([body("a", { view: { "10": 1, "9": 2, b: [1.5, -1e-7], text: "\u{1F600}\u2028" } })]);
  it("finds a line sound whose keys look like numbers", () => {
    expect(checkLine(line)).toMatchObject({ ok: true });
  });

  it.each<[string, (text: string) => string]>([
    ["white space", (text) => text.replace(":", ": ")],
    ["white space at the end", (text) => `${text} `],
    ["another order of keys", (text) => text.replace('"10":1,"9":2', '"9":2,"10":1')],
    ["a key twice", (text) => text.replace('"9":2', '"9":2,"9":2')],
    ["an escape that is not needed", (text) => text.replace('"text"', '"\\u0074ext"')],
    ["another spelling of a number", (text) => text.replace("1.5", "1.50")],
    ["an escaped surrogate", (text) => text.replace("\u{1F600}", "\\ud83d\\ude00")],
    ["a lone surrogate", (text) => text.replace("\u{1F600}", "\\ud83d")],
    ["a byte order mark", (text) => `\ufeff${text}`],
    [
      "the hash in another place",
      (text) => text.replace(/("seal":\{)("hash":"[^"]+",)(.*?)\}\}$/, "$1$3,$2}}").replace(",}}", "}}"),
    ],
  ])("finds a line with %s altered", (_, respell) => {
    expect(respell(line)).not.toBe(line);
    expect(checkLine(respell(line))).toMatchObject({ ok: false });
  });
});

describe("sealRecord", () => {
  it("keeps any text on one line that checks", () => {
    const unit = fc.constantFrom("\n", "\r\n", "\ud800", "\udfff", '"', "\\", "{", "\u2028", "\u0000", "x");
    fc.assert(
      fc.property(
        fc.array(unit).map((units) => units.join("")),
        (text) => {
          const [line] = chain([body(text, { reason: text, session: text, view: { [text]: [text] } })]);
          expect(line).not.toContain("\n");
          expect(checkLine(Buffer.from(line as string, "utf8")).ok).toBe(true);
          expect(verify(Buffer.from(`${line}\n`, "utf8")).status).toBe("intact");
        },
      ),
      { numRuns: 200 },
    );
  });

  it("gives another hash for every part of the seal and the body", () => {
    const link = { seq: 0, prev: firstPrev, written: "w", mono: 1, pid: 1, latency_us: 1 };
    const records = [
      sealRecord(body("a"), link),
      sealRecord(body("b"), link),
      sealRecord(body("a"), { ...link, seq: 1 }),
      sealRecord(body("a"), { ...link, prev: "sha256:1" }),
      sealRecord(body("a"), { ...link, written: "x" }),
      sealRecord(body("a"), { ...link, pid: 2 }),
      sealRecord(body("a"), { ...link, latency_us: 2 }),
      sealRecord(body("a"), { ...link, mono: 2 }),
    ];
    expect(new Set(records.map((record) => record.seal.hash)).size).toBe(records.length);
    expect(canonicalJson(records[0])).toBe(canonicalJson(sealRecord(body("a"), link)));
  });
});
