import { argumentViews } from "../../engine/normalise.ts";
import { facts } from "../../facts/facts.ts";
import type { Declarations } from "../../schema/declarations.ts";
import type { FileSystem } from "../../schema/ports.ts";
import type { World } from "./interpret.ts";

/** Calls inside calls, each read as a call of its own; hears where they are more than can be judged. */
export function carriedWorlds(
  worlds: readonly World[],
  files: FileSystem,
  declared: Declarations | undefined,
  tooMany: () => void,
): readonly World[] {
  return worlds.flatMap((world) => {
    const { carried: calls = [] } = world.facts;
    const readings = calls === "too many" ? [undefined] : calls.map(argumentViews);
    if (readings.includes(undefined)) tooMany();
    return readings.flatMap((events) =>
      (events ?? []).map((event) => ({ ...world, event, facts: facts.of(event, files, 1, declared) })),
    );
  });
}

/** Repeats each call with what the project's policies declare besides, where that says more. */
export function furtherWorlds(worlds: readonly World[]): readonly World[] {
  return worlds.flatMap((world) => {
    const { further } = world.facts;
    return further ? [{ ...world, facts: further }] : [];
  });
}
