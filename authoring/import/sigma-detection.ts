import { toValue, type YamlEntry, type YamlNode } from "../../compiler/yaml-node.ts";
import type { Span } from "../../diagnostics/source.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { all, any, literal, not, quoted } from "./cel-text.ts";
import type { SigmaCondition } from "./sigma-condition.ts";

/** A part of a detection: a test on the command `c`, a part that cannot be expressed, or several of them joined. */
export type Term =
  | { readonly kind: "test"; readonly text: string; readonly program?: string; readonly words?: string }
  | { readonly kind: "unsaid"; readonly field: string; readonly reason: string; readonly span: Span }
  | { readonly kind: "and" | "or"; readonly parts: readonly Term[] }
  | { readonly kind: "not"; readonly part: Term };

/** Converts one selection: a mapping is AND, a list is OR, plain values are searched in the command. Source: Sigma specification. */
export function selectionTerm(node: YamlNode, regex: RegexEngine): Term {
  if (node.kind === "map") {
    const parts = node.entries.map((entry) => fieldTerm(entry, regex));
    return parts.length === 1 ? (parts[0] as Term) : { kind: "and", parts };
  }
  if (node.kind === "list") return { kind: "or", parts: node.items.map((item) => selectionTerm(item, regex)) };
  return valueTerm("CommandLine", "contains", node, false, regex);
}

/** Returns a condition with its selections in place of their names. */
export function conditionTerm(condition: SigmaCondition, selections: ReadonlyMap<string, Term>): Term {
  switch (condition.kind) {
    case "name":
      return selections.get(condition.name) ?? { kind: "or", parts: [] };
    case "not":
      return { kind: "not", part: conditionTerm(condition.part, selections) };
    default:
      return { kind: condition.kind, parts: condition.parts.map((part) => conditionTerm(part, selections)) };
  }
}

/**
 * Returns a term as an expression, or its constant value. A part that cannot be expressed counts as true if that makes the
 * rule apply to more, and as false where it would exclude something. So the rule never becomes weaker.
 */
export function expressionOf(term: Term, wanted = true): string | boolean {
  switch (term.kind) {
    case "test":
      return term.text;
    case "unsaid":
      return wanted;
    case "not": {
      const inner = expressionOf(term.part, !wanted);
      return typeof inner === "boolean" ? !inner : not(inner);
    }
    default: {
      const parts = term.parts.map((part) => expressionOf(part, wanted));
      const deciding = term.kind === "or";
      if (parts.includes(deciding)) return deciding;
      const texts = parts.filter((part) => typeof part === "string");
      if (texts.length === 0) return !deciding;
      return deciding ? any(texts) : all(texts);
    }
  }
}

/** Returns all parts of a term that cannot be expressed. */
export function unsaidIn(term: Term): readonly Extract<Term, { kind: "unsaid" }>[] {
  if (term.kind === "unsaid") return [term];
  if (term.kind === "not") return unsaidIn(term.part);
  return term.kind === "test" ? [] : term.parts.flatMap(unsaidIn);
}

/** Returns programs and texts of a command that meets a term: all parts of an AND, the first of an OR, nothing of a negation. */
export function sampleWords(term: Term): { readonly program: string | undefined; readonly words: readonly string[] } {
  if (term.kind === "test") return { program: term.program, words: term.words === undefined ? [] : [term.words] };
  if (term.kind === "or") return sampleWords(term.parts[0] ?? { kind: "and", parts: [] });
  if (term.kind !== "and") return { program: undefined, words: [] };
  const parts = term.parts.map(sampleWords);
  return {
    program: parts.find(({ program }) => program !== undefined)?.program,
    words: parts.flatMap(({ words }) => words),
  };
}

const positions = ["contains", "startswith", "endswith", "re"] as const;
type Position = (typeof positions)[number] | "whole";

function fieldTerm({ key, keySpan, value }: YamlEntry, regex: RegexEngine): Term {
  const [field = "", ...modifiers] = key.split("|");
  const unsaid = (reason: string): Term => ({ kind: "unsaid", field: key, reason, span: keySpan });
  const known = new Set<string>([...positions, "all", "cased", "windash", "i"]);
  const strange = modifiers.find((modifier) => !known.has(modifier));
  if (strange !== undefined) return unsaid(`\`${strange}\` cannot be said`);
  if (!["CommandLine", "Image", "ProcessName", "CurrentDirectory"].includes(field))
    return unsaid(`a call of a tool has no \`${field}\``);
  const position: Position = positions.find((name) => modifiers.includes(name)) ?? "whole";
  if (position === "re" && field !== "CommandLine") return unsaid("a pattern on the path of a program cannot be said");
  const cased = modifiers.includes("cased") || (position === "re" && !modifiers.includes("i"));
  const items = value.kind === "list" ? value.items : [value];
  const parts = items.map((item) => valueTerm(field, position, item, cased, regex));
  if (parts.length === 1) return parts[0] as Term;
  return { kind: modifiers.includes("all") ? "and" : "or", parts };
}

function valueTerm(field: string, position: Position, node: YamlNode, cased: boolean, regex: RegexEngine): Term {
  const value = node.kind === "scalar" ? toValue(node) : undefined;
  const unsaid = (reason: string): Term => ({ kind: "unsaid", field, reason, span: node.span });
  if (value === undefined || value === null || value === "") return unsaid("an empty value cannot be said");
  const text = String(value);
  const flags = cased ? "(?s)" : "(?is)";
  const pattern = position === "re" ? `${flags}${text}` : `${flags}${placed(wild(text), position)}`;
  const compiled = regex.compile(pattern);
  if ("kind" in compiled) return unsaid(`refused: ${compiled.message}`);
  if (field === "CommandLine") return commandLine(pattern, text, position);
  if (field === "CurrentDirectory") return { kind: "test", text: `c.cwd.matches(${literal(pattern)})` };
  return image(text, position, flags);
}

/** Tests the text of the command, its redirection targets and, for a value with an operator, the whole text. */
function commandLine(pattern: string, text: string, position: Position): Term {
  const found = literal(pattern);
  const places = [`c.text.matches(${found})`, `c.redirects.exists(r, has(r.path) && r.path.text.matches(${found}))`];
  if (/[|&;<>`$()'"]|\\n/.test(text)) places.push(`args.command.matches(${found})`);
  const sample = position === "re" || /[*?\\]/.test(text) ? undefined : text.trim();
  return { kind: "test", text: any(places), ...(sample !== undefined && { words: sample }) };
}

/** Tests the program by its name; if a folder is named, by the path as written. */
function image(text: string, position: Position, flags: string): Term {
  const name = text.split("/").at(-1) ?? "";
  if (name === "" || position === "startswith") {
    const start = position === "startswith" ? "^" : "^[^ ]*";
    return { kind: "test", text: `c.text.matches(${literal(`${flags}${start}${wild(text)}`)})` };
  }
  const inner = position === "contains" && !text.includes("/") ? wild(name) : placed(`/${wild(name)}`, position);
  const pattern = literal(`${flags}${inner}`);
  const tests = [`("/" + c.program).matches(${pattern})`, `c.wrappers.exists(w, ("/" + w).matches(${pattern}))`];
  return { kind: "test", text: any(tests), ...(!/[*?]/.test(name) && { program: name }) };
}

function placed(pattern: string, position: Position): string {
  const start = position === "startswith" || position === "whole" ? "^" : "";
  const end = position === "endswith" || position === "whole" ? "$" : "";
  return `${start}${pattern}${end}`;
}

/** Converts a value with `*` and `?` to a pattern; a backslash before them, or before itself, makes them literal. */
function wild(text: string): string {
  return text.replace(/\\[\\*?]|[\s\S]/gu, (part) => {
    if (part === "*") return ".*";
    if (part === "?") return ".";
    return quoted(part.length === 2 && part.startsWith("\\") ? part.slice(1) : part);
  });
}
