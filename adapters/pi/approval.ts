import { canonicalJson } from "../../runtime.ts";
import type { Decision } from "../../schema/generated.ts";

/** Maximum UTF-16 units of arguments shown in a prompt; a command is always shown whole. */
const shownArguments = 4_000;

/** Question for the human: one prompt covers all asking rules (semantics section 2, `ask`). */
export interface Question {
  readonly title: string;
  readonly message: string;
}

/**
 * Makes the question about a call in the words of its rules, with the final command or arguments decoded and escaped.
 * Characters that could hide part of it (controls, direction marks, invisible ones, long runs of blanks) are made visible.
 */
export function question(tool: string, args: Readonly<Record<string, unknown>>, decision: Decision): Question {
  const asking = decision.matched.filter((match) => match.outcome === "ask").map((match) => match.rule);
  const rules = asking.length > 0 ? [...new Set(asking)] : [decision.rule ?? decision.answered];
  const why = decision.reason ?? decision.doubts?.[0] ?? "the policy asks a human";
  const { prompts = [], call } = decision.ask ?? {};
  const asked = (prompts.length > 0 ? prompts : [why]).map((prompt) => `Reason: ${visible(prompt)}`);
  // `call` is the engine's text of the call, with detected secrets masked; without it the arguments are shown.
  const lines = [
    call === undefined ? visible(shown(args)) : visible(call),
    "",
    ...asked,
    `Asked by: ${rules.join(", ")}`,
  ];
  if (decision.guidance !== undefined) lines.push(visible(decision.guidance));
  return { title: `hookwarden: allow this ${visible(tool)} call?`, message: lines.join("\n") };
}

function shown(args: Readonly<Record<string, unknown>>): string {
  const rest = Object.keys(args).filter((key) => key !== "command");
  const others = rest.length > 0 ? cut(canonicalJson(Object.fromEntries(rest.map((key) => [key, args[key]])))) : "";
  if (typeof args.command !== "string") return others;
  return others === "" ? args.command : `${args.command}\nwith ${others}`;
}

function cut(text: string): string {
  if (text.length <= shownArguments) return text;
  const half = shownArguments / 2;
  return `${text.slice(0, half)}⟨${text.length - shownArguments} more characters⟩${text.slice(-half)}`;
}

/** Escapes text for the human: nothing in it can move the cursor, turn the direction, hide text or push it out of view. */
export function visible(text: string): string {
  return text
    .replace(/[^\S\n]{8,}/gu, (run) => `⟨${run.length} blanks⟩`)
    .replace(/\n{3,}/g, (run) => `\n⟨${run.length} line breaks⟩\n`)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029\u115f\u1160\u3164\uffa0]/gu, (c) => (c === "\n" ? c : escaped(c)));
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
