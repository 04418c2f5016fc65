import { spendText } from "../meter.ts";
import type { Draft } from "../shell/draft.ts";

// Longer code is read so far.
const codeLength = 65_536;
const variableCount = 64;
const interpreters =
  /^(?:python[\d.]*|pypy\d?|ipython|node|nodejs|bun|bun-node|deno|deno-run|tsx|ts-node|perl|ruby|php|lua|raku|Rscript|julia|elixir|pwsh|powershell)$/;

const name = String.raw`\b([A-Z][A-Z0-9_]{2,60})\b`;
const value = String.raw`(?:["'\x60]([^"'\x60\n]{0,1024})["'\x60])?`;
/** `{'NAME': value}`, `environ['NAME'] = value`, `env.NAME = value`, `$ENV{NAME} = value`, `NAME => value`, `NAME=value`. */
const assigned = new RegExp(String.raw`${name}["'\x60]?\s*(?:[\]})]\s*)?(?:=>|=(?![=~])|:(?!:))\s*${value}`, "g");
/** `putenv('NAME', value)`, `setenv("NAME", value)`, `environ.setdefault('NAME', value)`. */
const called = new RegExp(
  String.raw`\b(?:putenv|setenv|setdefault|set_var|Setenv|SetEnvironmentVariable|store)\s*(?:\(\s*)?["'\x60]${name}["'\x60]?\s*[,=]\s*${value}`,
  "g",
);
/** `del e['NAME']`, `delete process.env.NAME`, `environ.pop('NAME')`, `ENV.delete("NAME")`. */
const removed = new RegExp(
  String.raw`\b(?:del|delete|unset|undef|pop|unsetenv|remove_var|Unsetenv)\b[^;\n]{0,48}?${name}`,
  "g",
);

/** The code that a command gives to an interpreter in its words or on its input; empty for any other command. */
export function codeOf(draft: Draft): string {
  if (!interpreters.test(draft.program)) return "";
  const input = draft.input?.atom?.kind === "literal" ? draft.input.atom.text : "";
  let code = "";
  for (const word of draft.args) {
    if (code.length > codeLength) break;
    if (/[\s(]/.test(word.text)) code += `${word.text}\n`;
  }
  return (code + input).slice(0, codeLength);
}

/** Returns the variables that code sets or removes for its child processes, with their values if the code contains them. */
export function variablesIn(code: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  spendText(4 * code.length);
  for (const pattern of [assigned, called, removed])
    for (const one of code.matchAll(pattern)) {
      if (found.size >= variableCount) return found;
      found.set(one[1] as string, one[2] ?? "");
    }
  return found;
}
