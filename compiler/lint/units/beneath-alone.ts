import { type Claim, textValues } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** Lint: a rule that stops calls names what lies directly in a folder, or the subdomains of a host without the host. */
export const beneathAlone: Lint = {
  code: "HW829",
  name: "beneath-alone",
  why: "`folder/*` fits what lies directly in the folder, and nothing deeper; `release*` fits no branch with a slash. `*.host` fits every subdomain, and not the host itself.",
  advice: "Write `within: folder` for all of it, and `host_in: host` for a host with its subdomains.",
  bad: [
    {
      title: "a folder, a host, and branches",
      at: ['"infra/*"', '"*.internal.example"', "release*"],
      policy: `  - id: writes
    event: [tool_call, user_bash]
    each: { w: effects.writes }
    when: { w.path: { glob: "infra/*" } }
    action: block
    reason: others write there
  - id: hosts
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.url.host: { host_in: ["*.internal.example"] } }
    action: block
    reason: it is internal
  - id: pushes
    event: [tool_call, user_bash]
    each: { p: effects.pushes }
    when: { p.target.branch: { glob: release* } }
    action: block
    reason: people release
`,
    },
  ],
  good: [
    {
      title: "all of it, the files of one kind, and what is let pass",
      policy: `  - id: writes
    event: [tool_call, user_bash]
    each: { w: effects.writes }
    when: { w.path: { glob: ["infra/**", "deploy/*.tf", "charts/*/values.yaml"] } }
    action: block
    reason: others write there
  - id: hosts
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.url.host: { host_in: [internal.example] } }
    unless: { n.url.host: { host_in: ["*.status.internal.example"] } }
    action: block
    reason: it is internal
`,
    },
  ],
  claim(claim, { rule, policy }) {
    const { field, operator, part, negated, isWritten } = claim;
    if (!rule?.catches || part !== "when" || negated || !isWritten) return undefined;
    if (operator === "glob" && field !== undefined && branches.has(field)) return besideFolder(claim, policy);
    const isPlace = field === "path" && operator === "glob";
    if (!isPlace && !(field === "url.host" && (operator === "host_in" || operator === "glob"))) return undefined;
    const texts = textValues(claim);
    for (const { text, index } of texts) {
      const folder = isPlace ? /^([^*?[{]+)\/\*$/.exec(text)?.[1] : undefined;
      const host = isPlace ? undefined : /^\*\.([a-z0-9.-]+)$/i.exec(text)?.[1];
      if (texts.some((other) => other.text === host || (folder !== undefined && other.text.startsWith(`${folder}/*/`))))
        continue;
      const span = policy.valueSpan(claim, index);
      if (folder !== undefined)
        return {
          span,
          message: `what lies deeper in \`${folder}\` is not among it`,
          help: `write \`{ within: ${folder} }\` for all of it`,
        };
      if (host !== undefined)
        return {
          span,
          message: `\`${host}\` itself is not among it`,
          help: `write \`{ host_in: ${host} }\`, which has its subdomains as well`,
        };
    }
    return undefined;
  },
};

const branches: ReadonlySet<string> = new Set(["push_target.branch", "environment.branch"]);

/** Finds the beginning of a branch, which does not reach over a slash. */
function besideFolder(claim: Claim, policy: LintedPolicy): Finding | undefined {
  const texts = textValues(claim);
  const found = texts.find(({ text }) => /^[\w-]+\*$/.test(text));
  const beginning = found?.text.slice(0, -1) ?? "";
  if (!found || texts.some(({ text }) => text !== found.text && text.startsWith(beginning))) return undefined;
  return {
    span: policy.valueSpan(claim, found.index),
    message: `\`${beginning}/1\` is not among it: \`*\` stops at a slash`,
    help: `write \`{ glob: ["${found.text}", "${beginning}*/**"] }\`, or \`{ starts_with: ${beginning} }\``,
  };
}
