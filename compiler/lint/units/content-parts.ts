import type { Ir } from "../../../engine/plan.ts";
import { child } from "../../yaml-node.ts";
import { nodesIn } from "../label-uses.ts";
import type { Lint } from "../lint.ts";
import { writtenPath } from "../typing.ts";

/** Lint: the number of parts of a content is compared with a number of characters. */
export const contentParts: Lint = {
  code: "HW807",
  name: "content-parts",
  why: "`result.content` is the list of parts as the host gives it, most often one. Its size is the number of parts, and never thousands.",
  advice: "Write `result.text`, which is all its text, for the number of characters.",
  bad: [
    {
      title: "a budget and a size",
      at: ["2000", "result.content: { size: { gt: 20000 } }", "size(result.content) > 5000"],
      policy: `  - id: sum
    event: tool_result
    budget: { limit: 2000, of: result.content.size() }
    action: { inject: { content: Sum up what you have read., as: append } }
  - id: long
    event: tool_result
    when: { result.content: { size: { gt: 20000 } } }
    action: { truncate: { max_chars: 10000 } }
  - id: longer
    event: tool_result
    when: size(result.content) > 5000
    action: { truncate: { max_chars: 10000 } }
`,
    },
  ],
  good: [
    {
      title: "characters, and a number of parts",
      policy: `  - id: sum
    event: tool_result
    budget: { limit: 2000, of: result.text.size() }
    action: { inject: { content: Sum up what you have read., as: append } }
  - id: parts
    event: tool_result
    when: { result.content: { size: { gt: 3 } } }
    action: { notify: { message: the result has several parts } }
`,
    },
  ],
  claim({ operator, path, values, span }) {
    const size = /^((?:result|message))\.content(?:\.size)?$/.exec(path);
    const isSize = path.endsWith(".size") || operator === "size";
    if (!size || !isSize || !(values ?? []).some((value) => typeof value === "number" && value >= leastCharacters))
      return undefined;
    return { span, ...said(`${size[1]}.content`) };
  },
  rule({ typed, node, draft }) {
    const place = child(child(node, "budget"), "limit");
    const counted = typed?.budget?.of && nodesIn(typed.budget.of).find(isSizeOfContent);
    if (!place || !counted || (draft.budget?.limit ?? 0) < leastCharacters) return [];
    return [{ span: place.span, ...said("result.content") }];
  },
};

/** No result has as many parts. */
const leastCharacters = 100;

function isSizeOfContent(node: Ir): boolean {
  return node.k === "call" && /\.size$/.test(node.fn) && node.args.some((arg) => writtenPath(arg) === "result.content");
}

function said(path: string): { readonly message: string; readonly help: string } {
  return {
    message: `this counts the parts of \`${path}\`, most often one`,
    help: `write \`${path.replace("content", "text")}\` to count characters`,
  };
}
