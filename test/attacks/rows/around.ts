import type { AroundCall } from "../../policies/around-attacks.ts";
import * as known from "../../policies/around-attacks.ts";
import * as later from "../../policies/around-attacks-later.ts";
import type { AttackGroup } from "./row.ts";

const file = "test/policies/around.test.ts";
const host = "every host, by the built-in policy";

/** One call on one line, as a cell of a table shows it. */
function shown([, call]: AroundCall): string {
  const text = typeof call === "string" ? call : `${call.tool} ${Object.values(call.args).map(String).join(": ")}`;
  return `\`${text.trim().replaceAll("`", "'").replace(/\n+/g, " ⏎ ")}\``;
}

/** Calls of one class, of both sets. */
function group(test: string, guarded: string, ...sets: readonly (readonly AroundCall[])[]): AttackGroup {
  return {
    class: "around it",
    host,
    control: "everyday calls of the same programs are free in the same test",
    guarded,
    file,
    attacks: sets.flat().map((call) => [shown(call), test] as const),
  };
}

const either = "refused, or asked for where it only may be reached";

/** Calls that go around the guard: what wires it is replaced, another agent is started, keys are typed, code runs later. */
export const aroundAttacks: readonly AttackGroup[] = [
  group("folders that hold what wires a host", either, known.folders, later.folders),
  group("a project that is wired by a file of its own", either, known.projects, later.projects),
  group("agents without the hooks, or with another configuration", "asked for", known.agents, later.agents),
  group("services and processes by another name", "refused", known.processes, later.processes),
  group("keys that are typed, and terminals of the agent's own", "refused", known.typed, later.typed),
  group("what runs later or sets a later environment", either, known.later, later.later),
];
