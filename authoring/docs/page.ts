import type { ParameterDraft, PolicyDraft, RuleDraft } from "../../compiler/policy-draft.ts";
import type { ResolvedPolicy } from "../../compiler/resolve.ts";
import { child, entry, strings, text, toValue, type YamlNode } from "../../compiler/yaml-node.ts";
import type { Source } from "../../diagnostics/source.ts";
import { block, code, line, table } from "./markdown.ts";

/** First line of a page that `docs` wrote. */
export const pageMark = "<!-- Written by `hookwarden docs` from the policies; do not edit. -->";

/** True for a page that `docs` wrote. */
export function isPage(text: string): boolean {
  return text.startsWith(pageMark);
}

/**
 * Returns policies as one Markdown page: the purpose of each, its rules, parameters, lists, labels, imports and exceptions
 * as tables, and each rule as its author wrote it. The same policies give the same bytes. Source: semantics page section 6.
 */
export function policyPage(policies: readonly ResolvedPolicy[]): string {
  const shown = [...policies].sort((a, b) => (a.draft.id < b.draft.id ? -1 : a.draft.id > b.draft.id ? 1 : 0));
  return `${pageMark}\n\n${shown.map(section).join("\n")}`;
}

function section({ draft, root }: ResolvedPolicy): string {
  const rules = listOf(child(root, "rules"));
  const parts = [
    `# ${line(draft.title) || code(draft.id)}`,
    line(draft.description),
    `Policy ${code(draft.id)}, ${draft.mode === "monitor" ? "which only records" : "enforced"}. A tool call that no rule answers: ${draft.default}. A call that cannot be understood: ${draft.unknown}.`,
    titled("Rules", ruleTable(draft, rules)),
    titled("Parameters", parameterTable(draft.parameters)),
    titled("Lists", listTable(draft)),
    titled("Programs", programTable(draft)),
    titled("Tools", toolTable(draft)),
    titled("Labels", labelTable(root)),
    titled("Imports", importTable(root)),
    titled("Exceptions", exceptionTable(draft.source, root)),
    ...draft.rules.map((rule, i) => ruleSection(rule, rules[i], draft)),
  ];
  return `${parts
    .map((part) => part.trimEnd())
    .filter((part) => part !== "")
    .join("\n\n")}\n`;
}

function titled(title: string, body: string): string {
  return body === "" ? "" : `## ${title}\n\n${body}`;
}

function ruleTable(draft: PolicyDraft, nodes: readonly YamlNode[]): string {
  const rows = draft.rules.map((rule, i) => [
    code(rule.id),
    line(text(child(nodes[i], "title")) ?? ""),
    rule.actions.map(({ name }) => name).join(", "),
    rule.severity,
    rule.events.join(", "),
    rule.tools.map(code).join(" "),
    rule.tags.map(code).join(" "),
    stateOf(rule),
  ]);
  return table(["rule", "what it is about", "action", "severity", "events", "tools", "tags", "state"], rows);
}

function stateOf({ enabled, mode }: RuleDraft): string {
  if (!enabled) return "off";
  return mode === "monitor" ? "only records" : "";
}

function parameterTable(parameters: ReadonlyMap<string, ParameterDraft>): string {
  const rows = [...parameters].map(([name, { type, value, description }]) => [
    code(name),
    type,
    value === undefined ? "must be set" : code(JSON.stringify(value)),
    line(description),
  ]);
  return table(["parameter", "type", "default", "meaning"], rows);
}

/** Maximum entries of a list on the page; the policy has them all. */
const mostEntries = 20;

function listTable({ lists }: PolicyDraft): string {
  const rows = [...lists].map(([name, items]) => {
    const more = items.length > mostEntries ? ` and ${items.length - mostEntries} more` : "";
    return [code(`$${name}`), `${items.slice(0, mostEntries).map(code).join(" ")}${more}`];
  });
  return table(["list", "entries"], rows);
}

function programTable({ programs }: PolicyDraft): string {
  const rows = [...programs.values()].map(({ claim: { name, aliases, options, effects, wraps } }) => [
    code(name),
    aliases.map(code).join(" "),
    options.map(code).join(" "),
    wraps
      ? "runs the words behind its options"
      : effects
        ? effects.map(({ kind }) => kind).join(", ") || "nothing"
        : "not said",
  ]);
  return table(["program", "other names", "options", "what it does"], rows);
}

function toolTable({ tools }: PolicyDraft): string {
  const rows = [...tools.values()].map(({ claim: { name, effects } }) => [
    code(name),
    effects ? effects.map(({ kind }) => kind).join(", ") || "nothing" : "not said",
  ]);
  return table(["tool", "what it does"], rows);
}

function labelTable(root: YamlNode): string {
  const labels = child(root, "labels");
  if (labels?.kind !== "map") return "";
  const rows = labels.entries.map(({ key, value }) => [
    code(key),
    text(child(value, "kind")) ?? "",
    line(text(child(value, "description")) ?? ""),
  ]);
  return table(["label", "kind", "meaning"], rows);
}

function importTable(root: YamlNode): string {
  const rows = listOf(child(root, "imports")).map((one) => {
    const pack = text(child(one, "pack"));
    const given = child(one, "with");
    const overrides = listOf(child(one, "overrides")).map((each) => code(JSON.stringify(toValue(each))));
    return [
      code(pack === undefined ? (text(child(one, "file")) ?? "") : `pack:${pack}`),
      given ? code(JSON.stringify(toValue(given))) : "",
      text(child(one, "mode")) ?? "",
      overrides.join(" "),
    ];
  });
  return table(["import", "with", "mode", "overrides"], rows);
}

function exceptionTable(source: Source, root: YamlNode): string {
  const rows = listOf(child(root, "exceptions")).map((one) => [
    strings(child(one, "rules"))
      .map(({ value }) => code(value))
      .join(" "),
    code(written(source, one, "when").replace(/^when:\s*\|?/, "")),
    line(text(child(one, "owner")) ?? ""),
    line(text(child(one, "reason")) ?? ""),
    text(child(one, "expires")) ?? "never",
  ]);
  return table(["waived rules", "when", "owner", "reason", "last day"], rows);
}

function ruleSection(rule: RuleDraft, node: YamlNode | undefined, { source }: PolicyDraft): string {
  const say = (key: string, before = ""): string => {
    const said = text(child(node, key));
    return said === undefined ? "" : `${before}${line(said)}`;
  };
  const several = (key: string, before: string): string => {
    const given = strings(child(node, key)).map(({ value }) => line(value));
    return given.length === 0 ? "" : `${before}${given.join("; ")}`;
  };
  const parts = [
    `## ${say("title") || line(rule.id)}`,
    `Rule ${code(rule.id)}.${say("description", " ")}`,
    block(
      language,
      ruleKeys
        .map((key) => written(source, node, key))
        .filter(Boolean)
        .join("\n"),
    ),
    bullets([
      say("reason", "It says: "),
      say("guidance", "What to do instead: "),
      several("false_positives", "Fires without need: "),
      say("owner", "Owner: "),
      several("references", "See: "),
    ]),
    examples(rule),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Language of the code blocks of rules. */
const language = "yaml";

/** Keys of a rule that determine when it applies and what it does. */
const ruleKeys = ["event", "tool", "matcher", "each", "when", "unless", "sequence", "budget", "action"] as const;

function bullets(lines: readonly string[]): string {
  return lines
    .filter((each) => each !== "")
    .map((each) => `- ${each}`)
    .join("\n");
}

function examples({ examples: { match, no_match } }: RuleDraft): string {
  const row = (value: unknown): string => code(typeof value === "string" ? value : JSON.stringify(value));
  const rows = [
    ...match.map(({ value }) => [row(value), "matches"]),
    ...no_match.map(({ value }) => [row(value), "does not match"]),
  ];
  return table(["example", "the rule"], rows).trimEnd();
}

/** Returns a key with its value as the author wrote them, moved to the left; a value through an alias is written as JSON. */
function written(source: Source, node: YamlNode | undefined, key: string): string {
  const found = entry(node, key);
  if (!found) return "";
  const { keySpan, value } = found;
  if (value.span.start < keySpan.end) return `${key}: ${JSON.stringify(toValue(value))}`;
  const column = source.position(keySpan.start).column - 1;
  const lines = source.text.slice(keySpan.start, value.span.end).trimEnd().split("\n");
  return lines.map((each, i) => (i === 0 ? each : each.slice(leading(each, column)))).join("\n");
}

function leading(text: string, most: number): number {
  let at = 0;
  while (at < most && text[at] === " ") at++;
  return at;
}

function listOf(node: YamlNode | undefined): readonly YamlNode[] {
  return node?.kind === "list" ? node.items : [];
}
