import { isSlip } from "../../../diagnostics/suggest.ts";
import { toolTable } from "../../../rules/name-tables.ts";
import { canonicalTool, mcpName } from "../../../schema/tools.ts";
import { child, entry, strings, type YamlNode } from "../../yaml-node.ts";
import { textValues } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/**
 * Lint: a tool's server name is one typing error or its letter case away from a well-known server (any other name may be the
 * author's own server), a verb in capitals where a tool's name belongs, or a server's tool without `mcp__`.
 */
export const unknownTool: Lint = {
  code: "HW613",
  name: "unknown-tool",
  why: "A rule for a tool that no host has never fires. Servers are called as their users like, so only a slip of the pen is reported; any other tool that no host has is an error. Names are compared with their letter case. Whatever a host calls a server's tool (`mcp_jira_get`, `jira-get`, `jira__get`), rules see `mcp__jira__get`.",
  advice:
    "Write `mcp__<server>__<tool>`, with the name under which the server stands in the configuration of the host.",
  bad: [
    {
      title: "two letters in the wrong order",
      at: ['"mcp__gihtub__*"'],
      policy: `  - id: issues
    event: tool_call
    tool: ["mcp__gihtub__*", mcp__slack__post_message]
    action: ask
    reason: it leaves the machine
`,
    },
    {
      title: "capitals, and the name of one host",
      at: ['"mcp__Jira__*"', "mcp__jira__DELETE", "jira__delete_issue"],
      policy: `  - id: issues
    event: tool_call
    tool: ["mcp__Jira__*", mcp__jira__DELETE, jira__delete_issue]
    action: ask
    reason: it leaves the machine
`,
      fixed: `version: 1
policy: example
rules:
  - id: issues
    event: tool_call
    tool: ["mcp__Jira__*", mcp__jira__DELETE, mcp__jira__delete_issue]
    action: ask
    reason: it leaves the machine
`,
    },
    {
      title: "a step of a sequence",
      at: [`"mcp__calender__*"`],
      policy: `  - id: tickets
    event: tool_call
    tool: mcp__our_desk__create_ticket
    sequence: { after: [{ tool: "mcp__calender__*" }], within: { calls: 20 } }
    action: ask
    reason: a calendar was read
`,
    },
  ],
  good: [
    {
      title: "well-known servers, one of the author's own, and a tool that is declared",
      policy: `version: 1
policy: example
tools: [deploy, mcp__drive__share]
rules:
  - id: commands
    event: tool_call
    tool: [deploy, "mcp__drive__*", mcp__github__create_issue, "mcp__our_hub__*", "mcp__OurHub__*", mcp__composio__SLACK_SEND_MESSAGE, "re*"]
    action: ask
    reason: it runs something
`,
    },
  ],
  besideErrors: true,
  rule({ node, policy }) {
    return [node, ...stepsOf(node)].flatMap(toolsNamed).flatMap(({ value, node: { span } }) => {
      const said = isOfDeclared(mcpName(value)?.server, policy) ? undefined : slipIn(value);
      const found = said ?? (policy.draft.tools.has(value) ? undefined : unprefixed(value, span));
      return found ? [{ span, ...found }] : [];
    });
  },
  claim(claim, { policy }) {
    const read = claim.field === "tool.server" ? serverIn : claim.field === "tool.name" ? slipInTest : undefined;
    if (!read) return undefined;
    return textValues(claim).flatMap(({ text, index }) => {
      const server = read === serverIn ? text : mcpName(text)?.server;
      const found = isOfDeclared(server, policy) ? undefined : read(text, claim.operator);
      return found ? [{ span: policy.valueSpan(claim, index), ...found }] : [];
    });
  },
};

/** Tells whether the policy declares a tool of the server, so that its name is no slip. */
function isOfDeclared(server: string | undefined, { draft }: LintedPolicy): boolean {
  return server !== undefined && [...draft.tools.keys()].some((name) => mcpName(name)?.server === server);
}

/** Widely used servers, by the names in their documentation. */
const servers: readonly string[] =
  `github gitlab filesystem slack notion linear jira confluence atlassian postgres postgresql mysql sqlite mongodb redis
   puppeteer playwright browser browsermcp memory sequential-thinking brave-search google-drive google-calendar gmail gdrive
   outlook teams sentry stripe cloudflare kubernetes docker figma context7 supabase vercel asana hubspot salesforce zapier
   calendar tickets payments datadog grafana elasticsearch snowflake bigquery airtable shopify twilio sendgrid discord telegram obsidian everything`
    .split(/\s+/)
    .filter((name) => name !== "");

/** The items of a rule's sequence, as the author wrote them. */
function stepsOf(rule: YamlNode): readonly YamlNode[] {
  const sequence = child(rule, "sequence");
  const lists = sequence?.kind === "map" ? sequence.entries.map(({ value }) => value) : [];
  return lists.flatMap((list) => (list.kind === "list" ? list.items : []));
}

function toolsNamed(node: YamlNode): ReturnType<typeof strings> {
  return strings((entry(node, "tool") ?? entry(node, "matcher"))?.value);
}

type Said = Pick<Finding, "message" | "help" | "fix">;

/** Finds a slip in the name of a server's tool, or in a matcher for such names. */
function slipIn(name: string): Said | undefined {
  const { server, tool } = mcpName(name) ?? {};
  if (server === undefined || tool === undefined) return undefined;
  const [, before = "", choices, after = ""] = /^([^{}]*)\{([^{}]+)\}([^{}]*)$/.exec(server) ?? [];
  const servers = choices === undefined ? [server] : choices.split(",").map((one) => `${before}${one}${after}`);
  return servers.map(serverSlip).find((said) => said !== undefined) ?? shouted(server, tool);
}

/** Finds a slip in a test of the whole name of a tool, or of its beginning. */
function slipInTest(text: string, operator: string): Said | undefined {
  if (operator === "equals" || operator === "in" || operator === "glob") return slipIn(text);
  const start = operator === "matches" ? /^\^(mcp__[\w-]+?__)/.exec(text)?.[1] : text;
  return (operator === "matches" || operator === "starts_with") && start !== undefined && /^mcp__.+__$/.test(start)
    ? slipIn(`${start}*`)
    : undefined;
}

/** Finds a slip in a test of a server's name, or of its beginning or end up to a wildcard. */
function serverIn(text: string, operator: string): Said | undefined {
  if (operator === "equals" || operator === "in") return serverSlip(text);
  const part = operator === "glob" ? text.replace(/^\*+|\*+$/g, "") : operator === "starts_with" ? text : "";
  // A part may be that of a longer name, so that only its letter case tells anything.
  return servers.includes(part.toLowerCase()) && part !== part.toLowerCase() ? serverSlip(part) : undefined;
}

function serverSlip(server: string): Said | undefined {
  const near = nearServer(server);
  if (near !== undefined)
    return { message: `no well-known server is called \`${server}\``, help: `did you mean \`${near}\`?` };
  const lower = server.toLowerCase();
  if (lower === server || !servers.includes(lower)) return undefined;
  return {
    message: `\`${server}\` is usually \`${lower}\`, and names are compared with their letter case`,
    help: `write \`${lower}\`, or \`[${server}, ${lower}]\` where both occur`,
  };
}

/** A bare verb in capitals names no tool: those in capitals name their service as well. */
function shouted(server: string, tool: string): Said | undefined {
  if (!/^(?:GET|READ|LIST|SEARCH|CREATE|ADD|UPDATE|EDIT|WRITE|DELETE|REMOVE|DROP|SEND|POST|PUT|PATCH)$/.test(tool))
    return undefined;
  const lower = tool.toLowerCase();
  return {
    message: `no tool of a server is called \`${tool}\`: names are compared with their letter case`,
    help: `every tool with this word is \`mcp__${server}__*${lower}*\``,
  };
}

/** `extension__tool`, as Goose names what rules see as a server's tool. */
function unprefixed(name: string, span: Finding["span"]): Said | undefined {
  const isForeign = /^[A-Za-z][A-Za-z0-9-]*__\w/.test(name) && !/^mcp_/i.test(name);
  if (!isForeign || toolTable.names.includes(canonicalTool(name))) return undefined;
  const instead = `mcp__${name}`;
  return {
    message: `rules see the tool \`${name}\` of a server or extension as \`${instead}\``,
    help: `write \`${instead}\`, or declare it under \`tools\` if a hook gives it this very name`,
    ...(/^[\w-]+$/.test(name) && {
      fix: { title: `write \`${instead}\``, meaning: "stricter", edits: [{ span, text: instead }] },
    }),
  };
}

function nearServer(name: string): string | undefined {
  const plain = name.toLowerCase().replaceAll("_", "-");
  if (plain.length < 5 || servers.includes(plain)) return undefined;
  return servers.find(
    (server) => server.length >= 5 && `${server}s` !== plain && !/\d$/.test(plain) && isSlip(plain, server),
  );
}
