import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shortName } from "../../../engine/session/bounds.ts";
import { fold } from "../../../engine/session/fold.ts";
import { newSession, noSessionRules, type SessionData } from "../../../engine/session/session.ts";
import { viewOf } from "../../../engine/session/view.ts";
import type { AuditBody } from "../../../schema/generated.ts";
import { limits } from "../../../schema/limits.ts";
import { seed } from "../../properties/seed.ts";
import { answerBody, body, judged, rulesOf, sequenceOf } from "./bodies.ts";

const question = { key: "k", remember: "session" } as const;
const windows = rulesOf(
  { "p/seq": sequenceOf(1), "p/done": sequenceOf(1, { executed: true }) },
  { "p/all": { per: "session", limit: 3 }, "p/done": { per: "session", limit: 3, executed: true } },
);

function folded(bodies: readonly AuditBody[], rules = windows): SessionData {
  const session = newSession();
  for (const one of bodies) fold(session, one, rules);
  return session;
}

const view = (session: SessionData, ...given: Parameters<typeof judged>) => viewOf(session, judged(...given), windows);

describe("fold", () => {
  it.each<[string, readonly AuditBody[], Partial<SessionData>]>([
    ["counts calls", [body(), body()], { count: 2, begun: false }],
    ["takes no other event for a call", [body({}, { event: "turn_start" })], { count: 0, calls: [] }],
    ["takes no note for a call", [body({}, { kind: "note" })], { count: 0 }],
    ["leaves out records without state", [{ ...body(), state: undefined as never }], { count: 0 }],
    ["adds labels once", [body({ labels: ["a", "b"] }), body({ labels: ["b"] })], { labels: ["a", "b"] }],
    ["keeps labels of monitor rules apart", [body({ shadow: ["a"] })], { labels: [], shadowLabels: ["a"] }],
    ["clears what an approval clears", [body({ labels: ["a", "b"] }), body({ cleared: ["a"] })], { labels: ["b"] }],
    ["never goes back in time", [body({ at: 50 }), body({ at: 20 })], { time: 50 }],
    ["never goes back a turn", [body({ turn: 3 }), body({ turn: 2 }), body()], { turn: 3 }],
    ["counts questions", [body({ question }, { outcome: "ask" })], { asked: 1 }],
    ["remembers what was delivered", [body({ once: [{ rule: "p/a", scope: "session" }] })], { onceInSession: ["p/a"] }],
    [
      "forgets what was delivered in an earlier turn",
      [body({ turn: 1, once: [{ rule: "p/a", scope: "turn" }] }), body({ turn: 2 })],
      { onceInTurn: [] },
    ],
    [
      "knows rules of the plan only",
      [body({ steps: [{ rule: "p/gone", items: [0] }], spent: [{ rule: "p/gone", bucket: "session", amount: 1 }] })],
      { chains: new Map(), spending: new Map() },
    ],
    ["knows items of the plan only", [body({ steps: [{ rule: "p/seq", items: [7] }] })], { chains: new Map() }],
  ])("%s", (_, bodies, wanted) => {
    expect(folded(bodies)).toMatchObject(wanted);
  });

  it("joins a call with its result", () => {
    const session = folded([
      body({}, { call_id: "a" }),
      body({}, { call_id: "b" }),
      body({}, { event: "tool_result", call_id: "a" }),
      body({}, { event: "tool_result" }),
    ]);
    expect(session.calls.map(({ id, executed }) => [id, executed])).toEqual([
      ["a", true],
      ["b", false],
    ]);
  });

  it.each(["session_compact", "auto_compaction_start", "session_before_compact", "session_compacting", "session_tree"])(
    "changes nothing at %s",
    (event) => {
      const before = [
        body({ labels: ["a"], turn: 2, steps: [{ rule: "p/seq", items: [0] }], question }, { outcome: "ask" }),
        answerBody("e", "allow"),
      ];
      expect(folded([...before, body({}, { event })])).toEqual(folded(before));
    },
  );

  it("follows append order: what comes first comes first", () => {
    const first = body({ labels: ["a"] }, { tool: "read" });
    const second = body({ labels: ["b"] }, { tool: "write" });
    expect(folded([first, second]).labels).toEqual(["a", "b"]);
    expect(folded([second, first]).labels).toEqual(["b", "a"]);
    expect(folded([second, first]).calls.map(({ tool }) => tool)).toEqual(["write", "read"]);
  });
});

describe("what counts only when executed", () => {
  const counted = {
    steps: ["p/seq", "p/done"].map((rule) => ({ rule, items: [0] })),
    spent: ["p/all", "p/done"].map((rule) => ({ rule, bucket: "session", amount: 1 })),
  };
  const state = (session: SessionData) => {
    const { sequenceHolds, budgetLeft } = view(session);
    return [
      sequenceHolds("p/seq"),
      sequenceHolds("p/done"),
      budgetLeft("p/all", "session"),
      budgetLeft("p/done", "session"),
    ];
  };
  const asked = body({ ...counted, question }, { outcome: "ask", id: "q" });

  it.each<[string, readonly AuditBody[], unknown[]]>([
    ["counts when allowed", [body(counted)], [true, true, 2, 2]],
    ["does not count when blocked", [body(counted, { outcome: "block" })], [true, false, 2, 3]],
    ["waits while a question is open", [asked], [true, false, 2, 3]],
    ["counts with the approval", [asked, answerBody("q")], [true, true, 2, 2]],
    ["counts once", [asked, answerBody("q"), answerBody("q")], [true, true, 2, 2]],
    ["is dropped with a denial", [asked, answerBody("q", "deny"), answerBody("q")], [true, false, 2, 3]],
    ["is dropped with a time-out", [asked, answerBody("q", "timeout")], [true, false, 2, 3]],
    ["does not count for another question", [asked, answerBody("other")], [true, false, 2, 3]],
  ])("%s", (_, bodies, wanted) => {
    expect(state(folded(bodies))).toEqual(wanted);
  });
});

describe("the view of an event", () => {
  it("never lets windows go backwards", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1 }), (times) => {
        const session = newSession();
        let last = 0;
        for (const time of times) {
          const { now } = view(session, {}, { time });
          expect(now).toBeGreaterThanOrEqual(last);
          fold(session, body({ at: now }), noSessionRules);
          last = now;
        }
        expect(session.time).toBe(Math.max(0, ...times));
      }),
      { seed },
    );
  });

  it("takes in the event's own turn and labels, and leaves the session as it is", () => {
    const session = folded([body({ labels: ["a"], turn: 1, once: [{ rule: "p/a", scope: "turn" }] })]);
    const before = structuredClone(session);
    expect(view(session, { labels: ["a", "b"], turn: 2 })).toMatchObject({ labels: ["a", "b"], turn: 2 });
    expect(view(session, { turn: 1 }).delivered({ rule: "p/a", scope: "turn" })).toBe(true);
    expect(view(session, { turn: 2 }).delivered({ rule: "p/a", scope: "turn" })).toBe(false);
    expect(session).toEqual(before);
  });

  it("remembers answers by their key", () => {
    const session = folded([
      body({ question }, { outcome: "ask", id: "q" }),
      answerBody("q", "deny", { key: "k" }),
      body({ question: { key: "n", remember: "never" } }, { outcome: "ask", id: "r" }),
      answerBody("r", "allow", { key: "n", remember: "never" }),
    ]);
    expect(view(session).approval("k")).toEqual({ answer: "deny", by: "user" });
    for (const key of ["n", "other", "__proto__", "constructor"]) expect(view(session).approval(key)).toBeUndefined();
  });
});

describe("memory of a session", () => {
  const odd = [
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "",
    "0",
    "10",
    "9",
    "\u0000",
    "é",
    "a b",
    "\n",
  ];

  it.each(odd)("holds the key %j like any other", (key) => {
    const session = folded([
      body(
        { question: { key, remember: "session" } },
        { outcome: "ask", id: key, call_id: key, agent: key, tool: key },
      ),
      body({ labels: [key], paths: [{ path: `/${key}`, labels: [key] }] }, { event: "tool_result", call_id: key }),
      answerBody(key, "allow", { key }),
    ]);
    expect(session.questions.size).toBe(0);
    expect(view(session).approval(key)).toEqual({ answer: "allow", by: "user" });
    expect(session.labels).toEqual([key]);
    expect(session.calls).toMatchObject([{ id: key, executed: true, tool: key, agent: key }]);
    expect(Object.prototype).not.toHaveProperty("answer");
  });

  it("is bounded under tens of thousands of calls, labels, paths, questions and answers", () => {
    const session = newSession();
    const long = "x".repeat(10_000);
    for (let i = 0; i < 20_000; i++) {
      const state = { labels: [`l${i}`], shadow: [`l${i}`], paths: [{ path: `/d/${i % 50}/${i}`, labels: [`l${i}`] }] };
      const own = { id: `${long}${i}`, call_id: `${long}${i}`, agent: long, tool: long, outcome: "ask" as const };
      fold(session, body({ ...state, question: { key: `k${i}`, remember: "session" } }, own), windows);
      if (i % 2 === 0) fold(session, answerBody(`${long}${i}`, "allow", { key: `k${i}` }), windows);
    }
    expect(session.calls).toHaveLength(limits.calls);
    expect(session.labels).toHaveLength(limits.labels);
    expect(session.shadowLabels).toHaveLength(limits.labels);
    expect(session.paths.size).toBeLessThanOrEqual(limits.labelledPaths);
    expect(session.questions.size).toBe(limits.approvals);
    expect(session.approvals.size).toBe(limits.approvals);
    expect(session.count).toBe(20_000);
    expect(
      Math.max(...session.calls.map(({ id, tool, agent }) => Math.max(id.length, tool.length, agent.length))),
    ).toBeLessThanOrEqual(limits.sessionName);
  });

  it("forgets the oldest question first, whatever its name", () => {
    const session = newSession();
    for (let i = limits.approvals; i >= 0; i--)
      fold(session, body({ question }, { outcome: "ask", id: String(i) }), windows);
    expect(session.questions.has(String(limits.approvals))).toBe(false);
    expect(session.questions.has("0")).toBe(true);
  });

  it("keeps long names apart", () => {
    const long = "x".repeat(1_000);
    expect(shortName(`${long}a`)).not.toBe(shortName(`${long}b`));
    expect(shortName("x".repeat(limits.sessionName))).toBe("x".repeat(limits.sessionName));
    expect(shortName(long).length).toBeLessThanOrEqual(limits.sessionName);
    expect(shortName("\u{1f600}".repeat(500)).isWellFormed()).toBe(true);
  });
});
