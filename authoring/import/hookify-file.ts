import { readYaml } from "../../compiler/read.ts";
import { child, entry, text, type YamlNode } from "../../compiler/yaml-node.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import type { ImportFile } from "./imported.ts";
import { scalarOf, unusable } from "./json-file.ts";

/** One condition of a rule: a field of the call, an operator and a pattern. */
export interface HookifyCondition {
  readonly field: string;
  readonly operator: string;
  readonly pattern: string;
  readonly span: Span;
}

/** A hookify rule as in its file. */
export interface HookifyRule {
  readonly source: Source;
  readonly name: string;
  readonly enabled: boolean;
  readonly event: string;
  readonly action: string;
  readonly matcher: string | undefined;
  readonly conditions: readonly HookifyCondition[];
  readonly message: string;
  /** Fields of the head that hookify does not have. */
  readonly unknown: readonly { readonly name: string; readonly span: Span }[];
  /** Returns the place of a field of the head, else of the head. */
  place(field: string): Span;
}

const help =
  "give a Markdown file that begins with a head between lines of `---`, with `event` and `pattern` or `conditions`";

const known: ReadonlySet<string> = new Set([
  "name",
  "enabled",
  "event",
  "action",
  "pattern",
  "conditions",
  "tool_matcher",
]);

/**
 * Reads a hookify rule: a head in YAML between lines of `---`, then the message. Texts without quotes are taken literally,
 * as in hookify: most patterns would be something else in YAML. Source: hookify's guide to rules.
 */
export function readHookify({ name, bytes }: ImportFile): HookifyRule | { source: Source; problem: Diagnostic } {
  const decoded = utf8(bytes);
  const whole = (decoded ?? "").replace(/\r\n?/g, "\n");
  const head = /^\s*---[ \t]*\n([\s\S]*?\n)---[ \t]*(?:\n|$)/.exec(whole);
  const lead = head ? head[0].slice(0, head[0].indexOf("---")).replace(/[^\n]/g, " ") : "";
  // The head keeps its lines, so that places match the file.
  const yaml = head ? `${lead}   \n${(head[1] as string).split("\n").map(literally).join("\n")}` : whole;
  const { source, root, diagnostics } = readYaml(
    name,
    head && decoded !== undefined ? new TextEncoder().encode(yaml) : bytes,
  );
  const [first] = diagnostics;
  if (!head || decoded === undefined) {
    const isText = first === undefined || (first.code !== "HW003" && first.code !== "HW004" && first.code !== "HW002");
    return { source, problem: isText ? unusable(source, "file has no head between lines of `---`", help) : first };
  }
  if (root?.kind !== "map") return { source, problem: first ?? unusable(source, "head is not a mapping", help) };
  return ruleOf(source, root, whole.slice(head[0].length).trim());
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Puts quotes around an unquoted text in a line of the head. */
function literally(line: string): string {
  const found = /^(\s*(?:-\s+)?(?:pattern|name|message|field|operator):[ \t]+)(\S.*?)[ \t]*$/.exec(line);
  const [, key = "", value = ""] = found ?? [];
  return found && !/^(?:'.*'|".*")$/.test(value) ? `${key}'${value.replaceAll("'", "''")}'` : line;
}

function ruleOf(source: Source, root: YamlNode, message: string): HookifyRule {
  const string = (key: string): string | undefined => {
    const value = scalarOf(child(root, key));
    return value === undefined || value === null ? undefined : String(value);
  };
  const event = string("event") ?? "all";
  const pattern = entry(root, "pattern");
  const simple = pattern ? [simpleCondition(event, text(pattern.value) ?? "", pattern.keySpan)] : [];
  const list = child(root, "conditions");
  const listed = list?.kind === "list" ? list.items.map(conditionOf) : [];
  return {
    source,
    name: string("name") ?? "rule",
    enabled: scalarOf(child(root, "enabled")) !== false,
    event,
    action: string("action") ?? "warn",
    matcher: string("tool_matcher"),
    conditions: listed.length > 0 ? listed : simple,
    message,
    unknown:
      root.kind === "map"
        ? root.entries.filter(({ key }) => !known.has(key)).map(({ key, keySpan }) => ({ name: key, span: keySpan }))
        : [],
    place: (field) => entry(root, field)?.keySpan ?? root.span,
  };
}

const fieldOf: Readonly<Record<string, string>> = {
  bash: "command",
  file: "new_text",
  prompt: "user_prompt",
  stop: "reason",
};

function simpleCondition(event: string, pattern: string, span: Span): HookifyCondition {
  const field = Object.hasOwn(fieldOf, event) ? (fieldOf[event] as string) : "content";
  return { field, operator: "regex_match", pattern, span };
}

function conditionOf(node: YamlNode): HookifyCondition {
  const field = text(child(node, "field")) ?? "";
  const operator = text(child(node, "operator")) ?? "regex_match";
  return { field, operator, pattern: text(child(node, "pattern")) ?? "", span: node.span };
}
