import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkPolicies } from "../../authoring/lint/check-policies.ts";
import { type GoodExample, type Lint, wholeText } from "../../compiler/lint/lint.ts";
import { lints } from "../../compiler/lint/registry.generated.ts";
import { type Code, codes } from "../../diagnostics/codes.ts";
import { renderDiagnostic } from "../../diagnostics/render.ts";
import { readDocument } from "../../test/literate/document.ts";
import { policyFile } from "../../test/literate/policies.ts";
import { type CodeText, fileTexts, ruleTexts } from "./code-texts.ts";
import { ignoreExamples } from "./ignore-examples.ts";
import { generatedFrom } from "./page.ts";
import { runTimeTexts } from "./run-time-texts.ts";

/** The day for which the pages of lints about dates are written. */
const now = Date.UTC(2026, 5, 15);

/** Page texts of the codes that are no lints of `compiler/lint/units/`. */
export const codeTexts: Partial<Record<Code, CodeText>> = { ...fileTexts, ...ruleTexts, ...runTimeTexts };

const lintsByCode: ReadonlyMap<Code, Lint> = new Map(lints.map((lint) => [lint.code, lint]));

/** The lint of a code; undefined for a code that the compiler or a command raises. */
export function lintOf(code: Code): Lint | undefined {
  return lintsByCode.get(code);
}

/** A pair of texts that shows a code: the first raises it, the second does not. */
export interface Pair {
  readonly bad: string;
  readonly good: string;
  /** Text after the word `yaml` of the fence, e.g. `scope project`. */
  readonly info: string;
  /** Output of `check` for the bad example. */
  readonly says: string;
}

/** Returns the pair of a code with a fixture: its first section and the correction. */
export function pairOf(code: Code, root: string): Pair | undefined {
  const own = Object.hasOwn(ignoreExamples, code) ? ignoreExamples[code] : undefined;
  if (own) return { ...own, info: "", says: saidOf({ title: "", policy: own.bad }, code) };
  const path = join(root, "test/fixtures/codes", `${code}.md`);
  const mend = codeTexts[code]?.mend;
  if (!mend || !existsSync(path)) return undefined;
  const [first] = readDocument(readFileSync(path, "utf8")).filter(({ blocks }) => blocks.length > 0);
  const yaml = first?.blocks.find(({ language }) => language === "yaml");
  const says = first?.blocks.find(({ language }) => language === "text")?.text ?? "";
  if (!yaml?.text.includes(mend[0])) throw new Error(`${code}: its first example does not hold what is to be mended`);
  return { bad: yaml.text, good: yaml.text.replace(mend[0], () => mend[1]), info: yaml.info, says };
}

/** The page of one code. */
export function codePage(code: Code, root: string): string {
  const { severity, title } = codes[code];
  const lint = lintOf(code);
  const head = `# ${code}: ${title}\n\nSeverity: ${severity}.${lint ? ` Name: \`${lint.name}\`.` : ""}`;
  const parts = lint ? lintParts(lint) : textParts(code, root);
  return `${generatedFrom(sourceOf(code, lint, root))}\n${[head, ...parts].join("\n\n")}\n`;
}

function sourceOf(code: Code, lint: Lint | undefined, root: string): string {
  if (lint) return `compiler/lint/units/${lint.name}.ts`;
  const fixture = `test/fixtures/codes/${code}.md`;
  return existsSync(join(root, fixture)) ? `${fixture} and scripts/generate/code-texts.ts` : "scripts/generate/";
}

function lintParts(lint: Lint): string[] {
  const bad = lint.bad.map((example) => {
    const after =
      example.fixed === undefined ? "" : `\n\n\`--fix\` makes of it:\n\n${block("yaml", wholeText(example.fixed))}`;
    return `${example.title}:\n\n${files(example)}\n\n${block("text", saidOf(example, lint.code))}${after}`;
  });
  const good = lint.good.map((example) => `${example.title}:\n\n${files(example)}`);
  return [lint.why, "## Bad", ...bad.map(capital), "## Good", ...good.map(capital), "## What to do", lint.advice];
}

function textParts(code: Code, root: string): string[] {
  const text = codeTexts[code];
  // A test asks for the text of every code; a page must not stop the others from being written.
  if (!text) return [`${capital(codes[code].title)}.`];
  const pair = pairOf(code, root);
  const examples = pair
    ? [
        "## Bad",
        block(`yaml ${pair.info}`, pair.bad),
        block("text", pair.says),
        "## Good",
        block(`yaml ${pair.info}`, pair.good),
      ]
    : [];
  return [text.means, ...examples, "## What to do", text.next];
}

function files(example: GoodExample): string {
  const others = Object.entries(example.others ?? {}).map(([name, text]) => block(`yaml as ${name}`, text));
  return [block("yaml", wholeText(example.policy)), ...others].join("\n\n");
}

/** Returns the output of `check` for an example under its code. */
function saidOf({ policy, others = {} }: GoodExample, code: Code): string {
  const { result, diagnostics } = checkPolicies([policyFile(wholeText(policy))], {
    now,
    resolveImport: ({ file }) => {
      const name = (file ?? "").replace(/^\.\//, "");
      const text = Object.hasOwn(others, name) ? others[name] : undefined;
      return text === undefined ? undefined : policyFile(text, name);
    },
  });
  const own = diagnostics.filter((d) => d.code === code);
  return own.map((d) => `${renderDiagnostic(d, result.sources)}\n`).join("\n");
}

function block(info: string, text: string): string {
  return `\`\`\`${info.trim()}\n${text}\`\`\``;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
