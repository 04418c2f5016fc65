import { textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";

/** Lint: a rule that stops calls names what lies directly in a folder, or the subdomains of a host without the host. */
export const beneathAlone: Lint = {
  code: "HW829",
  name: "beneath-alone",
  why: "`folder/*` fits what lies directly in the folder, and nothing deeper. `*.host` fits every subdomain, and not the host itself.",
  advice: "Write `within: folder` for all of it, and `host_in: host` for a host with its subdomains.",
  bad: [
    {
      title: "a folder, and a host",
      at: ['"infra/*"', '"*.internal.example"'],
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
