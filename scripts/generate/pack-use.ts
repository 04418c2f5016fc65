import { code } from "./page.ts";

/** Data of one rule for the parts of a manual about all rules. */
export interface ManualRule {
  /** `pack/rule`. */
  readonly id: string;
  readonly title: string;
  readonly actions: readonly string[];
  /** The variable and list of `each`, such as `d` and `effects.deletes`. */
  readonly each?: readonly [name: string, list: string];
  readonly noMatch: readonly unknown[];
  /** True for a rule of a pack that this one imports, which no override of this one reaches. */
  readonly isImported?: true;
}

/** Kinds of actions in the order of the manual, with the words for their rules. */
const kinds: readonly (readonly [verb: string, actions: readonly string[]])[] = [
  ["Blocks", ["block"]],
  ["Asks about", ["ask"]],
  ["Changes what the model sees", ["redact", "truncate", "drop", "modify", "inject"]],
  ["Remembers", ["label"]],
  ["Runs", ["run"]],
];

// So many things that stay free give an idea.
const shown = 8;

/**
 * Describes the pack in a few lines: the calls that it blocks, asks about, changes and allows. `isFree` judges a command by the
 * whole pack, because another rule may ask about a command that one rule ignores.
 */
export function summary(rules: readonly ManualRule[], isFree: (command: string) => boolean): string {
  const lines = kinds.flatMap(([verb, actions]) => {
    const titles = rules
      .filter((rule) => rule.actions.some((one) => actions.includes(one)))
      .map(({ title }) => lower(title));
    return titles.length === 0 ? [] : [`- **${verb}**: ${titles.join("; ")}.`];
  });
  const free = rules
    .filter(({ actions }) => actions.includes("block") || actions.includes("ask"))
    .flatMap(
      ({ noMatch }) =>
        noMatch.filter((one) => typeof one === "string" && isPlain(one) && isFree(one)).slice(0, 1) as string[],
    );
  const some = [...new Set(free)].slice(0, shown).map(code);
  return [...lines, ...(some.length === 0 ? [] : [`- **Leaves alone**, for example: ${some.join(", ")}.`])].join("\n");
}

function isPlain(text: string): boolean {
  return text.length <= 60 && /^[\x20-\x7e]+$/.test(text) && !text.includes("`");
}

/** A title inside a sentence; names keep their capital. */
function lower(title: string): string {
  return /^[A-Z](?:[a-z]| )/.test(title) && !/^(?:MCP|Gastown|Git|Opta)\b/.test(title)
    ? `${title.charAt(0).toLowerCase()}${title.slice(1)}`
    : title;
}

/** A test by which an exception picks one element, for the lists that rules go through. */
const picked: Readonly<Record<string, (name: string) => string>> = {
  "effects.deletes": (name) => `{ ${name}.path: { glob: "/srv/scratch/**" } }`,
  "effects.writes": (name) => `{ ${name}.path: { glob: "/srv/scratch/**" } }`,
  "effects.reads": (name) => `{ ${name}.path: { glob: "/srv/fixtures/**" } }`,
  "effects.network": (name) => `{ ${name}.url.host: { host_in: [files.our-company.example] } }`,
  "effects.pushes": (name) => `{ ${name}.remote: staging }`,
  "effects.installs": (name) => `{ ${name}.name: our-tool }`,
  "effects.config": (name) => `{ ${name}.target: { glob: "* our-sandbox/**" } }`,
  "effects.kills": (name) => `{ ${name}.target: my-server }`,
  "effects.runs": (name) => `{ ${name}.via: our-tool }`,
  "shell.commands": (name) => `{ ${name}.program: our-tool }`,
};

/** Returns valid policies that exempt a call from a rule: a dated exception, or the rule in a mode that only records. */
export function exceptions(
  pack: string,
  rules: readonly ManualRule[],
  parameters: readonly string[],
  imports: boolean,
): string {
  // A question is what gets in the way of daily work; what is blocked should stay so.
  const guards = ["ask", "block"].flatMap((action) => rules.filter((rule) => rule.actions.includes(action)));
  const waived = guards.find(({ each }) => each && picked[each[1]]);
  const others = [...guards, ...rules].filter((rule) => rule !== waived && !rule.isImported);
  const ways = [
    ...(waived
      ? [`The exception waives ${code(waived.id)} for what its condition picks, and for nothing beside it.`]
      : []),
    ...(others[0]
      ? [
          `The override ${isGuard(others[0]) ? `lets ${code(others[0].id)} only record` : `takes ${code(others[0].id)} out`}.`,
        ]
      : []),
    ...(parameters.length > 0
      ? [`The parameters (${parameters.map(code).join(", ")}) are given to the import as \`with\`.`]
      : []),
    ...(imports
      ? [
          "What an imported pack has of parameters and rules is changed where that pack is imported by itself, without this one.",
        ]
      : []),
  ];
  return `${ways.join(" ")}\n\n\`\`\`yaml\n${policyWith(pack, waived, others[0])}\n\`\`\``;
}

function isGuard({ actions }: ManualRule): boolean {
  return actions.includes("block") || actions.includes("ask");
}

function policyWith(pack: string, waived: ManualRule | undefined, changed: ManualRule | undefined): string {
  const [name = "", list = ""] = waived?.each ?? [];
  return [
    "version: 1",
    "policy: our-project",
    "imports:",
    `  - pack: ${pack}`,
    ...(changed
      ? [`    overrides: [{ rule: ${changed.id}, ${isGuard(changed) ? "mode: monitor" : "enabled: false"} }]`]
      : []),
    ...(waived
      ? [
          "exceptions:",
          `  - rules: [${waived.id}]`,
          `    when: ${picked[list]?.(name)}`,
          "    owner: platform",
          "    reason: why this is right here",
          "    expires: 2099-12-31",
        ]
      : []),
    "rules: []",
  ].join("\n");
}
