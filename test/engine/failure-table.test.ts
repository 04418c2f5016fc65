import { describe, expect, it } from "vitest";
import { type ActionShape, actionShapes } from "../../rules/actions/about.ts";
import { createEngine, type Engine, type EngineOptions } from "../../runtime.ts";
import { type EventName, eventKind, eventNames, isCallEvent } from "../../schema/events.ts";
import type { AuditBody, Decision } from "../../schema/generated.ts";
import { answer, planOf, programs } from "./actions/engine.ts";

/**
 * Semantics section 4 as a table, executed: one case for each action on each event it is possible on and each kind of
 * fault. What must come out stands in `answers` and `outcomes`, in the words of that section.
 */
type Answer = "closes" | "does not apply" | "recorded only";

/** "By action": what an evaluation error in a rule with this action comes to. */
const answers: Readonly<Record<string, Answer>> = {
  block: "closes",
  ask: "closes",
  redact: "closes",
  modify: "closes",
  truncate: "closes",
  drop: "closes",
  "run, on a deciding event": "closes",
  "run, elsewhere": "recorded only",
  "label, a taint": "closes",
  "label, a mark": "recorded only",
  allow: "does not apply",
  inject: "recorded only",
  notify: "recorded only",
  record: "recorded only",
};

/** "By event": the closed outcome. */
type Outcome = "block" | "placeholder" | "withheld" | "goes on";
const outcomes: Readonly<Record<string, Outcome>> = {
  ...Object.fromEntries(eventNames.filter((name) => eventKind(name) === "decide").map((name) => [name, "block"])),
  tool_result: "placeholder",
  context: "withheld",
  before_agent_start: "withheld",
  session_compacting: "withheld",
  resources_discover: "goes on",
  stop: "goes on",
  subagent_stop: "goes on",
  ...Object.fromEntries(eventNames.filter((name) => eventKind(name) === "observe").map((name) => [name, "goes on"])),
};

/** Payloads with everything that their events need; the secret is what must not get through. */
const secret = "SECRET";
const messages = [{ role: "user", content: secret }];
const payloads: Partial<Record<EventName, object>> = {
  tool_call: { tool: "mcp__s__t", args: { text: secret } },
  tool_result: {
    tool: "mcp__s__t",
    args: {},
    result: { content: [{ type: "text", text: secret }], details: { secret } },
  },
  input: { text: secret, source: "user" },
  user_bash: { command: "ls" },
  user_python: { code: "1" },
  before_agent_start: { prompt: secret, messages },
  context: { messages },
  session_compacting: { messages },
  resources_discover: { reason: "startup" },
  session_before_switch: { reason: "new" },
  session_before_fork: { entry_id: "e1" },
  model_select: { model: {}, source: "set" },
  turn_start: { turn_index: 0 },
  turn_end: { turn_index: 0, message: { role: "assistant", content: "x" }, tool_results: [] },
  message_start: { message: { role: "user", content: "x" } },
  message_update: { message: { role: "user", content: "x" } },
  message_end: { message: { role: "user", content: "x" } },
  tool_execution_start: { tool: "mcp__s__t", args: {} },
  tool_execution_update: { tool: "mcp__s__t", args: {} },
  tool_execution_end: { tool: "mcp__s__t", args: {}, result: { content: [] } },
};
const wire = (event: EventName): object => ({ event, id: "e", ...payloads[event] });

/** Actions as a rule may have them, each with the row of `answers` that it is about. */
const written: Readonly<Record<string, (event: EventName) => readonly [row: string, yaml: string][]>> = {
  block: () => [["block", "block"]],
  ask: () => [["ask", "ask"]],
  allow: () => [["allow", "allow"]],
  modify: (event) => [
    [
      "modify",
      `{ modify: { set: { ${{ input: "text", user_bash: "command", user_python: "code", before_agent_start: "prompt" }[event as string] ?? "a"}: x } } }`,
    ],
  ],
  redact: () => [["redact", "{ redact: { patterns: [{ name: x, regex: SECRET }] } }"]],
  truncate: () => [["truncate", "{ truncate: { max_chars: 2 } }"]],
  drop: () => [["drop", "{ drop: { where: { message.role: user } } }"]],
  inject: () => [["inject", "{ inject: { content: hello } }"]],
  run: (event) => [
    [eventKind(event) === "decide" ? "run, on a deciding event" : "run, elsewhere", "{ run: { command: [/bin/x] } }"],
    ["run, elsewhere", "{ run: { command: [/bin/x], background: true } }"],
  ],
  label: () => [
    ["label, a taint", "{ label: { add: [taint] } }"],
    ["label, a mark", "{ label: { add: [mark] } }"],
  ],
  notify: () => [["notify", "{ notify: { message: hello } }"]],
  record: () => [["record", "{ record: { fields: { a: hello } } }"]],
};

const head = "version: 1\npolicy: p\nlabels: { taint: { kind: taint }, mark: { kind: mark } }\nrules:\n";
const policy = (event: EventName, action: string, when: string, mode = "enforce"): string =>
  `${head}  - { id: r, mode: ${mode}, event: ${event}, when: "${when}", action: ${action}, reason: no }\n`;

/** Conditions that fail for every event: a value of the wrong type, a budget that is used up. */
const faults = {
  "HW502, an error in `when`": "int(event) > 3",
  "HW503, a budget used up": "lists.range(400).all(x, lists.range(400).all(y, x + y >= 0))",
} as const;

const answering = programs(() => answer());

function check(decision: Decision, event: EventName, outcome: Outcome, code: string): void {
  expect(decision.errors.map((error) => error.code)).toContain(code);
  expect(decision.errors.find((error) => error.code === code)?.rule).toBe("p/r");
  expect(decision.outcome).toBe(outcome === "block" ? "block" : "allow");
  expect(decision.answered).toBe("error");
  expect(decision.reason).toContain(code);
  expect(decision.rule).toBe("p/r");
  const { changes } = decision;
  if (outcome === "placeholder") {
    expect(changes).toMatchObject({ details: null, structured: null });
    expect(JSON.stringify(changes.content)).toContain(`withheld: could not be checked (${code}, rule p/r)`);
  }
  if (outcome === "withheld") {
    const kept = (payloads[event] as { messages: object[] }).messages.length;
    expect(changes.messages).toHaveLength(kept);
    expect(JSON.stringify(changes)).toContain(`withheld: could not be checked (${code}, rule p/r)`);
    expect(JSON.stringify({ ...payloads[event], ...changes })).not.toContain(secret);
  }
  if (outcome === "placeholder" || outcome === "withheld") expect(JSON.stringify(changes)).not.toContain(secret);
  if (outcome === "block" || outcome === "goes on") expect(changes).toEqual({});
}

interface Case {
  readonly action: string;
  readonly event: EventName;
  readonly row: string;
  readonly yaml: string;
}

const cases: Case[] = Object.entries(actionShapes).flatMap(([action, { events }]: [string, ActionShape]) =>
  events.flatMap((event) => (written[action]?.(event) ?? []).map(([row, yaml]) => ({ action, event, row, yaml }))),
);

describe("the table names every action and every event", () => {
  it("actions", () => {
    expect(Object.keys(written).sort()).toEqual(Object.keys(actionShapes).sort());
    expect([...new Set(cases.map(({ row }) => row))].sort()).toEqual(Object.keys(answers).sort());
  });
  it("events", () => expect(Object.keys(outcomes).sort()).toEqual([...eventNames].sort()));
});

/** True for what a human is asked about instead: whether a refusal holds of a call on which it ran out of steps. */
const isAsked = (code: string, row: string, event: EventName): boolean =>
  code === "HW503" && ["block", "ask"].includes(row) && isCallEvent(event);

describe.each(Object.entries(faults))("%s", (fault, when) => {
  const code = fault.slice(0, 5);
  it.each(cases)("$row on $event: $yaml", async ({ event, row, yaml }) => {
    const engine = createEngine(planOf(policy(event, yaml, when)), { programs: answering });
    const { decision } = await engine.judge(wire(event));
    if (isAsked(code, row, event)) {
      expect(decision.errors).toMatchObject([{ code, rule: "p/r" }]);
      expect(decision).toMatchObject({ outcome: "ask", answered: "rule", rule: "p/r", changes: {} });
      expect(decision.ask?.remember).toBe("never");
    } else if (answers[row] === "closes") check(decision, event, outcomes[event] as Outcome, code);
    else {
      expect(decision.errors).toMatchObject([{ code, rule: "p/r" }]);
      expect(decision).toMatchObject({ outcome: "allow", changes: {} });
      expect(decision.answered).not.toBe("error");
    }
  });
});

describe("a rule in monitor mode closes nothing", () => {
  it.each(cases)("$row on $event: $yaml", async ({ event, yaml }) => {
    const text = policy(event, yaml, faults["HW502, an error in `when`"], "monitor");
    const { decision } = await createEngine(planOf(text), { programs: answering }).judge(wire(event));
    expect(decision).toMatchObject({ outcome: "allow", changes: {} });
    expect(decision.answered).not.toBe("error");
  });
});

/** Faults of the world around the engine, each closing every event, and whether a record can be made of it. */
const broken: Readonly<Record<string, { readonly code: string; readonly options: () => EngineOptions }>> = {
  "facts that throw": {
    code: "HW506",
    options: () => ({ files: { lookup: () => fail("disk"), readText: () => fail("disk") } }),
  },
  "a store that throws, where the audit is required": {
    code: "HW509",
    options: () => ({ store: { append: () => fail("full") } }),
  },
};

function fail(message: string): never {
  throw new Error(message);
}

describe("the world around the engine fails", () => {
  const asking = (event: EventName): string =>
    eventKind(event) === "decide" && event === "tool_call"
      ? `${head}  - { id: r, event: tool_call, each: { r: effects.reads }, when: { r.path: { glob: "/vault/**" } }, action: block, reason: no }\n`
      : `${head}  - { id: r, event: ${event}, action: { record: {} } }\n`;

  it("facts that throw: HW506, closed", () => {
    const engine = createEngine(planOf(asking("tool_call")), broken["facts that throw"]?.options());
    const { decision } = engine.decide({ event: "tool_call", tool: "bash", args: { command: "cat notes" } });
    expect(decision).toMatchObject({ outcome: "block", answered: "error", errors: [{ code: "HW506" }] });
  });

  it.each(eventNames)("a store that throws, required: HW509 on %s", (event) => {
    const engine = createEngine(planOf(asking(event)), { store: { append: () => fail("full") } });
    const { decision } = engine.decide(wire(event));
    expect(decision).toMatchObject({ answered: "error", errors: [{ code: "HW509" }] });
    expect(decision.outcome).toBe(outcomes[event] === "block" ? "block" : "allow");
    const withheld = ["placeholder", "withheld"].includes(outcomes[event] as string);
    expect(JSON.stringify(decision.changes).includes("withheld")).toBe(withheld);
    expect(JSON.stringify(decision.changes)).not.toContain(secret);
  });

  it.each(eventNames)("a store that throws, best effort: %s goes on and says so", (event) => {
    const text = asking(event).replace("policy: p\n", "policy: p\naudit: { mode: best_effort }\n");
    const { decision } = createEngine(planOf(text), { store: { append: () => fail("full") } }).decide(wire(event));
    expect(decision).toMatchObject({ outcome: "allow", changes: {}, errors: [{ code: "HW509" }] });
  });

  it.each(eventNames.filter((name) => payloads[name] !== undefined && (payloads[name] as object) !== undefined))(
    "a malformed payload of %s: closed, and on record",
    (event) => {
      const bodies: AuditBody[] = [];
      const store = { append: (body: AuditBody) => (bodies.push(body), {} as never) };
      const engine = createEngine(planOf(asking(event)), { store });
      for (const more of [{ id: 7 }, { time: "yesterday" }, { extra: () => 1 }, { extra: 1n }, { extra: new Date() }]) {
        const { decision } = engine.decide({ ...wire(event), ...more });
        expect(decision.answered).toBe("error");
        expect(decision.errors[0]?.code).toMatch(/^HW50[14]$/);
        expect(decision.outcome).toBe(outcomes[event] === "block" ? "block" : "allow");
        expect(JSON.stringify(decision.changes)).not.toContain(secret);
      }
      expect(bodies.map(({ answered }) => answered)).toEqual(Array(5).fill("error"));
    },
  );
});

describe("an error in a text", () => {
  const text = (event: EventName, action: string): string =>
    `${head}  - { id: r, event: ${event}, action: ${action}, reason: "on {environment.branch}" }\n`;
  it.each<[string, string]>([
    ["notify", `{ notify: { message: "on {environment.branch}" } }`],
    ["record", `{ record: { fields: { a: "on {environment.branch}" } } }`],
    ["inject", `{ inject: { content: "on {environment.branch}" } }`],
    ["ask", `{ ask: { prompt: "on {environment.branch}?" } }`],
    ["block", "block"],
  ])("of %s reads unavailable, and changes no outcome", (_name, action) => {
    const { decision, body } = createEngine(planOf(text("tool_call", action))).decide(wire("tool_call"));
    expect(JSON.stringify([decision, body])).toContain("on (unavailable)");
    expect(decision.errors).toEqual([]);
  });
  it("of `modify` closes, for it would be put into the call", () => {
    const action = `{ modify: { set: { a: "on {environment.branch}" } } }`;
    const { decision } = createEngine(planOf(text("tool_call", action))).decide(wire("tool_call"));
    check(decision, "tool_call", "block", "HW502");
  });
  it("of a condition over messages withholds the message that it failed on", () => {
    const action = `{ drop: { where: "int(message.text) > 3" } }`;
    const two = {
      event: "context",
      messages: [...messages, { role: "user", content: "7" }, { role: "user", content: "2" }],
    };
    const { decision } = createEngine(planOf(text("context", action))).decide(two);
    expect(decision.outcome).toBe("allow");
    expect(decision.changes.messages).toMatchObject([
      { content: [{ text: expect.stringMatching(/^\[withheld/) }] },
      { content: "2" },
    ]);
  });
});

describe("a program that is refused", () => {
  const refusing = programs(() => answer({ exit_code: null, refused: "it has no digest" }));
  it.each(cases.filter(({ action, row }) => action === "run" && row !== "run, elsewhere"))(
    "closes $event",
    async ({ event, yaml }) => {
      const text = policy(event, yaml, "true");
      const { decision } = await createEngine(planOf(text), { programs: refusing }).judge(wire(event));
      check(decision, event, outcomes[event] as Outcome, "HW513");
      expect(decision.errors[0]?.message).toContain("it has no digest");
    },
  );
  it.each(
    cases.filter(
      ({ action, yaml, row }) => action === "run" && row === "run, elsewhere" && !yaml.includes("background"),
    ),
  )("is recorded on $event", async ({ event, yaml }) => {
    const text = policy(event, yaml, "true");
    const { decision } = await createEngine(planOf(text), { programs: refusing }).judge(wire(event));
    expect(decision).toMatchObject({ outcome: "allow", changes: {}, errors: [{ code: "HW513", rule: "p/r" }] });
  });
});

/** Things that are no events; nothing of them may get out but as the closed answer. */
function garbage(): [string, unknown][] {
  const cycle: Record<string, unknown> = { event: "tool_call", tool: "bash" };
  cycle["args"] = { cycle };
  const deep: Record<string, unknown> = {};
  let at = deep;
  for (let n = 0; n < 20_000; n++) at = at["a"] = {} as Record<string, unknown>;
  const handler = {
    get: () => fail("get"),
    ownKeys: () => fail("keys"),
    getOwnPropertyDescriptor: () => fail("own"),
    getPrototypeOf: () => fail("proto"),
  };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const getter = Object.defineProperty({ event: "tool_call", tool: "bash" }, "args", {
    enumerable: true,
    get: () => fail("getter"),
  });
  return [
    ["undefined", undefined],
    ["null", null],
    ["a number", 7],
    ["text", "tool_call"],
    ["a symbol", Symbol("tool_call")],
    ["a function", () => ({ event: "tool_call" })],
    ["a list", [{ event: "tool_call" }]],
    ["a proxy that throws", new Proxy({}, handler)],
    ["a proxy deep inside", { event: "tool_call", tool: "bash", args: { command: new Proxy({}, handler) } }],
    ["a proxy of a list", { event: "context", messages: new Proxy([], handler) }],
    ["a revoked proxy", revoked.proxy],
    ["a getter", getter],
    ["a cycle", cycle],
    ["too deep", { event: "tool_call", tool: "mcp__s__t", args: deep }],
    ["too many values", { event: "tool_call", tool: "mcp__s__t", args: { all: new Array(600_000).fill(0) } }],
    ["an endless list", { event: "context", messages: Object.assign([], { length: 4_294_967_295 }) }],
    ["`__proto__` as a key", JSON.parse('{"event":"tool_call","tool":"bash","__proto__":{"args":{"command":"ls"}}}')],
    ["an inherited event", Object.create({ event: "tool_call", tool: "bash" })],
    [
      "a class",
      new (class Event {
        event = "tool_call";
      })(),
    ],
    ["an event nobody knows", { event: "no_such_event" }],
    ["a name from the prototype", { event: "constructor" }],
    ["a tool from the prototype", { event: "tool_call", tool: "__proto__", args: {} }],
    ["lone surrogates", { event: "tool_call", tool: "\ud800", args: { "\udfff": "\ud800" }, id: "\ud800" }],
  ];
}

describe("deciding is total", () => {
  const text =
    `${head}  - { id: r, event: [tool_call, context], action: [block, { label: { add: [taint] } }, { notify: { message: "{event}" } }], reason: no }\n`.replace(
      "[tool_call, context]",
      "tool_call",
    );
  const engines: [string, Engine][] = [
    ["with a policy", createEngine(planOf(text), { programs: answering })],
    ["without a plan", createEngine(undefined)],
  ];
  it.each(engines.flatMap(([name, engine]) => garbage().map(([what, given]) => [what, name, engine, given] as const)))(
    "%s, %s: an answer that lets nothing through",
    async (_what, _name, engine, given) => {
      for (const { decision } of [engine.decide(given), await engine.judge(given)]) {
        const listed =
          typeof given === "object" && given !== null && JSON.stringify(decision.changes).includes("messages");
        expect(decision.outcome === "block" || listed || decision.errors.length > 0).toBe(true);
        expect(() => JSON.stringify(decision)).not.toThrow();
      }
    },
  );

  it("without any policy nothing is looked at", async () => {
    for (const [, given] of garbage()) {
      expect(createEngine([]).decide(given).decision.outcome).toBe("allow");
      expect((await createEngine([]).judge(given)).decision.outcome).toBe("allow");
    }
  });
});
