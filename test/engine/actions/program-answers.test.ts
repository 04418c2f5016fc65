import { describe, expect, it } from "vitest";
import { type ProgramVerdict, readAnswer } from "../../../engine/program-answer.ts";
import type { EventName } from "../../../schema/events.ts";
import { limits } from "../../../schema/limits.ts";
import type { ProgramAnswer, Protocol } from "../../../schema/ports.ts";
import { answer, json } from "./engine.ts";

/** What an answer comes to on a deciding event, in one word where it is an outcome; else what went wrong. */
type Gives = Partial<ProgramVerdict>;

const block = (reason: string): Gives => ({ outcome: "block", reason });
const closes = (why: RegExp): Gives => ({ failed: expect.stringMatching(why) });
const recorded = (why: RegExp): Gives => ({ errors: [expect.stringMatching(why)] });
const nothing: Gives = {};
const beside = "the program printed text beside its answer";
const proto = answer({ stdout: '{"updatedInput":{"__proto__":{"a":1},"constructor":2,"prototype":3,"command":"ls"}}' });

/** Protocol, answer, on a deciding event, on any other. Source: semantics section 2, `run`. */
const rows: [Protocol, string, ProgramAnswer, Gives, Gives][] = [
  ["json", "no output", answer(), nothing, nothing],
  ["json", "white space only", answer({ stdout: " \n" }), nothing, nothing],
  ["json", "an empty object", json({}), nothing, nothing],
  ["json", "allow", json({ decision: "allow" }), { outcome: "allow" }, { outcome: "allow" }],
  ["json", "approve", json({ decision: "approve" }), { outcome: "allow" }, { outcome: "allow" }],
  ["json", "ask", json({ decision: "ask", reason: "sure?" }), { outcome: "ask", reason: "sure?" }, { outcome: "ask" }],
  ["json", "block", json({ decision: "block", reason: "no" }), block("no"), block("no")],
  ["json", "deny", json({ decision: "deny" }), { outcome: "block" }, { outcome: "block" }],
  ["json", "null as no opinion", json({ decision: null, updatedInput: null }), nothing, nothing],
  ["json", "an unknown decision", json({ decision: "maybe" }), closes(/not known/), recorded(/not known/)],
  ["json", "a decision that is no text", json({ decision: 1 }), closes(/not known/), recorded(/not known/)],
  ["json", "a decision in capitals", json({ decision: "ALLOW" }), closes(/not known/), recorded(/not known/)],
  ["json", "text that is no JSON", answer({ stdout: "allow" }), closes(/JSON object/), recorded(/JSON object/)],
  ["json", "JSON after noise", answer({ stdout: 'x {"decision":"allow"}' }), closes(/JSON/), recorded(/JSON/)],
  ["json", "JSON that was cut", answer({ stdout: '{"decision":"allow"' }), closes(/JSON/), recorded(/JSON/)],
  ["json", "a list", json([]), closes(/JSON object/), recorded(/JSON object/)],
  ["json", "null", json(null), closes(/JSON object/), recorded(/JSON object/)],
  [
    "json",
    "JSON that is nested without end",
    answer({ stdout: `{"updatedInput":{"a":${"[".repeat(9000)}${"]".repeat(9000)}}}` }),
    closes(/JSON object/),
    recorded(/JSON object/),
  ],
  [
    "json",
    "context",
    json({ additionalContext: "mind the gap" }),
    { context: "mind the gap" },
    { context: "mind the gap" },
  ],
  [
    "json",
    "updatedInput",
    json({ updatedInput: { command: "ls" } }),
    { input: { command: "ls" } },
    { input: { command: "ls" } },
  ],
  [
    "json",
    "updatedInput that is no object",
    json({ updatedInput: "ls" }),
    closes(/updatedInput/),
    recorded(/updatedInput/),
  ],
  [
    "json",
    "updatedInput that is a list",
    json({ updatedInput: ["ls"] }),
    closes(/updatedInput/),
    recorded(/updatedInput/),
  ],
  [
    "json",
    "a decision below the prototype",
    answer({ stdout: '{"__proto__":{"decision":"allow"}}' }),
    nothing,
    nothing,
  ],
  [
    "json",
    "another exit code",
    answer({ exit_code: 1, stdout: '{"decision":"allow"}' }),
    closes(/exit code 1/),
    recorded(/exit code 1/),
  ],

  ["exit_code", "0", answer({ stdout: '{"decision":"block"}' }), nothing, nothing],
  [
    "exit_code",
    "1 with stderr",
    answer({ exit_code: 1, stderr: "not now\n", stdout: "x" }),
    block("not now"),
    recorded(/not now/),
  ],
  ["exit_code", "1 with stdout only", answer({ exit_code: 1, stdout: "out" }), block("out"), recorded(/out/)],
  [
    "exit_code",
    "3 in silence",
    answer({ exit_code: 3 }),
    block("the program ended with exit code 3"),
    recorded(/code 3/),
  ],

  ["claude", "0", answer({ stdout: "all is well" }), nothing, nothing],
  ["claude", "1", answer({ exit_code: 1, stderr: "x" }), recorded(/exit code 1/), recorded(/exit code 1/)],
  ["claude", "2", answer({ exit_code: 2, stderr: "no" }), block("no"), recorded(/no/)],
  ["claude", "3", answer({ exit_code: 3 }), recorded(/exit code 3/), recorded(/exit code 3/)],
  ["claude", "JSON", json({ decision: "block", reason: "no" }), block("no"), block("no")],
  [
    "claude",
    "hookSpecificOutput",
    json({
      hookSpecificOutput: {
        permissionDecision: "deny",
        permissionDecisionReason: "no",
        additionalContext: "c",
        updatedInput: { command: "ls" },
      },
    }),
    { ...block("no"), context: "c", input: { command: "ls" } },
    { ...block("no"), context: "c", input: { command: "ls" } },
  ],
  ["claude", "defer", json({ hookSpecificOutput: { permissionDecision: "defer" } }), nothing, nothing],
  [
    "claude",
    "a wrong word",
    json({ hookSpecificOutput: { permissionDecision: "block!" } }),
    closes(/not known/),
    recorded(/not known/),
  ],
  ["claude", "continue: false", json({ continue: false, stopReason: "enough" }), block("enough"), block("enough")],
  [
    "claude",
    "JSON with noise behind it",
    answer({ stdout: '{"decision":"block"} done' }),
    { outcome: "block", errors: [beside] },
    { outcome: "block", errors: [beside] },
  ],
  [
    "claude",
    "JSON with noise before it",
    answer({ stdout: 'Welcome back\n{"decision":"block","reason":"no"}' }),
    { ...block("no"), errors: [beside] },
    { ...block("no"), errors: [beside] },
  ],
  [
    "claude",
    "an allow with noise before it",
    answer({ stdout: 'checking { and [\n{"decision":"allow"}' }),
    { outcome: "allow", errors: [beside] },
    { outcome: "allow", errors: [beside] },
  ],
  [
    "claude",
    "a refusal, then an approval",
    answer({ stdout: '{"decision":"deny","reason":"no"}\n{"decision":"allow","reason":"yes"}' }),
    block("no"),
    block("no"),
  ],
  [
    "claude",
    "half a decision after noise",
    answer({ stdout: 'Welcome\n{"decision":"deny"' }),
    closes(/cannot be read/),
    recorded(/cannot be read/),
  ],
  [
    "claude",
    "half a decision beside an approval",
    answer({ stdout: '{"decision":"deny"\n{"decision":"allow"}' }),
    closes(/cannot be read/),
    recorded(/cannot be read/),
  ],
  ["claude", "JSON that begins and is none", answer({ stdout: "{oops" }), closes(/JSON/), recorded(/JSON/)],
  ["claude", "another program's JSON", answer({ stdout: '{"mail":3}' }), nothing, nothing],
  [
    "claude",
    "more than is read",
    answer({ stdout: "x".repeat(limits.programAnswer) }),
    closes(/more than is read/),
    recorded(/more than is read/),
  ],

  ["opta", "0", answer({ stdout: '{"decision":"block"}' }), nothing, nothing],
  ["opta", "1", answer({ exit_code: 1, stderr: "cancelled" }), block("cancelled"), recorded(/cancelled/)],
  ["opta", "2", answer({ exit_code: 2, stderr: "cancelled" }), block("cancelled"), recorded(/cancelled/)],
  ["opta", "a time-out", answer({ exit_code: null, timed_out: true }), recorded(/too long/), recorded(/too long/)],
  ["opta", "a signal", answer({ exit_code: null }), block("the program was ended by a signal"), recorded(/signal/)],
  ["opta", "a signal, with its reason", answer({ exit_code: null, stderr: "no\n" }), block("no"), recorded(/signal/)],
];
for (const protocol of ["json", "exit_code", "claude"] as const)
  rows.push(
    [protocol, "a time-out", answer({ exit_code: null, timed_out: true }), closes(/too long/), recorded(/too long/)],
    [protocol, "a signal", answer({ exit_code: null }), closes(/signal/), recorded(/signal/)],
  );
/** What was heard before a program ended in another way than well. */
const ends: [string, Partial<ProgramAnswer>][] = [
  ["a time-out", { exit_code: null, timed_out: true }],
  ["a signal", { exit_code: null }],
  ["exit code 1", { exit_code: 1 }],
];
for (const protocol of ["json", "claude"] as const)
  for (const [how, end] of ends) {
    const said = (stdout: string) => answer({ ...end, stdout });
    const why = /too long|signal|exit code 1/;
    rows.push(
      [
        protocol,
        `a refusal before ${how}`,
        said('hm {"decision":"deny","reason":"no"}'),
        { ...block("no"), errors: [expect.stringMatching(why)] },
        recorded(why),
      ],
      [protocol, `half a refusal before ${how}`, said('{"decision":"deny"'), closes(/cannot be read/), recorded(why)],
      [
        protocol,
        `an approval before ${how}, which counts for nothing`,
        said('{"decision":"allow"}'),
        protocol === "claude" && how === "exit code 1" ? recorded(why) : closes(why),
        recorded(why),
      ],
    );
  }
for (const protocol of ["json", "exit_code", "claude", "opta"] as const) {
  const refused = answer({ exit_code: null, refused: "no digest" });
  rows.push([protocol, "not run", refused, closes(/not run: no digest/), recorded(/not run: no digest/)]);
}

const read = (given: ProgramAnswer, protocol: Protocol, event: EventName) => readAnswer(given, protocol, event);

describe("an answer by its protocol", () => {
  it.each(rows)("%s: %s", (protocol, _name, given, deciding, other) => {
    const exact = (gives: Gives) => ({ errors: [], ...gives });
    for (const event of ["tool_call", "input", "session_before_switch", "stop"] as const)
      expect(read(given, protocol, event), event).toEqual(exact(deciding));
    for (const event of ["tool_result", "context", "agent_end"] as const)
      expect(read(given, protocol, event), event).toMatchObject(exact(other));
  });

  it("keys that would reach a prototype are left out, and said", () => {
    const { input, errors } = read(proto, "json", "tool_call");
    expect(Object.entries(input ?? {})).toEqual([["command", "ls"]]);
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(errors).toEqual([
      "`__proto__` of `updatedInput` is ignored",
      "`constructor` of `updatedInput` is ignored",
      "`prototype` of `updatedInput` is ignored",
    ]);
  });

  it("a reason shows what is hidden in it", () => {
    const hidden = json({ decision: "block", reason: "\u001b[2Jfine\u202e" });
    expect(read(hidden, "json", "tool_call").reason).toBe("\\u{1b}[2Jfine\\u{202e}");
  });
});
