import type { Span } from "../../diagnostics/source.ts";
import { didYouMeanWord, shown } from "../../diagnostics/suggest.ts";
import type { Ir } from "../../engine/plan.ts";
import { urlClasses } from "../../facts/network/classes.ts";
import { pathClasses } from "../../facts/paths/classes.ts";
import { globError } from "../../facts/paths/match.ts";
import type { Expression } from "../../rules/ast.ts";
import { globPattern } from "../../rules/functions/pattern.ts";
import { offsetOf } from "../../rules/functions/time.ts";
import { parseDuration, parseTimestamp } from "../../rules/functions/time-values.ts";
import { isRange } from "../../rules/functions/url.ts";
import type { Type } from "../../rules/types.ts";
import { isRecord } from "../../rules/types.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { globFault } from "../../schema/tool-matcher.ts";
import { checkCallFilter } from "./call-filter.ts";
import type { Checker, Typed } from "./context.ts";

/** Check of one constant text: reports its fault, if any, with help, and returns false for a wrong text. */
type TextCheck = (checker: Checker, text: string, span: Span) => boolean;

/** Checks the constants of a call that only mean something as a pattern, class, range or time. False when one is wrong. */
export function checkConstants(
  checker: Checker,
  fn: string,
  name: string,
  given: readonly Typed[],
  args: readonly Expression[],
): boolean {
  if (fn === "session.calls") return checkCallFilter(checker, args[1]);
  const converts = /^(?:timestamp|duration)\.from_string$/.test(fn);
  const index = converts ? 0 : 1;
  const [value, written] = [given[index], args[index]];
  if (/^timestamp\.\w+_in$/.test(fn)) return checkZone(checker, given[1], args[1]);
  const check = checkOf(fn, name, given[0]?.type);
  if (!check || !value || !written) return true;
  return textsOf(value.ir).every((text, i) => check(checker, text, itemSpan(written, i)));
}

function checkOf(fn: string, name: string, receiver: Type | undefined): TextCheck | undefined {
  switch (name) {
    case "matches":
      return checkRegex;
    case "glob":
      return receiver && isRecord(receiver, "path") ? checkPathGlob : checkTextGlob;
    case "is":
      return (checker, text, span) => checkClass(checker, text, span, receiver);
    case "cidr":
      return checkRange;
    case "hostIn":
    case "lookalikeOf":
      return checkHost;
    case "within":
      return checkFolder;
    case "timestamp":
      return fn === "timestamp.from_string"
        ? (checker, text, span) => checkTime(checker, parseTimestamp(text), span, "2026-01-31T00:00:00Z")
        : undefined;
    case "duration":
      return fn === "duration.from_string"
        ? (checker, text, span) => checkTime(checker, parseDuration(text), span, "10m")
        : undefined;
    default:
      return undefined;
  }
}

/** The constant texts of an argument: one, or the items of a list. */
function textsOf(ir: Ir): readonly string[] {
  if (ir.k !== "const" || ir.type !== undefined) return [];
  if (typeof ir.value === "string") return [ir.value];
  return Array.isArray(ir.value) && ir.value.every((item) => typeof item === "string")
    ? (ir.value as readonly string[])
    : [];
}

function itemSpan(written: Expression, index: number): Span {
  return (written.kind === "list" ? written.items[index]?.value.span : undefined) ?? written.span;
}

function checkRegex(checker: Checker, pattern: string, span: Span): boolean {
  const made = checker.regex.compile(pattern);
  if (!("kind" in made)) return true;
  const [message = made.message, ...help] = made.message.split("; ");
  // A star in front repeats nothing: it is a glob of files.
  const isGlob = /^\*{1,2}[./\w-][\w./*-]*$/.test(pattern);
  checker.report(
    "HW307",
    partOf(checker, span, pattern, made.offset, made.end),
    `regular expression refused: ${message}`,
    isGlob
      ? "that is a glob: write `glob` in place of `matches`, or `.*` in the pattern"
      : help.join("; ") || "write it in RE2 syntax",
  );
  return false;
}

/** Returns the place of an offset of the pattern in the author's file, if the file has the pattern verbatim; else that of the literal. */
function partOf(checker: Checker, span: Span, pattern: string, offset: number | undefined, end?: number): Span {
  const start = offset === undefined ? -1 : checker.textAt(span).indexOf(pattern);
  if (offset === undefined || start < 0) return span;
  const from = Math.min(span.start + start + offset, span.end);
  return { start: from, end: Math.min(Math.max(span.start + start + (end ?? 0), from + 1), span.end) };
}

function checkPathGlob(checker: Checker, glob: string, span: Span): boolean {
  if (isMalformed(checker, glob, span)) return false;
  const wrong = globError(glob);
  if (wrong !== undefined) checker.report("HW308", span, wrong, "write a glob such as `/srv/**` or `*.pem`");
  return wrong === undefined;
}

function isMalformed(checker: Checker, glob: string, span: Span): boolean {
  const fault = globFault(glob);
  if (fault === undefined) return false;
  checker.report("HW308", span, `malformed glob: ${fault}`, "close it, or write a backslash before it");
  return true;
}

function checkTextGlob(checker: Checker, glob: string, span: Span): boolean {
  if (isMalformed(checker, glob, span)) return false;
  const made = checker.regex.compile(globPattern(glob), { dotAll: true });
  if (!("kind" in made)) return true;
  checker.report(
    "HW308",
    span,
    "glob cannot be used",
    "write a shorter glob, and sets such as `[a-z]` in ascending order",
  );
  return false;
}

function checkClass(checker: Checker, name: string, span: Span, receiver: Type | undefined): boolean {
  const path: readonly string[] = receiver && isRecord(receiver, "url") ? [] : pathClasses;
  const url: readonly string[] = receiver && isRecord(receiver, "path") ? [] : urlClasses;
  const known = [...path, ...url];
  if (known.includes(name)) return true;
  checker.report("HW308", span, `no class \`${shown(name)}\``, didYouMeanWord(name, known));
  return false;
}

function checkRange(checker: Checker, range: string, span: Span): boolean {
  if (isRange(range)) return true;
  checker.report("HW308", span, `\`${range}\` is no address range`, "write one such as `10.0.0.0/8` or `fc00::/7`");
  return false;
}

function checkHost(checker: Checker, pattern: string, span: Span): boolean {
  const rest = pattern.startsWith("*.") ? pattern.slice(2) : pattern;
  if (rest !== "" && !rest.includes("*")) return true;
  checker.report(
    "HW308",
    span,
    `\`${pattern}\` is no host`,
    "write `example.com` (covers its subdomains), or `*.example.com` for subdomains only",
  );
  return false;
}

function checkFolder(checker: Checker, folder: string, span: Span): boolean {
  if (folder !== "" && !/[*?]/.test(folder)) return true;
  checker.report(
    "HW308",
    span,
    folder === "" ? "folder is empty" : "`within` takes a folder, not a glob",
    "write the folder itself, or use `glob`",
  );
  return false;
}

function checkTime(checker: Checker, made: unknown, span: Span, example: string): boolean {
  if (!(made instanceof EvaluationError)) return true;
  checker.report("HW308", span, made.message, `write it like \`${example}\``);
  return false;
}

/** Refuses named zones, because they need a table of zones, which depends on the runtime. */
function checkZone(checker: Checker, zone: Typed | undefined, written: Expression | undefined): boolean {
  const [text] = zone ? textsOf(zone.ir) : [];
  const offset = text === undefined ? 0 : offsetOf(text);
  if (!(offset instanceof EvaluationError) || !written) return true;
  checker.report(
    "HW308",
    written.span,
    offset.message.replace(/; .*/, ""),
    "write an offset such as `+02:00`; there is no table of named zones, and summer time is not followed",
  );
  return false;
}

/** True for an argument whose values are globs themselves, as the patterns of search tools are. */
export function isGlobArgument(ir: Ir): boolean {
  return (
    ir.k === "field" &&
    ir.of.k === "root" &&
    ir.of.name === "args" &&
    /^(?:pattern|glob|include|exclude)$/.test(ir.name)
  );
}

/** Reports a glob in a list for `in`, which compares literally, so that the glob never matches as its author intends. */
export function checkGlobsInList(checker: Checker, left: Type, list: Ir, written: Expression): boolean {
  if (left.kind !== "string" && !isRecord(left, "path")) return true;
  const texts = textsOf(list);
  // A question mark alone belongs to a text or a name: `why?`.
  const index = texts.findIndex((text) => /\*|\?[^?]*[*?/]/.test(text));
  if (index < 0 || !(list.k === "const" && Array.isArray(list.value))) return true;
  checker.report(
    "HW308",
    itemSpan(written, index),
    `\`${texts[index]}\` is a glob, which \`in\` compares letter by letter`,
    "use `glob`, which takes a list as well",
  );
  return false;
}
