import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decidingText } from "../../../authoring/lint/alike.ts";
import { type GoodExample, type Lint, wholeText } from "../../../compiler/lint/lint.ts";
import { lints } from "../../../compiler/lint/registry.generated.ts";
import { lintPolicies } from "../../../compiler/lint/run.ts";
import { codes, isLint } from "../../../diagnostics/codes.ts";
import type { Diagnostic } from "../../../diagnostics/diagnostic.ts";
import { renderDiagnostic } from "../../../diagnostics/render.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { readDocument } from "../../literate/document.ts";
import { compileTexts, givenBy, withHead } from "../../literate/policies.ts";

const regex = createRegexEngine();
const spec = join(import.meta.dirname, "../../spec");
const documents = readdirSync(spec).filter((name) => name.endsWith(".md"));
/** The day on which examples are judged. */
const now = Date.UTC(2026, 5, 15);

function judged({ policy, others }: GoodExample) {
  const text = wholeText(policy);
  const result = compileTexts({ "policy.yaml": text, ...others });
  return { text, result, found: [...result.diagnostics, ...lintPolicies(result, { regex, now })] };
}

const shown = (found: readonly Diagnostic[], result: ReturnType<typeof judged>["result"]): string =>
  found.map((d) => renderDiagnostic(d, result.sources)).join("\n");

const rank = { info: 0, warning: 1, error: 2 } as const;

/** Findings that an example must not have beside its own. */
function beside(lint: Lint, found: readonly Diagnostic[]): Diagnostic[] {
  const least = Math.max(rank[codes[lint.code].severity], rank.warning);
  // Policies that show a lint are short: they have examples only where those matter.
  return found.filter((d) => d.code !== lint.code && d.code !== "HW632" && rank[d.severity] >= least);
}

function edited(text: string, found: readonly Diagnostic[]): string {
  const edits = found.flatMap((d) => d.fix?.edits ?? []).sort((a, b) => b.span.start - a.span.start);
  return edits.reduce((now, { span, text: by }) => now.slice(0, span.start) + by + now.slice(span.end), text);
}

describe.each(lints.map((lint) => [lint.name, lint] as const))("lint %s", (_, lint) => {
  it.each(lint.bad.map((example) => [example.title, example] as const))("finds: %s", (_title, example) => {
    const { text, result, found } = judged(example);
    const own = found.filter((d) => d.code === lint.code);
    expect(shown(beside(lint, found), result)).toBe("");
    expect(
      own.map((d, i) => text.slice(d.span.start, Math.max(d.span.end, d.span.start + (example.at[i]?.length ?? 0)))),
      shown(found, result),
    ).toEqual(own.map((_d, i) => expect.stringMatching(start(example.at[i] ?? "(nothing more)"))));
    expect(own.map((d) => d.source)).toEqual(own.map(() => "policy.yaml"));
    expect(own.length, shown(found, result)).toBe(example.at.length);
  });

  it.each(lint.good.map((example) => [example.title, example] as const))("says nothing of: %s", (_title, example) => {
    const { result, found } = judged(example);
    expect(shown([...found.filter((d) => d.code === lint.code), ...beside(lint, found)], result)).toBe("");
  });

  const mended = lint.bad.filter((example) => example.fixed !== undefined);
  it.each(mended.map((example) => [example.title, example] as const))("mends: %s", (_title, example) => {
    const { text, result, found } = judged(example);
    const own = found.filter((d) => d.code === lint.code);
    const after = edited(text, own);
    expect(after).toBe(wholeText(example.fixed ?? ""));
    const again = judged({ ...example, policy: after });
    expect(
      shown(
        again.found.filter((d) => d.code === lint.code && d.fix),
        again.result,
      ),
    ).toBe("");
    expect(again.result.plan, shown(again.found, again.result)).toBeDefined();
    const same = own.every((d) => d.fix?.meaning === "same");
    if (same && result.plan && again.result.plan)
      expect(decidingText(again.result.plan)).toBe(decidingText(result.plan));
  });

  it("shows a fix wherever it makes one, and speaks by the law of messages", () => {
    for (const example of lint.bad) {
      const own = judged(example).found.filter((d) => d.code === lint.code);
      expect(own.some((d) => d.fix !== undefined)).toBe(example.fixed !== undefined);
      for (const { message, help } of own) {
        expect(message).toMatch(/^[a-z`]/);
        expect(help).not.toBe("");
        expect(`${message}\n${help}`).not.toMatch(/\.$/m);
      }
    }
  });
});

describe("lints", () => {
  it("are at least 40 with those of the compiler and of `check`", () => {
    expect(Object.keys(codes).filter(isLint).length).toBeGreaterThanOrEqual(40);
  });

  it("are one file each, called as the lint: adding one takes that file and the line of its code", () => {
    const files = readdirSync(join(import.meta.dirname, "../../../compiler/lint/units")).sort();
    expect(lints.map(({ name }) => `${name}.ts`).sort()).toEqual(files);
  });

  it.each(documents)("say nothing out of place of the policies of %s", (name) => {
    for (const section of readDocument(readFileSync(join(spec, name), "utf8"))) {
      const texts = section.blocks.filter(({ language }) => language === "yaml");
      if (texts.length === 0) continue;
      const result = compileTexts(...givenBy(texts.map(({ info, text }) => ({ info, text: withHead(text) }))));
      for (const { source, span, message } of lintPolicies(result, { regex, now })) {
        const { length } = result.sources.get(source)?.text ?? "";
        expect(span.start >= 0 && span.start <= span.end && span.end <= length, message).toBe(true);
      }
    }
  });

  it("have codes and names of their own", () => {
    expect(new Set(lints.map(({ code }) => code)).size).toBe(lints.length);
    expect(new Set(lints.map(({ name }) => name)).size).toBe(lints.length);
  });

  it.each(lints.map((lint) => [lint.name, lint] as const))("%s has a bad and a good example", (_, lint) => {
    expect(lint.bad.length).toBeGreaterThan(0);
    expect(lint.good.length).toBeGreaterThan(0);
    expect(lint.why).toMatch(/\.$/);
    expect(lint.advice).toMatch(/\.$/);
  });

  it("say nothing of a set that has an error", () => {
    const result = compileTexts({ "policy.yaml": wholeText("  - id: r\n    event: nothing\n    action: block\n") });
    expect(lintPolicies(result, { regex, now })).toEqual([]);
  });
});

function start(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`);
}
