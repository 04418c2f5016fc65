import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Counts, readBaseline } from "../../test/shells/report.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

/** The parts of bash's manual, by the first word of the classes that prove them. */
const parts: readonly (readonly [string, string])[] = [
  ["builtin", "Builtin commands"],
  ["set", "Options of `set`"],
  ["shopt", "Options of `shopt`"],
  ["compound", "Compound commands and lists"],
  ["redirection", "Redirections"],
  ["expansion", "Expansions"],
  ["launch", "Ways to give a shell its text"],
];

/** Constructs that only a shell with a person at its terminal has: a tool call has none. */
const interactive: ReadonlySet<string> = new Set(
  [
    "builtin: bg, fg, suspend, disown, bind, fc, history, compopt",
    "set: emacs, vi, history, histexpand, ignoreeof, interactive-comments, monitor, notify, nolog",
    "shopt: autocd, cdspell, checkjobs, checkwinsize, cmdhist, complete_fullquote, direxpand, dirspell, force_fignore, histappend",
    "shopt: histreedit, histverify, hostcomplete, huponexit, interactive_comments, lithist, mailwarn, no_empty_cmd_completion",
    "shopt: progcomp, progcomp_alias, login_shell",
  ].flatMap((line) => {
    const [part, names = ""] = line.split(": ");
    return names.split(", ").map((name) => `${part}: ${name}`);
  }),
);

/** Of the scripts that write the marked file, the share that is blocked without a question where a construct is modelled. */
const modelledShare = 0.8;

function statusOf(id: string, { positives, sure }: Counts): string {
  if (interactive.has(id)) return "not applicable";
  return positives === 0 || sure >= modelledShare * positives ? "modelled" : "open";
}

function rowOf(name: string, id: string, counts: Counts): readonly string[] {
  const { positives, sure, passed, uncovered } = counts;
  const asked = positives - sure - passed;
  return [
    code(name),
    statusOf(id, counts),
    ...[counts.scripts, positives, sure, asked, passed, uncovered, counts["false certain"]].map(String),
  ];
}

const head = [
  "construct",
  "status",
  "scripts",
  "write",
  "named",
  "asked",
  "passed",
  "not covered",
  "not certain",
] as const;

const intro =
  "What the shell analysis makes of each construct of bash's manual, as the last whole run of `npm run test:shells` measured it: real\n" +
  "shells ran generated scripts, and what they touched was held against what the engine says of them. Each row is a class of that run.\n\n" +
  "- **modelled**: the value goes through the construct. Of the scripts that write the guarded file at least four in five are blocked\n" +
  "  without a question.\n" +
  "- **open**: what the construct makes is not followed. It is any value, so that a rule which it may concern asks.\n" +
  "- **not applicable**: only a shell with a person at its terminal has it, and a tool call has none. It is run all the same.\n\n" +
  "*write*: scripts that wrote the guarded file; of these *named* were blocked, *asked* asked about, and *passed* let through. *Not\n" +
  "covered*: scripts that touched something which no listed effect may be. *Not certain*: scripts of which something was called certain\n" +
  "that did not happen. A script that stood on the disk before the call is read (decision 32). A program word that a command prints is a\n" +
  "program that nobody knows: rules on programs and on opaque calls speak of it, and its effects are in no list.";

/** Tells for each construct of the shell whether it is modelled, with the class that proves it. */
export const page: Page = {
  path: "docs/reference/shell.md",
  render() {
    const file = join(import.meta.dirname, "../../test/shells/baseline.tsv");
    const { seed, cases, figures } = readBaseline(readFileSync(file, "utf8"));
    const sections = parts.map(([part, title]) => {
      const rows = [...figures].flatMap(([id, counts]) =>
        id.startsWith(`${part}: `) ? [rowOf(id.slice(part.length + 2), id, counts)] : [],
      );
      return `## ${title}\n\n${table(head, rows)}`;
    });
    const whole = [...figures].filter(([id]) => !id.includes(": ") && !id.includes(" + "));
    const others = [...figures].filter(([id]) => id.startsWith("shell: "));
    const rest = table(
      ["class", ...head.slice(2)],
      [...whole, ...others].map(([id, counts]) => {
        const [name = "", , ...numbers] = rowOf(id, id, counts);
        return [name, ...numbers];
      }),
    );
    const note = `Seed ${seed}, ${cases.toLocaleString("en")} scripts. Classes of two constructs side by side are in \`test/shells/baseline.tsv\`.`;
    return `${generatedFrom("test/shells/baseline.tsv")}\n# The shell\n\n${intro}\n\n${note}\n\n${sections.join("\n\n")}\n\n## Constructs together, and other shells\n\n${rest}\n`;
  },
};
