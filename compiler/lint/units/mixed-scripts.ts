import { parseTarget } from "../../../facts/network/url.ts";
import { asciiSkeleton } from "../../../facts/tables/confusables.ts";
import { textValues } from "../claims.ts";
import type { Finding, Lint } from "../lint.ts";
import { oddPlaces } from "../odd-text.ts";

const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

/** True for a text whose only characters beyond ASCII are letters, at least one; another lint finds invisible ones. */
const isOfLetters = (text: string): boolean => !isAscii(text) && /^[\x00-\x7f\p{L}]*$/u.test(text);

/** Lint: a word mixes letters of several scripts, or a value looks like ASCII but is not. */
export const mixedScripts: Lint = {
  code: "HW631",
  name: "mixed-scripts",
  why: "A Cyrillic `\u0441` looks like a Latin `c`. A rule against `\u0441url` never meets `curl`, and no reviewer sees why.",
  advice:
    "Write the word in one script; to match a look-alike, write it as an escape in double quotes. There is no `--fix`: which of the scripts is meant only the author knows, and another letter is another rule.",
  bad: [
    {
      title: "a Cyrillic letter in the name of a program",
      at: ["\u0441url"],
      policy: `  - id: downloads
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: \u0441url }
    action: ask
    reason: it leaves the machine
`,
    },
    {
      title: "a word that is wholly of another script and passes for ASCII",
      at: ["\u0430\u0440\u0440.com"],
      policy: `  - id: hosts
    event: tool_call
    each: { n: effects.network }
    unless: { n.url.host: { host_in: [\u0430\u0440\u0440.com] } }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  good: [
    {
      title: "text in another script, and an escape",
      policy: `  - id: downloads # \u0437\u0430\u0433\u0440\u0443\u0437\u043a\u0438
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: { c.program: "\\u0441url" }
    action: ask
    reason: it leaves the machine
`,
    },
  ],
  policy(policy) {
    const inText = oddPlaces(policy.source.text, ["mixed_script"]).map(({ span, code }): Finding => {
      const word = wordAt(policy.source.text, span.start);
      const message = `\`${code}\` in \`${policy.textAt(word)}\` is a letter of another script`;
      return { span: word, message, help: "write the word in one script" };
    });
    const told = new Set(inText.map(({ span }) => span.start));
    const claims = [...policy.ownClaims, ...policy.rules.flatMap((rule) => rule.claims)];
    const values = claims.flatMap((claim) => {
      if (!claim.isWritten) return [];
      return textValues(claim).flatMap(({ text, index }): Finding[] => {
        const span = policy.valueSpan(claim, index);
        const passes = isOfLetters(text) && isAscii(asciiSkeleton(text));
        if (!passes || told.has(span.start) || isAscii(policy.textAt(span))) return [];
        const message = `\`${text}\` looks like \`${asciiSkeleton(text)}\` and is not`;
        return [{ span, message, help: inAscii(claim.field, text) }];
      });
    });
    return [...inText, ...values];
  },
};

/** Returns how to write a text in ASCII: a host has a form of its own there. */
function inAscii(field: string | undefined, text: string): string {
  const dot = /^\.?/.exec(text)?.[0] ?? "";
  const host = field === "url.host" ? parseTarget(`http://${text.slice(dot.length)}/`)?.host : undefined;
  return host?.includes("xn--")
    ? `hosts are in ASCII: write \`${dot}${host}\` for this name, or the name that it looks like`
    : "write it in ASCII, or as an escape where the look-alike is meant";
}

function wordAt(text: string, at: number): Finding["span"] {
  const isPart = (c: string | undefined): boolean => c !== undefined && /[\p{L}\p{N}_-]/u.test(c);
  let start = at;
  let end = at;
  while (start > 0 && at - start < 100 && isPart(text[start - 1])) start--;
  while (end < text.length && end - at < 100 && isPart(text[end])) end++;
  return { start, end: Math.max(end, at + 1) };
}
