import type { AttackGroup } from "./row.ts";

const suite = "policies/self-protection/policy.test.yaml";
const sockets = "test/facts/programs/sockets.test.ts";

const table = "test/cli/consent/table.test.ts";
const terminal = "test/cli/consent/terminal.heavy.test.ts";
const runs = "test/policies/guard-runs.test.ts";
const verbTitles = [
  "install",
  "uninstall",
  "trust",
  "trust --remove",
  "reload",
  "approve --once",
  "mcp --forget",
  "audit init",
  "audit init --rotate",
  "audit prune",
  "audit prune --compress",
  "token",
];

/** Every verb in one circumstance, by the table of tests that has a row for each. */
const ofEachVerb = (how: string, test: string): AttackGroup["attacks"] =>
  verbTitles.map((verb) => [`\`${verb}\` ${how}`, test] as const);

/** Verbs that change the guard, started by an agent. */
const guardVerbAttacks: readonly AttackGroup[] = [
  {
    class: "self-change",
    host: "the built command line, on a real terminal",
    control: "the same verb on the same terminal changes the guard where no agent is above and the word is typed",
    guarded: "refused with HW708, and no file changes",
    file: terminal,
    attacks: [
      ...ofEachVerb(
        "below an agent that types the word",
        "%s: changes nothing below an agent that has a terminal and types the word",
      ),
      ...ofEachVerb("with a variable of an agent", "%s: changes nothing with a variable of an agent"),
      [
        "a program that left its agent, on a terminal that the agent holds",
        "of a program that leaves %s above is known by who holds it",
      ],
      [
        "variables cleared below a shell that an agent has started",
        "is known by a variable that a process above was started with, though its own has none",
      ],
    ],
  },
  {
    class: "self-change",
    host: "the built command line, without a terminal",
    control: "the same verb runs with a token of a human",
    guarded: "refused with HW706, and no file changes",
    file: terminal,
    attacks: [
      ...ofEachVerb("with `yes` on its input", "%s: changes nothing without a terminal, whatever its input holds"),
      ["a verb in the background of a human's terminal", "of which another process has the foreground is not asked at"],
    ],
  },
  {
    class: "self-change",
    host: "every verb, by the command line",
    control: "a token, a word and root's file that are right change the guard in the same table",
    guarded: "refused with HW709, HW710 or HW711, and no file changes",
    file: table,
    attacks: [
      "a wrong word",
      "a token for another verb",
      "a token whose time is over",
      "a token that is used up",
      "a token of another home",
      "a token that others may read",
      "a token behind a link",
      "a token, inside an agent",
      "root's file, inside an agent",
      "root's file, whose day is over",
      "a file of another owner",
      "a file that its group may write",
      "a file that all may write",
      "a link to a file of root",
      "a file in a folder that others may write to",
    ].map((one) => [one, "%s: %s"] as const),
  },
  {
    class: "self-change",
    host: "every host, by the built-in policy",
    control: "commands beside it in the same table that look at the guard, or talk of it, are allowed",
    guarded: "refused or asked about by `self-protection`",
    file: runs,
    attacks: [
      [
        "each verb by 78 ways to start the program: package managers, links, copies, other Nodes, detached",
        "is stopped by every way to start it: %s",
      ],
      [
        "each verb by 24 ways to run a line: shells, interpreters, `at`, `watch`, `trap`",
        "is stopped by every way to run a line: %s",
      ],
      ["the program's modules loaded by code", "is stopped where its modules are loaded: %s"],
      ["a token, a key or root's file written by hand", "is stopped where a leave is forged: %s"],
      ["a verb that writes over a policy", "is stopped where a verb writes a file of the guard: %s"],
    ],
  },
  {
    class: "self-change",
    host: "every host",
    control: "the call that a human let run by the key on record runs once",
    guarded: "the refusal names neither key nor command",
    file: "test/adapters/one-shot/hook.test.ts",
    attacks: [["the key of an approval, as a refusal told it", "let a call run once that a human let through outside"]],
  },
];

/** An agent that changes, replaces or answers for the guard by calls of its own. */
export const selfChangeAttacks: readonly AttackGroup[] = [
  ...guardVerbAttacks,
  {
    class: "self-change",
    host: "every host, by the built-in policy",
    control: "commands beside it in the same suite that only look alike are allowed",
    guarded: "refused by `self-protection`",
    file: suite,
    attacks: [
      ["a link that leads to the policies", "a link that leads to the policies"],
      ["letter case, where the volume folds it", "letter case where the volume folds it"],
      ["a decision in a human's place", "no agent decides in a human's place, however hookwarden is started"],
      ["an answer in the hook's place", "no agent answers a hook"],
      ["an edit of what wires a host", "no agent edits what wires a host"],
      ["every file that wires a host, written, moved or deleted", "every file that wires a host, whole or in part"],
      ["patterns that stand for our files", "globs count where they are about us, dot files or settings"],
      ["our state, wherever it is", "what hookwarden keeps, wherever its state folder is"],
      [
        "`trust`, `approve`, `uninstall` by every way to start them",
        "decisions, by every way to start hookwarden and to take it away",
      ],
      ["the hook program, by every runtime", "the hook program, by every runtime"],
      ["variables that disarm a hook", "variables, by every way to set one"],
      ["ending our processes", "processes"],
    ],
  },
  {
    class: "self-change",
    host: "every host",
    control: "the same programs without a listening socket write nothing there",
    guarded: "a socket that a program makes is a write to its path, which rules can refuse",
    file: sockets,
    attacks: [
      "nc -lU /run/p.sock",
      "ncat -lU ~/p.sock",
      "socat UNIX-LISTEN:/run/p.sock,fork -",
      "ssh -L /run/p.sock:localhost:80 h.example -N",
      "ssh-agent -a /run/p.sock",
      "tmux -S /run/p.sock new-session -d",
      "systemd-socket-activate -l /run/p.sock cat",
      "gunicorn -b unix:///run/p.sock app:app",
    ].map((one) => [`\`${one}\``, one] as const),
  },
  {
    class: "self-change",
    host: "every host",
    control: "a path beside them is of no such class",
    guarded: "what the engine runs from is of the class `engine`, wherever it was installed",
    file: "test/store/own-places.test.ts",
    attacks: [
      [
        "Node, launcher and modules of this process",
        "is Node, the launcher's folder as written, and the modules where they really are",
      ],
    ],
  },
  {
    class: "self-change",
    host: "every host",
    control: "a path beside them is of no such class",
    guarded: "what the engine runs from is of the class `engine`, wherever it was installed",
    file: "test/facts/paths/engine-places.test.ts",
    attacks: [
      ["an installation in a folder of another name", "are of the class engine"],
      ["other letter case, where the volume folds it", "are compared without letter case where the volume is"],
    ],
  },
];
