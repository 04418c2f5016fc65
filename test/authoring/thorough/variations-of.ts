import { shellVariations } from "../../../authoring/thorough/shell-variations.ts";
import type { Looks, ShellVariation } from "../../../authoring/thorough/variation.ts";
import { normalise } from "../../../engine/normalise.ts";
import { facts } from "../../../facts/facts.ts";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import { exampleEnvironment } from "../../../schema/example-environment.ts";
import type { FactSet } from "../../../schema/facts.ts";

/** What a rule looks at that looks at everything. */
export const all: Looks = {
  kinds: new Set(["reads", "writes", "deletes"]),
  fields: new Set(["program", "subcommand"]),
  means: true,
};

/** The facts of a command where examples run. */
export function factsOf(command: string, files?: Readonly<Record<string, unknown>>): FactSet {
  const environment = { ...exampleEnvironment, ...(files && { files }) };
  const given = normalise({ event: "tool_call", id: "e", tool: "bash", args: { command }, environment });
  if ("code" in given) throw new Error(given.message);
  return facts.of(given.event, hermeticFiles(given.files));
}

/** The ways to write a command otherwise where examples run. */
export function variationsOf(command: string, looks: Looks = all): readonly ShellVariation[] {
  return shellVariations(command, factsOf(command), exampleEnvironment, looks) ?? [];
}
