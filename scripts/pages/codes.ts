import { join } from "node:path";
import { type Code, codes, isLint } from "../../diagnostics/codes.ts";
import { codePage, lintOf } from "../generate/code-pages.ts";
import { generatedFrom, type Page, table } from "../generate/page.ts";

const root = join(import.meta.dirname, "../..");

const groups: readonly (readonly [codes: RegExp, title: string])[] = [
  [/^HW0/, "Files"],
  [/^HW1/, "Shape"],
  [/^HW2/, "Expression syntax"],
  [/^HW3/, "Names and types"],
  [/^HW4/, "Rules"],
  [/^HW5/, "Run time"],
  [/^HW[68]/, "Lints"],
  [/^HW7/, "Command line and audit trail"],
];

const all = Object.keys(codes) as Code[];

const index: Page = {
  path: "docs/reference/codes.md",
  render() {
    const intro = `A finding carries one of these codes. A code is never used again for another meaning.

\`check\` fails on findings from \`--fail-level\` on (\`warning\` when not given). A lint is ignored by a comment with its code and a reason, on its line, above it, or before the first key for the whole file: \`# hookwarden-ignore HW601: agents only\`. Levels stand in \`.hookwarden/check.yaml\`, the nearest one at or above the folder of the policy:

\`\`\`yaml
version: 1
fail_level: warning
paths: [policies]                     # checked when the command line names nothing
levels:
  HW664: warning
  HW625: { level: off, reason: exceptions are reviewed every month }
\`\`\``;
    const sections = groups.map(([codes, title]) => `## ${title}\n\n${section(codes)}`);
    return `${generatedFrom("diagnostics/codes.ts")}\n# Diagnostic codes\n\n${intro}\n\n${sections.join("\n\n")}\n`;
  },
};

/** Every diagnostic code with its severity and title, and a page for each. */
export const pages: readonly Page[] = [
  index,
  ...all.map((code): Page => ({ path: `docs/reference/codes/${code}.md`, render: () => codePage(code, root) })),
];

function section(own: RegExp): string {
  const listed = all.filter((name) => own.test(name));
  const areLints = listed.every(isLint);
  const rows = listed.map((name) => [
    `[${name}](codes/${name}.md)`,
    codes[name].severity,
    codes[name].title,
    ...(areLints ? [lintOf(name)?.name ?? ""] : []),
  ]);
  return table(["code", "severity", "meaning", ...(areLints ? ["lint"] : [])], rows);
}
