import { describe, expect, it } from "vitest";
import { createEngine, type EngineOptions } from "../../../runtime.ts";
import { EvaluationError, type SecretAnswer, type SecretRequest } from "../../../schema/ports.ts";
import { compileTexts } from "../../literate/policies.ts";

const value = "correct horse/battery+staple";
const policy = (values: string): string => `version: 1
policy: p
rules:
  - { id: known, event: [tool_result, context, input], action: { redact: { values: ${values} } } }
  - { id: say, event: tool_call, tool: "mcp__a__*", action: block, reason: "not {args.text}" }
`;
const planOf = (values: string) => {
  const { plan, diagnostics } = compileTexts({ "policy.yaml": policy(values) });
  expect(diagnostics).toEqual([]);
  return plan;
};
const plan = planOf("{ env: [DATABASE_URL, OTHER], file: /run/secrets.txt }");

const answer = (request: SecretRequest): SecretAnswer => ({
  values: request.env.includes("DATABASE_URL") ? [{ name: "DATABASE_URL", value }] : [],
  missing: request.env.filter((name) => name !== "DATABASE_URL"),
});
const engine = (options: EngineOptions = {}) => createEngine(plan, { sessionKey: "k", ...options });

const result = (text: string) => ({
  event: "tool_result",
  id: "1",
  session: { id: "s" },
  tool: "bash",
  args: { command: "x" },
  result: { content: [{ type: "text", text }] },
});

describe("values that a rule names", () => {
  it.each([
    ["as they are", value],
    ["in base64", Buffer.from(value).toString("base64")],
    ["in base64url, behind other text", Buffer.from(`ab${value}cd`).toString("base64url")],
    ["in hexadecimal", Buffer.from(value).toString("hex")],
    ["in percent escapes", encodeURIComponent(value)],
    ["in JSON escapes", JSON.stringify(value).replace("/", "\\/")],
  ])("are redacted %s", (_name, text) => {
    const { decision } = engine({ secretValues: answer }).decide(result(`before ${text} behind`));
    const given = JSON.stringify(decision.changes.content);
    expect(given).toContain("[REDACTED:known-value");
    expect(given).toContain("before ");
    expect(given).toContain(" behind");
    expect(given).not.toContain(text);
  });

  it("are redacted in prompts and in the context", () => {
    const given = engine({ secretValues: answer });
    const base = { id: "1", session: { id: "s" } };
    const input = given.decide({ ...base, event: "input", text: `use ${value}`, source: "user" });
    expect(JSON.stringify(input.decision.changes)).toContain("[REDACTED:known-value");
    const messages = [{ role: "user", content: [{ type: "text", text: `use ${value}` }] }];
    const context = given.decide({ ...base, event: "context", messages });
    expect(JSON.stringify(context.decision.changes)).toContain("[REDACTED:known-value");
    expect(JSON.stringify([input, context])).not.toContain(value);
  });

  it("are in no reason and in no record", () => {
    const call = { event: "tool_call", id: "1", session: { id: "s" }, tool: "mcp__a__b", args: { text: value } };
    const { decision, body } = engine({ secretValues: answer }).decide(call);
    expect(decision.reason).toContain("[REDACTED:known-value");
    expect(JSON.stringify({ decision, body })).not.toContain(value);
  });

  it("are read once, when the engine is made, and are no part of the plan", () => {
    const asked: SecretRequest[] = [];
    const read = (request: SecretRequest): SecretAnswer => {
      asked.push(request);
      return answer(request);
    };
    const given = engine({ secretValues: read });
    for (const text of [value, "x", value]) given.decide(result(text));
    expect(asked).toEqual([{ env: ["DATABASE_URL", "OTHER"], file: "/run/secrets.txt" }]);
    expect(JSON.stringify(given.plan)).not.toContain(value);
    expect(given.plan?.digest).toBe(plan?.digest);
  });

  it("of a variable that is not set are put on record by name", () => {
    const { decision } = engine({ secretValues: answer }).decide(result("x"));
    expect(decision.errors.map(({ message }) => message)).toEqual([expect.stringContaining("`OTHER` has no value")]);
    expect(decision.answered).not.toBe("error");
  });

  it("are all missing where nothing reads them, and the record says so", () => {
    const { decision } = engine().decide(result(value));
    expect(decision.errors).toHaveLength(3);
    expect(JSON.stringify(decision.errors)).toContain("/run/secrets.txt");
  });

  it("that are too short to look for are put on record, without the value", () => {
    const secretValues = (): SecretAnswer => ({ values: [{ name: "PIN", value: "1234" }], missing: [] });
    const { decision } = engine({ secretValues }).decide(result("1234"));
    expect(decision.errors.map(({ message }) => message)).toEqual([expect.stringContaining("`PIN` is too short")]);
    expect(JSON.stringify(decision)).not.toContain("1234");
  });

  it("close the engine when a file cannot be read", () => {
    const secretValues = () => new EvaluationError("HW507", "file of secrets `/run/secrets.txt` cannot be read: gone");
    const { decision } = engine({ secretValues }).decide(result("x"));
    expect(decision).toMatchObject({ answered: "error", errors: [{ code: "HW508" }] });
    expect(decision.errors[0]?.message).toContain("/run/secrets.txt");
  });
});

describe("the compiler", () => {
  const codes = (values: string): readonly string[] =>
    compileTexts({ "policy.yaml": policy(values) }).diagnostics.map(({ code }) => code);
  it.each([
    ["nothing named", "{}", "HW102"],
    ["a list", "[A]", "HW102"],
    ["an unknown field", "{ env: [A], files: /x }", "HW101"],
    ["no names", "{ env: [] }", "HW102"],
    ["a value in place of a name", '{ env: ["a b"] }', "HW104"],
    ["a name with a dollar", '{ env: ["$A"] }', "HW104"],
    ["a relative file", "{ file: secrets.txt }", "HW104"],
  ])("refuses %s", (_name, values, code) => {
    expect(codes(values)).toContain(code);
  });
  it.each(["{ env: [A, b_2] }", "{ file: /a/b }", "{ file: 'C:\\a' }", "{ env: [A], file: /a }"])(
    "takes %s",
    (values) => {
      expect(codes(values)).toEqual([]);
    },
  );
});
