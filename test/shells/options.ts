import { type ShellName, shellNames } from "./sandbox/shells.ts";

/** Options of `npm run test:shells`. */
export interface Options {
  readonly seed: number | undefined;
  readonly cases: number | undefined;
  readonly class: string | undefined;
  readonly shell: ShellName | undefined;
  readonly one: string | undefined;
  readonly record: boolean;
  readonly minimise: boolean;
  readonly all: boolean;
}

const usage = `npm run test:shells [-- --seed N] [--cases N] [--class TEXT] [--shell ${shellNames.join("|")}] [--one FILE] [--minimise] [--all] [--record]`;

/** Reads the words of the command line; a sentence where they are none of this harness. */
export function readOptions(words: readonly string[]): Options | string {
  const values = new Map<string, string>();
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    if (["--record", "--minimise", "--all"].includes(word)) values.set(word, "");
    else if (["--seed", "--cases", "--class", "--shell", "--one"].includes(word) && words[i + 1] !== undefined)
      values.set(word, words[++i] ?? "");
    else return `\`${word}\` is no option, or lacks its value; ${usage}`;
  }
  for (const name of ["--seed", "--cases"])
    if (values.has(name) && !/^\d{1,9}$/.test(values.get(name) ?? "")) return `${name} takes a number; ${usage}`;
  const shell = values.get("--shell");
  if (shell !== undefined && !shellNames.some((name) => name === shell))
    return `\`${shell}\` is none of the shells; ${usage}`;
  const number = (name: string): number | undefined => (values.has(name) ? Number(values.get(name)) : undefined);
  return {
    seed: number("--seed"),
    cases: number("--cases"),
    class: values.get("--class"),
    shell: shell as ShellName | undefined,
    one: values.get("--one"),
    record: values.has("--record"),
    minimise: values.has("--minimise"),
    all: values.has("--all"),
  };
}
