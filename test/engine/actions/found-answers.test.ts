import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findAnswers } from "../../../engine/found-answer.ts";

const fields = new Set(["decision", "reason"]);
const find = (output: string) => findAnswers(output, fields);
const answer = '{"decision":"deny","reason":"a } in it, and a \\" too"}';

describe("answers in an output", () => {
  it.each([
    ["alone", answer, ""],
    ["after a banner", `Welcome back\n${answer}`, "Welcome back"],
    ["before a last word", `${answer}\ndone`, "done"],
    ["between words on one line", `a ${answer} b`, "a \n b"],
    ["after brackets of another language", `if (x) { y( "{" \n${answer}`, 'if (x) { y( "{"'],
    ["after half a string", `it said "oops\n${answer}`, 'it said "oops'],
    ["after another program's object", `{"mail":3}\n${answer}`, '{"mail":3}'],
    ["in a list", `[${answer}]`, "[\n]"],
    ["after a byte order mark", `\ufeff${answer}`, ""],
    ["over several lines", JSON.stringify(JSON.parse(answer), undefined, 2), ""],
  ])("are found %s", (_name, output, beside) => {
    const found = find(output);
    expect(found.answers.map((text) => JSON.parse(text))).toEqual([JSON.parse(answer)]);
    expect([found.beside, found.unread]).toEqual([beside, false]);
  });

  it("are given in their order", () => {
    const two = find('{"decision":"deny"}{"reason":"x"} {"other":1}');
    expect(two).toEqual({ answers: ['{"decision":"deny"}', '{"reason":"x"}'], beside: '{"other":1}', unread: false });
  });

  it.each([
    ["cut", '{"decision":"deny"'],
    ["in single quotes", "{'decision': 'deny'}"],
    ["without quotes", "{decision: deny}"],
    ["with a line break in its reason", '{"decision":"deny","reason":"a\nb"}'],
    ["written twice", '"{\\"decision\\":\\"deny\\"}"'],
    ["with a comma too many", '{"decision":"deny",}'],
    ["in the words of Claude Code", '{"hookSpecificOutput":{"permissionDecision":"deny"'],
    ["inside of another object", '{"result":{"decision":"deny"}}'],
    ["with another capital", '{"Decision":"deny"}'],
    ["cut, with the word of Claude Code that stops", '{"continue": false, "stopReason": "fro'],
    ["with the word that stops, in Python", "{'continue': False}"],
    ["in YAML", "reason: no\ndecision: deny\n"],
    ["cut, beside one that can be read", '{"decision":"deny"\n{"decision":"allow"}'],
  ])("that cannot be read are noticed: %s", (_name, output) => {
    expect(find(output).unread).toBe(true);
  });

  it.each([
    ["plain words", "The decision was made: go on. decision pending"],
    ["an object of others", '{"mail":3}'],
    ["what goes on", '{"continue": true}, and continue: false alarm'],
    ["the word in an answer's own text", '{"reason":"set \\"decision\\": \\"deny\\" to refuse"}'],
    ["nothing", ""],
  ])("are not seen in %s", (_name, output) => {
    expect(find(output).unread).toBe(false);
  });

  it("are found whatever stands before and behind them", () => {
    const noise = fc.stringMatching(/^[a-z {}[\]"':,\\\n0-9]{0,60}$/);
    fc.assert(
      fc.property(noise, noise, (before, behind) => {
        const found = find(`${before}\n{"decision":"deny"}\n${behind}`);
        const denies = found.answers.some((text) => JSON.parse(text).decision === "deny");
        return denies || found.unread;
      }),
    );
  });

  it.each([
    ["opening brackets", "{".repeat(65_536)],
    ["objects in objects", '{"a":'.repeat(13_107)],
    ["open strings", '{"'.repeat(32_768)],
    ["half decisions", '{"decision" '.repeat(5_461)],
    ["backslashes", `{"${"\\".repeat(65_000)}`],
  ])("are looked for with bounded work in %s", (_name, output) => {
    expect(find(output).answers).toEqual([]);
  });
});
