import type { InstalledHost } from "./install.ts";
import { inScratch } from "./omp-process.ts";
import type { Cases } from "./report.ts";
import { actionCases, subAgentCases } from "./seed-omp/actions.ts";
import { agentCases } from "./seed-omp/agent.ts";
import { exampleCases } from "./seed-omp/examples.ts";
import { headlessCases } from "./seed-omp/headless.ts";
import { Program, recording } from "./seed-omp/program.ts";
import { endCases, sessionCases } from "./seed-omp/sessions.ts";
import { subsystemCases } from "./seed-omp/subsystem.ts";
import { terminalCases } from "./seed-omp/terminal.ts";
import { toolCases } from "./seed-omp/tools.ts";

/**
 * What the seeds omp-hooks and omp-authoring-hooks say of omp, on the real one: on the hook subsystem that they describe, and
 * on omp's program, which runs the same modules by its extension runner.
 */
export async function seedOmpCases(host: InstalledHost, cases: Cases): Promise<void> {
  await cases.group("the hook subsystem", () => subsystemCases(host, cases));
  await cases.group("the program", () => inProgram(host, cases));
  await cases.group("examples", () => exampleCases(host, cases));
  await cases.group("print mode", () => headlessCases(host, cases));
  await cases.group("the terminal", () => terminalCases(host, cases));
}

/** One process of omp with three modules; what its parts ask for is answered by files. */
async function inProgram(host: InstalledHost, cases: Cases): Promise<void> {
  await inScratch(async (scratch) => {
    const rule = "---\ncondition: unwelcome-word\nscope: text\n---\nDo not say that word.\n";
    scratch.write("project/.omp/rules/no-such-word.md", rule);
    const modules = [recording(scratch, "a", "commands"), recording(scratch, "b", "commands"), recording(scratch, "c")];
    const program = await Program.start(host, scratch, { modules, flag: "--hook" });
    try {
      await agentCases(program, cases);
      await toolCases(program, cases);
      await actionCases(program, cases);
      await sessionCases(program, cases);
      await cases.group("a sub-agent", () => subAgentCases(program, cases));
    } finally {
      await endCases(program, cases);
    }
  });
}
