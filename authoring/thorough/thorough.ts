import type { CompileResult } from "../../compiler/compile.ts";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import { type Row, ThoroughJudge } from "./judge.ts";
import { variations, weaker } from "./variation.ts";

/** Counts of a thorough check: pairs of an example and a variation. */
export interface ThoroughCounts {
  readonly examples: number;
  /** Judged variations. */
  readonly judged: number;
  readonly hold: number;
  /** Let through because of `unsure: ignore`. */
  readonly ignored: number;
  /** Let through for another reason, or held in a weaker form. */
  readonly failed: number;
  /** Variations that do not apply to an example. */
  readonly not_applicable: number;
}

/** Result of a thorough check. */
export interface Thorough {
  readonly rows: readonly Row[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Judges the `match` examples of all rules that block or ask, in every possible variation. Returns nothing without a plan. */
export function checkThoroughly({ plan, policies }: Pick<CompileResult, "plan" | "policies">): Thorough {
  if (!plan) return { rows: [], diagnostics: [] };
  const judge = new ThoroughJudge(plan);
  const found = policies.flatMap(({ rules, source }) =>
    rules.map((rule) => {
      const rows = judge.rows(rule);
      return { rows, diagnostics: [...rows.flatMap((row) => failureOf(row, source)), ...ignoredOf(rows, source)] };
    }),
  );
  return { rows: found.flatMap(({ rows }) => rows), diagnostics: found.flatMap(({ diagnostics }) => diagnostics) };
}

/** Counts the rows of a thorough check. */
export function countRows(rows: readonly Row[]): ThoroughCounts {
  const of = (...states: readonly Row["state"][]): number => rows.filter(({ state }) => states.includes(state)).length;
  const notApplicable = of("not applicable");
  return {
    examples: new Set(rows.map(({ example }) => example)).size,
    judged: rows.length - notApplicable,
    hold: of("holds"),
    ignored: of("ignored"),
    failed: of("through", "weaker", "unjudged"),
    not_applicable: notApplicable,
  };
}

function failureOf({ rule, example, name, variation, state }: Row, source: Source): Diagnostic[] {
  if (!variation || state === "holds" || state === "ignored" || state === "not applicable") return [];
  const code = weaker.has(name) ? "HW674" : "HW673";
  const shown = short(variation.shown);
  const [message, help] = {
    through: [`rule \`${rule.id}\` lets its example through ${variations[name]}`, `\`${shown}\` is let through`],
    weaker: [`rule \`${rule.id}\` only asks about its example ${variations[name]}`, `\`${shown}\` is only asked about`],
    unjudged: [`the example of rule \`${rule.id}\` cannot be judged ${variations[name]}`, `\`${shown}\` is not judged`],
  }[state] as [string, string];
  return [
    diagnostic(code, source, example.span, message, `${help}: ${nextStep(name, testsEffects(source, rule.span))}`),
  ];
}

/** True if the text of a rule, an expression or a test, has effects in it. */
function testsEffects({ text }: Source, { start, end }: Span): boolean {
  return /\beffects\.[a-z]/.test(text.slice(start, end));
}

/** Advice to an author about a variation that does not hold; `byEffects` says that the rule tests effects already. */
function nextStep(name: Row["name"], byEffects: boolean): string {
  if (name === "from above") return "test the path by `glob` or `within`, which hold for a folder above it";
  const seen = "`hookwarden explain` shows which condition does not hold";
  if (weaker.has(name)) {
    const whyNot = "or say why not: `# hookwarden-ignore HW674: …`";
    return byEffects
      ? `${seen}; mend it, ${whyNot}`
      : `test what the call does (\`effects\`) and not its words, ${whyNot}`;
  }
  return byEffects ? seen : `test what the call does (\`effects\`, \`c.program\`) and not its text; ${seen}`;
}

/** Returns one note for a rule that ignores unknown facts, so that its author sees the gap. */
function ignoredOf(rows: readonly Row[], source: Source): Diagnostic[] {
  const ignored = rows.filter(({ state }) => state === "ignored");
  const [first] = ignored;
  if (!first?.variation) return [];
  const { rule } = first;
  const ways = ignored.length === 1 ? "1 way" : `${ignored.length} ways`;
  const message = `rule \`${rule.id}\` lets its examples through in ${ways} that leave something open, as \`unsure: ignore\` says`;
  const help = `the first is \`${short(first.variation.shown)}\`; \`unsure: ask\` has a human asked`;
  return [diagnostic("HW675", source, rule.span, message, help)];
}

/** Maximum length of a call's text in a finding. */
const longest = 300;

function short(text: string): string {
  const line = text.replaceAll("\n", "\\n");
  return line.length <= longest ? line : `${line.slice(0, longest)}…`;
}
