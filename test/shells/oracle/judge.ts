import { compile } from "../../../compiler/compile.ts";
import type { PolicyFile } from "../../../compiler/policy-draft.ts";
import { facts } from "../../../facts/facts.ts";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import { createEngine, type Engine } from "../../../runtime.ts";
import type { FactSet } from "../../../schema/facts.ts";
import { judged } from "../../facts/event.ts";
import { scratch, start } from "./strace.ts";

/** The decision of the harness's policy. */
export type Outcome = "allow" | "ask" | "block";

/** The engine's view of a script: its facts, and the decision under the harness's policy, which is made on demand. */
export interface Judged {
  readonly facts: FactSet;
  outcome(): Outcome;
}

/** The rule that positives and negatives are counted by: a write to a file of that name, in any folder. */
const policy = `version: 1
policy: harness
unsure: ask
rules:
  - id: marked
    event: tool_call
    each: { w: effects.writes }
    when: { w.path: { glob: "**/MARK" } }
    action: block
    reason: it writes MARK
`;

/** Text of the script in a fresh scratch folder, which an engine beside the host reads. */
const texts: Readonly<Record<string, string>> = { "run.sh": "touch MARK\n" };

/** The files of a fresh scratch folder, as the event lists them; of the others the texts are not told. */
const standing = ["src.txt", "b.txt", "c.txt", "sub/in.txt", "name.txt", "list.txt", "vars.sh", "run.sh"];

const home = `${scratch}/p/h`;
const listed: Readonly<Record<string, unknown>> = {
  [home]: { directory: true },
  [`${start}/w2`]: { directory: true },
  ...Object.fromEntries(
    standing.map((file) => [`${start}/${file}`, texts[file] === undefined ? {} : { text: texts[file] }]),
  ),
};

/** Judges scripts in this process, as if a bash tool were called with them in their scratch folder. */
export class Judge {
  private readonly engine: Engine;

  constructor() {
    const file: PolicyFile = { name: "harness.yaml", path: "/harness.yaml", bytes: Buffer.from(policy) };
    const { plan, diagnostics } = compile({ files: [file] });
    if (!plan) throw new Error(`the policy of the harness does not compile: ${JSON.stringify(diagnostics)}`);
    this.engine = createEngine(plan);
  }

  /** Judges one text that is run by a shell. */
  judge(text: string, shell: string): Judged {
    const dialect = shell === "busybox" ? "ash" : shell;
    const environment = { cwd: start, workspace: scratch, home, shell: dialect, user: "nobody", os: "linux" };
    const event = judged({
      tool: { name: "bash", host_name: "bash", server: undefined },
      args: { command: text },
      environment: {
        ...environment,
        branch: undefined,
        default_branch: undefined,
        case_insensitive: false,
        interactive: false,
        variables: {},
      },
    });
    const wire = {
      event: "tool_call",
      tool: "bash",
      args: { command: text },
      environment: { ...environment, files: listed },
    };
    let outcome: Outcome | undefined;
    return {
      facts: facts.of(event, hermeticFiles(listed)),
      outcome: () => {
        outcome ??= this.engine.decide(wire).decision.outcome as Outcome;
        return outcome;
      },
    };
  }
}
