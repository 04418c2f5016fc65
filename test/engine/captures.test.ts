import { describe, expect, it } from "vitest";
import { createEngine } from "../../runtime.ts";
import { compileTexts, withHead } from "../literate/policies.ts";

/** Groups of a `matches` in texts: language section 2. What they print is in the manual; here is what must not change them. */

function planOf(text: string) {
  const { plan, diagnostics } = compileTexts({ "policy.yaml": withHead(text) });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  if (!plan) throw new Error("no plan");
  return plan;
}

function reasonOf(text: string, query: string): string | undefined {
  return createEngine(planOf(text)).decide({ event: "tool_call", tool: "search", args: { query } }).decision.reason;
}

const rule = (id: string, when: string, reason: string): string =>
  `- { id: ${id}, event: tool_call, tool: search, when: ${when}, action: ask, reason: "${reason}" }\n`;

describe("groups in texts", () => {
  const ticket = "{ args.query: { matches: '([A-Z]+)-(\\d+)(x)?' } }";

  it.each([
    ["the whole match", "{match[0]}", '"AB-12"'],
    ["a group", "{match[1]} and {match[2]}", '"AB" and "12"'],
    ["a group that took no part", "{match[3]}", "(unavailable)"],
    ["all of them", "{match}", '"AB-12, AB, 12, (unavailable)"'],
    ["in an expression", "{match[1] + '/' + match[2]}", '"AB/12"'],
    ["beside a macro", "{[1].exists(x, x == 1)} {match[1]}", 'true "AB"'],
  ])("print %s", (_, text, printed) => {
    expect(reasonOf(rule("r", ticket, text), "see AB-12 now")).toBe(printed);
  });

  it("are unavailable where the pattern that held has fewer than another", () => {
    const either = "{ args.query: { matches: ['(AB)', '(\\d+)(x)'] } }";
    expect(reasonOf(rule("r", either, "{match[1]} {match[2]}"), "see AB-12 now")).toBe('"AB" (unavailable)');
  });

  it("are the same whether or not another rule asked for the condition before", () => {
    const head = `version: 1\npolicy: p\nconditions: { ticket: ${ticket} }\nrules:\n`;
    const second = rule("b", "$ticket", "{match[1]}").replace("action: ask", "action: block");
    const texts = [`${head}${second}`, `${head}${rule("a", "$ticket", "a ticket")}${second}`];
    expect(texts.map((text) => reasonOf(text, "AB-12"))).toEqual(['"AB"', '"AB"']);
  });

  it("come from the first `matches` that held, in the order of the condition", () => {
    const either = "{ any: [{ args.query: { matches: '(c)' } }, { args.query: { matches: ['(b)', '(a)'] } }] }";
    expect(reasonOf(rule("r", either, "{match[1]}"), "a b")).toBe('"b"');
  });

  it("are those of the cited element", () => {
    const text = `- id: r
  event: tool_call
  each: { r: effects.reads }
  when: { r.path: { matches: '/srv/([a-z]+)$' } }
  unless: { r.path: { glob: "/srv/open" } }
  action: ask
  reason: "{match[1]}"
`;
    const engine = createEngine(planOf(text));
    const decide = (command: string) =>
      engine.decide({ event: "tool_call", tool: "bash", args: { command } }).decision.reason;
    expect(decide("cat /etc/hosts /srv/open /srv/first /srv/second")).toBe('"first"');
  });

  it("are unavailable where none held, whatever a macro left behind", () => {
    const when = `'["x"].exists(y, y == "x") || args.?query.orValue("").matches("(z)")'`;
    expect(reasonOf(rule("r", when, "{match} {match[0]}"), "q")).toBe("(unavailable) (unavailable)");
  });

  it("pass the detectors as a whole: a piece of a secret is not shown", () => {
    const token = `ghp_${"0123456789abcdefghijABCDEFGHIJ012345"}`;
    const text = rule("r", "{ args.query: { matches: '(token) ghp_(\\w+)' } }", "{match[1]}: {match[2]}");
    expect(reasonOf(text, `my token ${token}`)).toBe('"token": (unavailable)');
    const whole = rule("r", "{ args.query: { matches: '(token .*)' } }", "{match[1]}");
    expect(reasonOf(whole, `my token ${token}`)).toMatch(/^"token \[REDACTED:[^\]]+\]"$/);
  });

  it("are quoted and escaped as other values are", () => {
    expect(reasonOf(rule("r", "{ args.query: { matches: 'a(.)b' } }", "{match[1]}"), 'a"b')).toBe('"\\""');
  });

  it("are collected only for rules whose texts cite them", () => {
    const plan = planOf(
      rule("a", ticket, "{match[1]}") + rule("b", ticket, "{args.query}") + rule("c", ticket, "text"),
    );
    expect(plan.rules.filter((each) => each.id.startsWith("p/")).map((each) => each.captures)).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  it("reach injected text and guidance", () => {
    const engine = createEngine(
      planOf(`- id: r
  event: tool_result
  when: { result.text: { matches: 'warning: (\\w+)' } }
  action: { inject: { content: "seen: {match[1]}", as: append } }
`),
    );
    const result = { content: [{ type: "text", text: "warning: slow" }] };
    const { changes } = engine.decide({ event: "tool_result", tool: "read", args: {}, result }).decision;
    expect(JSON.stringify(changes)).toContain('seen: \\"slow\\"');
  });
});

describe("a text that cites a match where there is none", () => {
  it.each([
    ["no `when`", "- { id: r, event: tool_call, action: ask, reason: '{match[1]}' }\n", /add a `matches` to `when`/],
    ["no `matches`", rule("r", "{ args.query: { contains: x } }", "{match[1]}"), /add a `matches` to `when`/],
    ["in the condition itself", rule("r", `'match[1] == "x"'`, "no"), /only texts/],
  ])("%s: HW301 with help", (_, text, help) => {
    const { plan, diagnostics } = compileTexts({ "policy.yaml": withHead(text) });
    expect(plan).toBeUndefined();
    expect(diagnostics.filter((d) => d.severity === "error")).toMatchObject([
      { code: "HW301", help: expect.stringMatching(help) },
    ]);
  });

  it("a variable of that name is its own", () => {
    const plan = planOf(rule("r", "{ args.query: { contains: x } }", "{['a'].map(match, match)}"));
    expect(plan.rules.find((each) => each.id === "p/r")).not.toHaveProperty("captures");
  });
});
