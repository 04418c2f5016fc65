import { parse, TomlError } from "smol-toml";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { Source, type Span } from "../../diagnostics/source.ts";
import { limits } from "../../schema/limits.ts";
import { type TomlPlace, tomlPlaces } from "./toml-places.ts";

/** A path into a TOML document: names of keys, and indices of arrays. */
export type TomlPath = readonly (string | number)[];

/** A TOML document with the places of its keys. */
export interface TomlDocument {
  readonly source: Source;
  readonly root: Readonly<Record<string, unknown>>;
  /** Returns the place of the key at a path, or of the nearest one before it that has a place. */
  place(path: TomlPath): Span;
  /** Returns the place of a string value's text, if the file has it character by character; else of its key. */
  textSpan(path: TomlPath, value: string, inner?: Span): Span;
}

/** The reason why a file is no TOML document; with its text if it could be read as text. */
export interface TomlProblem {
  readonly diagnostic: Diagnostic;
  readonly source?: Source;
}

/** Maximum nesting of inline values. */
const maxDepth = 64;

/** Parses the bytes of a file as a TOML document, or returns the reason why it is none (HW002, HW003, HW004, HW705). Never throws. */
export function readToml(name: string, bytes: Uint8Array): TomlDocument | TomlProblem {
  const start = { start: 0, end: 0 };
  const refuse = (code: "HW002" | "HW003" | "HW004", message: string, help: string): TomlProblem => ({
    diagnostic: diagnostic(code, new Source(name, ""), start, message, help),
  });
  if (bytes.length > limits.policyBytes)
    return refuse("HW004", `file has ${bytes.length} bytes, more than ${limits.policyBytes}`, "split it into several");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refuse("HW003", "file is not valid UTF-8", "save the file as UTF-8 text");
  }
  if (text.trim() === "") return refuse("HW002", "file is empty", "give a file with `[[rules]]`");
  const source = new Source(name, text);
  try {
    const root = parse(text, { maxDepth });
    return document(source, root);
  } catch (error) {
    return { diagnostic: notToml(source, error), source };
  }
}

function document(source: Source, root: Readonly<Record<string, unknown>>): TomlDocument {
  const places = tomlPlaces(source.text);
  const find = (path: TomlPath): TomlPlace => {
    let place = places;
    for (const step of path) {
      const next = place.below.get(step);
      if (!next) break;
      place = next;
    }
    return place;
  };
  return {
    source,
    root,
    place: (path) => find(path).span,
    textSpan: (path, value, inner) => {
      const { span, value: from } = find(path);
      const at = from === undefined ? undefined : textStart(source.text, from, value);
      if (at === undefined) return span;
      return inner ? { start: at + inner.start, end: at + inner.end } : { start: at, end: at + value.length };
    },
  };
}

/** Returns the offset of a string's first character if the file has the text unchanged, without escapes. */
function textStart(text: string, from: number, value: string): number | undefined {
  const opening = /^(?:'''|"""|'|")(?:\r?\n)?/.exec(text.slice(from, from + 5))?.[0];
  if (opening === undefined) return undefined;
  const at = from + opening.length;
  return text.startsWith(value, at) ? at : undefined;
}

function notToml(source: Source, error: unknown): Diagnostic {
  const help = "give a configuration file of gitleaks; check quotes and brackets round this place";
  if (!(error instanceof TomlError))
    return diagnostic("HW705", source, { start: 0, end: 0 }, "file cannot be read as TOML", help);
  const at = lineStart(source.text, error.line) + error.column - 1;
  const start = Math.min(Math.max(0, at), source.text.length);
  const [first = ""] = error.message.split("\n");
  const why = first.replace(/^Invalid TOML document: /, "");
  const span = { start, end: Math.min(source.text.length, start + 1) };
  return diagnostic("HW705", source, span, `not TOML: ${why}`, help);
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return at;
    at = end + 1;
  }
  return at;
}
