import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile } from "../../../compiler/compile.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { createEngine } from "../../../runtime.ts";
import { discoverPolicies, resolveImport } from "../../../store/discover.ts";
import { commands } from "../../corpus/commands.ts";
import { seed } from "../seed.ts";
import { randomEvent, type Wire } from "./events.ts";
import { compileSet } from "./oracle.ts";
import { randomPolicies } from "./policies.ts";
import { Random } from "./random.ts";

/**
 * The index changes nothing: with it and without it every decision and record body is the same, byte for byte. The
 * generated runs of `oracle.test.ts` and of `npm run fuzz` compare both too, over events that follow on each other.
 */
const regex = createRegexEngine();
const root = join(import.meta.dirname, "../../..");

function expectSame(plan: Parameters<typeof createEngine>[0], events: Iterable<Wire>): number {
  const [indexed, plain] = [true, false].map((index) => createEngine(plan, { regex, index }));
  let blocked = 0;
  for (const event of events) {
    const one = indexed?.decide(event);
    const other = plain?.decide(event);
    const bytes = JSON.stringify([one?.decision, one?.body]);
    if (bytes !== JSON.stringify([other?.decision, other?.body])) expect(one, JSON.stringify(event)).toEqual(other);
    if (one?.decision.outcome !== "allow") blocked++;
  }
  return blocked;
}

describe(`with and without the index (seed ${seed})`, () => {
  it("shipped packs decide alike about the corpus of commands", () => {
    const { files } = discoverPolicies(["pack:shell-safety", "pack:secrets", "pack:context-hygiene"], root);
    const { plan } = compile({ files, resolveImport });
    const environment = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev" };
    const events = commands(600, seed % 1_000_000).map((command, i) => ({
      ...(i % 5 === 0 ? { event: "user_bash", command } : { event: "tool_call", tool: "bash", args: { command } }),
      environment,
    }));
    expect(expectSame(plan, events)).toBeGreaterThan(5);
  });

  it("many rules of generated policies in one plan decide alike", () => {
    const random = new Random(seed);
    let judged = 0;
    for (let set = 0; set < 3; set++) {
      const policies = random.times(12, (i) => {
        const [given] = randomPolicies(random.fork());
        // Two that declare one program otherwise do not load.
        const said = i === 0 ? {} : { programs: {}, tools: ["unheard_of"] };
        return given && { ...given, data: { ...given.data, ...said, policy: `q${i}` } };
      });
      const loading = policies.flatMap((one) => (one && compileSet([one]).plan ? [one] : []));
      const { plan } = compileSet(loading.map(({ scope, data }) => ({ scope, data })));
      if (!plan) continue;
      const events = random.times(80, () => randomEvent(random));
      expectSame(plan, events);
      judged += events.length;
    }
    expect(judged).toBeGreaterThan(100);
  });
});
