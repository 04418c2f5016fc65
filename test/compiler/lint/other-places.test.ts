import { describe, expect, it } from "vitest";
import { type Document, isMap, isScalar, isSeq, type Node, parseDocument, visit, type YAMLMap } from "yaml";
import { type Lint, wholeText } from "../../../compiler/lint/lint.ts";
import { lints } from "../../../compiler/lint/registry.generated.ts";
import { lintPolicies } from "../../../compiler/lint/run.ts";
import { hasErrors } from "../../../diagnostics/diagnostic.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { printExpression } from "../../../rules/print.ts";
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

/** Writes each condition in the other spelling, as one expression. */
function expressed(text: string): string {
  const document = parseDocument(text);
  const { stages } = compileTexts({ "policy.yaml": text });
  const drafts = stages.typed[0]?.resolved.draft.rules ?? [];
  for (const [i, rule] of rulesOf(document).entries()) {
    const when = drafts[i]?.when;
    if (!isMap(rule.get("when", true)) || !when) continue;
    rule.set("when", document.createNode(printExpression(when).replaceAll(" == [", " in [")));
  }
  return document.toString({ lineWidth: 0 });
}

/** Lets each rule that stops a call mark it with a label. */
function marking(text: string): string {
  const document = parseDocument(text);
  for (const rule of rulesOf(document)) {
    const action = rule.get("action");
    if (action !== "block" && action !== "ask") continue;
    for (const key of ["action", "reason", "guidance"]) rule.delete(key);
    rule.set("action", document.createNode({ label: { add: ["seen"] } }));
  }
  const labels = document.get("labels") ?? document.createNode({});
  document.set("labels", labels);
  if (isMap(labels)) labels.set("seen", document.createNode({ kind: "taint" }));
  return document.toString({ lineWidth: 0 });
}

/** Operators that take a list by its name. */
const takesLists: ReadonlySet<string> = new Set([
  "in",
  "glob",
  "host_in",
  "is",
  "within",
  "starts_with",
  "ends_with",
  "matches",
]);

/** Moves each text that a condition tests to a list and writes the name of the list in its place. */
function listed(text: string): string {
  const document = parseDocument(text);
  const lists = document.get("lists") ?? document.createNode({});
  document.set("lists", lists);
  let count = 0;
  for (const rule of rulesOf(document))
    visit(rule.get("when", true) as Node | null, {
      Pair(_, { key, value }) {
        if (!isMap(lists) || !isScalar(key) || typeof key.value !== "string") return;
        if (!takesLists.has(key.value) && !/^[a-z][\w.]*\.\w+$/.test(key.value)) return;
        if (!isScalar(value) || typeof value.value !== "string" || value.value.startsWith("$")) return;
        const name = `moved${count++}`;
        lists.set(name, document.createNode([value.value]));
        value.value = `$${name}`;
        value.type = "PLAIN";
      },
    });
  return document.toString({ lineWidth: 0 });
}

/** Lints of what YAML alone has: its escapes, its numbers, its keys, and fields whose absence a test of YAML passes over. */
const ofYaml: ReadonlySet<string> = new Set(["HW622", "HW628", "HW656", "HW657", "HW679"]);

const loads = (text: string): boolean => !hasErrors(compileTexts({ "policy.yaml": text }).diagnostics);

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

  // An expression asks itself whether a field is there, and without that it does not load.
  const expressions = all.filter(([, { lint, text }]) => !ofYaml.has(lint.code) && loads(expressed(text)));
  it.each(expressions)("%s: as an expression", (_, { lint, text, count }) => {
    const moved = expressed(text);
    expect(
      countIn(lint, moved, () => true),
      moved,
    ).toBeGreaterThanOrEqual(count);
  });

  // Lists may grow, and their entries are plain texts.
  const ofText: ReadonlySet<string> = new Set(["HW618", "HW628", "HW829"]);
  const values = all.filter(
    ([, { lint, text }]) => !ofText.has(lint.code) && listed(text) !== text && loads(listed(text)),
  );
  it.each(values)("%s: in a list", (_, { lint, text, count }) => {
    const moved = listed(text);
    expect(
      countIn(lint, moved, () => true),
      moved,
    ).toBeGreaterThanOrEqual(count);
  });

  it.each(all)("%s: of a rule that marks", (_, { lint, text, count }) => {
    const moved = marking(text);
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
