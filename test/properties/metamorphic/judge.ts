import { join } from "node:path";
import { compile } from "../../../compiler/compile.ts";
import { createEngine } from "../../../runtime.ts";
import { discoverPolicies, resolveImport } from "../../../store/discover.ts";

const root = join(import.meta.dirname, "../../..");
const { files } = discoverPolicies(["pack:shell-safety", "pack:secrets"], root);
const compiled = compile({ files, resolveImport });
if (!compiled.plan) throw new Error("the packs do not compile");
const engine = createEngine(compiled.plan);

/** Outcomes by how strict they are. */
export const strictness = { allow: 0, ask: 1, block: 2 } as const;

/** What the packs shell-safety and secrets decide about an event, in the workspace of a developer. Nothing is run. */
export function outcomeOf(event: Readonly<Record<string, unknown>>): keyof typeof strictness {
  const environment = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev" };
  return engine.decide({ environment, ...event }).decision.outcome;
}

/** The same about a command for the tool `bash`. */
export function outcomeOfCommand(command: string): keyof typeof strictness {
  return outcomeOf({ event: "tool_call", tool: "bash", args: { command } });
}
