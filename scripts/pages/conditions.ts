import { testOperators } from "../../rules/ast.ts";
import { changeNames } from "../../rules/change-names.ts";
import { pathClassAbout, urlClassAbout } from "../../rules/classes.about.ts";
import { fieldExample, recordExamples } from "../../rules/fact-examples.ts";
import { type Root, rootsOf } from "../../rules/roots.ts";
import { conditionForms, type TestAbout, testAbout, testVariables } from "../../rules/tests.about.ts";
import { printType, type RecordType, type Type } from "../../rules/types.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

/** Page of the data that a condition can read: every root, and every record that a root leads to, with its fields. */
export const page: Page = {
  path: "docs/reference/conditions.md",
  render() {
    const roots = rootsOf([], []);
    const records = recordsIn(roots.map(({ type }) => type));
    const intro =
      "Names that a condition can use, with their types. A field marked `?` may be absent: a test in YAML on it is false then,\n" +
      "an expression guards it with `has(…)` or takes it as `.?field`. `args` has typed fields where the rule names canonical tools\n" +
      "([tools](tools.md)) and is of any type elsewhere. A text of a rule whose `when` has a `matches` also sees `match`, the list\n" +
      "of the groups of the first that held.";
    return [
      generatedFrom("rules/roots.ts, rules/fact-types.ts, rules/tests.about.ts and rules/change-names.ts"),
      `# Conditions\n\n${intro}\n`,
      forms(),
      `## Roots\n\n${table(["name", "type", "events", "meaning"], roots.map(row))}\n`,
      classes(),
      wider(),
      ...records.filter((record) => record.fields().size > 0).map(section),
      changes(),
    ].join("\n");
  },
};

/** How a condition is written: its forms, and the operators of a test. */
function forms(): string {
  const rowOf = ([name, { doc, example, holds, fails }]: [string, TestAbout]): string[] => [
    code(name),
    doc,
    code(example),
    code(holds),
    code(fails),
  ];
  const variables = Object.entries(testVariables).map(([name, list]) => `${code(name)} is one of ${code(list)}`);
  const intro =
    "`when` and `unless` take a condition, and so do `conditions:` by name. A mapping is a condition of tests, a text is an\n" +
    "expression. A value that is wholly `$name` stands for a parameter, a list or a condition of that name; `$$` begins a text with\n" +
    `a dollar. A path begins at one of the [roots](#roots), or at a variable of \`each\`: in the examples ${variables.join(", ")}.`;
  const head = ["operator", "meaning", "example", "holds of", "not of"];
  return [
    `## How a condition is written\n\n${intro}\n`,
    `${table(["form", ...head.slice(1)], Object.entries(conditionForms).map(rowOf))}\n`,
    `### Operators of a test\n\nUnder a path, \`{ operator: value }\`.\n`,
    `${table(
      head,
      testOperators.map((name) => rowOf([name, testAbout[name]])),
    )}\n`,
  ].join("\n");
}

/** Tests of a program that authors write first, with the effect that covers every program. */
const effectsOf: readonly (readonly [test: string, effect: string])[] = [
  ["`program: git`, `subcommand: push`", "`effects.pushes`"],
  ["`program: rm`", "`effects.deletes`"],
  ["`program: [npm, pip]`, `subcommand: install`", "`effects.installs`"],
  ["`program: [curl, wget]`", "`effects.network`"],
  ["`program: cat`, an argument `path` of `read`", "`effects.reads`"],
  ["`program: [kill, pkill]`", "`effects.kills`"],
  [
    "`program: kubectl`, `subcommand: delete`; `program: gh`, `subcommand: repo delete`",
    "`effects.config`, by the [names of changes](#names-of-changes)",
  ],
];

/** Where an effect says more than a test of a command. */
function wider(): string {
  const intro =
    "A test of a program sees that program alone. An effect is the same whatever causes it: another program, a tool of the host,\n" +
    "a script. Test the effect where a rule is about what happens, and the command where it is about how.";
  return `## Commands and effects\n\n${intro}\n\n${table(["test of a command", "effect that covers more"], effectsOf)}\n`;
}

/** The names that `effects.config` has. */
function changes(): string {
  const rows = changeNames.map(({ form, meaning, call, target }) => [code(form), meaning, code(call), code(target)]);
  const intro =
    "What `target` of `config_change` is: the key of a setting, or words joined by blanks. `<verb>` is `delete` for every permanent\n" +
    "removal, whatever the program calls it; `grant` gives rights, `expose` opens something to everyone, `reveal` prints stored\n" +
    "credentials. Other verbs are the program's own. In a name `*` is every one. What only reads has no such effect. Test it by\n" +
    'its beginning or a glob: `{ k.target: { glob: ["kubernetes delete **", "sql {drop,truncate} **"] } }`.';
  return `## Names of changes\n\n${intro}\n\n${table(["form", "of", "call", "target"], rows)}\n`;
}

/** The names that `is` takes. */
function classes(): string {
  const rows = Object.entries({ path: pathClassAbout, url: urlClassAbout }).flatMap(([type, abouts]) =>
    Object.entries(abouts).map(([name, { doc, example }]) => [code(name), type, doc, code(example)]),
  );
  return `## Classes\n\nNames that \`is\` takes, by versioned tables.\n\n${table(["class", "of", "meaning", "example"], rows)}\n`;
}

function row({ name, type, events, doc }: Root): string[] {
  return [code(name), shown(type), events ? events.map(code).join(", ") : "all", doc];
}

/** A closed set of texts in full; for anything else its name. */
function shown(type: Type): string {
  if (type.kind === "string" && type.values)
    return type.values.length > 12 ? code("string") : type.values.map(code).join(", ");
  return code(printType(type));
}

function section(record: RecordType): string {
  const example = Object.hasOwn(recordExamples, record.name) ? recordExamples[record.name] : undefined;
  const rows = [...record.fields()].map(([name, { type, required, doc }]) => {
    const [expression, gives] = (example && fieldExample(example, name)) ?? [];
    const shownExample = expression === undefined ? [] : [`${code(expression)} → ${code(gives ?? "")}`];
    return [code(required ? name : `${name}?`), shown(type), doc, ...shownExample];
  });
  const heads = ["field", "type", "meaning", ...(example ? ["example"] : [])];
  const call = example ? `In the call ${code(visible(example.call))}:\n\n` : "";
  return `## ${code(record.name)}\n\n${call}${table(heads, rows)}\n`;
}

/** Returns a text with invisible characters as escapes. */
function visible(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Records reached from types, each once, in the order in which they are met. */
function recordsIn(types: readonly Type[]): readonly RecordType[] {
  const found = new Map<string, RecordType>();
  const open = [...types];
  for (let type = open.shift(); type; type = open.shift()) {
    if (type.kind === "list") open.push(type.element);
    if (type.kind === "map") open.push(type.value);
    if (type.kind !== "record" || found.has(type.name)) continue;
    found.set(type.name, type);
    for (const { type: field } of type.fields().values()) open.push(field);
  }
  return [...found.values()];
}
