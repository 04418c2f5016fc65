import { readFileSync } from "node:fs";
import { join } from "node:path";
import { knownParts, shownText } from "../../../schema/approximation.ts";
import type { PathValue } from "../../../schema/facts.ts";
import { bash } from "../effects/judge.ts";

/** One example of a row: programs, their words, and the effects, with `%` for the program. */
export interface ExampleRow {
  readonly names: readonly string[];
  readonly words: string;
  readonly effects: string;
}

const file = join(import.meta.dirname, "../../fixtures/programs/rows.txt");

/** The examples of `test/fixtures/programs/rows.txt`: `names :: words => effects` on each line. */
export function exampleRows(): ExampleRow[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("# "))
    .map((line) => {
      const from = line.indexOf(" :: ");
      const to = line.lastIndexOf(" => ");
      return { names: line.slice(0, from).split(" "), words: line.slice(from + 4, to), effects: line.slice(to + 4) };
    });
}

function place(path: PathValue): string {
  const text = path.lexical;
  if (text === "/home/dev/app") return ".";
  return text.startsWith("/home/dev/app/") ? text.slice(14) : text.replace(/^\/home\/dev(?=\/|$)/, "~");
}

/**
 * Everything a command would do, on one line: `read f; delete dist recursive; config x; opaque`. What is behind a
 * wrapper is shown as `(wrapper program)`.
 */
export function effectLine(command: string): string {
  const { effects, understanding, shell } = bash(command);
  if (!effects || !shell) return "unknown";
  const inner = shell.commands.filter((one) => one.wrappers.length > 0);
  const flag = (set: boolean, name: string): string => (set ? ` ${name}` : "");
  const maybe = (one: { readonly certain: boolean }): string => flag(!one.certain, "maybe");
  const parts = [
    ...inner.map((one) => `(${[...one.wrappers, one.program].map(knownParts).join(" ")})`),
    ...effects.reads.map(
      (one) =>
        `read ${place(one.path)}${flag(one.recursive, "recursive")}${flag(one.metadata_only, "metadata")}${maybe(one)}`,
    ),
    ...effects.writes.map((one) => `write ${place(one.path)}${maybe(one)}`),
    ...effects.deletes.map((one) => `delete ${place(one.path)}${flag(one.recursive, "recursive")}${maybe(one)}`),
    ...effects.runs.map((one) => `run ${one.target}${maybe(one)}`),
    ...effects.network.map((one) => `network ${one.url.host || one.url.text} ${one.direction}${maybe(one)}`),
    ...effects.installs.map((one) => `install ${one.manager} ${one.source} ${one.name}`.trim()),
    ...effects.pushes.map((one) => `push ${one.remote}:${shownText(one.target.branch)}${flag(one.forced, "forced")}`),
    ...effects.config.map((one) => `config ${shownText(one.target)}${maybe(one)}`),
    ...effects.kills.map((one) => `kill ${shownText(one.target)}${maybe(one)}`),
    ...(understanding === "understood" ? [] : [understanding]),
  ];
  return parts.length > 0 ? parts.join("; ") : "nothing";
}

/** The effects with `%` for the program's name where it stands as a word. */
export function generic(line: string, name: string): string {
  return line
    .split(/([ ();/]+)/)
    .map((part) => (part === name ? "%" : part))
    .join("");
}
