import type { Lint } from "../lint.ts";

/** A number with a zero before it, which YAML drops: the mode `0755` becomes 755. */
export const leadingZero: Lint = {
  code: "HW679",
  name: "leading-zero",
  why: "YAML reads `0755` as the number 755: neither the text nor the octal number. A test against a mode, a code or a date that is written so holds for another value.",
  advice: "Quote the text, or write the number without its zero.",
  bad: [
    {
      title: "the mode of a file",
      at: ["0755"],
      policy: `  - id: modes
    event: tool_call
    tool: mcp__fs__chmod
    when: { args.mode: 0755 }
    action: ask
    reason: everyone may run it
`,
    },
  ],
  good: [
    {
      title: "a text, a number, and a fraction",
      policy: `  - id: modes
    event: tool_call
    tool: mcp__fs__chmod
    when: { any: [{ args.mode: "0755" }, { args.mode: 755 }, { args.mode: 0 }, { args.share: 0.5 }] }
    action: ask
    reason: everyone may run it
`,
    },
  ],
  policy(policy) {
    return policy.scalars.flatMap(({ node }) => {
      if (typeof node.value !== "number") return [];
      const written = policy.textAt(node.span);
      if (!/^[-+]?0\d+$/.test(written)) return [];
      const message = `\`${written}\` is the number ${node.value} here`;
      return [{ span: node.span, message, help: `write \`"${written}"\` for the text, or \`${node.value}\`` }];
    });
  },
};
