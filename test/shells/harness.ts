import type { ScriptClass } from "./classes/classes.ts";
import { Judge, type Outcome } from "./oracle/judge.ts";
import { type Fault, faultsOf, mayStop } from "./oracle/oracle.ts";
import { readTrace, type Trace } from "./oracle/strace.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import type { Shell } from "./sandbox/shells.ts";
import { printScript } from "./tree/print.ts";
import type { Script } from "./tree/tree.ts";

/** A script to be run by a shell. */
export interface Case {
  readonly class: ScriptClass;
  readonly script: Script;
}

/** The result of one script. */
export interface Result {
  readonly case: Case;
  readonly text: string;
  readonly faults: readonly Fault[];
  /** The marked file was made, changed or put in place of another, in whatever folder. */
  readonly positive: boolean;
  outcome(): Outcome;
  readonly understanding: string;
  /** The shell refused its grammar, or it was ended for its time. */
  readonly unfinished: "grammar" | "time" | undefined;
}

/** How many scripts share one sandbox: enough that entering it costs little, few enough that a trace is short. */
const batchSize = 250;

const nothing: Trace = { touches: [], ended: [] };

/** Runs scripts and holds what the engine says of them against what they did. */
export class Harness {
  private readonly judge = new Judge();
  private readonly sandbox: Sandbox;
  private readonly shells: ReadonlyMap<string, Shell>;

  constructor(sandbox: Sandbox, shells: readonly Shell[]) {
    this.sandbox = sandbox;
    this.shells = new Map(shells.map((shell) => [shell.name, shell]));
  }

  /** Results in the order of the cases. Cases of a shell that is missing have none. `told` hears how many are done. */
  async run(cases: readonly Case[], told: (done: number) => void = () => {}): Promise<readonly Result[]> {
    const results: Result[] = [];
    let waiting: Promise<void> = Promise.resolve();
    for (const batch of batches(cases)) {
      const shell = this.shells.get(batch[0]?.class.shell ?? "");
      if (!shell) continue;
      const texts = batch.map(({ script }) => printScript(script));
      const ran = await this.sandbox.run(shell, texts);
      await waiting;
      // The next batch runs while this one is judged.
      waiting = new Promise((resolve) =>
        setImmediate(() => {
          const traces = readTrace(ran.trace);
          for (const [i, one] of batch.entries()) {
            const { name, status, errors } = ran.scripts[i] ?? { name: "", status: undefined, errors: "" };
            results.push(this.result(one, texts[i] ?? "", traces.get(name) ?? nothing, status, errors));
          }
          told(results.length);
          resolve();
        }),
      );
    }
    await waiting;
    return results;
  }

  private result(one: Case, text: string, trace: Trace, status: number | undefined, errors: string): Result {
    const { facts, outcome } = this.judge.judge(text, one.class.shell);
    const unfinished =
      status === undefined || status === 137 || status === 124 ? "time" : grammar.test(errors) ? "grammar" : undefined;
    const faults = faultsOf(facts, {
      trace,
      unfinished: unfinished !== undefined,
      errors,
      shell: one.class.shell,
      stops: mayStop(text),
    });
    const positive = trace.touches.some(
      ({ kind, done, path, real }) => done && kind === "write" && [path, real].some((place) => place.endsWith("/MARK")),
    );
    return { case: one, text, faults, positive, outcome, understanding: facts.understanding, unfinished };
  }
}

/** Messages of shells that refuse a text. */
const grammar = /syntax error|parse error|unexpected (?:EOF|end|token|`)|not terminated|bad substitution: no closing/i;

/** Cases of one shell after another, so many at a time. */
function* batches(cases: readonly Case[]): Generator<readonly Case[]> {
  for (const shell of new Set(cases.map((one) => one.class.shell))) {
    const own = cases.filter((one) => one.class.shell === shell);
    for (let i = 0; i < own.length; i += batchSize) yield own.slice(i, i + batchSize);
  }
}
