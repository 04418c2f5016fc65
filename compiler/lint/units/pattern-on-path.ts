import { type Claim, textValues } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";
import { patternTokens } from "../pattern-tokens.ts";

/** Lint: a regular expression on a path only tests a folder, a file or an extension. */
export const patternOnPath: Lint = {
  code: "HW650",
  name: "pattern-on-path",
  why: "Paths are compared by component, with `~`, links and the case of the volume seen to. A pattern sees letters: `^/srv/app/` misses the folder itself and, on a volume that folds case, `/SRV/app/x`.",
  advice: "Write `within` for a folder, `glob` for names and extensions, the path itself for one file.",
  bad: [
    {
      title: "a folder, a file, an extension, a component",
      at: ["'^/srv/app/'", "'^/etc/hosts$'", "'\\.pem$'", "'/\\.ssh/'"],
      policy: `  - id: reads
    event: tool_call
    each: { r: effects.reads }
    when:
      any:
        - { r.path: { matches: '^/srv/app/' } }
        - { r.path: { matches: '^/etc/hosts$' } }
        - { r.path: { matches: '\\.pem$' } }
        - { r.path: { matches: '/\\.ssh/' } }
    action: ask
    reason: it is not the agent's
`,
    },
    {
      title: "the beginning of a path as the call writes it",
      at: ["r.path.text: { starts_with: /etc/ }"],
      policy: `  - id: reads
    event: [tool_call, user_bash]
    each: { r: effects.reads }
    when: { r.path.text: { starts_with: /etc/ } }
    action: ask
    reason: the machine's settings stay unread
`,
    },
  ],
  good: [
    {
      title: "paths, and patterns that need to be some",
      policy: `  - id: reads
    event: tool_call
    each: { r: effects.reads }
    when:
      any:
        - { r.path: { within: /srv/app } }
        - { r.path: /etc/hosts }
        - { r.path: { glob: ["**/*.pem", "**/.ssh/**"] } }
        - { r.path: { matches: '/v[0-9]+/keys' } }
        - { r.path: { matches: 'secret' } }
    action: ask
    reason: it is not the agent's
`,
    },
  ],
  claim(claim, { policy }) {
    if (claim.field === "path.text") return asWritten(claim);
    if (claim.operator !== "matches" || claim.field !== "path") return undefined;
    for (const { text, index } of textValues(claim)) {
      const better = betterTest(text);
      if (better !== undefined)
        return {
          span: policy.valueSpan(claim, index),
          message: "this pattern compares letters where a path is compared by component",
          help: `write \`${better}\``,
        };
    }
    return undefined;
  },
};

/** Finds a folder as the beginning of the text of a path, which a call may write in many ways. */
function asWritten(claim: Claim): Finding | undefined {
  const { operator, path, span } = claim;
  const [first] = textValues(claim);
  const folder = /^\^?((?:\/|~\/)[\w./-]*[\w-])\/?$/.exec(first?.text ?? "")?.[1];
  if (folder === undefined || (operator !== "starts_with" && operator !== "matches")) return undefined;
  return {
    span,
    message: `this is the path as the call writes it: \`cd ${folder} && cat a\` reads \`a\``,
    help: `write \`${path.replace(/\.text$/, "")}: { within: ${folder} }\``,
  };
}

/** Returns the plain test that replaces a pattern; undefined if the pattern is no plain text or may mean something else. */
function betterTest(pattern: string): string | undefined {
  const tokens = patternTokens(pattern);
  if (!tokens || tokens.length < 2 || /[*+?{}]/.test(pattern)) return undefined;
  const start = tokens[0]?.kind === "start";
  const end = tokens.at(-1)?.kind === "end";
  const inner = tokens.slice(start ? 1 : 0, end ? -1 : undefined);
  if (inner.some(({ kind }) => kind !== "literal")) return undefined;
  const text = inner.map((token) => token.text).join("");
  if (/[[\]\\,!]/.test(text)) return undefined;
  if (start && !end) return /^\/.+\/$/.test(text) ? `within: ${text.slice(0, -1)}` : undefined;
  if (start) return /^\/.*[^/]$/.test(text) ? `equals: ${text}` : undefined;
  if (end && /^\.[^/]+$/.test(text)) return `glob: "**/*${text}"`;
  if (end) return /^\/.*[^/]$/.test(text) ? `glob: "**${text}"` : undefined;
  return /^\/.+\/$/.test(text) ? `glob: "**${text}**"` : undefined;
}
