import { canonicalTools } from "../../../schema/tools.ts";
import { entry, strings } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** A tool matcher one slip away from a known tool. Any other unknown name may be a tool of the author's own. */
export const unknownTool: Lint = {
  code: "HW613",
  name: "unknown-tool",
  why: "A rule for a tool that no host has never fires. Hosts have tools of their own, so only a slip of the pen is reported.",
  advice: "Write the canonical name, which stands for the names of every host.",
  bad: [
    {
      title: "two letters in the wrong order",
      at: ["bsah"],
      policy: `  - id: commands
    event: tool_call
    tool: [bsah, eval]
    action: ask
    reason: it runs something
`,
    },
  ],
  good: [
    {
      title: "a tool of one's own, a server's tool and a glob",
      policy: `  - id: commands
    event: tool_call
    tool: [deploy, mcp__files__reed, "re*"]
    action: ask
    reason: it runs something
`,
    },
  ],
  rule({ node }) {
    const named = strings((entry(node, "tool") ?? entry(node, "matcher"))?.value);
    return named.flatMap(({ value, node: { span } }) => {
      const near = slipOf(value);
      if (near === undefined) return [];
      return [{ span, message: `no known host has a tool \`${value}\``, help: `did you mean \`${near}\`?` }];
    });
  },
};

/** The canonical tool whose name differs in one letter, or in two that changed places. */
function slipOf(name: string): string | undefined {
  if (name.length < 4 || !/^[a-z]+$/.test(name)) return undefined;
  if ((canonicalTools as readonly string[]).includes(name)) return undefined;
  return canonicalTools.find((tool) => `${tool}s` !== name && isOneSlip(tool, name));
}

function isOneSlip(tool: string, name: string): boolean {
  let same = 0;
  while (same < tool.length && tool[same] === name[same]) same++;
  const [a, b] = [tool.slice(same), name.slice(same)];
  const turned = a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return turned || a.slice(1) === b || a === b.slice(1);
}
