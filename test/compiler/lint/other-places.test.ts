import { describe, expect, it } from "vitest";
import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from "yaml";
import { type Lint, wholeText } from "../../../compiler/lint/lint.ts";
import { lints } from "../../../compiler/lint/registry.generated.ts";
import { lintPolicies } from "../../../compiler/lint/run.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { compileTexts } from "../../literate/policies.ts";

const regex = createRegexEngine();
const now = Date.UTC(2026, 5, 15);

/** Counts the findings of a lint whose places lie in one of the given parts. */
function countIn(lint: Lint, text: string, within: (start: number) => boolean): number {
  const found = lintPolicies(compileTexts({ "policy.yaml": text }), { regex, now, lints: [lint] });
  return found.filter(({ source, span }) => source === "policy.yaml" && within(span.start)).length;
}

const rulesOf = (document: Document): YAMLMap[] => {
  const rules = document.get("rules");
  return isSeq(rules) ? rules.items.filter(isMap) : [];
};

/** Counts the findings in `when` of a rule. */
function inWhen(lint: Lint, text: string): number {
  const ranges = rulesOf(parseDocument(text)).flatMap((rule) => {
    const when = rule.get("when", true) as unknown as { range?: readonly number[] } | undefined;
    return when?.range ? [when.range] : [];
  });
  return countIn(lint, text, (start) => ranges.some(([a = 0, b = 0]) => start >= a && start < b));
}

/** Gives each condition a name and writes the name in its place. */
function named(text: string): string {
  const document = parseDocument(text);
  const conditions = document.get("conditions") ?? document.createNode({});
  document.set("conditions", conditions);
  for (const [i, rule] of rulesOf(document).entries()) {
    const when = rule.get("when", true);
    if (when === undefined || !isMap(conditions)) continue;
    conditions.set(`moved${i}`, when);
    rule.delete("when");
    rule.set("when", `$moved${i}`);
  }
  return document.toString({ lineWidth: 0 });
}

/** Makes each rule one about an earlier event. A rule that binds elements has no such form. */
function earlier(text: string): string {
  const document = parseDocument(text);
  for (const rule of rulesOf(document)) {
    const when = rule.get("when", true);
    if (when === undefined) continue;
    const item: Record<string, unknown> = { when };
    for (const key of ["event", "tool"]) if (rule.has(key)) item[key] = rule.get(key, true);
    for (const key of ["when", "tool", "event"]) rule.delete(key);
    rule.set("event", "tool_call");
    rule.set("sequence", document.createNode({ after: [item], within: { calls: 10 } }));
  }
  return document.toString({ lineWidth: 0 });
}

const examples = lints.flatMap((lint) =>
  lint.bad.flatMap((example) => {
    // The writer of YAML joins folded lines and drops leading zeros, which some examples are about.
    const text = parseDocument(wholeText(example.policy)).toString({ lineWidth: 0 });
    const count = inWhen(lint, text);
    const isWhole = count === inWhen(lint, wholeText(example.policy));
    return example.others === undefined && isWhole && count > 0 ? [{ lint, title: example.title, text, count }] : [];
  }),
);

const isAlone = (rule: YAMLMap): boolean => !["each", "unless", "sequence", "budget"].some((key) => rule.has(key));

describe("a test that is written elsewhere", () => {
  const all = examples.map((one) => [`${one.lint.code}, ${one.title}`, one] as const);
  it("is one of most lints", () => {
    expect(new Set(examples.map(({ lint }) => lint.code)).size).toBeGreaterThan(50);
  });

  it.each(all)("%s: behind a name", (_, { lint, text, count }) => {
    const moved = named(text);
    expect(
      countIn(lint, moved, () => true),
      moved,
    ).toBeGreaterThanOrEqual(count);
  });

  const alone = all.filter(([, { text }]) => rulesOf(parseDocument(text)).every(isAlone));
  it.each(alone)("%s: about an earlier event", (_, { lint, text, count }) => {
    const moved = earlier(text);
    expect(
      countIn(lint, moved, () => true),
      moved,
    ).toBeGreaterThanOrEqual(count);
  });
});
