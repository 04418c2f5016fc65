import { shown } from "../../../diagnostics/suggest.ts";
import { programOf } from "../../../facts/programs/registry.ts";
import { child, strings } from "../../yaml-node.ts";
import type { Lint } from "../lint.ts";

/** Lint: a word of `run` is written for a shell or a template, and the program gets it as it stands. */
export const shellWordsOfRun: Lint = {
  code: "HW691",
  name: "shell-words-of-run",
  why: "`run` starts a program without a shell: each item is one word, and nothing in it is replaced. A whole command line in one word is the name of a program that does not exist, and the rule answers every call with an error.",
  advice:
    "Write each word as an item of its own. The program reads the event as JSON from its standard input, so that it needs no placeholders.",
  bad: [
    {
      title: "a command line in one word, and a placeholder",
      at: ['"/usr/local/bin/scan --json"', '"{args.command}"'],
      policy: `  - id: scan
    event: tool_call
    tool: bash
    action: [{ run: { command: ["/usr/local/bin/scan --json"] } }, { run: { command: [/usr/local/bin/scan, "{args.command}"] } }]
    reason: the scanner decides
`,
    },
    {
      title: "a variable and a pipe",
      at: ["$HOME/rules", '"|"'],
      policy: `  - id: scan
    event: tool_call
    tool: bash
    action: [{ run: { command: [/usr/bin/scan, $HOME/rules] } }, { run: { command: [/usr/bin/scan, "|", tee] } }]
    reason: the scanner decides
`,
    },
  ],
  good: [
    {
      title: "a word for each item, a folder with a blank, and a script for a shell",
      policy: `  - id: scan
    event: tool_call
    tool: bash
    action: [{ run: { command: ["/opt/Our Tools/scan", --json] } }, { run: { command: [/bin/sh, -c, "scan $HOME/rules | tee log"] } }]
    reason: the scanner decides
`,
    },
  ],
  besideErrors: true,
  rule({ draft }) {
    return draft.actions.flatMap(({ name, parameters }) => {
      const words = name === "run" && parameters ? strings(child(parameters, "command")) : [];
      // The word behind `-c` or `-e` is code.
      const end = words.findIndex(({ value }) => /^(?:-\w*[ce]|--eval|-Command|\/c)$/.test(value));
      const told = end < 0 ? words : words.slice(0, end);
      return told.slice(0, mostWords).flatMap(({ value, node }, i) => {
        const found = (i === 0 ? lineInWord(value) : undefined) ?? forShell(value);
        return found ? [{ span: node.span, message: `\`${shown(value)}\` ${found.why}`, help: found.help }] : [];
      });
    });
  },
};

/** Most words of one command that are looked at. */
const mostWords = 100;

interface Fault {
  readonly why: string;
  readonly help: string;
}

/** Finds a command line in the word that names the program. A folder may have a blank in its name. */
function lineInWord(text: string): Fault | undefined {
  const words = text.trim().split(/\s+/);
  const [first = "", second = ""] = words;
  if (second === "") return undefined;
  const isLine = /^-/.test(second) || programOf(first) !== undefined || !/[/\\]/.test(text.slice(first.length));
  const list = words.slice(0, 8).map((word) => (/^[\w./-]+$/.test(word) ? word : JSON.stringify(word)));
  return isLine
    ? {
        why: "is the name of one program, and not a command line",
        help: `write each word for itself: \`[${list.join(", ")}]\``,
      }
    : undefined;
}

function forShell(text: string): Fault | undefined {
  if (text.length > 1_000) return undefined;
  if (/^\{{1,2}\s*[a-z]\w*(?:\.\w+)*\s*\}{1,2}$/.test(text) || /\$\{\{/.test(text))
    return {
      why: "is given to the program as it stands: nothing is filled in",
      help: "leave it out: the program reads the event as JSON from its standard input",
    };
  if (/^\$\{?[A-Za-z_]\w*\}?(?:\/|$)|^\$\(|\$\{[A-Za-z_]\w*\}|^`.+`$/.test(text))
    return { why: "is given to the program as it stands: no shell reads it", help: "write the value itself" };
  if (/^(?:\|\|?|&&?|;|\d?>{1,2}|\d?<|\d>&\d)$/.test(text))
    return {
      why: "is one more word for the program: no shell reads it",
      help: 'let a shell do it: `[/bin/sh, -c, "…"]`',
    };
  return /^~(?:\/|$)/.test(text)
    ? { why: "is given to the program as it stands: no shell reads it", help: "write the whole path" }
    : undefined;
}
