import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node as LibraryNode,
  parseAllDocuments,
  type YAMLError,
} from "yaml";
import type { Code } from "../diagnostics/codes.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { Source, type Span } from "../diagnostics/source.ts";
import { shown } from "../diagnostics/suggest.ts";
import { spend } from "../facts/meter.ts";
import { limits } from "../schema/limits.ts";
import { nestedTooDeep } from "./nesting.ts";
import { oddLayout } from "./odd-layout.ts";
import { mapScalar } from "./scalar-map.ts";
import type { ScalarStyle, YamlEntry, YamlMap, YamlNode } from "./yaml-node.ts";

/** Result of reading: always the source; a tree only where the text is a usable YAML document. */
export interface ReadResult {
  readonly source: Source;
  readonly root: YamlNode | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Bytes of a file → YAML tree. One document, YAML 1.2 core, no tags, few aliases, bounded size, depth and
 * node count; warnings are errors (threats 4.2). Total: problems are diagnostics HW002–HW010. `quick` reads texts that need
 * no library, as the library would; undefined for the others.
 */
export function readYaml(name: string, bytes: Uint8Array, quick?: (text: string) => YamlMap | undefined): ReadResult {
  const decoded = decode(bytes);
  const source = new Source(name, decoded.text);
  const refuse = (code: Code, span: Span, message: string, help: string): ReadResult => ({
    source,
    root: undefined,
    diagnostics: [diagnostic(code, source, span, message, help)],
  });
  const start = { start: 0, end: 0 };
  if (bytes.length > limits.policyBytes) {
    const message = `file has ${bytes.length} bytes, more than ${limits.policyBytes}`;
    return refuse("HW004", start, message, "split it into several policies and import them");
  }
  if (decoded.problem !== undefined)
    return refuse("HW003", decoded.span, decoded.problem, "save the file as UTF-8 text");
  if (decoded.text.trim() === "") return refuse("HW002", start, "file is empty", startHelp);
  spend(decoded.text.length >> 1);
  const steep = nestedTooDeep(decoded.text);
  if (steep !== undefined) {
    const diagnostics = [tooDeep(source, { start: steep, end: steep + 1 })];
    return { source, root: undefined, diagnostics };
  }
  const root = quick?.(decoded.text);
  return root ? { source, root, diagnostics: [] } : readByLibrary(source);
}

const startHelp = "start with `version: 1`, `policy: <id>` and `rules:`";

function decode(bytes: Uint8Array): { text: string; problem?: string; span: Span } {
  const start = { start: 0, end: 0 };
  if (bytes.length > limits.policyBytes) return { text: "", span: start };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { text: "", problem: "file is not valid UTF-8", span: start };
  }
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(text);
  if (!control) return { text, span: start };
  const code = text.charCodeAt(control.index).toString(16).padStart(4, "0");
  return {
    text,
    problem: `file holds the control character U+${code}`,
    span: { start: control.index, end: control.index + 1 },
  };
}

/** Reads a text that is not nested too deep for the library. */
function readByLibrary(source: Source): ReadResult {
  const fail = (d: Diagnostic): ReadResult => ({ source, root: undefined, diagnostics: [d] });
  const documents = parseDocuments(source.text);
  if (!documents) return fail(tooDeep(source, { start: 0, end: 0 }));
  const [document, second] = documents;
  if (!document)
    return fail(diagnostic("HW002", source, { start: 0, end: 0 }, "file holds nothing but comments", startHelp));
  const problems = documents.flatMap((d) => [...d.errors, ...d.warnings]);
  const odd = problems.length > 0 ? oddLayout(source) : undefined;
  if (odd) return fail(odd);
  if (problems.length > 0)
    return { source, root: undefined, diagnostics: problems.slice(0, 20).map((p) => fromLibrary(source, p)) };
  if (second) {
    const at = second.range?.[0] ?? 0;
    return fail(
      diagnostic(
        "HW006",
        source,
        { start: at, end: at },
        "file holds several YAML documents",
        "keep one document to a file, without `---` between",
      ),
    );
  }
  const builder = new TreeBuilder(source, document.contents as LibraryNode | null);
  const root = builder.build();
  return { source, root: builder.diagnostics.length > 0 ? undefined : root, diagnostics: builder.diagnostics };
}

/** Parses the documents with the library; undefined if the text is nested so deep that the library ran out of stack. */
function parseDocuments(text: string): Document.Parsed[] | undefined {
  // The library makes an `Error` of every fault, and a text may hold half a million: their stacks would take all the time.
  const frames = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    const documents = parseAllDocuments(text, {
      version: "1.2",
      schema: "core",
      // The library looks for each key among all before it; `TreeBuilder` does it in one step.
      uniqueKeys: false,
      strict: true,
      merge: false,
      prettyErrors: false,
      logLevel: "silent",
    });
    return Array.isArray(documents) ? documents : [];
  } catch (fault) {
    if (fault instanceof RangeError) return undefined;
    throw fault;
  } finally {
    Error.stackTraceLimit = frames;
  }
}

function tooDeep(source: Source, span: Span): Diagnostic {
  return diagnostic(
    "HW010",
    source,
    span,
    `nested more than ${limits.yamlDepth} levels deep`,
    "flatten it, or give parts names under `conditions`",
  );
}

const yamlHelp: Readonly<Record<string, [Code, string, string]>> = {
  DUPLICATE_KEY: ["HW009", "the key stands twice in this mapping", "remove one of the two"],
  TAG_RESOLVE_FAILED: ["HW007", "YAML tags are not allowed", "remove the tag"],
  MULTIPLE_DOCS: ["HW006", "file holds several YAML documents", "keep one document to a file"],
  TAB_AS_INDENT: ["HW005", "tab used for indentation", "indent with spaces"],
  RESOURCE_EXHAUSTION: [
    "HW010",
    "nested deeper than can be read",
    "flatten it, or give parts names under `conditions`",
  ],
  BAD_ALIAS: ["HW008", "alias without a matching anchor", "define the anchor before it, or repeat the value"],
};

/** Explains a YAML error where the author meant a plain scalar that YAML's syntax reads otherwise (language section 2). */
function trapOf(code: string, text: string, at: number): string | undefined {
  if (code === "TAG_RESOLVE_FAILED" && /[A-Za-z(]/.test(text[at + 1] ?? ""))
    return "YAML takes `!` as the start of a tag";
  if (code === "BLOCK_AS_IMPLICIT_KEY") return "YAML takes `: ` as the end of a key";
  if (code === "BAD_ALIAS" && text[at] === "*") return "YAML takes `*` as the start of an alias";
  const before = text.slice(Math.max(0, at - 40), at).trimEnd();
  if (code === "MISSING_CHAR" && text[at] === "{" && /[^\s,:[{]$/.test(before))
    return "YAML takes `{` as the start of a mapping";
  if (code === "UNEXPECTED_TOKEN" && before.endsWith("}")) return "YAML takes `{` as the start of a mapping";
  return code === "UNEXPECTED_TOKEN" && before.endsWith("]") ? "YAML takes `[` as the start of a list" : undefined;
}

/** `when: args.query: x` is a test without its braces; any other text with `: ` needs quotes. */
function trapHelp(code: string, text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at + 200).split("\n", 1)[0] ?? "";
  const test = /^[\s-]*(?:when|unless|where):\s+(([a-z_][\w.]*):\s+[^\s#].*)$/.exec(line)?.[1];
  if (code === "BLOCK_AS_IMPLICIT_KEY" && test !== undefined && test.length < 80)
    return `write the test in braces, \`{ ${test.trim()} }\`, or on a line of its own`;
  return "quote the text, or write it after `|`";
}

function syntaxHelp(code: string, message: string): string {
  if (/^Plain value cannot start with (?:reserved|directive)/i.test(message))
    return "quote the text: YAML takes no plain text that begins with this sign";
  if (code === "BAD_DQ_ESCAPE") return "in double quotes a backslash is an escape; write the text in single quotes";
  return "check quotes, brackets and indentation round this place";
}

/** Help for a line `key:value`, which is one word to YAML; undefined for any other line. */
function gluedKey(text: string, at: number): string | undefined {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at + 200).split("\n", 1)[0] ?? "";
  const [, key, value] = /^\s*(?:- +)?([A-Za-z_]\w*):([\w[{"'][^:]{0,80})$/.exec(line) ?? [];
  return key === undefined ? undefined : `write \`${key}: ${value}\``;
}

function fromLibrary(source: Source, problem: YAMLError): Diagnostic {
  const [start, end] = problem.pos;
  const word = /^[\w-]+/.exec(source.text.slice(start, start + 200))?.[0].length ?? 0;
  // The library speaks of the character behind the last one where a text ends too soon.
  const within = (offset: number): number => Math.min(Math.max(0, offset), source.text.length);
  const span = { start: within(start), end: within(Math.max(start, end, start + word)) };
  const trap = trapOf(problem.code, source.text, start);
  if (trap) return diagnostic("HW011", source, span, trap, trapHelp(problem.code, source.text, start));
  const known = yamlHelp[problem.code];
  if (known) return diagnostic(known[0], source, span, known[1], known[2]);
  const glued = gluedKey(source.text, start);
  if (glued !== undefined) return diagnostic("HW005", source, span, "YAML wants a space behind the colon", glued);
  const message = problem.message.split("\n", 1)[0] as string;
  const lowered = `YAML: ${message.charAt(0).toLowerCase()}${message.slice(1).replace(/\.$/, "")}`;
  return diagnostic("HW005", source, span, lowered, syntaxHelp(problem.code, problem.message));
}

const styles: Readonly<Record<string, ScalarStyle>> = {
  PLAIN: "plain",
  QUOTE_SINGLE: "single",
  QUOTE_DOUBLE: "double",
  BLOCK_LITERAL: "literal",
  BLOCK_FOLDED: "folded",
};

/** Turns the library's nodes into ours, with every bound of `limits`. */
class TreeBuilder {
  readonly diagnostics: Diagnostic[] = [];
  readonly #source: Source;
  readonly #contents: LibraryNode | null;
  readonly #anchors = new Map<string, LibraryNode>();
  readonly #open = new Set<LibraryNode>();
  #nodes = 0;
  #aliases = 0;

  constructor(source: Source, contents: LibraryNode | null) {
    this.#source = source;
    this.#contents = contents;
  }

  build(): YamlNode | undefined {
    if (this.#contents === null)
      return this.#refuse("HW002", { start: 0, end: 0 }, "file holds no document", startHelp);
    return this.#node(this.#contents, 0);
  }

  #refuse(code: Code, span: Span, message: string, help: string): undefined {
    if (this.diagnostics.length === 0) this.diagnostics.push(diagnostic(code, this.#source, span, message, help));
    return undefined;
  }

  #node(node: LibraryNode | null, depth: number): YamlNode | undefined {
    if (this.diagnostics.length > 0) return undefined;
    const span = spanOf(node);
    if (depth > limits.yamlDepth) {
      this.diagnostics.push(tooDeep(this.#source, span));
      return undefined;
    }
    spend(1);
    if (++this.#nodes > limits.yamlNodes)
      return this.#refuse(
        "HW010",
        span,
        `more than ${limits.yamlNodes} YAML nodes`,
        "split the file into several policies",
      );
    if (isAlias(node)) return this.#alias(node.source, node, span, depth);
    // Collections have a tag of their own making; a scalar has one only where the author wrote it.
    if (isScalar(node) && node.tag !== undefined)
      return this.#refuse("HW007", span, `YAML tag \`${node.tag}\` is not allowed`, "remove the tag");
    return this.#plainNode(node, span, depth);
  }

  #plainNode(node: LibraryNode | null, span: Span, depth: number): YamlNode | undefined {
    if (node && (isMap(node) || isSeq(node) || isScalar(node)) && node.anchor) {
      const first = this.#anchors.get(node.anchor);
      if (first && first !== node)
        return this.#refuse(
          "HW008",
          span,
          `anchor \`&${node.anchor}\` stands twice, and an alias takes the nearest one before it`,
          "give each anchor a name of its own",
        );
      this.#anchors.set(node.anchor, node);
    }
    if (node) this.#open.add(node);
    const built = isMap(node)
      ? this.#map(node, span, depth)
      : isSeq(node)
        ? this.#list(node, span, depth)
        : this.#scalar(node, span);
    if (node) this.#open.delete(node);
    return built;
  }

  #alias(name: string, node: LibraryNode, span: Span, depth: number): YamlNode | undefined {
    const target = this.#anchors.get(name);
    if (++this.#aliases > limits.yamlAliases)
      return this.#refuse(
        "HW008",
        span,
        `more than ${limits.yamlAliases} aliases`,
        "repeat the value, or use `lists` and `conditions`",
      );
    if (!target)
      return this.#refuse(
        "HW008",
        span,
        `alias \`*${name}\` has no anchor before it`,
        /^[\w-]+$/.test(name)
          ? `if \`*\` belongs to the text, quote it: \`"*${name}"\`; otherwise repeat the value`
          : `a text that begins with \`*\` stands in quotes: \`"*${name}"\``,
      );
    if (this.#open.has(target) || target === node)
      return this.#refuse("HW008", span, `alias \`*${name}\` refers to itself`, "repeat the value instead");
    return this.#node(target, depth);
  }

  #map(node: { items: readonly { key: unknown; value: unknown }[] }, span: Span, depth: number): YamlNode | undefined {
    const entries: YamlEntry[] = [];
    const names = new Set<string>();
    for (const pair of node.items) {
      const key = pair.key as LibraryNode | null;
      const keySpan = spanOf(key);
      if (!isScalar(key) || typeof key.value === "object")
        return this.#refuse("HW005", keySpan.end > 0 ? keySpan : span, "a key must be plain text", "quote it");
      if (key.anchor || key.tag) return this.#refuse("HW008", keySpan, "a key may have no anchor or tag", "remove it");
      const value = this.#node(pair.value as LibraryNode | null, depth + 1);
      if (!value) return undefined;
      // A key such as `1` or `true` is text in a policy, as it was written.
      const name = typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
      if (name === "<<") return this.#refuse("HW008", keySpan, "merge keys are not allowed", "repeat the keys");
      if (names.has(name))
        return this.#refuse(
          "HW009",
          keySpan,
          `the key \`${name}\` stands twice in this mapping`,
          "remove one of the two",
        );
      names.add(name);
      const before = entries.at(-1);
      if (pair.value === null && before && this.#endsAt(keySpan) && !name.includes(":"))
        return this.#refuse(
          "HW011",
          keySpan,
          `YAML takes \`${shown(name)}\` as a key without a value`,
          listHelp(before, name),
        );
      entries.push({ key: name, keySpan, value: isEmpty(pair.value) ? emptyAfter(keySpan) : value });
    }
    return { kind: "map", entries, span };
  }

  /** True for a key in braces with a comma or a brace behind it, where a colon belongs. */
  #endsAt({ end }: Span): boolean {
    return /^\s*[,}]/.test(this.#source.text.slice(end, end + 80));
  }

  #list(node: { items: readonly unknown[] }, span: Span, depth: number): YamlNode | undefined {
    const items: YamlNode[] = [];
    for (const item of node.items) {
      const built = this.#node(item as LibraryNode | null, depth + 1);
      if (!built) return undefined;
      items.push(built);
    }
    return { kind: "list", items, span };
  }

  #scalar(node: LibraryNode | null, span: Span): YamlNode | undefined {
    if (!isScalar(node)) return { kind: "scalar", value: null, style: "plain", span, segments: [] };
    const value = node.value as null | boolean | number | string;
    const style = styles[node.type ?? "PLAIN"] ?? "plain";
    const raw = this.#source.text.slice(span.start, span.end);
    const segments =
      typeof value === "string" ? mapScalar(style, raw, value, span.start) : mapScalar("plain", raw, raw, span.start);
    return { kind: "scalar", value, style, span, segments };
  }
}

/** Help for `{ program: curl, wget }`, where the comma ends the value. */
function listHelp({ key, value }: YamlEntry, next: string): string {
  const text = value.kind === "scalar" && value.value !== null ? String(value.value) : undefined;
  if (text === undefined || key.length + text.length + next.length > 150)
    return "several values are a list in brackets; a text with a comma stands in quotes";
  const whole = `${text}, ${next}`;
  const quoted = whole.includes('"') ? `'${whole.replaceAll("'", "''")}'` : `"${whole}"`;
  return /\s/.test(`${text}${next}`)
    ? `a text with a comma stands in quotes: \`${key}: ${quoted}\``
    : `several values are a list: \`${key}: [${text}, ${next}]\``;
}

function isEmpty(node: unknown): boolean {
  return node === null || (isScalar(node) && node.value === null && (node.source ?? "") === "");
}

/** Returns an empty node just after the key of an absent value. */
function emptyAfter(key: Span): YamlNode {
  return { kind: "scalar", value: null, style: "plain", span: key, segments: [] };
}

function spanOf(node: LibraryNode | null): Span {
  const range = node?.range;
  return range ? { start: range[0], end: range[1] } : { start: 0, end: 0 };
}
