import { type ActionParameter, type ActionShape, actionShapes } from "../../rules/actions/about.ts";
import { patternFields } from "../../rules/actions/pattern-fields.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

/** Every action with the events on which it is possible, its parameters and an example. */
export const page: Page = {
  path: "docs/reference/actions.md",
  render() {
    const intro =
      "A rule has one action, or a list of them. `guard` actions decide, `transform` actions rewrite the payload, `program`\n" +
      "actions run and answer, `deliver` actions add text for the model, `mark` actions leave something in the session, with\n" +
      "the human or in the audit trail. On any other event an action is an error.";
    const sections = Object.entries(actionShapes).map(([name, shape]) => section(name, shape));
    const fields = `## Fields of a pattern\n\n${parameters(patternFields)}`;
    return `${generatedFrom("rules/actions/about.ts")}\n# Actions\n\n${intro}\n\n${[...sections, fields].join("\n\n")}\n`;
  },
};

function section(name: string, shape: ActionShape): string {
  const either = shape.oneOf ? [`At least one of ${shape.oneOf.map(code).join(", ")} must be given.`] : [];
  return [
    `## ${code(name)}`,
    `${shape.doc} (${shape.kind})`,
    `Events: ${shape.events.map(code).join(", ")}.`,
    ...(shape.parameters.length > 0 ? [parameters(shape.parameters)] : []),
    ...either,
    `\`\`\`yaml\n${shape.example.trimEnd()}\n\`\`\``,
  ].join("\n\n");
}

function parameters(list: readonly ActionParameter[]): string {
  const rows = list.map(({ name, type, required, values, default: standard, doc }) => [
    code(name),
    values ? values.map(code).join(", ") : code(type),
    required ? "required" : standard === undefined ? "" : code(String(standard)),
    doc,
  ]);
  return table(["parameter", "type", "default", "meaning"], rows);
}
