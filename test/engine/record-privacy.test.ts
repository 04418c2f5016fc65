import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { canonicalJson, digest } from "../../engine/canonical.ts";
import { ChainVerifier, checkLine, firstPrev, recordLine, sealRecord } from "../../engine/chain.ts";
import { bounded, boundedText, keepOf } from "../../engine/recorded-view.ts";
import { createEngine, type EngineOptions } from "../../runtime.ts";
import type { AuditBody, RecordedPolicy } from "../../schema/generated.ts";
import { limits } from "../../schema/limits.ts";
import { call, home, json, planOf, programs } from "./actions/engine.ts";

/** What stands in the file, and what does not (threats section 3.2, items 1 and 10; issue of the audit trail, part 7). */

// In parts, so that no scanner of sources takes this file for a leak.
const made = (i: number): string => `${"ghp"}_${"a8Kd93mZq0LxPv72RtYw5BnCs4UeHj61Gf"}${String(i).padStart(2, "0")}`;
const secret = made(0);
const known = "correct horse battery staple 7";
const card = ["4539", "1488", "0343", "6467"].join(" ");

const policy = (keep: string | undefined, rules = never): string =>
  `version: 1\npolicy: p\n${keep === undefined ? "" : `audit: { keep: ${keep} }\n`}labels: { seen: { kind: taint } }\nrules:\n${rules}`;
const never = "- { id: never, event: tool_call, when: 'false', action: block, reason: never }";

/** Rules that put what an event says into reasons, notices and the record. */
const telling = [
  ["tool_call", "{args}"],
  ["tool_result", "{result.text}"],
  ["input", "{input.text}"],
  ["user_bash", "{command}"],
  ["user_python", "{code}"],
  ["before_agent_start", "{prompt}"],
]
  .map(([event, text]) => {
    const asks = ["tool_call", "input", "user_bash", "user_python"].includes(event as string) ? "ask, " : "";
    const marks = `{ record: { fields: { a: "${text}" } } }, { notify: { message: "${text}" } }`;
    return `- { id: told-${event?.replaceAll("_", "-")}, event: ${event}, action: [${asks}${marks}]${asks && `, reason: "${text}"`} }`;
  })
  .join("\n");

const options: EngineOptions = {
  sessionKey: "key",
  secretValues: () => ({ values: [{ name: "PASS", value: known }], missing: [] }),
};

async function bodyOf(text: string, event: object, more: EngineOptions = {}): Promise<AuditBody> {
  const { body } = await createEngine(planOf(text), { ...options, ...more }).judge(event);
  if (!body) throw new Error("no body");
  return JSON.parse(canonicalJson(body)) as AuditBody;
}

const write = call("write", { path: "notes.txt", content: `key ${secret}` });

describe("what is kept of an event", () => {
  it.each<[string, string | undefined, object]>([
    [
      "by default a masked view",
      undefined,
      { view: expect.stringMatching(/key \[REDACTED:/), view_masked: true, plain: false },
    ],
    [
      "with `views` the same",
      "views",
      { view: expect.stringMatching(/key \[REDACTED:/), view_masked: true, plain: false },
    ],
    ["with `digests` none", "digests", { view: undefined, view_masked: undefined, plain: false }],
    [
      "with `events` the event whole",
      "events",
      { view: expect.stringContaining(secret), view_masked: undefined, plain: true },
    ],
  ])("%s", async (_, keep, expected) => {
    const body = await bodyOf(policy(keep), write);
    const view = body.view as { args: { content: string } } | undefined;
    const plain = canonicalJson(body).includes(secret);
    expect({ view: view?.args.content, view_masked: body.view_masked, plain }).toEqual(expected);
  });

  it.each<[readonly string[], string]>([
    [["events", "events"], "events"],
    [["events", "views"], "views"],
    [["views", "digests"], "digests"],
    [["digests", "events"], "digests"],
    [[], "digests"],
  ])("of several policies the strictest decides: %j", (keeps, kept) => {
    const plan = planOf(policy(undefined));
    const [first] = plan.policies;
    if (!first) throw new Error("no policy");
    const policies = keeps.map((keep) => ({ ...first, audit: { ...first.audit, keep: keep as "views" } }));
    expect(keepOf({ ...plan, policies })).toBe(kept);
  });

  it.each(["digests", "views"])("`record` keeps the fields that it names, masked, beside %s", async (keep) => {
    const rule = "- { id: r, event: tool_call, action: { record: { fields: { text: '{args.content}' } } } }";
    const body = await bodyOf(policy(keep, rule), write);
    expect(body.recorded?.["p/r"]).toEqual({ text: expect.stringMatching(/^"key \[REDACTED:/) });
    expect(body.view === undefined).toBe(keep === "digests");
  });

  it("a view in which nothing was masked or cut is the event, and says nothing else", async () => {
    const body = await bodyOf(policy("views"), call("write", { path: "a", content: "plain" }));
    expect(body).not.toHaveProperty("view_masked");
    expect(body).not.toHaveProperty("masked");
    expect(digest(body.view)).toBe(body.event_digest);
  });
});

describe("values are masked before anything is hashed", () => {
  const at = (value: string): object => call("write", { path: "a", content: `key ${value}` });

  it("the digest of an event is of what its record may show", async () => {
    const body = await bodyOf(policy("views"), at(secret));
    expect(body.event_digest).toBe(digest(body.view));
    const whole = await bodyOf(policy("events"), at(secret));
    expect(body.event_digest).not.toBe(whole.event_digest);
    expect((await bodyOf(policy("digests"), at(secret))).event_digest).toBe(body.event_digest);
  });

  it("each value is named by a keyed digest: the same in every session, another under another key", async () => {
    const digestOf = async (value: string, session: string, sessionKey: string) =>
      (await bodyOf(policy("views"), { ...at(value), session: { id: session } }, { sessionKey })).masked;
    const [first] = (await digestOf(secret, "s1", "key")) ?? [];
    expect(first).toMatchObject({
      detector: expect.stringMatching(/^secrets\//),
      digest: expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/),
    });
    expect((await digestOf(secret, "s2", "key"))?.[0]?.digest).toBe(first?.digest);
    expect((await digestOf(secret, "s1", "other"))?.[0]?.digest).not.toBe(first?.digest);
    expect((await digestOf(made(1), "s1", "key"))?.[0]?.digest).not.toBe(first?.digest);
    expect(first?.digest).not.toContain(createHash("sha256").update(secret).digest("hex"));
  });

  it("without an install key there are counts and no digests", async () => {
    const { masked } = await bodyOf(policy("views"), at(`${secret} ${made(1)}`), { sessionKey: "" });
    expect(masked).toEqual([{ detector: expect.any(String), count: expect.any(Number) }]);
  });

  it("counts go on where the list of values ends", async () => {
    const many = Array.from({ length: limits.recordedMasks + 20 }, (_, i) => made(i)).join("\n");
    const { masked } = await bodyOf(policy("digests"), at(many));
    expect(masked?.length).toBe(limits.recordedMasks + 1);
    expect(masked?.at(-1)).toEqual({ detector: expect.any(String), count: expect.any(Number) });
    expect(masked?.at(-1)?.count).toBeGreaterThanOrEqual(20);
  });

  it("what the policy redacts is masked in every record, whatever the conditions of its rule", async () => {
    const rule = `- { id: r, event: tool_result, when: 'false', action: { redact: { detectors: ["pii/*"], patterns: [{ name: ticket, regex: "TCK-[0-9]+" }], values: { env: [PASS] } } } }`;
    const body = await bodyOf(policy("views", rule), at(`${card}; TCK-12345; ${known}`));
    const text = canonicalJson(body);
    for (const value of [card, "TCK-12345", known]) expect(text).not.toContain(value);
    expect(body.masked?.map(({ detector }) => detector)).toEqual(
      expect.arrayContaining(["pattern/ticket", "secrets/known-value", expect.stringMatching(/^pii\//)]),
    );
  });

  it("a text that cannot be scanned is withheld, its digest too", async () => {
    const long = call("write", { path: "a", content: "\u0001".repeat(Math.ceil(limits.scanLength / 6) + 10) });
    const body = await bodyOf(policy("views"), long);
    expect(body).toMatchObject({ view_masked: true, masked: [{ detector: "secrets/unscanned", count: 1 }] });
    expect(body).not.toHaveProperty("view");
  });
});

describe("no secret stands in what is kept by default", () => {
  const plant = (i: number): string => made(i + 20);
  const rules = `
${telling}
- { id: runs, event: tool_call, action: [{ run: { command: [/bin/x, ${plant(90)}] } }] }
- { id: labels, event: tool_call, tool: write, action: { label: { add: [seen], on: path } } }`;
  const text = (i: number): object => ({ type: "text", text: `value ${plant(i)} end` });
  const events: readonly [string, object][] = [
    ["arguments", call("bash", { command: `echo ${plant(0)} > ${plant(1)}` })],
    [
      "nested arguments and names",
      call("mcp__a__b", { a: [{ [plant(2)]: { b: plant(3) } }], json: JSON.stringify({ c: plant(4) }) }),
    ],
    ["a path", call("write", { path: `/tmp/${plant(5)}/x`, content: plant(6) })],
    ["a URL", call("fetch", { url: `https://user:${plant(7)}@example.com/?t=${plant(8)}` })],
    [
      "a picture that is none",
      call("mcp__a__b", { type: "image", data: "AKIAQ3Z7XK2MLP5R8WTN", note: "x".repeat(3_000) }),
    ],
    ["a long text", call("write", { path: "a", content: `${"long text\n".repeat(500)}${plant(9)}` })],
    ["a text that is cut within the secret", call("write", { path: "a", content: `${"x ".repeat(990)}${plant(10)}` })],
    [
      "a result",
      {
        event: "tool_result",
        tool: "bash",
        args: { command: plant(11) },
        result: { content: [text(12)], details: { d: plant(13) }, is_error: true },
      },
    ],
    [
      "messages",
      {
        event: "context",
        messages: [
          { role: "user", content: [text(14)] },
          { role: "assistant", content: `${"y ".repeat(400)}${plant(15)}` },
        ],
      },
    ],
    ["a prompt", { event: "before_agent_start", prompt: plant(16), system_prompt: ["a", plant(17)] }],
    ["input", { event: "input", text: plant(18), source: "user" }],
    [
      "the human's command",
      { event: "user_bash", command: `curl -H 'Authorization: Bearer ${plant(19)}' https://example.com` },
    ],
    ["the human's code", { event: "user_python", code: `key = "${plant(20)}"` }],
    ["labels", { event: "tool_call", tool: "read", args: { path: "a" }, labels: [plant(21)] }],
    [
      "variables",
      {
        event: "tool_call",
        tool: "read",
        args: { path: "a" },
        environment: { ...home, variables: { TOKEN: plant(22), PASSWORD: "Tr0ub4dor&3xyz" } },
      },
    ],
    ["fields", { event: "stop", last_message: plant(23) }],
    [
      "a payload that does not fit",
      {
        event: "tool_call",
        tool: "bash",
        args: {
          get [plant(24)]() {
            return 1;
          },
        },
      },
    ],
    ["a known value", call("bash", { command: `login '${known}'` })],
  ];
  const plan = planOf(
    policy(
      undefined,
      `${rules}\n- { id: redacts, event: tool_result, action: { redact: { detectors: ["secrets/*"], values: { env: [PASS] } } } }`,
    ),
  );
  const said = json({ decision: "ask", reason: `because ${plant(91)}`, additionalContext: plant(92) });

  it.each(events)("%s", async (_, event) => {
    const bodies: AuditBody[] = [];
    const store = { append: (body: AuditBody) => (bodies.push(body), {} as never) };
    const answers = programs(() => ({ ...said, stderr: `log ${plant(93)}` }));
    const engine = createEngine(plan, { ...options, programs: answers, store });
    await engine.judge({ id: "e", environment: home, ...event });
    const text = bodies.map((body) => recordLine(sealRecord(body, link))).join("\n");
    expect(bodies.length).toBe(1);
    for (let i = 0; i < 100; i++) expect(text).not.toContain(plant(i));
    for (const value of [known, "AKIAQ3Z7XK2MLP5R8WTN", "Tr0ub4dor&3xyz", plant(10).slice(0, 12)])
      expect(text).not.toContain(value);
  });
});

describe("views are bounded, and say by how much", () => {
  it.each<[string, unknown, unknown]>([
    ["a text", "a".repeat(2_500), `${"a".repeat(2_000)}[… 500 of 2500 characters left out]`],
    [
      "a text whose cut would part a pair",
      `${"a".repeat(1_999)}\u{1F600}b`,
      `${"a".repeat(1_999)}[… 3 of 2002 characters left out]`,
    ],
    [
      "a list, of which the newest stay",
      Array.from({ length: 100 }, (_, i) => i),
      [...Array.from({ length: 16 }, (_, i) => i), "[… 37 left out]", ...Array.from({ length: 47 }, (_, i) => i + 53)],
    ],
    ["nothing of what is short", { a: [1, "x", null, true], b: {} }, { a: [1, "x", null, true], b: {} }],
  ])("%s", (_, value, expected) => {
    const { value: shown, cut } = bounded(value);
    expect(shown).toEqual(expected);
    expect(cut).toBe(shown !== value);
  });

  it.each<[string, () => unknown]>([
    ["many fields", () => Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i]))],
    ["long names that begin alike", () => Object.fromEntries([1, 2, 3].map((i) => ["n".repeat(9_000) + i, i]))],
    [
      "much text in small parts",
      () => Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => "t".repeat(500))),
    ],
    [
      "many values",
      () => Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => 1))),
    ],
    ["depth", () => Array.from({ length: 120 }).reduce<unknown>((inner) => ({ a: inner }), "core")],
  ])("%s", (_, value) => {
    const { value: shown, cut } = bounded(value());
    expect(cut).toBe(true);
    expect(canonicalJson(shown).length).toBeLessThan(limits.recordedView + 200_000);
    if (_.startsWith("long names")) expect(Object.values(shown as object)).toEqual([1, 2, 3]);
  });

  it("a text is well-formed wherever it is cut", () => {
    for (let n = 1; n < 6; n++) expect(boundedText("\u{1F600}\u{1F601}\u{1F602}", n).isWellFormed()).toBe(true);
  });
});

const link = { seq: 0, written: "2026-11-21T20:00:00.000Z", pid: 1, latency_us: 0, prev: firstPrev, mono: 0 };

describe("no text can forge or break a line", () => {
  const forged = `"}\n{"body":{"v":1},"seal":{"seq":1,"hash":"x"}}\n`;
  const texts: readonly [string, string][] = [
    ["line breaks and a forged record", forged],
    ["CR, NEL, U+2028 and U+2029", "a\r\nb\u0085c\u2028d\u2029e"],
    ["NUL and controls", "a\u0000b\u0007\u001b[2Jc\u007f"],
    ["lone surrogates", "a\ud800b\udc00c\udfff\ud83d"],
    ["backslashes and quotes", '\\" \\\\u0000 \\n'],
    ["much of it", "\u0001\n\ud800".repeat(40_000)],
  ];
  const places: readonly [string, (text: string) => object][] = [
    ["id", (id) => ({ ...call("read", { path: "a" }), id })],
    ["host", (host) => call("read", { path: "a" }, { host })],
    ["session", (id) => call("read", { path: "a" }, { session: { id, parent: id } })],
    ["agent", (id) => call("read", { path: "a" }, { session: { id: "s", agent: { id, type: id } } })],
    ["tool", (tool) => call(`x${tool}`, {})],
    ["call_id", (call_id) => call("read", { path: "a" }, { call_id })],
    ["arguments", (text) => call("write", { path: text, content: text })],
    ["names of arguments", (text) => call("mcp__a__b", { [text]: 1, ["__proto__"]: text, constructor: text })],
    [
      "own `__proto__`",
      (text) => call("mcp__a__b", JSON.parse(`{"__proto__":{"a":${JSON.stringify(text)}}}`) as object),
    ],
    ["a command", (text) => call("bash", { command: text })],
    ["labels", (text) => call("read", { path: "a" }, { labels: [text] })],
    ["a folder", (cwd) => call("read", { path: "a" }, { environment: { ...home, cwd } })],
    [
      "a result",
      (text) => ({
        event: "tool_result",
        tool: text || "x",
        args: {},
        result: { content: [{ type: text, text }], details: text },
      }),
    ],
    ["messages", (text) => ({ event: "context", messages: [{ role: text, content: text }] })],
    ["a prompt", (text) => ({ event: "before_agent_start", prompt: text, system_prompt: text })],
    ["what does not fit", (text) => ({ event: text, id: text })],
  ];
  const rules = `
${telling}
- { id: p, event: tool_call, action: { run: { command: [/bin/x] } } }`;

  it.each(places)("%s", async (_, event) => {
    for (const [, text] of texts) {
      for (const keep of ["views", "events", "digests"]) {
        const said = programs(() => ({
          exit_code: 0,
          stdout: JSON.stringify({ decision: "ask", reason: text, additionalContext: text }),
          stderr: text,
          timed_out: false,
        }));
        const { body } = await createEngine(plans.get(keep), { ...options, programs: said }).judge(event(text));
        if (!body) throw new Error("no body");
        const line = recordLine(sealRecord(body, link));
        expect(line).not.toMatch(/[\n\r\u0000]/);
        expect(line.isWellFormed()).toBe(true);
        expect(Buffer.from(line).toString("utf8")).toBe(line);
        expect(canonicalJson(JSON.parse(line))).toBe(line);
        expect(checkLine(Buffer.from(line))).toMatchObject({ ok: true });
        const chain = new ChainVerifier();
        for (const one of Buffer.from(line).toString("utf8").split("\n")) chain.push(Buffer.from(one));
        expect(chain.report()).toMatchObject({ status: "intact", records: 1 });
      }
    }
  });
  const plans = new Map(["views", "events", "digests"].map((keep) => [keep, planOf(policy(keep, rules))]));

  it("the policies of a record are those of the plan, whatever an event says", async () => {
    const body = await bodyOf(
      policy("views"),
      call("read", { path: "a" }, { policies: [], policy_digest: "x", host_version: "9" }),
    );
    expect((body.policies as RecordedPolicy[]).map(({ policy: id }) => id)).toContain("p");
    expect(body).not.toHaveProperty("host_version");
  });
});
