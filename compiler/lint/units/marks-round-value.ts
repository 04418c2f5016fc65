import type { Template } from "../../../engine/plan.ts";
import type { Type } from "../../../rules/types.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedRule } from "../policy.ts";
import { type Slots, typeOf } from "../typing.ts";

/** Lint: a text puts a value in quotes or backticks, although hookwarden quotes values itself. */
export const marksRoundValue: Lint = {
  code: "HW676",
  name: "marks-round-value",
  why: "Values come from the call, so hookwarden quotes each of them. Marks of your own stand around these quotes, and the reader sees two pairs.",
  advice: "Write the braces alone.",
  bad: [
    {
      title: "backticks round a command, and quotes round a path",
      at: ["c.text", "d.path"],
      policy: `  - id: publish
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: publish }
    action: block
    reason: "\`{c.text}\` reaches everyone"
    guidance: Run \`npm pack\` and hand over the archive.
  - id: deletes
    event: [tool_call, user_bash]
    each: { d: effects.deletes }
    action: ask
    reason: deleting '{d.path}' cannot be undone
`,
    },
  ],
  good: [
    {
      title: "a value alone, and a number",
      policy: `  - id: publish
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: publish }
    action: block
    reason: "{c.text} reaches everyone, at turn \`{session.turn}\`"
    guidance: Run \`npm pack\` and hand over the archive.
`,
    },
    {
      title: "marks that end before the value",
      policy: `  - id: publish
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: npm, c.subcommand: publish }
    action: block
    reason: "\`npm\` {c.subcommand} \`now\`"
    guidance: Run \`npm pack\` and hand over the archive.
`,
    },
  ],
  rule(rule) {
    const { typed } = rule;
    if (!typed) return [];
    const slots: Slots = new Map();
    const list = typed.each && typeOf(typed.each.list, rule.environment, slots);
    if (typed.each && list?.kind === "list") slots.set(typed.each.slot, list.element);
    // Templates of `modify` are payload values, which hookwarden does not quote.
    const own = typed.actions.flatMap(({ action, templates }) =>
      action === "modify" ? [] : Object.values(templates ?? {}),
    );
    return [typed.reason, typed.guidance, ...own].flatMap((text) => (text ? markedIn(text, rule, slots) : []));
  },
};

function markedIn(text: Template, { environment }: LintedRule, slots: Slots): Finding[] {
  return text.flatMap((part, i): Finding[] => {
    if (typeof part === "string" || !part.expr.at) return [];
    const mark = markRound(text[i - 1], text[i + 1]);
    if (mark === undefined || !isQuoted(typeOf(part.expr, environment, slots))) return [];
    return [
      {
        span: { start: part.expr.at[0], end: part.expr.at[1] },
        message: `the value is quoted already, and ${mark} stand around it`,
        help: `take ${mark} away; what is shown reads "like this"`,
      },
    ];
  });
}

const marks: ReadonlyMap<string, string> = new Map([
  ["`", "backticks"],
  ['"', "quotes"],
  ["'", "quotes"],
]);

function markRound(before: Template[number] | undefined, after: Template[number] | undefined): string | undefined {
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  const mark = before.at(-1) ?? "";
  return mark === after.at(0) ? marks.get(mark) : undefined;
}

/** True for the types that a text shows in quotes. Numbers and truth values have none, and other types are uncertain. */
function isQuoted(type: Type): boolean {
  if (type.kind === "optional") return isQuoted(type.of);
  return type.kind === "string" || type.kind === "list" || (type.kind === "record" && quotedRecords.has(type.name));
}

const quotedRecords: ReadonlySet<string> = new Set(["path", "url"]);
