import { type Claim, textValues } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";
import type { LintedPolicy, LintedRule } from "../policy.ts";
import { isWhole } from "../wrong-shape.ts";

/** Lint: a test for one address or one folder, where what lies beneath it is meant. */
export const wholePlace: Lint = {
  code: "HW820",
  name: "whole-place",
  why: "An address compared as a whole is one page, and a path compared as a whole is one file or folder. What is read and written lies beneath it.",
  advice: "Write `host_in` for a host, and `within` for a folder.",
  bad: [
    {
      title: "a host, a page, and a folder that is read",
      at: ["n.url: api.example.com", "args.url: https://example.com/", "r.path: ~/.ssh", "path: src"],
      policy: `  - id: hosts
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.url: api.example.com }
    action: ask
    reason: it leaves the machine
  - id: pages
    event: tool_call
    tool: fetch
    when: { args.url: https://example.com/ }
    action: ask
    reason: it leaves the machine
  - id: keys
    event: [tool_call, user_bash]
    each: { r: effects.reads }
    when: { r.path: ~/.ssh }
    action: ask
    reason: keys lie there
  - id: sources
    event: [tool_call, user_bash]
    when: { some: { effects.writes: { path: src } } }
    action: ask
    reason: people write there
`,
    },
  ],
  good: [
    {
      title: "hosts, pages, files, and a folder that is deleted",
      policy: `  - id: hosts
    event: [tool_call, user_bash]
    each: { n: effects.network }
    when: { n.url.host: { host_in: api.example.com } }
    action: ask
    reason: it leaves the machine
  - id: pages
    event: tool_call
    tool: fetch
    when: { args.url: https://example.com/login }
    action: ask
    reason: it leaves the machine
  - id: keys
    event: [tool_call, user_bash]
    each: { r: effects.reads }
    when: { r.path: [~/.netrc, ~/.ssh/config] }
    action: ask
    reason: keys lie there
  - id: sources
    event: [tool_call, user_bash]
    each: { d: effects.deletes }
    when: { d.path: src }
    action: ask
    reason: people write there
`,
    },
  ],
  claim(claim, { policy, rule }) {
    if (!rule || !isWhole(claim.operator) || claim.part === "action") return undefined;
    for (const { text, index } of textValues(claim)) {
      const found = page(claim, text, policy) ?? folder(claim, text, rule, policy);
      if (found)
        return {
          span: claim.isWritten && claim.values?.length === 1 ? claim.span : policy.valueSpan(claim, index),
          ...found,
        };
    }
    return undefined;
  },
};

type Said = Pick<Finding, "message" | "help">;

/** Finds an address that is a host and nothing else. */
function page(claim: Claim, text: string, policy: LintedPolicy): Said | undefined {
  const { field, part, path: written } = claim;
  const path = written.replace(/\.text$/, "");
  if (field !== "url" && field !== "url.text" && path !== "args.url") return undefined;
  // A waiver for one page is narrow on purpose.
  if ((part === "unless" || part === "exception") && text.includes("://")) return undefined;
  const host = /^(?:(?:https?|wss?|ftp):\/\/)?([a-z0-9](?:[a-z0-9-]*\.)+[a-z]{2,})\/?$/i.exec(text)?.[1];
  if (host === undefined) return undefined;
  return {
    message: `\`${text}\` is compared as a whole address, which has a path as well`,
    help: `write \`${path}.host: { host_in: ${listName(claim, policy) ?? host} }\` for all of the host`,
  };
}

/** Returns the name of the list that a test compares with, which the help keeps. */
function listName({ isWritten, operandSpan }: Claim, policy: LintedPolicy): string | undefined {
  return isWritten ? undefined : /^["']?(\$[a-z]\w*)["']?$/.exec(policy.textAt(operandSpan))?.[1];
}

/** Names that folders have, and hardly a file. */
const folders: ReadonlySet<string> = new Set(
  `.ssh .aws .azure .kube .gnupg .docker .git .github .gitlab .vscode .idea .claude .config .terraform .husky node_modules etc usr var opt
   home root tmp boot proc sys`.split(/\s+/),
);

/** Names that a folder of the project has, and elsewhere a script may have. */
const often: ReadonlySet<string> = new Set(
  "src lib dist build target vendor secrets infra deploy migrations scripts docs config".split(" "),
);

/** Finds a folder whose own text is compared with the path of what is read or written in it. */
function folder(claim: Claim, text: string, rule: LintedRule, policy: LintedPolicy): Said | undefined {
  if (claim.field !== "path" && claim.path !== "args.path") return undefined;
  const name = /(?:^|\/)([^/]+)\/?$/.exec(text)?.[1] ?? "";
  const isFolder = folders.has(name) || (often.has(name) && !/[^/.]\//.test(text.slice(0, -1)));
  if (!isFolder && !/^(?:~|\.|\/)$/.test(text)) return undefined;
  // Beside a test of what is taken whole the folder itself is meant.
  if (rule.claims.some(({ path }) => path.endsWith(".recursive"))) return undefined;
  const isOfFiles = claim.path === "args.path" ? ofFileTools(rule) : ofFiles(claim);
  if (!isOfFiles) return undefined;
  const bare = listName(claim, policy) ?? (text.length > 1 ? text.replace(/\/$/, "") : text);
  return {
    message: `this is the folder \`${text}\` itself, and what lies in it has another path`,
    help: `write \`${claim.path}: { within: ${bare} }\``,
  };
}

const fileTools: ReadonlySet<string> = new Set(["read", "write", "edit"]);

const ofFileTools = ({ typed }: LintedRule): boolean =>
  typed !== undefined && typed.tools.length > 0 && typed.tools.every((tool) => fileTools.has(tool));

/** Tells whether the path is that of an element of `effects.reads` or `effects.writes`. */
function ofFiles({ subject, list, by }: Claim): boolean {
  const isOfElement = subject.k === "field" && by !== "whole";
  return isOfElement && (list === "effects.reads" || list === "effects.writes");
}
