import type { Span } from "../../../diagnostics/source.ts";
import type { Claim } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** A number with a zero that is lost: the mode `0755` becomes 755, and the version `1.10` becomes 1.1. */
export const leadingZero: Lint = {
  code: "HW679",
  name: "leading-zero",
  why: "YAML reads `0755` as the number 755: neither the text nor the octal number. A test against a mode, a code or a date that is written so holds for another value. In the same way the version `1.10` is read as 1.1.",
  advice: "Quote the text, or write the number without its zero.",
  bad: [
    {
      title: "the mode of a file",
      at: ["0755"],
      policy: `  - id: modes
    event: tool_call
    tool: mcp__fs__chmod
    when: { args.mode: 0755 }
    action: ask
    reason: everyone may run it
`,
    },
    {
      title: "versions",
      at: ["1.10", "3.20"],
      policy: `  - id: versions
    event: tool_call
    tool: mcp__deploy__release
    when: { any: [{ args.version: 1.10 }, { args.runtime: [3.11, 3.20] }] }
    action: ask
    reason: it is not ready
`,
    },
  ],
  good: [
    {
      title: "a text, a number, and a fraction",
      policy: `  - id: modes
    event: tool_call
    tool: mcp__fs__chmod
    when: { any: [{ args.mode: "0755" }, { args.mode: 755 }, { args.mode: 0 }, { args.share: 0.5 }, { args.version: ["1.10", 1.5] }, { args.price: { gt: 9.90 } }] }
    action: ask
    reason: everyone may run it
`,
    },
  ],
  policy(policy) {
    return policy.scalars.flatMap(({ node }) => {
      if (typeof node.value !== "number") return [];
      const written = policy.textAt(node.span);
      if (!/^[-+]?0\d+$/.test(written)) return [];
      const message = `\`${written}\` is the number ${node.value} here`;
      return [{ span: node.span, message, help: `write \`"${written}"\` for the text, or \`${node.value}\`` }];
    });
  },
  claim(claim, { policy }) {
    const spans = (claim.values ?? []).map((value, index) => ({ value, span: policy.valueSpan(claim, index) }));
    return [...spans, ...itemsOf(claim)].flatMap(({ value, span }) => lastZero(claim, value, span, policy) ?? []);
  },
};

/** Operators under which a version stands; an order is one of numbers. */
const compared: ReadonlySet<string> = new Set(["equals", "in", "contains", "contains_any", "contains_all"]);

/** Names of arguments that are numbers, whose last zero says nothing. */
const amounts =
  /(?:price|amount|cost|total|sum|share|ratio|rate|temperature|top_p|threshold|probability|confidence|score|weight|factor|percent|seconds|timeout|delay|duration|interval|budget|limit|lat|lon|latitude|longitude|size|width|height|scale|zoom|alpha|opacity|speed|volume|money|fee|tax|balance|cpus?|memory|quota|distance|depth|level)$/i;

/** Names of arguments that are versions, for which `2.0` is another text than `2`. */
const versions = /(?:version|release|tag|runtime|python|node|ruby|go|java|php|kernel|engine|image|sdk|api)s?$/i;

/** Fractions of a list, which are items of their own, each with its place. */
function itemsOf({ call, values }: Claim): readonly { readonly value: unknown; readonly span: Span }[] {
  const list = call.k === "call" && values === undefined ? call.args.find(({ k }) => k === "list") : undefined;
  if (list?.k !== "list") return [];
  return list.items.flatMap(({ value: item }) =>
    item.k === "const" && item.at ? [{ value: item.value, span: { start: item.at[0], end: item.at[1] } }] : [],
  );
}

/** Finds a version whose last zero is lost, where the value may be a text. */
function lastZero(claim: Claim, value: unknown, span: Span, policy: LintedPolicy): Finding | undefined {
  const { operator, path, type } = claim;
  const isOpen =
    type.kind === "dyn" || type.kind === "string" || (type.kind === "list" && type.element.kind !== "double");
  if (typeof value !== "number" || !compared.has(operator) || !isOpen || amounts.test(path)) return undefined;
  const text = policy.textAt(span);
  const written = /^\d{1,9}\.\d{1,9}$/.exec(text) ? text : digits(text);
  if (written === undefined || Number(written) !== value) return undefined;
  // Amounts and shares are written `0.10` and `9.90` by many who mean a number.
  if (!/0$/.test(written) || !versions.test(path)) return undefined;
  const message = `\`${written}\` is the number ${value} here, without its last zero`;
  return { span, message, help: `write \`"${written}"\` for the text, or \`${value}\`` };
}

/** The only number of a comparison in an expression. */
function digits(text: string): string | undefined {
  const all = [...text.slice(0, 400).matchAll(/(?<![\w."'])\d{1,9}\.\d{1,9}(?![\w."'])/g)];
  return all.length === 1 ? all[0]?.[0] : undefined;
}
