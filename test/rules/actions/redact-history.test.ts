import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../engine/canonical.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { DigestCache } from "../../../facts/secrets/cache.ts";
import { expandExample } from "../../../facts/secrets/examples.ts";
import { createScanner } from "../../../facts/secrets/scan.ts";
import { createRedact, redact } from "../../../rules/actions/redact.ts";
import { isSettled } from "../../../rules/actions/redact-settled.ts";
import { limits } from "../../../schema/limits.ts";
import { EvaluationError, type Payload, type RegexEngine } from "../../../schema/ports.ts";
import { context } from "./context.ts";

const engine = createRegexEngine();
const key = expandExample("ghp_{A36}");
const parameters = { detectors: ["secrets/*"] };

/** An engine that counts how often a pattern reads a text. */
function counting(): { readonly regex: RegexEngine; reads: number } {
  const counter = {
    reads: 0,
    regex: {
      ...engine,
      compile: (pattern: string) => {
        const compiled = engine.compile(pattern);
        if ("kind" in compiled) return compiled;
        return {
          ...compiled,
          matches: (text: string) => {
            counter.reads += 1;
            return compiled.matches(text);
          },
        };
      },
    },
  };
  return counter;
}

const message = (n: number): object => ({
  role: "tool_result",
  content: [{ type: "text", text: `message ${n} of many, which has a token ${key}${n} and ends here, as all do` }],
});
const turn = (count: number): Payload => ({ messages: Array.from({ length: count }, (_, n) => message(n)) }) as never;

function run(action: typeof redact, payload: Payload, parts: Parameters<typeof context>[0] = {}): Payload {
  const result = action.transform?.(payload, parameters, context(parts));
  if (result === undefined || result instanceof EvaluationError) throw new Error(result?.message ?? "no transform");
  return result;
}

describe("the history of a conversation", () => {
  it("is scanned once: a later turn scans only what is new", () => {
    const counter = counting();
    const action = createRedact(undefined, sha256);
    run(action, turn(1), { regex: counter.regex });
    const one = counter.reads;
    expect(one).toBeGreaterThan(0);
    run(action, turn(20), { regex: counter.regex });
    expect(counter.reads).toBe(20 * one);
    run(action, turn(20), { regex: counter.regex });
    expect(counter.reads).toBe(20 * one);
    run(action, turn(21), { regex: counter.regex });
    expect(counter.reads).toBe(21 * one);
  });

  it("has the same bytes with a memory and without one", () => {
    const action = createRedact(undefined, sha256);
    for (const count of [3, 3, 5]) expect(run(action, turn(count))).toEqual(run(redact, turn(count)));
    expect(JSON.stringify(run(action, turn(5)))).not.toContain(key);
  });

  it("of one session is not that of another", () => {
    const action = createRedact(undefined, sha256);
    const names = (session: string) => (value: string) => sha256(`${session} ${value}`).slice(7);
    const first = run(action, turn(2), { pseudonym: names("a") });
    expect(run(action, turn(2), { pseudonym: names("b") })).not.toEqual(first);
    expect(run(action, turn(2), { pseudonym: names("a") })).toEqual(first);
  });

  it("is remembered for each action by itself, and by the field that holds a text", () => {
    const action = createRedact(undefined, sha256);
    const text =
      "a value of some length that only its name makes a secret: 8fK2, as nobody would write it in prose".repeat(2);
    const named = { messages: [{ role: "user", content: [{ password: text, note: text }] }] } as never;
    expect(run(action, named)).toEqual(run(redact, named));
    const other = { detectors: ["secrets/stripe-key"] };
    const result = action.transform?.(turn(2), other, context());
    run(action, turn(2));
    expect(result).toEqual(redact.transform?.(turn(2), other, context()));
  });

  it("does not remember a text that is withheld", () => {
    const action = createRedact(undefined, sha256);
    const long = { messages: [{ role: "user", content: "x ".repeat(limits.scanLength / 2 + 1) }] } as never;
    for (let i = 0; i < 2; i++)
      expect(action.transform?.(long, parameters, context())).toMatchObject({ code: "HW507" });
  });
});

describe("short texts that come again", () => {
  const names = (session: string) => (value: string) => sha256(`${session} ${value}`).slice(7);
  const forged = `[REDACTED:aws-secret-key:${"0".repeat(10)}]`;
  const word = fc.constantFrom(
    "hunter2hunter2x",
    "a1B2c3D4e5F6g7H8",
    "note",
    "",
    "8:password",
    "user",
    forged,
    "x\u200by",
  );
  const field = fc.constantFrom("password", "note", "text", "type", "role", "1:a", "");
  const part = fc.dictionary(field, word, { maxKeys: 4 });
  const payload = fc.record({ args: part, details: part, messages: fc.array(part, { maxLength: 2 }), text: word });
  const ways = [
    parameters,
    { detectors: ["secrets/*", "text/*"] },
    { detectors: ["secrets/*"], patterns: [{ name: "u", regex: "user", replacement: "someone" }] },
    { detectors: ["secrets/*"], fields: ["details"] },
  ];

  it("are what they are to an action without a memory, in each session and to each redaction", () => {
    const action = createRedact(undefined, sha256);
    fc.assert(
      fc.property(fc.array(payload, { minLength: 1, maxLength: 3 }), (payloads) => {
        for (const given of [...payloads, ...payloads])
          for (const session of ["a", "b"])
            for (const how of ways) {
              const parts = context({ pseudonym: names(session) });
              expect(action.transform?.(given as never, how, parts)).toEqual(
                redact.transform?.(given as never, how, parts),
              );
            }
      }),
      { numRuns: 40 },
    );
  });

  it("are looked at again where a token is ours in one session and made up in the other", () => {
    const action = createRedact(undefined, sha256);
    const shown = (text: string, session: string): unknown =>
      run(action, { text } as never, { pseudonym: names(session) }).text;
    const token = shown(key, "a") as string;
    expect(token).toContain("[REDACTED:");
    expect(shown(token, "a")).toBe(token);
    expect(shown(token, "b")).not.toBe(token);
    expect(shown(token, "a")).toBe(token);
  });
});

describe("DigestCache.keep", () => {
  it("forgets the oldest over its weight, and never counts one twice", () => {
    const cache = new DigestCache<string>({ maxWeight: 10 });
    for (const digest of ["a", "a", "b", "c"]) cache.keep(digest, digest, 4);
    expect([cache.find("a"), cache.find("b")?.value, cache.find("c")?.value]).toEqual([undefined, "b", "c"]);
    cache.keep("d", "d", 11);
    expect(cache.find("d")).toBeUndefined();
  });
});

const scanner = createScanner(engine, ["secrets/*"]);
if (scanner.kind !== "scanner") throw new Error("no scanner");

describe("a long text in which something was replaced", () => {
  const line = "2026-01-01T10:00:00Z INFO request served in 20 ms from the cache\n";
  const lines = line.repeat(3_000);
  const replaced = (edits: readonly { start: number; end: number; text: string }[], text: string) =>
    isSettled(scanner as never, text, edits);

  it("is scanned again only near what was replaced", () => {
    const counter = counting();
    const text = `${`password = hunter2-Xk9q\n${lines}`.repeat(4)}`;
    const result = run(redact, { content: [{ type: "text", text }] } as never, { regex: counter.regex });
    expect(JSON.stringify(result)).not.toContain("hunter2-Xk9q");
    const again = counter.reads;
    run(redact, result, { regex: counter.regex });
    expect(counter.reads - again).toBeLessThanOrEqual(again);
    expect(run(redact, result)).toBe(result);
  });

  it("is not settled while something stands near it", () => {
    const token = "[REDACTED:github-token]";
    const edits = [{ start: lines.length, end: lines.length + 40, text: token }];
    expect(replaced(edits, `${lines}${token}${lines}`)).toBe(true);
    expect(replaced(edits, `${lines}${token} ${key} ${lines}`)).toBe(false);
    expect(replaced(edits, `${lines}${token}${lines}${key}`)).toBe(true);
    expect(replaced(edits, `${"a=b;".repeat(60_000)}${token}${lines}`)).toBe(true);
    expect(replaced([{ start: 5, end: 6, text: token }], token)).toBe(false);
  });

  it("has nothing more to be found in it, wherever it is said to be settled", () => {
    const part = fc.constantFrom(
      key,
      `password=${key}`,
      "password=",
      "=",
      "secret: ",
      "AKIA",
      "\n",
      "token ",
      line,
      "a".repeat(80),
    );
    const filler = fc.nat(40).map((n) => line.repeat(n * 20));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(filler, fc.array(part, { maxLength: 6 })), { minLength: 2, maxLength: 5 }),
        (all) => {
          const text = all.map(([before, parts]) => before + parts.join("")).join("") + lines;
          const once = run(redact, { content: [{ type: "text", text }] } as never);
          const { text: after } = (once.content as { text: string }[])[0] ?? { text: "" };
          expect(scanner.find(after)).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
  });
});
