import { describe, expect, it } from "vitest";
import { expandExample } from "../../../facts/secrets/examples.ts";
import { createEngine } from "../../../runtime.ts";
import { compileTexts } from "../../literate/policies.ts";

const key = expandExample("ghp_{A36}");
const policy = `version: 1
policy: p
rules:
  - { id: keys, event: [tool_result, context], action: { redact: { detectors: ["secrets/*", "text/*"] } } }
  - { id: say, event: tool_call, tool: "mcp__a__*", action: block, reason: "not {args.text}" }
  - { id: note, event: tool_result, action: { inject: { content: be careful, as: append } } }
`;
const { plan } = compileTexts({ "policy.yaml": policy });
const engine = (sessionKey?: string) => createEngine(plan, sessionKey === undefined ? {} : { sessionKey });
const token = /\[REDACTED:github-token:[0-9a-f]{10}\]/;

const result = (id: string, session: string, text: string) => ({
  event: "tool_result",
  id,
  session: { id: session },
  tool: "bash",
  args: { command: "x" },
  result: { content: [{ type: "text", text }] },
});
const text = (from: ReturnType<typeof engine>, event: object): string =>
  JSON.stringify(from.decide(event).decision.changes.content);

describe("an engine with an install key", () => {
  it("writes the same token all through a session, in another process too", () => {
    const found = token.exec(text(engine("k"), result("1", "s", key)))?.[0];
    expect(found).toMatch(token);
    expect(text(engine("k"), result("2", "s", `again ${key}`))).toContain(found);
    expect(text(engine("k"), result("1", "t", key))).not.toContain(found);
    expect(text(engine("l"), result("1", "s", key))).not.toContain(found);
  });
  it("writes tokens in reasons and records, never the secret", () => {
    const call = { event: "tool_call", id: "1", session: { id: "s" }, tool: "mcp__a__b", args: { text: key } };
    const { decision, body } = engine("k").decide(call);
    expect(decision.reason).toMatch(token);
    expect(decision.reason).toContain(token.exec(text(engine("k"), result("1", "s", key)))?.[0]);
    expect(JSON.stringify({ decision, body })).not.toContain(key);
    expect(body?.reason).toBe(decision.reason);
  });
  it("gives the same bytes for the same event", () => {
    expect(JSON.stringify(engine("k").decide(result("1", "s", key)))).toBe(
      JSON.stringify(engine("k").decide(result("1", "s", key))),
    );
  });
  it("leaves its own tokens and notes of earlier events alone", () => {
    const given = engine("k").decide(result("1", "s", `${key} [policy note 0123456789abcdef]`)).decision.changes;
    const context = {
      event: "context",
      id: "2",
      session: { id: "s" },
      messages: [{ role: "tool_result", content: given.content }],
    };
    expect(JSON.stringify(given.content)).toContain("[\\\\policy note 0123456789abcdef]");
    expect(JSON.stringify(given.content)).toMatch(/\[policy note [0-9a-f]{16}\]/);
    expect(engine("k").decide(context).decision.changes).toEqual({});
  });
});

describe("an engine without one", () => {
  it("names the kind alone", () => {
    expect(text(engine(), result("1", "s", key))).toContain("[REDACTED:github-token]");
  });
});
