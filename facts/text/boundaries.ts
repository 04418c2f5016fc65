import { noteForms } from "../../schema/notes.ts";
import { spend } from "../meter.ts";
import type { Edit } from "./splice.ts";

/** Names of tags with which hosts and models mark roles, tools and instructions. The lists here have the version of the text tables. */
const tags: ReadonlySet<string> = new Set([
  "assistant",
  "end_of_turn",
  "function_call",
  "function_calls",
  "function_result",
  "function_results",
  "invoke",
  "start_of_turn",
  "system",
  "system-prompt",
  "system-reminder",
  "system_prompt",
  "system_reminder",
  "thinking",
  "tool_call",
  "tool_calls",
  "tool_response",
  "tool_result",
  "tool_results",
  "tool_use",
  "untrusted",
  "untrusted-content",
  "untrusted_content",
]);

/** Delimiters that are not tags, in lower case. */
const fixed: readonly string[] = ["<<sys>>", "<</sys>>", "[inst]", "[/inst]"];

/** Roles at the start of a paragraph. */
const roles: readonly string[] = ["\n\nHuman:", "\n\nAssistant:"];

/** Hexadecimal digits of a boundary, and more than it has. */
const boundary = /^[0-9a-f]{1,64}/;

/** Units of work for one possible first character of a delimiter. */
const headUnits = 20;

/** Longest delimiter that is recognised. */
const longest = 64;

/**
 * Returns edits that escape, by a backslash, text that passes for a delimiter of a host, of a model's template or of our own
 * notes: `<\|im_start|>`. A line of a note of ours stays: in our words, with a boundary that is `genuine`. Linear. Source:
 * threats section 6, "Boundary forging".
 */
export function boundaryEdits(text: string, genuine: (boundary: string) => boolean): readonly Edit[] {
  const edits: Edit[] = [];
  const escape = (at: number): void => void edits.push({ start: at, end: at, text: "\\" });
  for (let at = 0; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x3c && opensTag(text, at)) escape(at + 1);
    else if (c === 0x5b && opensBracket(text, at, genuine)) escape(at + 1);
    else if (c === 0x0a) {
      spend(2);
      const role = roles.find((each) => text.startsWith(each, at));
      if (role) escape(at + role.length - 1);
    }
  }
  return edits;
}

function opensTag(text: string, at: number): boolean {
  spend(headUnits);
  const head = text.slice(at, at + longest).toLowerCase();
  if (head[1] === "|" || head[1] === "｜") return closesBar(head);
  if (fixed.some((each) => head.startsWith(each))) return true;
  let from = 1;
  while (head[from] === " " || head[from] === "/") from += 1;
  let end = from;
  while (end < head.length && /[a-z0-9_:-]/.test(head[end] as string)) end += 1;
  const name = head.slice(from, end);
  const plain = name.slice(name.indexOf(":") + 1);
  return (name.startsWith("antml:") || tags.has(plain)) && /^[\s/>]/.test(head.slice(end, end + 1));
}

/** `<|…|>` as templates of models have it. */
function closesBar(head: string): boolean {
  const bar = head[1] as string;
  const end = head.indexOf(bar, 2);
  return end > 2 && head[end + 1] === ">" && !/[\r\n<>]/.test(head.slice(2, end));
}

function opensBracket(text: string, at: number, genuine: (boundary: string) => boolean): boolean {
  spend(headUnits);
  const head = text.slice(at, at + longest);
  const lower = head.toLowerCase();
  if (fixed.some((each) => lower.startsWith(each))) return true;
  const form = noteForms.find((each) => lower.startsWith(each.head));
  if (form === undefined) return false;
  const given = boundary.exec(text.slice(at + form.head.length, at + form.head.length + longest))?.[0] ?? "";
  const behind = at + form.head.length + given.length;
  const ours = text.startsWith(form.head, at) && form.tails.some((tail) => text.startsWith(tail, behind));
  return !ours || !genuine(given);
}
