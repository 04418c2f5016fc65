import { programOf } from "../../../facts/programs/registry.ts";
import { type Claim, textValues } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";

/** Texts that humans, models and files write freely. The text of a command is often meant as a whole. */
const free: ReadonlySet<string> = new Set([
  ...["args.query", "args.prompt", "args.content", "args.new_text", "args.old_text", "args.code"],
  ...["system_prompt", "code", "fields.prompt", "fields.last_message", "fields.task"],
]);

const wholes: ReadonlySet<string> = new Set(["equals", "in"]);

/** Whole answers of a human. */
const answers =
  /^(?:y|yes|yep|yeah|n|no|nope|ok|okay|go|go on|sure|continue|proceed|stop|abort|cancel|exit|quit|help|clear|reset|undo|retry|done|approve|approved|reject|lgtm|true|false|null|none|undefined|default|all|any|auto|latest|list|status)[.!?]?$/i;

/** Lint: a free text is compared as a whole, where a word in it is meant. */
export const wholeText: Lint = {
  code: "HW696",
  name: "whole-text",
  why: "Nobody writes a prompt, a query or the content of a file twice in the same words. A rule that compares the whole text fires for this very text and for no other that has the words in it.",
  advice: "Write `{ contains: … }` for words in a text, or `matches` for a pattern.",
  bad: [
    {
      title: "a word of a query, and of what an edit writes",
      at: ["salary", "drop the table"],
      policy: `  - id: queries
    event: tool_call
    tool: search
    when: { args.query: salary }
    action: ask
    reason: it is about people
  - id: written
    event: tool_call
    tool: edit
    when: { args.new_text: drop the table }
    action: ask
    reason: it is gone then
`,
    },
  ],
  good: [
    {
      title: "words in a text, a command of the host, an answer, and a text that is let through",
      policy: `  - id: queries
    event: tool_call
    tool: search
    when: { args.query: { contains: salary } }
    unless: { args.query: salary scale }
    action: ask
    reason: it is about people
  - id: typed
    event: input
    when: { input.text: [/compact, "yes"] }
    action: ask
    reason: it is gone then
`,
    },
  ],
  claim(claim, { policy, rule }) {
    if (claim.part !== "when" || claim.negated || !rule || rule.does("allow")) return undefined;
    const programs = programsAlone(claim);
    if (programs) return { span: claim.span, ...programs };
    const name = nameOf(claim);
    if (name === undefined || !wholes.has(claim.operator)) return undefined;
    // Beside a test of a part of the same text the whole one is meant: "begins with `go `, or is `go`".
    if (rule.claims.some((other) => nameOf(other) === name && !wholes.has(other.operator))) return undefined;
    const found = textValues(claim).find(({ text }) => isWords(text));
    if (!found) return undefined;
    const isLong = found.text.length > 60 || !/^[A-Za-z][\w ./-]*$/.test(found.text);
    const test = (claim.values ?? []).length > 1 ? "contains_any: […]" : `contains: ${isLong ? "…" : found.text}`;
    return {
      span: policy.valueSpan(claim, found.index),
      message: `this holds only where \`${name}\` is exactly this text`,
      help: `write \`{ ${test} }\` for words in it, or \`matches\` for a pattern`,
    };
  },
};

/** Finds a list of programs that the text of a whole command is compared with. */
function programsAlone(claim: Claim): Pick<Finding, "message" | "help"> | undefined {
  const isText = claim.field === "command.text" || /^(?:args\.)?command$/.test(claim.path);
  if (!isText || !wholes.has(claim.operator)) return undefined;
  const names = textValues(claim).map(({ text }) => text);
  if (names.length < 2 || !names.every((name) => /^[a-z][\w.-]*$/.test(name))) return undefined;
  if (!names.some((name) => programOf(name) !== undefined)) return undefined;
  return {
    message: `this holds only where \`${claim.path}\` is one of these words and nothing else`,
    help: "test the programs: `some: { shell.commands: { program: […] } }`",
  };
}

/** The field that is compared, also where its letter case or its edges are taken away. */
function nameOf({ field, path }: Claim): string | undefined {
  const bare = path.replace(/(?:\.(?:lower_ascii|upper_ascii|trim))+$/, "");
  return [field, bare].find((one) => one !== undefined && free.has(one));
}

/** True for words: no command of a host (`/compact`, `!ls`), no sign, no answer. */
function isWords(text: string): boolean {
  return /\p{L}{2}/u.test(text) && !/^\s*[/!#@$]/.test(text) && !answers.test(text.trim());
}
