import type { Fix } from "../../../diagnostics/diagnostic.ts";
import { type Claim, textValues } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy, LintedRule } from "../policy.ts";

const fields: ReadonlySet<string> = new Set([
  ...["path", "path.name", "url.host", "tool.name", "command.program", "push_target.branch", "environment.branch"],
  ...["path.lexical", "path.real", "path.ext", "url", "url.path", "command.text", "command.subcommand", "command"],
  ...["install.name", "push.remote", "run.target", "args.command"],
]);

/** Arguments that hold a path, a URL or a command, whatever the tool. */
const telling = /^args\.(?:path|file_path|command|cmd|url)$/;

/** Lint: a value that is compared literally contains a star. */
export const literalGlob: Lint = {
  code: "HW639",
  name: "literal-glob",
  why: "A value after a path is compared letter by letter: `*.pem` is the file of that very name. The rule fires for nothing.",
  advice: "Write `{ glob: … }`; for hosts `host_in`, which covers subdomains.",
  bad: [
    {
      title: "a glob without `glob`",
      at: ['"*.pem"', '"/etc/ssl/*"'],
      policy: `  - id: keys
    event: tool_call
    each: { r: effects.reads }
    when: { any: [{ r.path.name: "*.pem" }, { r.path: "/etc/ssl/*" }] }
    action: ask
    reason: a key is read
`,
      fixed: `  - id: keys
    event: tool_call
    each: { r: effects.reads }
    when: { any: [{ r.path.name: { glob: "*.pem" } }, { r.path: { glob: "/etc/ssl/*" } }] }
    action: ask
    reason: a key is read
`,
    },
    {
      title: "a glob in an operator that knows none",
      at: ['"*.pem"'],
      policy: `  - id: keys
    event: tool_call
    each: { r: effects.reads }
    when: { r.path.name: { ends_with: "*.pem" } }
    action: ask
    reason: a key is read
`,
    },
  ],
  good: [
    {
      title: "globs, and a star in a text",
      policy: `  - id: keys
    event: tool_call
    each: { r: effects.reads }
    when: { r.path: { glob: ["/etc/ssl/*", "**/*.pem"] } }
    action: ask
    reason: a key is read
  - id: list
    event: tool_call
    tool: grep
    when: { args.pattern: "*" }
    action: ask
    reason: it reads everything
`,
    },
  ],
  claim(claim, place) {
    if (claim.field === "command.operands") return operands(claim);
    if (/^(?:starts_with|ends_with|contains)$/.test(claim.operator)) return inPart(claim, place.policy);
    if (claim.operator !== "equals" || !(fields.has(claim.field ?? "") || telling.test(claim.path) || isWild(claim)))
      return undefined;
    const [found] = textValues(claim).filter(({ text }) => text.includes("*"));
    if (!found) return undefined;
    const fix = fixOf(claim, place);
    const host = claim.field === "url.host";
    return {
      span: claim.operandSpan,
      message: `\`${found.text}\` is compared letter by letter, star and all`,
      help: host
        ? "use `host_in`, which covers subdomains"
        : claim.field === "url"
          ? `test its host with \`${claim.path}.host: { host_in: … }\`, or write \`${claim.path}.text: { glob: … }\``
          : "write `{ glob: … }`",
      ...(fix && { fix }),
    };
  },
};

/** True for words between stars in a free text, as Sigma and others write "contains", and for a name with a star at one end. */
function isWild(claim: Claim): boolean {
  if (claim.type.kind !== "string" && claim.type.kind !== "dyn") return false;
  // In the target of a kill or a change a star is every one.
  const isName = !/^args\.(?:pattern|glob|include|exclude)|\.target$/.test(claim.path);
  return textValues(claim).some(
    ({ text }) =>
      (/^\*[\w .:/-]{2,100}\*$/.test(text) && !/^\*\*/.test(text)) ||
      (isName && /^(?:[\w.:/-]{1,100}[-_./:]\*|\*[-_./:][\w.:/-]{1,100})$/.test(text)),
  );
}

/** Names and places; few of them have a star. */
const starless: ReadonlySet<string> = new Set([
  ...["path", "path.name", "path.lexical", "path.real", "path.ext", "url.host", "tool.name", "command.program"],
  ...["command.subcommand", "push_target.branch", "environment.branch", "environment.default_branch"],
]);

/** A star in the part that `starts_with`, `ends_with` or `contains` looks for: these know no globs. */
function inPart(claim: Claim, policy: LintedPolicy): Finding | undefined {
  const { operator, field, path } = claim;
  if (!starless.has(field ?? "") && !/^args\.(?:path|file_path)$/.test(path)) return undefined;
  // A star alone asks whether a pattern was written: that of a push, or what the shell leaves.
  const found = textValues(claim).find(
    ({ text }) => text.includes("*") && !/^[*/]+$/.test(text) && text.length <= 4_096,
  );
  if (!found) return undefined;
  const { text, index } = found;
  // HW614 tells of a path that does not begin with its root.
  if (operator === "starts_with" && field === "path" && !text.startsWith("/")) return undefined;
  const bare =
    operator === "starts_with"
      ? text.replace(/\*+$/, "")
      : operator === "ends_with"
        ? text.replace(/^(?:\*+\/)?\*+/, "")
        : text.replace(/^\*+|\*+$/g, "");
  const part = /[*?]/.test(bare) ? undefined : /^[\w./-]+$/.test(bare) ? bare : `"${bare}"`;
  const glob = `write \`{ glob: "${globOf(text, operator)}" }\``;
  return {
    span: policy.valueSpan(claim, index),
    message: `\`${operator}\` compares letter by letter, the star of \`${text}\` too`,
    help: part === undefined ? glob : `write \`{ ${operator}: ${part} }\`, which needs no star, or \`{ glob: … }\``,
  };
}

/** The glob that holds where a text has the part at its place. */
function globOf(text: string, operator: string): string {
  const before = operator === "starts_with" || text.startsWith("*") ? "" : text.startsWith("/") ? "**" : "**/*";
  return `${before}${text}${operator === "ends_with" || text.endsWith("*") ? "" : "*"}`;
}

/** A star among the operands: the shell puts in the names, so that a command has it only where nothing fits. */
function operands(claim: Claim): Finding | undefined {
  if (!claim.operator.startsWith("contains")) return undefined;
  const found = textValues(claim).find(({ text }) => /\*/.test(text) && text.length > 1);
  if (!found) return undefined;
  const help = `write \`some: { ${claim.path}: { glob: "${found.text}" } }\`, or test what it does: \`each: { r: effects.reads }\``;
  return { span: claim.operandSpan, message: `\`${found.text}\` is compared letter by letter, star and all`, help };
}

/** Makes the fix from `path: "*.x"` to `path: { glob: "*.x" }`, if the rule then stops more. */
function fixOf(
  claim: Claim,
  { policy, rule }: { readonly policy: LintedPolicy; readonly rule: LintedRule | undefined },
): Fix | undefined {
  const stops = claim.part === "when" && !claim.negated && rule?.guards === true && !rule.does("allow");
  const node = policy.nodeAt(claim.operandSpan);
  const { start } = claim.operandSpan;
  const isShort = policy.source.text.slice(claim.span.start, start).trimEnd().endsWith(":");
  const isOperator = /equals["']?\s*:\s*$/.test(policy.source.text.slice(claim.span.start, start));
  if (
    !stops ||
    claim.field === "url.host" ||
    claim.field === "url" ||
    node?.kind !== "scalar" ||
    !isShort ||
    isOperator
  )
    return undefined;
  const edits = [{ span: claim.operandSpan, text: `{ glob: ${policy.textAt(claim.operandSpan)} }` }];
  return { title: "compare it as a glob", meaning: "stricter", edits };
}
