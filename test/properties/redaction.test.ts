import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pseudonymOf } from "../../engine/session-key.ts";
import { expandExample } from "../../facts/secrets/examples.ts";
import { textExamples } from "../../facts/text/examples.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { outcome } from "../rules/actions/context.ts";
import { seed } from "./seed.ts";

const key = expandExample("ghp_{A36}");
const pieces = [
  ...Object.values(textExamples).flatMap(({ changed, kept }) => [...changed.map(({ text }) => text), ...kept]),
  key,
  expandExample("AKIA{U16}"),
  "[REDACTED:github-token:0123456789]",
  "[REDACTED:",
  "[\\REDACTED:x:1]",
  "\u200b",
  "\u200d",
  "\ufe0f",
  "\u001b",
  "\u009d",
  "\r",
  "<!--",
  "-->",
  "<",
  ">",
  '"',
  "[",
  "![",
  "](",
  "data:",
  "<div hidden",
  "</div>",
  "password=",
  "\n",
];
const text = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, fc.string({ maxLength: 4 })), { maxLength: 10 })
  .map((parts) => parts.join(""));
const alone = new RegExp(`\\b${key}\\b`);
const pseudonym = pseudonymOf("key", "session");
const anything = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u200b]|<!--/;

describe("redaction of any text", () => {
  it.each(["strip", "mark"])("twice is once, JSON stays JSON, nothing odd is left: %s", (characters) => {
    const parameters = { detectors: ["secrets/*", "text/*"], characters };
    fc.assert(
      fc.property(text, text, (a, b) => {
        const payload = { text: a, details: { [b]: [a, { [a]: b }] }, prompt: JSON.stringify({ [a]: b, b: [a] }) };
        const once = outcome("redact", payload, parameters, { pseudonym });
        if (once instanceof EvaluationError) throw new Error(once.message);
        expect(outcome("redact", once, parameters, { pseudonym })).toBe(once);
        expect(Object.keys(JSON.parse(once.prompt as string) as object)).toHaveLength(
          Object.keys(JSON.parse(payload.prompt) as object).length,
        );
        expect(once.text).not.toMatch(anything);
        expect(once.text).not.toMatch(alone);
      }),
      { seed, numRuns: 400 },
    );
  });
});
