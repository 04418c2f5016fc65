import { soundsSecret } from "../../shell/secret-names.ts";
import type { Token } from "./tokens.ts";

/** Names under which languages hold all variables of the process, their parts joined by a dot. */
const environs: ReadonlySet<string> = new Set([
  "process.env",
  "Deno.env.toObject",
  "Bun.env",
  "os.environ",
  "environ",
  "ENV",
  "%ENV",
  "$_ENV",
  "ENVIRON",
]);
/** Methods that only read one variable or the names, or make a copy for a later process. */
const narrow = /^(?:get|fetch|setdefault|pop|update|copy|key|has|keys|delete|store|include|dig|length|size)[?!]?$/;
const printing = /^(?:log|print|println|puts|p|pp|info|warn|error|debug|write|echo|say|printf|dump|var_dump|print_r)$/;

/**
 * True where code takes the whole environment as a value, or prints a variable of it that sounds like a secret. An
 * environment that is handed to a process (`env=os.environ`, `...process.env`) is not shown to anyone.
 */
export function showsEnvironment(tokens: readonly Token[]): boolean {
  for (let i = 0; i < tokens.length; i++) {
    const end = environAt(tokens, i);
    if (end < 0) continue;
    if (takesAll(tokens, i, end) || printsSecret(tokens, i, end)) return true;
  }
  return false;
}

function text(tokens: readonly Token[], i: number): string {
  const token = tokens[i];
  return token && (token.kind === "name" || token.kind === "mark") ? token.text : "";
}

/** Returns the index after the name of an environment that begins here; -1 if there is none. */
function environAt(tokens: readonly Token[], i: number): number {
  if (tokens[i]?.kind !== "name" || /^(?:\.|->|::)$/.test(text(tokens, i - 1))) return -1;
  let name = tokens[i]?.text ?? "";
  if (environs.has(name)) return i + 1;
  for (let at = i + 1; at < i + 5 && text(tokens, at) === "." && tokens[at + 1]?.kind === "name"; at += 2) {
    name += `.${tokens[at + 1]?.text ?? ""}`;
    if (environs.has(name)) return at + 2;
  }
  return -1;
}

function takesAll(tokens: readonly Token[], from: number, end: number): boolean {
  const before = text(tokens, from - 1);
  if (before === "in" && text(tokens, end) === "." && /^(?:items|values)$/.test(text(tokens, end + 1))) return true;
  if (/^(?:\.\.\.|\*\*|in|delete|import)$/.test(before) && text(tokens, from) !== "ENVIRON") return false;
  if (/^(?:=|:|=>)$/.test(before) && /^env$/i.test(text(tokens, from - 2))) return false;
  const after = text(tokens, end);
  if (after === "[" || after === "{" || after === "=" || after === "?.") return false;
  if (after !== ".") return true;
  // A property of JavaScript's environment is one variable; elsewhere a member is a method.
  return text(tokens, from) !== "process" && text(tokens, from) !== "Bun" && !narrow.test(text(tokens, end + 1));
}

function printsSecret(tokens: readonly Token[], from: number, end: number): boolean {
  if (text(tokens, from - 1) !== "(" || !printing.test(text(tokens, from - 2))) return false;
  const key = tokens[end + 1];
  const name = key?.kind === "text" ? key.pieces.filter((piece) => typeof piece === "string").join("") : key?.text;
  return /^(?:\.|\[|\{|\?\.)$/.test(text(tokens, end)) && name !== undefined && soundsSecret(name);
}
