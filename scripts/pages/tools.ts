import { canonicalTools, toolArguments, tools } from "../../schema/tools.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

/** Every canonical tool with the names that hosts give it, and its arguments. */
export const page: Page = {
  path: "docs/reference/tools.md",
  render() {
    const intro =
      "Tools by the names that policies use. Hosts' own names of tools and arguments are translated to these.";
    const sections = canonicalTools.map(
      (name) =>
        `## ${code(name)}\n\nAliases: ${tools[name].aliases.map(code).join(", ")}\n\n${notes[name] ?? ""}${argumentTable(name)}`,
    );
    return `${generatedFrom("schema/tools.ts")}\n# Tools\n\n${intro}\n\n${sections.join("\n\n")}\n`;
  },
};

/** What a reader of policies should know of a tool. */
const notes: Readonly<Record<string, string>> = {
  powershell:
    "Its commands are not read. What a call does is unknown, so that rules about `effects` and `shell` ask. Test its text: `tool: powershell` and `args.command: { matches: … }`.\n\n",
};

function argumentTable(name: string): string {
  const rows = Object.entries(toolArguments(name) ?? {}).map(([argument, { type, required, aliases }]) => [
    code(argument),
    code(type),
    required ? "yes" : "",
    (aliases ?? []).map(code).join(", "),
  ]);
  return table(["argument", "type", "required", "aliases"], rows);
}
