import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinEvent, SessionState } from "../../../engine/session-state.ts";
import type { AuditBody } from "../../../schema/generated.ts";
import { limits } from "../../../schema/limits.ts";
import { seed } from "../../properties/seed.ts";
import { answerBody, body, judged, rulesOf, sequenceOf } from "./bodies.ts";

const windows = rulesOf(
  { "p/seq": sequenceOf(1) },
  { "p/session": { per: "session", limit: 3 }, "p/agent": { per: "agent", limit: 3 } },
);

function stateOf(bodies: readonly AuditBody[]): SessionState {
  const state = new SessionState(windows);
  for (const one of bodies) state.fold(one);
  return state;
}

const of = (session: string, parent?: string) => ({ session, ...(parent !== undefined && { parent }) });
const record = (
  { session, parent }: { session: string; parent?: string },
  state: object = {},
  rest: Partial<AuditBody> = {},
) => body({ ...(parent !== undefined && { parent }), ...state }, { session, ...rest });

/** A parent that has everything a session can have. */
const past = [
  record(of("p"), { at: 100, turn: 2, labels: ["secret"], shadow: ["dim"], steps: [{ rule: "p/seq", items: [0] }] }),
  record(of("p"), {
    spent: [{ rule: "p/session", bucket: "session", amount: 2 }],
    paths: [{ path: "/a", labels: ["x"] }],
  }),
  record(
    of("p"),
    { question: { key: "k", remember: "session" }, once: [{ rule: "p/o", scope: "session" }] },
    { outcome: "ask", id: "q" },
  ),
  { ...answerBody("q", "allow", { key: "k" }), session: "p" },
];

describe("a session with a parent", () => {
  it("starts with all that the parent has come to", () => {
    const view = stateOf(past).view(judged({ id: "c", parent: "p" }));
    expect(view).toMatchObject({ labels: ["secret"], shadowLabels: ["dim"], now: 100, turn: 2, asked: 1 });
    expect(view.calls).toHaveLength(3);
    expect(view.sequenceHolds("p/seq")).toBe(true);
    expect(view.budgetLeft("p/session", "session")).toBe(1);
    expect(view.approval("k")).toEqual({ answer: "allow", by: "user" });
    expect(view.pathLabels("/a/b")).toEqual(["x"]);
    expect(view.delivered({ rule: "p/o", scope: "session" })).toBe(true);
  });

  it("does not see what the parent does after it began; the parent sees its labels and nothing else", () => {
    const state = stateOf([
      ...past,
      record(of("c", "p"), { labels: ["child"] }),
      record(of("p"), { labels: ["later"] }),
    ]);
    expect(state.labels("c")).toEqual(["secret", "child"]);
    expect(state.labels("p")).toEqual(["secret", "child", "later"]);
    expect(state.view(judged({ id: "p" })).calls).toHaveLength(4);
  });

  it("gives its labels to all of its ancestors, those of monitor rules too", () => {
    const state = stateOf([
      record(of("a")),
      record(of("b", "a")),
      record(of("c", "b")),
      record(of("c", "b"), { labels: ["deep"], shadow: ["dim"] }),
    ]);
    for (const id of ["a", "b", "c"]) {
      expect(state.labels(id)).toEqual(["deep"]);
      expect(state.view(judged({ id })).shadowLabels).toEqual(["dim"]);
    }
  });

  it("clears a label for itself alone", () => {
    const state = stateOf([
      record(of("p"), { labels: ["x"] }),
      record(of("c", "p")),
      record(of("c", "p"), { cleared: ["x"] }),
    ]);
    expect(state.labels("c")).toEqual([]);
    expect(state.labels("p")).toEqual(["x"]);
  });

  it("gives labels to a parent that begins later, and to the parent's own parents", () => {
    const state = stateOf([record(of("c", "b"), { labels: ["early"] }), record(of("a")), record(of("b", "a"))]);
    for (const id of ["a", "b"]) expect(state.labels(id)).toEqual(["early"]);
  });

  it("does not begin by labels that it gets", () => {
    const state = stateOf([record(of("p"), { labels: ["x"] })]);
    state.fold(record(of("c"), { labels: ["y"] }, { kind: "note", event: joinEvent }));
    expect(state.labels("c", "p")).toEqual(["x", "y"]);
  });

  it.each([
    ["itself", [record(of("a", "a"), { labels: ["x"] })]],
    ["each other", [record(of("a", "b"), { labels: ["x"] }), record(of("b", "a"), { labels: ["x"] })]],
  ])("that comes from %s is like any other", (_, bodies) => {
    expect(stateOf(bodies).labels("a")).toEqual(["x"]);
  });

  it("keeps its parent from being forgotten while it works", () => {
    const state = stateOf([record(of("p"), { labels: ["x"] })]);
    for (let i = 0; i < limits.sessions + 50; i++) state.fold(record(of(`c${i}`, "p")));
    expect(state.labels("p")).toEqual(["x"]);
    expect(state.data("c0")).toBeUndefined();
  });
});

describe("sub-agents that share a session", () => {
  it("share its state; only budgets of each agent tell them apart", () => {
    const state = stateOf([
      record(
        of("s"),
        { labels: ["x"], spent: [{ rule: "p/agent", bucket: "agent one", amount: 2 }] },
        { agent: "one" },
      ),
      record(of("s"), { spent: [{ rule: "p/session", bucket: "session", amount: 1 }] }, { agent: "two" }),
    ]);
    const view = state.view(judged({ id: "s" }, { agent: { id: "two", depth: 1, type: "" } }));
    expect(view.labels).toEqual(["x"]);
    expect(view.calls.map(({ agent }) => agent)).toEqual(["one", "two"]);
    expect(view.budgetLeft("p/agent", "agent one")).toBe(1);
    expect(view.budgetLeft("p/agent", "agent two")).toBe(3);
    expect(view.budgetLeft("p/session", "session")).toBe(2);
  });
});

describe("state", () => {
  it("is not changed by looking at it", () => {
    const state = stateOf(past);
    state.view(judged({ id: "c", parent: "p" }));
    expect(state.data("c")).toBeUndefined();
    expect(state.labels("unknown")).toEqual([]);
    expect(state.data("unknown")).toBeUndefined();
  });

  it("does not remember records that belong to no session", () => {
    const { state: _, ...malformed } = body({}, { session: "" });
    expect(stateOf([malformed as AuditBody]).data("")).toBeUndefined();
  });

  it("rebuilt from records alone is the same, for any history of sessions", () => {
    const names = fc.constantFrom("a", "b", "c", "__proto__");
    const step = fc.record({
      session: names,
      parent: fc.option(names, { nil: undefined }),
      label: fc.option(fc.constantFrom("x", "y", "z"), { nil: undefined }),
      time: fc.nat(100),
      looks: names,
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const live = new SessionState(windows);
        const written: AuditBody[] = [];
        for (const { session, parent, label, time, looks } of steps) {
          live.view(judged({ id: looks, parent: session }));
          const { now } = live.view(judged({ id: session, ...(parent !== undefined && { parent }) }, { time }));
          const one = record(of(session, parent), { at: now, ...(label !== undefined && { labels: [label] }) });
          written.push(one);
          live.fold(one);
        }
        const rebuilt = stateOf(written);
        for (const id of ["a", "b", "c", "__proto__"]) expect(rebuilt.data(id)).toEqual(live.data(id));
      }),
      { seed },
    );
  });
});
