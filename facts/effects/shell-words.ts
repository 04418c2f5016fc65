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

/** Returns a text that a program other than the usual shell runs, as the shell text that starts it; the text itself for a shell. */
export function runBy(interpreter: string, text: string): string {
  const words = interpreter
    .trim()
    .split(/\s+/)
    .filter((word) => !/^\{0\}$|^-S$/.test(word));
  const named = words.filter((word) => !/^-|(?:^|\/)env$/.test(word))[0] ?? "";
  const program = programName(named);
  if (program === "" || shells.has(program)) return text;
  const option = options.find(([names]) => names.test(program))?.[1] ?? "-c";
  return `${quotedWord(program)} ${option} ${quotedWord(text)}`;
}
