import { type Claim, textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";
import { wavesThrough } from "../waves-through.ts";

/** Lint: a rule allows a folder by the beginning of a path, which sibling folders share. */
export const folderByBeginning: Lint = {
  code: "HW649",
  name: "folder-by-beginning",
  why: "`/srv/app` is also the beginning of `/srv/app-backup` and `/srv/application`. What is opened for the folder is open for its neighbours, which anyone may make.",
  advice: "Write `{ within: /srv/app }`, which compares by component.",
  bad: [
    {
      title: "an exception and an `unless`",
      at: ["/srv/app", "/tmp"],
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    unless: { d.path: { starts_with: /srv/app } }
    action: block
    reason: nothing is deleted
exceptions:
  - rules: [example/deletes]
    when: { d.path: { starts_with: /tmp } }
    owner: platform
    reason: scratch space
    expires: 2030-01-01
`,
    },
  ],
  good: [
    {
      title: "by component, with a slash, and a beginning in a rule that stops",
      policy: `  - id: deletes
    event: tool_call
    each: { d: effects.deletes }
    when: { d.path: { starts_with: /etc/cron } }
    unless: { any: [{ d.path: { within: /srv/app } }, { d.path: { starts_with: /tmp/ } }] }
    action: block
    reason: schedules are not deleted
`,
    },
  ],
  claim(claim, { policy, rule }) {
    const scope = claim.field === "install.name" && claim.operator === "starts_with" ? scopeIn(claim) : undefined;
    if (scope && wavesThrough(claim, rule))
      return {
        span: policy.valueSpan(claim, scope.index),
        message: `packages of \`${scope.text}-other\` begin like this too and are let through`,
        help: `write \`${scope.text}/\``,
      };
    if (claim.operator !== "starts_with" || !paths.has(claim.field ?? "") || !wavesThrough(claim, rule))
      return undefined;
    const found = textValues(claim).find(({ text }) => /^\/.*[A-Za-z0-9]$/.test(text));
    if (!found) return undefined;
    return {
      span: policy.valueSpan(claim, found.index),
      message: `\`${found.text}-other\` begins like this too and is let through`,
      help: `write \`within: ${found.text}\``,
    };
  },
};

/** Finds the scope of packages without the slash behind it. */
function scopeIn(claim: Claim): { readonly text: string; readonly index: number } | undefined {
  return textValues(claim).find(({ text }) => /^@[\w.-]*[a-z0-9]$/i.test(text));
}

const paths: ReadonlySet<string> = new Set(["path", "path.lexical", "path.real"]);
