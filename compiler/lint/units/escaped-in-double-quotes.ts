import type { Fix } from "../../../diagnostics/diagnostic.ts";
import type { YamlScalar } from "../../yaml-node.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy, PlacedScalar } from "../policy.ts";

/** Lint: a pattern or a folder of Windows in double quotes contains a backslash, which YAML interprets first. */
export const escapedInDoubleQuotes: Lint = {
  code: "HW628",
  name: "escaped-in-double-quotes",
  why: 'In double quotes YAML takes every backslash first: `"\\bcat\\b"` holds two backspaces and no word boundary, and `"\\\\d"` has to be written twice.',
  advice: "Write patterns and folders of Windows in single quotes, in which a backslash is a backslash.",
  bad: [
    {
      title: "word boundaries that became backspaces",
      at: ['"\\bdeploy\\b"'],
      policy: `  - id: deploys
    event: before_agent_start
    when: { prompt: { matches: "\\bdeploy\\b" } }
    action: { inject: { content: Deploy with care. } }
`,
    },
    {
      title: "a folder of Windows in a text",
      at: ['"look into C:\\new\\table first"'],
      policy: `  - id: docs
    event: tool_call
    tool: search
    action: ask
    reason: "look into C:\\new\\table first"
`,
    },
    {
      title: "every backslash twice",
      at: ['"^v\\\\d+$"'],
      policy: `  - id: tags
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: { matches: "^v\\\\d+$" } }
    action: ask
    reason: a release is pushed
`,
      fixed: `  - id: tags
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: { matches: '^v\\d+$' } }
    action: ask
    reason: a release is pushed
`,
    },
  ],
  good: [
    {
      title: "single quotes",
      policy: `  - id: tags
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: { matches: '^v\\d+$' } }
    action: ask
    reason: "a \\"release\\" is pushed"
`,
    },
    {
      title: "a quote inside quotes, and a character by its number",
      policy: `  - id: quoted
    event: tool_call
    tool: search
    when: { args.query: { matches: "[\\"'][\\u00e9\\x41]+" } }
    action: ask
    reason: it is quoted
`,
    },
  ],
  policy(policy) {
    return policy.scalars.filter(isDouble).flatMap((scalar) => {
      const { node } = scalar;
      if (!isPattern(scalar)) return folderIn(scalar, policy);
      const written = policy.textAt(node.span);
      if (!/\\[\\abvf]/.test(written)) return [];
      const lost = [...String(node.value)].find((c) => c === "\b" || c === "\u0007" || c === "\u000b" || c === "\f");
      const control = lost === "\b" ? "a backspace" : "a control character";
      const message =
        lost === undefined
          ? "backslashes of a pattern stand twice in double quotes"
          : `in double quotes YAML makes ${control} of this backslash, and the pattern looks for that`;
      const fix = lost === undefined ? singleQuoted(node) : undefined;
      return [{ span: node.span, message, help: "write the pattern in single quotes", ...(fix && { fix }) }];
    });
  },
};

function isDouble({ node }: PlacedScalar): boolean {
  return node.style === "double" && typeof node.value === "string";
}

function isPattern({ path }: PlacedScalar): boolean {
  return ["matches", "regex"].includes(path.at(-1) ?? "");
}

/** Finds a folder of Windows whose separators are escapes: in double quotes `C:\temp` has a tab in it. */
function folderIn({ node, path }: PlacedScalar, policy: LintedPolicy): Finding[] {
  if (path.includes("examples") || !/[\u0000-\u001f]/.test(String(node.value).slice(0, 4_096))) return [];
  const found = /(?:[A-Za-z]:|%\w+%)(?:\\\\?[\w .-]+)*?\\[tnrbfav0e](?=\w)[\w .-]*/.exec(
    policy.textAt(node.span).slice(0, 4_096),
  );
  if (!found) return [];
  const message = `in double quotes YAML makes a control character of a backslash in \`${found[0].slice(0, 60)}\``;
  return [{ span: node.span, message, help: "write the text in single quotes" }];
}

/** Makes the fix that writes the value in single quotes; undefined if one line cannot hold it. */
function singleQuoted({ value, span }: YamlScalar): Fix | undefined {
  const text = String(value);
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(text)) return undefined;
  const edits = [{ span, text: `'${text.replaceAll("'", "''")}'` }];
  return { title: "write it in single quotes", meaning: "same", edits };
}
