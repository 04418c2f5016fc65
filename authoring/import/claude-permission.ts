import { canonicalTool, mcpName } from "../../schema/tools.ts";
import { all, literal } from "./cel-text.ts";
import { commandTest } from "./claude-command.ts";
import { pathTest } from "./claude-path.ts";
import type { Effect } from "./gitleaks.ts";
import type { ImportedRule, RuleExample } from "./rule-policy.ts";

/** Effect of a list of permissions on its entries. */
export type Verb = "allow" | "ask" | "deny";

/** The parts of a rule that a permission determines. */
type Part = Pick<ImportedRule, "tools" | "each" | "when" | "match" | "noMatch">;

/** Result of a permission: rules, and how they differ from the original; or why there are none. */
export interface PermissionRules {
  readonly rules: readonly Omit<ImportedRule, "from">[];
  readonly remarks: readonly { readonly reason: string; readonly effect: Effect }[];
}

/** Tools that a rule for one of Claude Code's tools covers: reading is one right, and editing another. */
const families: Readonly<Record<string, readonly string[]>> = {
  Read: ["read", "list", "glob", "grep"],
  Edit: ["edit", "write"],
  Write: ["write", "edit"],
  MultiEdit: ["edit", "write"],
  NotebookEdit: ["edit"],
};

const harmless: RuleExample = { tool: "search", args: { query: "weather" } };

/** Converts one permission (`Tool`, `Tool(what)`) to rules. Source: issue of step 8, part 8; hosts page, Claude Code. */
export function permissionRules(permission: string, verb: Verb): PermissionRules {
  const parsed = /^([A-Za-z_][\w.*-]*)(?:\(([\s\S]*)\))?$/.exec(permission.trim());
  const missing: Effect = verb === "allow" ? "guards_more" : "guards_less";
  const nothing = (reason: string): PermissionRules => ({ rules: [], remarks: [{ reason, effect: missing }] });
  if (!parsed) return nothing("it is not of the form `Tool` or `Tool(what)`");
  const [, tool = "", given] = parsed;
  const what = given === "*" || given === "" || (given === "**" && tool !== "Bash") ? undefined : given;
  const parts = what === undefined ? wholeTool(tool) : partOf(tool, what, verb);
  if (typeof parts === "string") return nothing(parts);
  const remarks = parts.some(({ wider }) => wider)
    ? [{ reason: "it holds in any folder, not only in that of the project", effect: "guards_more" as const }]
    : [];
  return { rules: parts.map(({ wider: _, suffix, ...part }) => ruleOf(permission, verb, suffix, part)), remarks };
}

type Found = Part & { readonly wider?: boolean; readonly suffix?: string };

function wholeTool(tool: string): readonly Found[] {
  const tools = families[tool] ?? [toolName(tool)];
  const example = exampleCall(tools[0] as string);
  return [{ tools, match: example ? [example] : [], noMatch: [tools.includes("search") ? "true" : harmless] }];
}

/** Returns the tool matcher; a server means all of its tools. */
function toolName(tool: string): string {
  if (/^mcp__[^_](?:(?!__).)*$/.test(tool)) return `${tool}__*`;
  return mcpName(tool) || tool.includes("*") ? tool : canonicalTool(tool);
}

const exampleCalls: Readonly<Record<string, RuleExample>> = {
  bash: "true",
  read: { tool: "read", args: { path: "notes.txt" } },
  write: { tool: "write", args: { path: "notes.txt", content: "x" } },
  edit: { tool: "edit", args: { path: "notes.txt", old_text: "x", new_text: "y" } },
  fetch: { tool: "fetch", args: { url: "https://example.com/" } },
  search: { tool: "search", args: { query: "weather" } },
  list: { tool: "list", args: { path: "." } },
  glob: { tool: "glob", args: { pattern: "*.md" } },
  grep: { tool: "grep", args: { pattern: "x" } },
  task: { tool: "task", args: { prompt: "look" } },
};

function exampleCall(tool: string): RuleExample | undefined {
  if (Object.hasOwn(exampleCalls, tool)) return exampleCalls[tool];
  return { tool: tool.replaceAll("*", "x"), args: {} };
}

/** Converts a permission for a part of a tool's actions, or returns why it cannot be expressed. */
function partOf(tool: string, what: string, verb: Verb): readonly Found[] | string {
  const guards = verb !== "allow";
  if (tool === "Bash") {
    const test = commandTest(what, guards);
    if ("reason" in test) return test.reason;
    const { when, example } = test;
    return [{ tools: ["bash"], each: ["c", "shell.commands"], when, match: [example], noMatch: ["true"] }];
  }
  if (Object.hasOwn(families, tool)) return pathParts(tool, what, guards);
  if (tool === "WebFetch") return domainParts(what, guards);
  if (tool === "Agent" || tool === "Task") return argumentPart("task", "subagent_type", what);
  if (tool === "Skill") return argumentPart("Skill", "skill", what.replace(/:\*$/, ""));
  return `what \`${tool}\` takes in brackets is not known`;
}

/**
 * Converts a permission for paths. A deny judges the effects of a call, so it holds for shell commands too; an allow is for
 * the tools alone.
 */
function pathParts(tool: string, what: string, guards: boolean): readonly Found[] | string {
  const kinds = tool === "Read" ? (["reads"] as const) : (["writes", "deletes"] as const);
  const found = (guards ? kinds : kinds.slice(0, 1)).map((kind): Found | undefined => {
    const variable = kind.slice(0, 1);
    const test = pathTest(`${variable}.path`, what, guards);
    if (!test) return undefined;
    const path = test.example;
    const args = kind === "reads" ? { path } : { path, content: "x" };
    const example = kind === "deletes" ? [] : [{ tool: kind === "reads" ? "read" : "write", args }];
    return {
      tools: guards ? [] : (families[tool] as readonly string[]),
      each: [variable, `effects.${kind}`],
      // A pattern of listed names reveals nothing about the content of files.
      when: kind === "reads" && guards ? all([test.when, "!(r.metadata_only && r.path.pattern)"]) : test.when,
      match: example,
      noMatch: [harmless],
      wider: test.wider,
      ...(kind === "deletes" && { suffix: "delete" }),
    };
  });
  return found.every((one) => one !== undefined)
    ? found
    : "a pattern that takes paths out, or escapes, is not carried over";
}

/** Converts a permission for a host: deny and ask cover any connection to it or a subdomain, allow the fetch tool and this very host. */
function domainParts(what: string, guards: boolean): readonly Found[] | string {
  const domain = /^domain:(\*\.)?([A-Za-z0-9.-]+)$/.exec(what.trim());
  if (!domain) return "only `domain:<host>` is known of what is fetched";
  const [, star, name = ""] = domain;
  const host = name.toLowerCase();
  const exact = `n.url.host == ${literal(host)}`;
  const below = `n.url.host.endsWith(${literal(`.${host}`)})`;
  const when = guards ? `n.url.host.hostIn(${literal(host)})` : star ? below : exact;
  const url = `https://${star ? "www." : ""}${host}/`;
  return [
    {
      tools: guards ? [] : ["fetch"],
      each: ["n", "effects.network"],
      when,
      match: [{ tool: "fetch", args: { url } }],
      noMatch: [{ tool: "fetch", args: { url: `https://${host}.example.net/` } }],
    },
  ];
}

function argumentPart(tool: string, argument: string, value: string): readonly Found[] {
  const when = `has(args_raw.${argument}) && args_raw.${argument} == ${literal(value)}`;
  return [
    {
      tools: [tool],
      when,
      match: [{ tool, args: { prompt: "look", [argument]: value } }],
      noMatch: [{ tool, args: { prompt: "look", [argument]: `${value}x` } }],
    },
  ];
}

const actions: Readonly<Record<Verb, string>> = { allow: "{ allow: { opaque: true } }", ask: "ask", deny: "block" };
/** A permission for a command covers all its effects; its tests exclude further output to files. */
const allowCommand =
  "{ allow: { opaque: true, effects: [writes, deletes, network, installs, pushes, config, kills] } }";
const severities: Readonly<Record<Verb, string>> = { allow: "info", ask: "medium", deny: "high" };

function ruleOf(permission: string, verb: Verb, suffix: string | undefined, part: Part): Omit<ImportedRule, "from"> {
  return {
    name: [verb, permission, ...(suffix === undefined ? [] : [suffix])].join(" "),
    title: `${verb} ${permission}`,
    severity: severities[verb],
    events: ["tool_call"],
    ...part,
    action: verb === "allow" && part.each?.[1] === "shell.commands" ? allowCommand : actions[verb],
    ...(verb !== "allow" && { reason: `the settings of Claude Code say ${verb} to ${permission}` }),
    ...(verb === "deny" && { guidance: "Ask the human, who can change the settings." }),
    without: verb === "allow" ? "guards_more" : "guards_less",
  };
}
