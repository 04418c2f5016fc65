import type { Scratch } from "./scratch.ts";

/** How a program that a rule runs can fail; each is a harmless stand-in. */
export const failingPrograms = {
  hangs: "setTimeout(() => undefined, 20_000);\n",
  crashes: "process.exit(1);\n",
  "answers garbage": 'process.stdout.write("this is { no answer");\n',
} as const;

/** Name of such a failure. */
export type ProgramFailure = keyof typeof failingPrograms;

/** Every failure. */
export const programFailures = Object.keys(failingPrograms) as ProgramFailure[];

/** What a refused call says where a rule's program failed. */
export const failedProgram = "HW513";

/**
 * A policy whose one rule runs a failing program before each call of a tool, as a file in the scratch folder. It allows
 * everything else: only the failure can be what blocks.
 */
export function failingPolicy(scratch: Scratch, failure: ProgramFailure, tool = "bash"): string {
  const name = failure.replaceAll(" ", "-");
  const program = scratch.write(`programs/${name}.mjs`, failingPrograms[failure]);
  const command = JSON.stringify([process.execPath, program]);
  const rule = `  - { id: ask-program, title: A program, event: tool_call, tool: ${tool}, action: { run: { command: ${command}, protocol: json, timeout: 2s } } }\n`;
  return scratch.write(
    `programs/${name}.yaml`,
    `version: 1\npolicy: failing\ntitle: A program that fails\ndefault: allow\nrules:\n${rule}`,
  );
}
