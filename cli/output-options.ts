import { exit, type Io } from "./io.ts";

/** Output options, which every command takes. */
export interface OutputOptions {
  readonly color: "auto" | "always" | "never";
  readonly quiet: boolean;
}

/** Choices of `--color`. */
export const colorChoices = ["auto", "always", "never"] as const;

/**
 * Commands whose output is a report for people: with `--quiet` they print it only if their exit code is not 0. Others print
 * the requested data, or text that a human must see before an answer.
 */
const reporting: ReadonlySet<string> = new Set([
  "check",
  "test",
  "fmt",
  "init",
  "new",
  "install",
  "uninstall",
  "doctor",
  "compile",
  "docs",
]);

/** Reads `--color` and `--quiet` from a command line, before its command is known; words after `--` are not ours. */
export function outputOptions(given: readonly string[]): OutputOptions {
  const end = given.indexOf("--");
  const words = end < 0 ? given : given.slice(0, end);
  let color: OutputOptions["color"] = "auto";
  for (const [at, word] of words.entries()) {
    const value = word === "--color" ? words[at + 1] : /^--color=(.*)$/.exec(word)?.[1];
    const known = colorChoices.find((choice) => choice === value);
    if (known) color = known;
    else if (word === "--no-color") color = "never";
  }
  return { color, quiet: words.includes("--quiet") || words.includes("-q") };
}

/** Returns an `Io` that follows the options, and a function to call with the exit code when the command is done. */
export function obey(
  options: OutputOptions,
  given: readonly string[],
  io: Io,
): { readonly io: Io; done(code: number): Promise<void> } {
  const color = options.color === "auto" ? io.color : options.color === "always";
  const command = given.find((word) => !word.startsWith("-")) ?? "";
  // A watching run does not end, so its output cannot be held back until then.
  if (!options.quiet || !reporting.has(command) || given.includes("--watch"))
    return { io: { ...io, color }, done: async () => {} };
  const held: { readonly to: "out" | "err"; readonly text: string }[] = [];
  const { progress: _, ...rest } = io;
  const quiet: Io = {
    ...rest,
    color,
    out: async (text) => void held.push({ to: "out", text }),
    err: (text) => void held.push({ to: "err", text }),
  };
  return {
    io: quiet,
    done: async (code) => {
      if (code === exit.fine) return;
      for (const { to, text } of held) await io[to](text);
    },
  };
}
