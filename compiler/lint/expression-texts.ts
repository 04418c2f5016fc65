import { isField, typesOfRule } from "./fact-texts.ts";
import type { Finding } from "./lint.ts";
import type { LintedRule, PlacedScalar } from "./policy.ts";

/** Texts of messages, in which a path alone is a slip and any more is prose. */
const told: ReadonlySet<string> = new Set(["reason", "guidance", "prompt", "message"]);

/** Finds an expression where a text stands: `args.command + " --x"`, or the path of a field alone. */
export function expressionInText({ node, path }: PlacedScalar, rule: LintedRule): Finding | undefined {
  const { value } = node;
  if (typeof value !== "string" || value.length > 400 || /[{}]/.test(value)) return undefined;
  const key = path.at(-1) ?? "";
  const isText = told.has(key) || path.at(-2) === "set" || (key === "content" && path.includes("inject"));
  if (!isText) return undefined;
  const text = value.trim();
  const template = isField(text, placeOf(rule)) ? `{${text}}` : told.has(key) ? undefined : templateOf(text, rule);
  if (template === undefined) return inProse(node, rule);
  const message = "this is a text and no expression, and stands there as it is";
  return { span: node.span, message, help: `write \`${quoted(template)}\`` };
}

/** Finds the path of a field in prose, in no quotes and no back-ticks: its author expects the value there. */
function inProse({ value, span }: PlacedScalar["node"], rule: LintedRule): Finding | undefined {
  const words = String(value).match(/(?<=^|\s)[a-z_]\w*(?:\.[a-z_]\w*)+(?=[\s.,;:!?)]|$)/g) ?? [];
  const found = words.find((word) => isField(word, placeOf(rule)));
  if (found === undefined) return undefined;
  const message = `\`${found}\` is shown as it stands, with a name in it and no value`;
  return { span, message, help: `write \`{${found}}\` for the value, or put it in back-ticks` };
}

function placeOf(rule: LintedRule): { readonly policy: LintedRule["policy"]; readonly rule: LintedRule } {
  return { policy: rule.policy, rule };
}

/** Returns the template for a sum of fields and quoted texts, or for a call of a field; undefined for any other text. */
function templateOf(text: string, rule: LintedRule): string | undefined {
  const isValue = (one: string): boolean =>
    isField(one, placeOf(rule)) || (/^[a-z_]\w*$/.test(one) && typesOfRule(rule)(one)?.kind === "string");
  const [, called = ""] = /^([a-z_][\w.]*)\.[a-z]\w*\([^()]*\)$/.exec(text) ?? [];
  if (called !== "" && isValue(called)) return `{${text}}`;
  const parts =
    text
      .match(/"[^"]*"|'[^']*'|[^"'+]+|\+/g)
      ?.map((part) => part.trim())
      .filter((part) => part !== "") ?? [];
  if (parts.length < 3 || parts.length % 2 === 0) return undefined;
  const written = parts.map((part, i) => {
    if (i % 2 === 1) return part === "+" ? "" : undefined;
    const inner = /^(["'])(.*)\1$/s.exec(part)?.[2];
    return inner ?? (isValue(part) ? `{${part}}` : undefined);
  });
  return written.includes(undefined) || !written.some((one) => one?.startsWith("{")) ? undefined : written.join("");
}

/** A template in quotes, as YAML takes it. */
function quoted(template: string): string {
  return template.includes('"') ? `'${template.replaceAll("'", "''")}'` : `"${template.replaceAll("\\", "\\\\")}"`;
}
