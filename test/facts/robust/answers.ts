import { readEvent } from "../../../facts/effects/event.ts";
import { effectKinds } from "../../../schema/facts.ts";
import { limits } from "../../../schema/limits.ts";
import type { FileSystem } from "../../../schema/ports.ts";
import { toolCall } from "../effects/judge.ts";

/** What a text costs besides parsing: every path that is looked up. Answers vary with the path, so that links occur. */
function countingFiles(): FileSystem & { lookups: number } {
  const world = {
    lookups: 0,
    lookup: (path: string) => {
      world.lookups += 1;
      if (path.length % 7 === 0) return { kind: "symlink", target: path.length % 2 === 0 ? "../x" : "/y" } as const;
      return { kind: path.length % 3 === 0 ? "absent" : "directory" } as const;
    },
    readText: () => undefined,
  };
  return world;
}

// A path has at most one part for two characters, is followed twice, and each link adds two parts at most.
const lookupsOf = (length: number): number => limits.effects * 4 * (limits.symlinks * 2 + Math.min(length, 64));

/**
 * What is wrong with the facts of a command, whatever the command is: empty when they keep their promises. Work is
 * judged by the bounds on what was walked, listed and looked up, never by a clock.
 */
export function faultsOf(command: unknown): readonly string[] {
  const files = countingFiles();
  const faults: string[] = [];
  const must = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  try {
    const { understanding, doubts, shell, effects } = readEvent(toolCall("bash", { command }), files);
    const length = typeof command === "string" ? command.length : 0;
    must(["understood", "opaque", "unknown"].includes(understanding), "understanding has another value");
    must((understanding === "understood") === (doubts.length === 0), "doubts do not agree with understanding");
    must((understanding === "unknown") === (shell === undefined), "shell does not agree with understanding");
    must((understanding === "unknown") === (effects === undefined), "effects do not agree with understanding");
    must(
      doubts.every((one) => one.span === undefined || (one.span.start >= 0 && one.span.end <= Math.max(length, 1))),
      "a doubt lies outside the text",
    );
    const all = effectKinds.flatMap((kind): readonly { readonly command: number }[] => effects?.[kind] ?? []);
    const commands = shell?.commands ?? [];
    must(all.length <= limits.effects, "more effects than the bound");
    must(commands.length <= limits.shellNodes, "more commands than the bound");
    must(files.lookups <= lookupsOf(length), `${files.lookups} paths looked up`);
    must(
      all.every((one) => one.command >= -1 && one.command < commands.length),
      "an effect names no command",
    );
    for (const one of commands) {
      must(one.span.start >= 0 && one.span.end <= length, "a command lies outside the text");
      must(Math.max(one.piped_from, one.piped_to) < commands.length, "a pipe names no command");
    }
  } catch (error) {
    faults.push(`threw ${error instanceof Error ? error.message : String(error)}`);
  }
  return faults;
}

/** Texts with faults, as data for a message; at most ten, each cut. */
export function faulty(texts: Iterable<string>): readonly string[] {
  const found: string[] = [];
  for (const text of texts) {
    const faults = faultsOf(text);
    if (faults.length > 0) found.push(`${JSON.stringify(text.slice(0, 300))}: ${[...new Set(faults)].join(", ")}`);
    if (found.length === 10) break;
  }
  return found;
}
