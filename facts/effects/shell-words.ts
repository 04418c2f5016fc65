import { spendText } from "../meter.ts";
import { shellNames } from "../programs/shells.ts";
import { programName } from "../shell/names.ts";

const shells: ReadonlySet<string> = new Set([...shellNames, "cmd", "cmd.exe"]);
const options: readonly (readonly [RegExp, string])[] = [
  [/^(?:node|nodejs|bun|deno|tsx|ts-node|perl|ruby|lua|luajit|Rscript|julia|elixir|groovy|osascript)$/, "-e"],
  [/^php$/, "-r"],
  [/^(?:pwsh|powershell)(?:\.exe)?$/, "-Command"],
];

/** Returns a word as a shell text that means it. */
export function quotedWord(word: string): string {
  return /^[\w./=:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns words that are run without a shell as a shell text. */
export function wordsText(words: readonly string[]): string {
  return words.map(quotedWord).join(" ");
}

/** Returns a text that an interpreter runs as the shell text that starts it; the text itself for a usual shell. */
export type Runner = (text: string) => string;

/** Returns how the program of an interpreter line runs texts. Costs the length of the line, so that it is called once for many texts. */
export function runnerOf(interpreter: string): Runner {
  const program = programIn(interpreter);
  if (program === "" || program.length > programLength || shells.has(program)) return itself;
  const option = options.find(([names]) => names.test(program))?.[1] ?? "-c";
  const start = `${quotedWord(program)} ${option} `;
  return (text) => {
    spendText(2 * text.length);
    return start + quotedWord(text);
  };
}

/** Runs one text as `runnerOf` does. */
export function runBy(interpreter: string, text: string): string {
  return runnerOf(interpreter)(text);
}

/** No system starts a program whose name is longer. */
const programLength = 256;

const itself: Runner = (text) => text;

/** Returns the name of the program in an interpreter line, behind options and `env`; empty if there is none. */
function programIn(interpreter: string): string {
  spendText(8 * interpreter.length);
  for (const [word] of interpreter.matchAll(/\S+/g))
    if (word !== "{0}" && !/^-|(?:^|\/)env$/.test(word)) return programName(word);
  return "";
}
