/** Reader of a hook's command line: a shell that the host starts, or none, where the host starts programs directly. */
export type HookShell = "dash" | "bash as sh" | "bash" | "none";

/** Tells whether a class of variables can affect a hook, with the reason. */
export interface Opening {
  readonly closed: boolean;
  readonly why: string;
}

const closed = (why: string): Opening => ({ closed: true, why });
const open = (why: string): Opening => ({ closed: false, why });

const notRead = closed("this shell does not read it");
const privileged = closed("`sh -p` does not read it");
const noExec = open("the shell reads it before the first word of the line, and then runs nothing or what it says");
const cleared = closed("Node and what stands before it start with a cleared environment");
const absolute = closed("no name is looked up: every program of the line is an absolute path");
const loader = open("the loader of the system reads it before any program begins, the host's shell first");

/**
 * Effect of variables that a project sets for its agent on the command line of a hook, by the shell that reads the line. Tested
 * for each pair (`test/adapters/one-shot/hostile-environment.test.ts`).
 */
export const openings = {
  SHELLOPTS: { dash: notRead, "bash as sh": noExec, bash: noExec, none: privileged },
  BASH_ENV: { dash: notRead, "bash as sh": notRead, bash: noExec, none: privileged },
  ENV: { dash: notRead, "bash as sh": notRead, bash: notRead, none: privileged },
  "exported function `exit`": {
    dash: notRead,
    "bash as sh": closed("a special builtin is found before a function"),
    bash: open(
      "bash has it in place of the `exit` of `|| exit 2`; what the client itself refuses, it refuses as a document too",
    ),
    none: privileged,
  },
  "other exported functions": { dash: notRead, "bash as sh": absolute, bash: absolute, none: privileged },
  "HOME/.bashrc": {
    dash: notRead,
    "bash as sh": notRead,
    bash: open("bash of Debian and Ubuntu reads it where standard input is a socket and `SHLVL` is below 2"),
    none: privileged,
  },
  SHELL: { dash: notRead, "bash as sh": notRead, bash: notRead, none: notRead },
  "LD_PRELOAD, LD_AUDIT": { dash: loader, "bash as sh": loader, bash: loader, none: loader },
  "LD_DEBUG, LD_LIBRARY_PATH, GLIBC_TUNABLES, MALLOC_*": same(loader),
  LD_TRACE_LOADED_OBJECTS: same(
    open(
      "the loader prints what a program would load and ends it, with an empty value too, so that no entry disarms it",
    ),
  ),
  "NODE_OPTIONS, NODE_PATH": { dash: cleared, "bash as sh": cleared, bash: cleared, none: cleared },
  PATH: { dash: absolute, "bash as sh": absolute, bash: absolute, none: absolute },
  "HOME, XDG_*": same(closed("state, home and policies are arguments that `install` wrote")),
  IFS: same(closed("shells set it themselves")),
  "LC_ALL, LOCPATH, TZ, TMPDIR": { dash: cleared, "bash as sh": cleared, bash: cleared, none: cleared },
  PERL5OPT: { dash: cleared, "bash as sh": cleared, bash: cleared, none: cleared },
} as const satisfies Record<string, Readonly<Record<HookShell, Opening>>>;

/** A class of variables. */
export type OpeningName = keyof typeof openings;

function same(opening: Opening): Readonly<Record<HookShell, Opening>> {
  return { dash: opening, "bash as sh": opening, bash: opening, none: opening };
}

/** How a host starts the line of a hook, and what a project can do to its environment. */
export interface HookLine {
  /** Readers of the line: first the one on the examined system, then other possible ones. */
  readonly shells: readonly HookShell[];
  /** Source of `shells`. */
  readonly known: "run" | "docs" | "unknown";
  /** True where the hook's entry itself empties the variables that shells and loaders read. */
  readonly blanks?: true;
  /** Files and keys of a project that set variables of the agent. */
  readonly project: string;
  /** Anything else before the line, and how it is closed. */
  readonly note?: string;
}

/** The hosts whose hooks are processes, by their names in the table of hosts. */
export const hookLines = {
  "claude-code": {
    shells: ["none", "dash", "bash as sh"],
    known: "run",
    project: "`env` of `.claude/settings.json` and `.claude/settings.local.json`",
    note: "no shell reads the line where `install` finds version 2.1.139 or newer; else `sh -c` does, and behind `CLAUDE_CODE_SHELL_PREFIX`, which a project can set too",
  },
  codex: { shells: ["bash"], known: "run", project: "nothing that was found", note: "the user's own shell, with `-c`" },
  "gemini-cli": { shells: ["bash"], known: "run", blanks: true, project: "`.env` and `.gemini/.env`, but not `HOME`" },
  copilot: {
    shells: ["bash"],
    known: "run",
    blanks: true,
    project: "nothing that was found",
    note: "`bash --norc --noprofile -c`",
  },
  vscode: {
    shells: ["dash", "bash as sh"],
    known: "unknown",
    project: "not known",
    note: "the line in Claude Code's settings",
  },
  cursor: { shells: ["dash", "bash as sh"], known: "unknown", project: "not known" },
  windsurf: { shells: ["bash"], known: "unknown", project: "not known" },
  cline: {
    shells: ["none"],
    known: "unknown",
    project: "not known",
    note: "a file of its own that begins with `#!/bin/sh -p`",
  },
  goose: { shells: ["dash", "bash as sh"], known: "unknown", project: "not known" },
  opta: { shells: ["dash", "bash as sh"], known: "unknown", project: "not known" },
} as const satisfies Record<string, HookLine>;
