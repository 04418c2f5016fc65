import type { Ir, Template } from "../../../engine/plan.ts";
import { nodesIn } from "../label-uses.ts";
import type { Finding, Lint } from "../lint.ts";
import type { TypedRule } from "../policy.ts";
import { writtenPath } from "../typing.ts";

/** Lint: a text for the model contains an environment variable whose name suggests a secret. */
export const injectedSecret: Lint = {
  code: "HW644",
  name: "injected-secret",
  why: "Reasons, guidance and injected texts are read by the model and sent to its provider. Values pass the detectors, but no detector knows every password.",
  advice: "Name the variable in the text, not its value.",
  bad: [
    {
      title: "a password in an injected text",
      at: ["environment.variables.DB_PASSWORD"],
      policy: `  - id: database
    event: before_agent_start
    action: { inject: { content: "The database password is {environment.variables.DB_PASSWORD}" } }
`,
    },
    {
      title: "a token in a reason",
      at: ["environment.variables['NPM_TOKEN']"],
      policy: `  - id: publish
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: publish }
    action: block
    reason: "use {environment.variables['NPM_TOKEN']} in the pipeline"
`,
    },
  ],
  good: [
    {
      title: "the name of the variable, and one without a secret",
      policy: `  - id: database
    event: before_agent_start
    action: { inject: { content: "The password is in DB_PASSWORD, the stage is {environment.variables.STAGE}" } }
`,
    },
  ],
  rule({ typed, guards }) {
    return typed ? textsForModel(typed, guards).flatMap((text) => text.flatMap(secretsOf)) : [];
  },
};

/** Lists the texts of a rule that reach the model. The reasons of a rule that stops nothing go to reports only. */
function textsForModel({ reason, guidance, actions }: TypedRule, stops: boolean): readonly Template[] {
  const injected = actions.filter(({ action }) => action === "inject").map(({ templates }) => templates?.["content"]);
  return [...(stops ? [reason, guidance] : []), ...injected].filter((text) => text !== undefined);
}

function secretsOf(part: Template[number]): Finding[] {
  if (typeof part === "string") return [];
  return nodesIn(part.expr).flatMap((node): Finding[] => {
    const name = variableOf(node);
    if (name === undefined || !secretName.test(name) || !node.at) return [];
    return [
      {
        span: { start: node.at[0], end: node.at[1] },
        message: `the value of \`${name}\` goes to the model`,
        help: "write the name of the variable in the text, not its value",
      },
    ];
  });
}

const secretName =
  /(?:^|_)(?:API_?KEY|(?:SECRET|PRIVATE|ACCESS|AUTH)_?KEY|TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)$/i;

/** Returns the name of the environment variable that a node reads; undefined if it reads none. */
function variableOf(node: Ir): string | undefined {
  if (node.k !== "field" && node.k !== "index") return undefined;
  if (writtenPath(node.of) !== "environment.variables") return undefined;
  if (node.k === "field") return node.name;
  return node.index.k === "const" && typeof node.index.value === "string" ? node.index.value : undefined;
}
