import { isSlip } from "../../../diagnostics/suggest.ts";
import { mcpName } from "../../../schema/tools.ts";
import { entry, strings } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** Lint: a tool's server name is one typing error away from a well-known server. Any other name may be the author's own server. */
export const unknownTool: Lint = {
  code: "HW613",
  name: "unknown-tool",
  why: "A rule for a tool that no host has never fires. Servers are called as their users like, so only a slip of the pen is reported; any other tool that no host has is an error.",
  advice: "Write the name under which the server stands in the configuration of the host.",
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
  ],
  good: [
    {
      title: "well-known servers, one of the author's own, and a tool that is declared",
      policy: `version: 1
policy: example
tools: [deploy]
rules:
  - id: commands
    event: tool_call
    tool: [deploy, mcp__github__create_issue, "mcp__our_hub__*", "re*"]
    action: ask
    reason: it runs something
`,
    },
  ],
  besideErrors: true,
  rule({ node }) {
    const named = strings((entry(node, "tool") ?? entry(node, "matcher"))?.value);
    return named.flatMap(({ value, node: { span } }) => {
      const server = mcpName(value)?.server;
      const near = server === undefined ? undefined : nearServer(server);
      if (near === undefined) return [];
      return [{ span, message: `no well-known server is called \`${server}\``, help: `did you mean \`${near}\`?` }];
    });
  },
};

/** Widely used servers, by the names in their documentation. */
const servers: readonly string[] =
  `github gitlab filesystem slack notion linear jira confluence atlassian postgres postgresql mysql sqlite mongodb redis
   puppeteer playwright browser browsermcp memory sequential-thinking brave-search google-drive google-calendar gmail gdrive
   outlook teams sentry stripe cloudflare kubernetes docker figma context7 supabase vercel asana hubspot salesforce zapier
   datadog grafana elasticsearch snowflake bigquery airtable shopify twilio sendgrid discord telegram obsidian everything`
    .split(/\s+/)
    .filter((name) => name !== "");

function nearServer(name: string): string | undefined {
  const plain = name.toLowerCase().replaceAll("_", "-");
  if (plain.length < 5 || servers.includes(plain)) return undefined;
  return servers.find((server) => server.length >= 5 && `${server}s` !== plain && isSlip(plain, server));
}
