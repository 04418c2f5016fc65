import type { AttackGroup } from "./row.ts";

const line = "test/adapters/one-shot/hostile-environment.heavy.test.ts";
const spoiled = "test/adapters/one-shot/refusal-survives.test.ts";

/** Hostile variables by class, on the wired line as each shell reads it, and spoiled output. */
export const environmentRows: readonly AttackGroup[] = [
  {
    class: "environment",
    host: "the wired line, read by dash, by bash as `sh`, by bash, and started without a shell",
    control: "bash that reads the line without the entry's own variables obeys the ones that the table of shells names",
    guarded: "refused, and nothing foreign runs",
    file: line,
    attacks: [
      [
        "`SHELLOPTS`, `BASH_ENV`, `ENV`, exported functions, `HOME/.bashrc`, `SHELL`, `NODE_OPTIONS`, `NODE_PATH`, `PATH`, `HOME`, `XDG_*`, `IFS`, locales, `PERL5OPT`",
        "%s: %s (%i) is closed",
      ],
      [
        "the same where bash reads the line and the host's entry sets variables to nothing",
        "%s: %s (%i) is closed where the entry sets it to nothing",
      ],
      [
        "`XDG_STATE_HOME` and `HOME` elsewhere: the trail",
        "%s: nothing of it is written anywhere but where the line says",
      ],
      ["every variable at once: what Node starts with", "%s: Node starts with two variables, whatever the host has"],
      ["variables of 90 KB, and of all kinds of quotes", "%s: are data for the judge, and large ones too"],
    ],
  },
  {
    class: "environment",
    host: "the wired line, read by a shell of the host",
    control: "the loader runs the library in every program",
    guarded:
      "the host's shell itself is loaded with it; Node, perl and the judge are not. The files that set it are guarded where they are written",
    closable: false,
    file: line,
    attacks: [
      ["`LD_PRELOAD`, `LD_AUDIT`", "is read by the loader before any word of ours, which Node never is"],
      [
        "bash with no variables set to nothing by the entry",
        "%s: %s is open, so that the table says no more than is so",
      ],
    ],
  },
  {
    class: "environment",
    host: "Claude Code, Codex, Gemini CLI, Copilot, VS Code, goose",
    control: "a document alone is void once a line stands before it on standard output",
    guarded: "a refusal leaves as a document and with exit 2 and the reason",
    file: spoiled,
    attacks: [
      [
        "a line printed before the document, at a call",
        "%s: a refused call leaves as a document and with exit 2 and the same reason",
      ],
      ["a line printed before the document, at a prompt", "%s: so does a refused prompt"],
    ],
  },
];
