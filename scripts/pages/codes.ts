import { type Code, codes } from "../../diagnostics/codes.ts";
import { generatedFrom, type Page, table } from "../generate/page.ts";

const groups: readonly (readonly [prefix: string, title: string])[] = [
  ["HW0", "Files"],
  ["HW1", "Shape"],
  ["HW2", "Expression syntax"],
  ["HW3", "Names and types"],
  ["HW4", "Rules"],
  ["HW5", "Run time"],
  ["HW6", "Lints"],
  ["HW7", "Command line and audit trail"],
];

/** Every diagnostic code with its severity and title. */
export const page: Page = {
  path: "docs/reference/codes.md",
  render() {
    const intro = "A finding carries one of these codes. A code is never used again for another meaning.";
    const sections = groups.map(([prefix, title]) => `## ${title}\n\n${section(prefix)}`);
    return `${generatedFrom("diagnostics/codes.ts")}\n# Diagnostic codes\n\n${intro}\n\n${sections.join("\n\n")}\n`;
  },
};

function section(prefix: string): string {
  const rows = (Object.keys(codes) as Code[])
    .filter((name) => name.startsWith(prefix))
    .map((name) => [name, codes[name].severity, codes[name].title]);
  return table(["code", "severity", "meaning"], rows);
}
