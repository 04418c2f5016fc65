import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Output of a command of a page, both streams in order. */
export interface Printed {
  readonly code: number;
  readonly text: string;
}

/** Runs one `hookwarden` command in the folder of the page; `stdin` is the text of a file named with `<`. */
export type RunCommand = (args: readonly string[], stdin: string | undefined) => Promise<Printed>;

/** The pages of docs/guide whose blocks are carried out from first to last. */
export const executedPages: readonly string[] = ["five-minutes.md", "explain.md"];

/** Name that pages use for the folder of their commands. */
const shownFolder = "/home/dev/shop";

/**
 * Returns a page with the current output of its commands. Blocks are executed in order, in an empty folder: `console` runs the
 * lines that begin with `$ `, a language with a file name writes that file, `diff` with a file name changes it. No shell is
 * involved. Throws an Error for a block that cannot be executed.
 */
export async function renew(page: string, folder: string, run: RunCommand): Promise<string> {
  const parts: string[] = [];
  let at = 0;
  for (const match of page.matchAll(/^```(\S+)(?: (\S+))?\n([\s\S]*?)^```$/gm)) {
    const [whole, language = "", name = "", text = ""] = match;
    parts.push(page.slice(at, match.index));
    at = match.index + whole.length;
    if (language === "console") parts.push(`\`\`\`console\n${await session(text, folder, run)}\`\`\``);
    else parts.push(whole);
    if (language === "diff") change(join(folder, name), text);
    else if (name !== "") put(join(folder, name), text.replaceAll(shownFolder, folder));
  }
  return [...parts, page.slice(at)].join("");
}

async function session(text: string, folder: string, run: RunCommand): Promise<string> {
  const lines: string[] = [];
  for (const line of text.split("\n").filter((each) => each.startsWith("$ "))) {
    const { args, input } = parsed(line.slice(2));
    const stdin = input === undefined ? undefined : readFileSync(join(folder, input), "utf8");
    const { code, text: printed } = await run(args, stdin);
    lines.push(line, ...printed.replaceAll(folder, shownFolder).trimEnd().split("\n"));
    if (code !== 0) lines.push(`[exit code ${code}]`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Splits a command line at blanks outside single quotes, with an optional `< file` at the end. */
function parsed(line: string): { readonly args: readonly string[]; readonly input: string | undefined } {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  const [program, ...args] = words;
  if (program !== "hookwarden") throw new Error(`a page runs hookwarden only, not \`${line}\``);
  const at = args.indexOf("<");
  return at < 0 ? { args, input: undefined } : { args: args.slice(0, at), input: args[at + 1] };
}

/** Lines with `-` become those with `+`; what stands round them has to be there once. */
function change(path: string, text: string): void {
  const side = (sign: string): string =>
    text
      .split("\n")
      .filter((line) => line.startsWith(" ") || line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  const before = readFileSync(path, "utf8");
  const [old, fresh] = [side("-"), side("+")];
  if (before.split(old).length !== 2) throw new Error(`the change does not fit ${path}`);
  writeFileSync(
    path,
    before.replace(old, () => fresh),
  );
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
