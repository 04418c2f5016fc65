import type { Span } from "../../../diagnostics/source.ts";
import { child } from "../../yaml-node.ts";
import { type Claim, textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";
import type { LintedPolicy } from "../policy.ts";

/** Lint: an entry in a list of hosts, folders or globs is covered by another entry. */
export const coveredEntry: Lint = {
  code: "HW635",
  name: "covered-entry",
  why: "An entry that another one covers changes nothing. Whoever takes it out to close a way leaves the way open.",
  advice: "Take it out, or narrow the other entry.",
  bad: [
    {
      title: "a subdomain beside its domain, a path beneath a glob",
      at: ["api.example.com", "/tmp/build/out"],
      policy: `lists:
  ours: [example.com, api.example.com]
rules:
  - id: uploads
    event: tool_call
    each: { n: effects.network }
    unless: { n.url.host: { host_in: $ours } }
    action: ask
    reason: the host is not known
  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    unless: { d.path: { glob: ["/tmp/**", /tmp/build/out] } }
    action: ask
    reason: it is not scratch space
`,
    },
  ],
  good: [
    {
      title: "entries beside each other",
      policy: `lists:
  ours: [example.com, example.org, "*.example.net"]
rules:
  - id: uploads
    event: tool_call
    each: { n: effects.network }
    unless: { n.url.host: { host_in: $ours } }
    action: ask
    reason: the host is not known
  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    unless: { d.path: { glob: ["/tmp/**", /tmpfiles/x, "**/tmp/*"] } }
    action: ask
    reason: it is not scratch space
`,
    },
  ],
  claim(claim, { policy }) {
    const cover = Object.hasOwn(covers, claim.operator) ? covers[claim.operator] : undefined;
    if (!cover || (claim.values?.length ?? 0) < 2) return undefined;
    const texts = textValues(claim);
    const known = new Set(texts.map(({ text }) => text));
    for (const { text, index } of texts) {
      const over = cover(text).find((wider) => wider !== text && known.has(wider));
      if (over !== undefined)
        return {
          span: entrySpan(claim, index, policy),
          message: `\`${text}\` is covered by \`${over}\``,
          help: "take it out, or narrow the other entry",
        };
    }
    return undefined;
  },
};

/** Wider entries that would cover one, by operator. */
const covers: Readonly<Record<string, (text: string) => readonly string[]>> = {
  host_in: (text) => {
    const labels = (text.startsWith("*.") ? text.slice(2) : text).split(".");
    const above = labels.map((_, i) => labels.slice(i).join("."));
    const isHost = /^[a-z0-9.-]*[a-z][a-z0-9.-]*$/.test(labels.join("."));
    if (!isHost) return [];
    return [...above.filter((host) => host !== text), ...above.slice(1).map((host) => `*.${host}`)];
  },
  glob: (text) => foldersAbove(text).map((folder) => `${folder}/**`),
  within: (text) => (text.endsWith("/") ? [] : foldersAbove(text)),
};

function foldersAbove(text: string): readonly string[] {
  if (!/^[/~][^?[\]{}\\]*$/.test(text) || /(?:^|\/)\.\.?(?:\/|$)/.test(text)) return [];
  const parts = text.split("/");
  return parts.flatMap((_, i) => (i > 1 && i < parts.length ? [parts.slice(0, i).join("/")] : []));
}

/** Returns the span of an entry: in the test, or in the list that the test names. */
function entrySpan(claim: Claim, index: number, policy: LintedPolicy): Span {
  if (claim.isWritten) return policy.valueSpan(claim, index);
  const name = /([a-z_0-9]+)["']?$/.exec(policy.textAt(claim.operandSpan))?.[1] ?? "";
  const list = child(child(policy.root, "lists"), name);
  return (list?.kind === "list" ? list.items[index]?.span : undefined) ?? claim.operandSpan;
}
