import { type Claim, textValues } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

const signs: Readonly<Record<string, string>> = { lt: "<", le: "<=", gt: ">", ge: ">=" };

/** Lint: an order of texts where numbers are meant: `"9" > "100"` holds, since 9 comes after 1. */
export const numberByLetters: Lint = {
  code: "HW695",
  name: "number-by-letters",
  why: 'Texts are ordered letter by letter: `"9"` is greater than `"100"`, and `"1.9"` than `"1.10"`. A limit that is written as a text holds for some numbers below it and for some above it not.',
  advice: "Make a number of the text first: `int(…) > 100`.",
  bad: [
    {
      title: "the value of an option, and a port",
      at: ['c.option("-c").orValue("1") > "100"', '"1024"'],
      policy: `  - id: pings
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: 'c.program == "ping" && c.option("-c").orValue("1") > "100"'
    action: ask
    reason: it takes long
  - id: ports
    event: tool_call
    each: { n: effects.network }
    when: { n.url.port: { lt: "1024" } }
    action: ask
    reason: it belongs to the system
`,
    },
  ],
  good: [
    {
      title: "numbers, and texts in the order of letters",
      policy: `  - id: pings
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: 'c.program == "ping" && (int(c.option("-c").orValue("1")) > 100 || c.operands.size() > 2 || c.text > "m")'
    action: ask
    reason: it takes long
`,
    },
  ],
  claim(claim, { policy }) {
    const sign = signs[claim.operator];
    const [found] = sign === undefined ? [] : textValues(claim);
    if (found && levels.has(found.text.toLowerCase())) return byName(claim);
    if (!found || !/^\s*[-+]?\d{1,18}(?:\.\d{1,18}){0,3}\s*$/.test(found.text)) return undefined;
    // Digits of one width sort rightly: `20260101`, `0042`.
    if (/^\s*0\d|^\s*\d{6,}/.test(found.text)) return undefined;
    return {
      span: claim.call.k === "call" && policy.nodeAt(claim.operandSpan) ? claim.operandSpan : claim.span,
      message: `texts are compared letter by letter, so that "9" comes after "100"`,
      help: helpFor(claim, found.text.trim(), { sign: sign ?? "", policy }),
    };
  },
};

/** Names of levels, whose order is not that of their letters. */
const levels: ReadonlySet<string> = new Set(
  "none low medium mid high critical severe major minor debug trace info notice warning warn error fatal".split(" "),
);

/** Returns the finding about levels that are compared as texts. */
function byName({ path, span }: Claim): Finding {
  return {
    span,
    message: 'names of levels are compared letter by letter: "high" comes before "low"',
    help: `list those that are meant, such as \`${path}: [medium, high]\``,
  };
}

interface Written {
  readonly sign: string;
  readonly policy: LintedPolicy;
}

function helpFor({ path, type, subject }: Claim, text: string, { sign, policy }: Written): string {
  const own = subject.at ? policy.textAt({ start: subject.at[0], end: subject.at[1] }) : "…";
  const written = subject.k !== "call" && !path.includes("…") ? path : own.length > 80 ? "…" : own;
  if (/\..*\./.test(text)) return "compare the parts of a version as numbers, or test the versions meant by `matches`";
  // An argument of a server's tool may be a number itself.
  if (type.kind === "dyn" && /^args\b/.test(path)) return `write \`${text}\` without quotes for a number`;
  const make = text.includes(".") ? "double" : "int";
  return `write \`${make}(${written}) ${sign} ${text}\` in an expression`;
}
