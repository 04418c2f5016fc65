import type { JudgedEvent } from "../../schema/judged-event.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { own } from "./arguments.ts";
import { notKnown, type Reading } from "./reading.ts";
import { readShellCall } from "./tools.ts";

/** How a shell would start each language on a text; bash text is read unchanged. */
const starters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "python3 -c": ["python", "python3", "py", "ipython"],
    "node -e": ["javascript", "js", "node", "typescript", "ts", "deno", "bun"],
    "ruby -e": ["ruby", "rb"],
    "perl -e": ["perl"],
    "php -r": ["php"],
  }).flatMap(([starter, names]) => names.map((name) => [name, starter] as const)),
);

const shells: ReadonlySet<string> = new Set(["bash", "sh", "shell", "zsh"]);

/**
 * Reads the effects of code that an `eval` tool, or the human in `user_python`, gives to an interpreter directly. It is judged
 * like that interpreter's inline code in a shell, so that one rule covers both. Returns undefined for a language that is not
 * analysed. Source: threats page, class 8.
 */
export function readCode(language: string, code: unknown, event: JudgedEvent, files: FileSystem): Reading | undefined {
  const cwd = own(event.fields, "cwd") ?? own(event.args, "cwd");
  const name = language.toLowerCase();
  const starter = starters.get(name);
  if (!starter && !shells.has(name)) return undefined;
  if (typeof code !== "string")
    return notKnown(code === undefined ? "the code is missing" : "the code is not a string");
  if (!starter) return readShellCall("bash", code, cwd, event, files);
  return readShellCall("bash", `${starter} '${code.replaceAll("'", "'\\''")}'`, cwd, event, files);
}

/** Returns the language of an `eval` call: the given one, otherwise that implied by the host's name of the tool. */
export function languageOf(event: JudgedEvent): string {
  const given = own(event.args, "language");
  if (typeof given === "string") return given;
  const host = event.tool?.host_name ?? "";
  if (host === "js_repl" || host === "codemode" || host === "REPL") return "javascript";
  return host === "execute_code" || host === "notebook_run" ? "python" : host;
}
