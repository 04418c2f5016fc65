import { type ActionParameter, type ActionShape, actionShapes } from "../../rules/actions/about.ts";
import { patternFields } from "../../rules/actions/pattern-fields.ts";
import { eventNames } from "../../schema/events.ts";
import {
  type Standing,
  untrustedParameters,
  untrustedStanding,
  untrustedToken,
} from "../../schema/untrusted-policies.ts";
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
    return `${generatedFrom("rules/actions/about.ts")}\n# Actions\n\n${intro}\n\n${[...sections, fields, untrusted()].join("\n\n")}\n`;
  },
};

/** Table of the remaining effect of each action in an untrusted project's policy, by event; the code uses the same table. */
function untrusted(): string {
  const names = Object.keys(actionShapes);
  const acting = names.filter((name) => eventNames.some((event) => untrustedStanding(name, event) !== "none"));
  const rows = eventNames.map((event) => [
    code(event),
    ...acting.map((name) => {
      const possible = actionShapes[name]?.events.includes(event) === true;
      return possible ? standings[untrustedStanding(name, event)] : "";
    }),
  ]);
  const inert = names.filter((name) => !acting.includes(name));
  const parameterRows = Object.entries(untrustedParameters).flatMap(([action, list]) =>
    Object.entries(list).map(([name, why]) => [code(action), code(name), why]),
  );
  return [
    "## In a project's policy that nobody has trusted",
    "Such a policy comes with the repository, hence from anyone. Adding one never turns a refusal or a question into a pass, and\n" +
      "never changes the arguments of a call (`test/properties/decisions/untrusted.test.ts`; decision 21).",
    table(["event", ...acting.map(code)], rows),
    `${inert.map(code).join(", ")} have no effect at all. \`asks\`: a match is put to the human, and nothing is rewritten. \`token\`: a match of the\npolicy's own pattern reads ${code(untrustedToken)}. \`own rules\`: only such rules of the project see the labels. Reasons and prompts say\nwhose they are. Exceptions reach the policy's own rules alone, and its \`audit: keep\` counts where no other policy has a say.`,
    table(["action", "parameter without effect", "because"], parameterRows),
  ].join("\n\n");
}

const standings: Readonly<Record<Standing, string>> = {
  works: "works",
  "own rules": "own rules",
  token: "token",
  asks: "asks",
  none: "none",
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
