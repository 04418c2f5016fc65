import type { Fix } from "../../diagnostics/diagnostic.ts";
import type { Span } from "../../diagnostics/source.ts";
import { oddities } from "../../facts/text/facts.ts";
import type { TextOddity, TextPlace } from "../../schema/facts.ts";
import type { LintedPolicy } from "./policy.ts";

/** One odd character of a policy text. */
export interface OddPlace {
  readonly span: Span;
  /** As `U+200B`. */
  readonly code: string;
  /** In words. */
  readonly name: string;
  /** All characters of its kind on its line. */
  readonly alike: readonly Span[];
}

/** Odd characters of some kinds; the first 32 of each line, at most one finding for each kind and line. */
export function oddPlaces(text: string, kinds: readonly TextOddity[]): OddPlace[] {
  if (!/[^\t\n\r\x20-\x7e]/.test(text)) return [];
  const found: OddPlace[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    for (const kind of kinds) {
      const [first, ...others] = oddities(line).places.filter((each) => each.kind === kind);
      if (!first) continue;
      const spanOf = ({ offset }: TextPlace): Span => spanAt(text, start + offset);
      const at = start + first.offset;
      const alike = [first, ...others].map(spanOf);
      found.push({ span: { start: at, end: at + 1 }, code: first.code, name: first.name, alike });
    }
    start += line.length + 1;
  }
  return found;
}

function spanAt(text: string, start: number): Span {
  return { start, end: start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1) };
}

/**
 * Returns the fix that removes invisible characters where only readers see them: in comments, and inside the words of a
 * title, description, reason or guidance. In a value removal would change the rule, and only the author knows the intent.
 */
export function withoutOdd(policy: LintedPolicy, { alike, code }: OddPlace): Fix | undefined {
  const homes = alike.map((span) => homeOf(policy, span, alike));
  if (homes.includes(undefined)) return undefined;
  const meaning = homes.includes("told") ? "stricter" : "same";
  return { title: `take \`${code}\` out`, meaning, edits: alike.map((span) => ({ span, text: "" })) };
}

/** Comments that are directives to a program. A comment that would be one without the odd character is not changed. */
const order = /hookwarden-ignore|yaml-language-server/;

/** Returns whether a character is in a comment, or in a text that decisions show (`told`) or do not show (`noted`). */
function homeOf(policy: LintedPolicy, span: Span, alike: readonly Span[]): "comment" | "told" | "noted" | undefined {
  const comment = policy.texts.commentAt(policy.source.text, span.start);
  if (comment) return order.test(visibleIn(policy.textAt(comment), comment.start, alike)) ? undefined : "comment";
  const value = policy.texts.at(span.start);
  // Braces contain an expression.
  if (!value?.path || /[{}]/.test(policy.textAt(value.span)) || !isInWord(policy.source.text, span)) return undefined;
  const [top, ...below] = value.path;
  const key = below.at(-1);
  if (top === "rules" && below.length === 1 && key !== undefined) return homes[key];
  const isAbout = (top === "title" || top === "description") && below.length === 0;
  const isDeclared = (top === "parameters" || top === "labels") && below.length === 2 && key === "description";
  return isAbout || isDeclared ? "noted" : undefined;
}

const homes: Readonly<Record<string, "told" | "noted" | undefined>> = {
  title: "told",
  reason: "told",
  guidance: "told",
  description: "noted",
  false_positives: "noted",
};

function isInWord(text: string, { start, end }: Span): boolean {
  return (
    /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, start - 2), start)) && /^[\p{L}\p{N}]/u.test(text.slice(end, end + 2))
  );
}

/** A text without some of its characters. */
function visibleIn(text: string, from: number, without: readonly Span[]): string {
  const last = [...without].reverse();
  return last.reduce(
    (now, { start, end }) => now.slice(0, Math.max(0, start - from)) + now.slice(Math.max(0, end - from)),
    text,
  );
}
