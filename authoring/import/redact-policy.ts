/** A pattern of a `redact` action, with a comment for readers. */
export interface PolicyPattern {
  readonly name: string;
  readonly regex: string;
  readonly replacement: string;
  /** Group of the secret, if it is not the whole match. */
  readonly secret?: number;
  readonly minEntropy?: number;
  readonly except?: readonly string[];
  /** One line, written above it as a comment. */
  readonly comment: string;
}

/** Content of a policy of one `redact` rule. */
export interface RedactPolicy {
  readonly policy: string;
  readonly title: string;
  readonly description: string;
  /** Its origin. */
  readonly reference: string;
  readonly detectors: readonly string[];
  readonly patterns: readonly PolicyPattern[];
}

/** First words of a policy that an import wrote. */
export const mark = "# Written by `hookwarden import`";

/** True for a file that an import wrote and whose first line nobody has removed to take it over. */
export function isImported(text: string): boolean {
  return text.startsWith(mark);
}

/** Returns the text of a policy with one `redact` rule. For any values, the text is YAML that yields them again. */
export function redactPolicyText(policy: RedactPolicy): string {
  const { detectors, patterns } = policy;
  return [
    `${mark} from ${comment(policy.reference)}; the next import overwrites it.`,
    "version: 1",
    `policy: ${policy.policy}`,
    `title: ${scalar(policy.title)}`,
    `description: ${scalar(policy.description)}`,
    "",
    "rules:",
    "  - id: redact-secrets",
    "    title: Secrets in text for the model",
    "    severity: high",
    "    tags: [attack.t1552, owasp.asi03]",
    `    references: [${scalar(policy.reference)}]`,
    "    event: [tool_result, context, input]",
    "    action:",
    "      redact:",
    ...(detectors.length > 0 ? [`        detectors: [${detectors.map(scalar).join(", ")}]`] : []),
    ...(patterns.length > 0 ? ["        patterns:", ...patterns.flatMap(patternLines)] : []),
    "",
  ].join("\n");
}

function patternLines(pattern: PolicyPattern): string[] {
  return [
    `          # ${comment(pattern.comment)}`,
    `          - name: ${scalar(pattern.name)}`,
    `            regex: ${scalar(pattern.regex)}`,
    `            replacement: ${scalar(pattern.replacement)}`,
    ...(pattern.secret === undefined ? [] : [`            secret: ${pattern.secret}`]),
    ...(pattern.minEntropy === undefined ? [] : [`            min_entropy: ${pattern.minEntropy}`]),
    ...(pattern.except === undefined
      ? []
      : ["            except:", ...pattern.except.map((e) => `              - ${scalar(e)}`)]),
  ];
}

/** Returns text as a quoted scalar on one line: single quotes, or double quotes with escapes if a character needs one. */
export function scalar(text: string): string {
  if (!/[^\x20-\x7e]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return JSON.stringify(text).replace(/[\u007f-\u009f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g, escaped);
}

function escaped(c: string): string {
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Makes text safe for a comment of one line, without hidden characters. */
export function comment(text: string): string {
  const shown = [...text.replace(/[\p{C}\p{Z}]+/gu, " ").trim()];
  return shown.length > 150 ? `${shown.slice(0, 149).join("")}…` : shown.join("");
}
