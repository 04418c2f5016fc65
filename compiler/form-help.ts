import type { DocumentError } from "../schema/document-validators.generated.js";
import { lowerFirst } from "./action-check.ts";
import { otherSequenceKey } from "./other-keys.ts";
import type { YamlNode } from "./yaml-node.ts";

/** Returns the help for a value in another form than the required one. */
export function formHelp(
  key: string | undefined,
  node: YamlNode | undefined,
  parent?: string,
  wanted?: unknown,
): string | undefined {
  if ((key === "when" || key === "unless") && node?.kind === "list")
    return `put the list under \`any:\` where one is enough, or under \`all:\``;
  if (key === "labels" && parent === undefined) return labelsHelp(node);
  if (parent === "labels") return "write `{ kind: taint }`, or `{ kind: mark }` for one that may be taken away";
  if (key === "tool" && node?.kind === "map") return toolHelp(node);
  if (parent === "each" && node?.kind === "list") return "`each` goes through one list: write a rule for each of them";
  if (key === "sequence" || (key === "after" && parent === "sequence")) return sequenceHelp(key, node);
  if (wanted === "array" && node?.kind === "map") return "write a list: `[{ … }]`, or `- ` before each item";
  if (node?.kind !== "scalar") return undefined;
  const { value } = node;
  if (parent === "imports" && typeof value === "string") {
    const pack = /^(?:pack:\s*)?([a-z][a-z0-9-]*)$/.exec(value)?.[1];
    return pack === undefined ? `write \`{ file: ${shortened(value)} }\`` : `write \`{ pack: ${pack} }\``;
  }
  if (key === "each" && typeof value === "string" && /^[a-z_.]{1,60}$/.test(value))
    return `give the element a name: \`{ ${value.split(".").at(-1)?.[0] ?? "x"}: ${value} }\``;
  if (key === "within" && typeof value === "string")
    return `write \`{ time: ${/^\d+(?:ms|s|m|h|d)$/.test(value) ? value : "10m"} }\` or \`{ calls: 10 }\``;
  if (typeof value === "number" && /^(?:within|time|timeout)$/.test(key ?? ""))
    return `write a duration with its unit, such as \`${value}s\` or \`${value}m\``;
  if (wanted === "boolean" && typeof value === "string" && /^(?:true|false|yes|no|on|off)$/i.test(value))
    return `write \`${/^(?:true|yes|on)$/i.test(value) ? "true" : "false"}\`, without quotes`;
  if (wanted === "integer" && typeof value === "string" && /^\d{1,9}$/.test(value))
    return `write \`${value}\`, without quotes`;
  if (wanted === "integer" && typeof value === "string" && /^\d{1,3}(?:[_,' ]\d{3}){1,2}$/.test(value))
    return `write \`${value.replaceAll(/\D/g, "")}\`, with digits alone`;
  return undefined;
}

/** Returns help for events of a sequence in another form: a list in the place of the sequence, or the name of a tool. */
function sequenceHelp(key: string, node: YamlNode | undefined): string {
  const items = node?.kind === "list" ? node.items : node ? [node] : [];
  const tools = items.slice(0, 4).map((item) => {
    const only = item.kind === "map" ? item.entries.find((one) => one.key === "tool")?.value : item;
    const name = only?.kind === "scalar" && typeof only.value === "string" ? only.value : "";
    return /^\w{1,40}$/.test(name) ? `{ tool: ${name} }` : "{ … }";
  });
  const after = `[${tools.join(", ")}${items.length > 4 ? ", …" : ""}]`;
  return key === "after"
    ? `write a list: \`after: ${after}\``
    : `write \`sequence: { after: ${after} }\`; the rule itself is about the last event`;
}

/** Returns help for a mapping in the place of a tool: `{ name: read }`, `{ not: read }`. */
function toolHelp(node: YamlNode & { readonly kind: "map" }): string {
  const [only] = node.entries;
  const value = only?.value.kind === "scalar" && typeof only.value.value === "string" ? only.value.value : undefined;
  if (only === undefined || value === undefined || !/^[\w*-]{1,60}$/.test(value))
    return "write one name, or a list of names; other tests of the tool stand under `when`, of `tool.name`";
  if (/^(?:not|not_equals|not_in|except|exclude)$/.test(only.key))
    return `leave \`tool\` out, and write \`when: { not: { tool.name: ${value} } }\``;
  return `write \`tool: ${value.includes("*") ? `"${value}"` : value}\``;
}

/** Returns help for a value where only one is allowed. */
export function constHelp(key: string | undefined, wanted: string, node: YamlNode | undefined): string | undefined {
  if (key === undefined || node?.kind !== "scalar") return undefined;
  return String(node.value) === wanted ? `write \`${key}: ${wanted}\`, without quotes` : `write \`${key}: ${wanted}\``;
}

/** Help for `each` with its two sides exchanged: `{ shell.commands: c }`. */
export function turnedHelp(key: string, node: YamlNode | undefined): string | undefined {
  const value = node?.kind === "map" ? node.entries.find((entry) => entry.key === key)?.value : undefined;
  const name = value?.kind === "scalar" && typeof value.value === "string" ? value.value : "";
  return /^[a-z]\w*(?:\.\w+)+$/.test(key) && /^[a-z]\w{0,20}$/.test(name)
    ? `the name stands first: \`{ ${name}: ${key} }\``
    : undefined;
}

/** Returns the declaration of labels that were written as a list or as one name. */
function labelsHelp(node: YamlNode | undefined): string {
  const items = node?.kind === "list" ? node.items : node ? [node] : [];
  const names = items.flatMap((item) =>
    item.kind === "scalar" && typeof item.value === "string" && item.value.length <= 64
      ? [item.value.toLowerCase().replaceAll(/[\s.-]+/g, "_")]
      : [],
  );
  const [first = "name", ...others] = names.filter((name) => /^[a-z][a-z0-9_]*$/.test(name));
  return `write \`labels: { ${first}: { kind: taint }${others.length > 0 ? ", …" : ""} }\``;
}

/** Help for a mapping whose only key holds a colon and has no value. */
export function colonHelp(node: YamlNode | undefined): string | undefined {
  const [only, ...others] = node?.kind === "map" ? node.entries : [];
  const [, key, value] = /^([A-Za-z_]\w*):([\w.]{1,80})$/.exec(only?.key ?? "") ?? [];
  if (key === undefined || others.length > 0) return undefined;
  return `YAML wants a space behind the colon: \`${key}: ${value}\``;
}

/** Keys that authors give to a rule, by the facts that a rule tests for that. */
const testedFacts: readonly (readonly [keys: string, help: string])[] = [
  [
    "program programs command commands cmd executable binary args flags options subcommand",
    "`each: { c: shell.commands }` and `when: { c.program: … }`",
  ],
  [
    "path paths file files file_path folder folders dir glob globs",
    "`each: { w: effects.writes }` and `when: { w.path: { glob: … } }`",
  ],
  [
    "host hosts",
    "`when: { host: … }` for the product that the agent runs in, and by `each: { n: effects.network }` and `n.url.host` for traffic",
  ],
  ["domain domains url urls", "`each: { n: effects.network }` and `when: { n.url.host: { host_in: … } }`"],
  ["branch branches", "`each: { p: effects.pushes }` and `when: { p.target.branch: … }`"],
  ["package packages", "`each: { i: effects.installs }` and `when: { i.name: … }`"],
  ["server servers", '`tool: "mcp__server__*"`'],
  ["agent agents subagent", "`when: { agent.type: … }`"],
  ["prompt content text", "`when: { input.text: … }` on the event `input`"],
];

/** Returns help for a key that no rule has, where it names a fact that rules test. */
export function ruleKeyHelp(key: string): string | undefined {
  if (/^(?:[a-z]\w*\.)+[a-z]\w*$/.test(key)) return `a test stands under \`when\`: \`when: { ${key}: … }\``;
  const found = testedFacts.find(([keys]) => keys.split(" ").includes(key.toLowerCase()));
  return found && `a rule tests that by ${found[1]}`;
}

const shortened = (text: string): string => text.slice(0, 80);

/** Returns help from the schema if no intended form is known. */
export function helpFor(e: DocumentError): string {
  const description = (e.parentSchema as { description?: string } | undefined)?.description;
  if (e.schemaPath.includes("Import/")) return "give either `pack` or `file`";
  if (description) return lowerFirst(description);
  if (e.schemaPath.includes("OneOrMore")) return "write one text or a list of texts";
  if (e.schemaPath.includes("Action")) return "write the name of an action, or `name: { parameters }`";
  return "see the policy format in `schema/policy.schema.json`";
}

/** Returns the help for a text that is no valid name or date. */
export function patternHelp(pattern: string): string {
  if (pattern.includes("(-[a-z0-9]+)*")) return "use lower-case words joined by `-`";
  if (pattern.includes("a-z0-9_")) return "use lower-case letters, digits and `_`, starting with a letter";
  if (pattern.startsWith("^\\d{4}")) return "write a date as `YYYY-MM-DD`, in quotes or plain";
  return `it must match \`${pattern}\``;
}

/** Returns help for a key of an author's own that is no name: the name that it becomes where only signs are wrong. */
export function nameHelp(key: string, pattern: string): string {
  const name = key.toLowerCase().replaceAll(/[\s.-]+/g, "_");
  return name.length <= 64 && new RegExp(pattern).test(name) ? `write \`${name}\`` : patternHelp(pattern);
}

/** Returns help for a missing key: with its values where they are few, and what it means where the schema says so. */
export function missingHelp(key: string, e: DocumentError): string {
  const given = e.data;
  if (key === "after" && typeof given === "object" && given !== null && Object.hasOwn(given, "tool"))
    return "an event before stands in a list: `sequence: { after: [{ tool: … }] }`";
  const instead = key === "after" ? Object.keys(given ?? {}).flatMap((other) => otherSequenceKey(other) ?? []) : [];
  if (instead[0] !== undefined) return instead[0];
  const schema = (
    e.parentSchema as { properties?: Record<string, { enum?: readonly unknown[]; description?: string }> }
  ).properties?.[key];
  const values = schema?.enum?.map(String).join("` or `");
  if (values === undefined) return `add \`${key}:\``;
  return `add \`${key}:\` with \`${values}\`${schema?.description === undefined ? "" : `: ${lowerFirst(schema.description)}`}`;
}
