import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lateRegexEngine } from "../../adapters/one-shot/late-regex.ts";
import { compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { createEngine, createRegexEngine, type EngineOptions, storedNeeds } from "../../runtime.ts";
import { resolveImport } from "../../store/discover.ts";
import { packFile, packNames } from "../../store/packs.ts";
import { pinFile, pinnedPlan, pinPlan } from "../../store/pinned-plan.ts";
import type { DiscoveredFile } from "../../store/policy-file.ts";
import { fileIdentity } from "../../store/sealed-file.ts";
import { latePlan, storePlan, wholePlan } from "../../store/stored-plan.ts";
import { typicalCommands } from "../bench/typical.ts";
import { compileSet, Trial } from "../properties/language/oracle.ts";
import { randomPolicies } from "../properties/language/policies.ts";
import { Random } from "../properties/language/random.ts";
import { randomSteps } from "../properties/language/session-events.ts";
import { seed } from "../properties/seed.ts";

const regex = createRegexEngine();

const plans = new Map<string, Plan>();

function planOf(pack: string): Plan {
  const plan = plans.get(pack) ?? compiled(pack);
  plans.set(pack, plan);
  return plan;
}

function compiled(pack: string): Plan {
  const path = packFile(pack) ?? "";
  const file: DiscoveredFile = { name: `pack:${pack}`, path, bytes: readFileSync(path) };
  return compile({ files: [file], resolveImport }).plan as Plan;
}

/** A plan stored and read late, as from a file, with how many bytes of its parts were read. */
function stored(plan: Plan) {
  const { head, parts } = storePlan(plan, storedNeeds(plan, regex));
  const known = JSON.parse(JSON.stringify(head)) as typeof head;
  const read = { bytes: 0 };
  const part = (at: number, length: number): Buffer => {
    read.bytes += length;
    return parts.subarray(at, at + length);
  };
  const late = (): Plan => latePlan(known, part);
  return { late, whole: () => wholePlan(known, part), needs: known.needs, all: parts.length, read };
}

/** What a hook makes its engine with. */
const onceOptions = (needs: EngineOptions["needs"]): EngineOptions => ({
  regex: lateRegexEngine(regex),
  once: true,
  ...(needs && { needs }),
});

const environment = { cwd: "/w/p", workspace: "/w/p", home: "/home/u", os: "linux", user: "u", interactive: true };
const tool = (name: string, args: object) => ({ event: "tool_call", id: "e", tool: name, args, environment });
const events = [
  tool("bash", { command: "touch $REF" }),
  ...typicalCommands.filter((_, i) => i % 10 === 0).map((command) => tool("bash", { command })),
  ...["git push --force origin main", "touch a && cat ~/.ssh/id_rsa", "echo API_KEY=abc", "cat <(x"].map((command) =>
    tool("bash", { command }),
  ),
  tool("write", { path: "/w/p/.env", content: "API_KEY=abc" }),
  tool("read", { path: "/home/u/.aws/credentials" }),
  tool("mcp__x__y", { a: 1 }),
  { event: "tool_result", id: "e", tool: "bash", content: [{ type: "text", text: "API_KEY=hunter2" }], environment },
  { event: "input", id: "e", text: "hello", environment },
  { event: "nothing" },
];

describe("what the rules of a plan need, as it is stored", () => {
  it.each(["recommended", "strict"])("has each source and each key of `%s` once", (pack) => {
    const { sources, keys } = storedNeeds(compiled(pack), regex);
    expect(keys.length).toBeGreaterThan(100);
    expect(new Set(sources.map(({ id }) => id)).size).toBe(sources.length);
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length);
  });
});

describe("a plan that is read in part", () => {
  it.each(["recommended", "secrets", "untrusted-content"])(
    "decides by `%s` as the plan itself, and has the same on record",
    (pack) => {
      const plan = planOf(pack);
      const { late, needs } = stored(plan);
      const links: EngineOptions["links"] = new WeakMap();
      for (const event of events) {
        const { decision, body } = createEngine(late(), onceOptions(needs)).decide(event);
        const expected = createEngine(plan, { regex, links }).decide(event);
        expect(JSON.stringify({ decision, body })).toBe(
          JSON.stringify({ decision: expected.decision, body: expected.body }),
        );
      }
    },
  );

  it("has nothing read of most rules for most events", () => {
    const { late, needs, all, read } = stored(planOf("recommended"));
    createEngine(late(), onceOptions(needs)).decide(tool("bash", { command: "ls -la src" }));
    expect(read.bytes).toBeLessThan(all / 8);
  });

  it.each(packNames())("is the whole of `%s` where all of it is read", (pack) => {
    const plan = planOf(pack);
    const { late, whole } = stored(plan);
    expect(whole()).toEqual(JSON.parse(JSON.stringify(plan)));
    expect(JSON.parse(JSON.stringify(late()))).toEqual(JSON.parse(JSON.stringify(plan)));
  });

  it("decides generated policies and sessions as the reference does", () => {
    const random = new Random(seed);
    let judged = 0;
    for (let set = 0; set < 15; set++) {
      const policies = randomPolicies(random);
      const { plan } = compileSet(policies);
      if (!plan || plan.policies.length === 0) continue;
      const { late, needs } = stored(plan);
      const trial = new Trial(policies, plan, createEngine(late(), { regex, once: true, ...(needs && { needs }) }));
      for (const step of randomSteps(random, 20)) {
        const found = trial.take(step);
        if (!("decision" in found)) expect({ seed, ...found }).toBeUndefined();
        judged += 1;
      }
    }
    expect(judged).toBeGreaterThan(60);
  });
});

describe("a pinned plan whose file was verified before", () => {
  let state = "";
  const text = `version: 1
policy: p
default: allow
rules:
  - { id: no, event: tool_call, tool: bash, when: { args.command: touch FORBIDDEN }, action: block, reason: not this }
  - { id: other, event: tool_call, tool: bash, when: { args.command: nothing }, action: block, reason: nor this }
`;
  const plan = compile({ files: [{ name: "p.yaml", path: "/p.yaml", bytes: Buffer.from(text) }] }).plan as Plan;
  const event = tool("bash", { command: "touch FORBIDDEN" });
  beforeEach(() => {
    state = mkdtempSync(join(tmpdir(), "hookwarden-stored-"));
    pinPlan(state, "s", plan, 7, { regex, needs: storedNeeds(plan, regex) });
  });
  afterEach(() => rmSync(state, { recursive: true, force: true }));

  const file = (): string => pinFile(state, "s");
  const verified = (): string => fileIdentity(file()) as string;

  it("is read in part and decides as the plan", () => {
    const pinned = pinnedPlan(state, "s", verified());
    if (pinned.kind !== "plan") throw new Error(pinned.kind);
    expect([pinned.since, pinned.regex]).toEqual([7, { name: regex.name, version: regex.version }]);
    expect(pinned.plan.rules[0]).not.toEqual(plan.rules[0]);
    const { decision } = createEngine(pinned.plan, onceOptions(pinned.needs)).decide(event);
    expect(decision.outcome).toBe("block");
    expect(decision).toEqual(createEngine(plan).decide(event).decision);
  });

  it("is read whole and verified where the file is another", () => {
    const pinned = pinnedPlan(
      state,
      "s",
      verified().replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)),
    );
    if (pinned.kind !== "plan") throw new Error(pinned.kind);
    expect(pinned.plan).toEqual(JSON.parse(JSON.stringify(plan)));
  });

  it.each<[string, (path: string) => void]>([
    ["altered in its rules", (path) => alter(path, '"block"', '"allow"')],
    ["altered in its head", (path) => alter(path, '"session":"s"', '"session":"t"')],
    ["altered in the length of its head", (path) => alter(path, "     ", "    1")],
    ["longer", (path) => appendFileSync(path, "{}")],
    ["shorter", (path) => truncateSync(path, readFileSync(path).length - 40)],
    ["empty", (path) => writeFileSync(path, "")],
  ])("cannot be used once it is %s, whatever its times say", (_, change) => {
    const before = verified();
    const seconds = Number(before.split(" ")[3]) / 1e9;
    change(file());
    utimesSync(file(), seconds, seconds);
    expect(pinnedPlan(state, "s", before)).toMatchObject({ kind: "unusable" });
    expect(pinnedPlan(state, "s")).toMatchObject({ kind: "unusable" });
  });

  it.each<[string, () => void]>([
    ["touched", () => utimesSync(file(), 1_000, 1_000)],
    ["pinned once more", () => pinPlan(state, "s", plan, 1_234, { needs: storedNeeds(plan, regex) })],
  ])("goes on to be read where it is %s after its head was read", (_, change) => {
    const pinned = pinnedPlan(state, "s", verified());
    if (pinned.kind !== "plan") throw new Error(pinned.kind);
    change();
    const { decision } = createEngine(pinned.plan, onceOptions(pinned.needs)).decide(event);
    expect(decision).toEqual(createEngine(plan).decide(event).decision);
  });

  it("is the same plan however long its head is", () => {
    for (const count of [1, 40, 400, 2_000]) {
      const [first] = plan.rules;
      const rules = Array.from({ length: count }, (_, i) => ({ ...first, id: `p/é-${i}` }) as Plan["rules"][number]);
      pinPlan(state, "s", { ...plan, rules }, 7);
      const pinned = pinnedPlan(state, "s", verified());
      if (pinned.kind !== "plan") throw new Error(pinned.kind);
      expect(JSON.stringify(pinned.plan.rules)).toBe(JSON.stringify(rules));
    }
  });

  it("closes the event where it is removed after its head was read", () => {
    const pinned = pinnedPlan(state, "s", verified());
    if (pinned.kind !== "plan") throw new Error(pinned.kind);
    rmSync(file());
    const { decision } = createEngine(pinned.plan, onceOptions(pinned.needs)).decide(event);
    expect([decision.outcome, decision.errors.map(({ code }) => code)]).toEqual(["block", ["HW506"]]);
  });

  it("is read whole where it is to be touched", () => {
    const old = Date.now() / 1_000 - 2 * 86_400;
    utimesSync(file(), old, old);
    const pinned = pinnedPlan(state, "s", verified());
    expect(pinned).toMatchObject({ kind: "plan", plan: JSON.parse(JSON.stringify(plan)) });
    expect(statSync(file()).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  });

  it("closes the event where another plan is pinned after its head was read", () => {
    const pinned = pinnedPlan(state, "s", verified());
    if (pinned.kind !== "plan") throw new Error(pinned.kind);
    pinPlan(state, "s", { ...plan, rules: plan.rules.slice(1) }, 8);
    const { decision } = createEngine(pinned.plan, onceOptions(pinned.needs)).decide(event);
    expect([decision.outcome, decision.errors.map(({ code }) => code)]).toEqual(["block", ["HW506"]]);
  });

  it("closes the event where it is altered after its head was read", () => {
    const pinned = pinnedPlan(state, "s", verified());
    if (pinned.kind !== "plan") throw new Error(pinned.kind);
    alter(file(), '"block"', '"allow"');
    const { decision } = createEngine(pinned.plan, onceOptions(pinned.needs)).decide(event);
    expect(decision.outcome).toBe("block");
    expect(decision.errors.map(({ code }) => code)).toContain("HW506");
  });
});

/** Changes a file in place, so that it stays the same file. */
function alter(path: string, from: string, to: string): void {
  const text = readFileSync(path, "utf8");
  if (!text.includes(from)) throw new Error(`the file holds no ${from}`);
  writeFileSync(path, text.replaceAll(from, to));
}
