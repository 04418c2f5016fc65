import { payloadShapes } from "../payloads.ts";
import type { AttackGroup } from "./row.ts";

const client = "test/adapters/one-shot/watchdog.heavy.test.ts";
const guards = "test/adapters/judge-process/guards.heavy.test.ts";
const stuck = "a host that waits for the answer goes on when its own time-out is over";

/** Hosts whose wired hooks were run, and what one of them does when a hook hangs. */
const lateAnswers: readonly AttackGroup[] = ["claude-code", "codex", "gemini", "copilot"].map((name) => ({
  class: "delay",
  host: `${name}, a real run`,
  control: "`host fact: a hook's timeout is open`: the host goes on, and the call runs",
  guarded: "refused before the host stops waiting, and the model is told",
  file: `test/hosts/${name}.ts`,
  attacks: [["a program of a rule that hangs", "a program that hangs blocks the call"]],
}));

/** Delays besides the commands on real hosts: payloads, results, and an engine that hangs with its work uncounted. */
export const delayRows: readonly AttackGroup[] = [
  ...lateAnswers,
  {
    class: "delay",
    host: "the wired line of Claude Code, Codex, VS Code, Gemini CLI, Copilot, Cursor, Windsurf, Cline, goose, as far as they have the call",
    control: "the same call in small is refused by its rule, and allowed with another path",
    guarded: "refused, in the host's own form",
    file: "test/attacks/payloads.heavy.test.ts",
    attacks: payloadShapes.map(({ title }) => [title, "%s: %s is refused, in the host's own form"] as const),
  },
  {
    class: "delay",
    host: "the wired line of Claude Code, Codex, Gemini CLI, Copilot",
    control: "the same result in small is told, without its secret",
    guarded: "redacted or withheld, never silence",
    file: "test/attacks/payloads.heavy.test.ts",
    attacks: [
      [
        "a result of 700,000 words that look like names of secrets",
        "%s: a result of 700,000 words that look like keys never tells its secret",
      ],
    ],
  },
  {
    class: "delay",
    host: "the engine",
    control: "a rule that takes less work is judged",
    guarded: "the event is answered closed, and the record says so",
    file: "test/scaling/meter.heavy.test.ts",
    attacks: [
      ["a rule that takes too much work", "closes the event: $name"],
      ["the same in monitor mode", "changes no answer in monitor mode: $name"],
      ["a text in a result that takes too much work", "is withheld in a result"],
      ["a text in a call that takes too much work", "closes a call, and leaves nothing of it in the record"],
      [
        "a pattern of a redaction that reads on behind each match",
        "a pattern of a redaction that reads on behind each match is paid for that",
      ],
    ],
  },
  {
    class: "delay",
    host: "the wired line, by perl's alarm, by `timeout` and by a limit of processor time",
    control: stuck,
    guarded: "the client ends it at its time and refuses in the host's form",
    file: client,
    attacks: [
      [
        "a busy loop, `mkdir` below `/proc`, a long call of native code, a loop after an `await`",
        "%s: the answer is the host's own refusal",
      ],
    ],
  },
  {
    class: "delay",
    host: "the wired line",
    control: "a hook that ends without an answer lets the call run on hosts that read no exit code but 2",
    guarded: "the client refuses with exit 2 and the reason",
    file: client,
    attacks: [
      ["a launcher that ends with a code that is no answer", "ends by itself with a code that is no answer"],
      ["a launcher that is no program", "is no program"],
      ["a launcher that is ended from outside", "is ended from outside"],
      ["a launcher that breaks down", "breaks down"],
      ["a Node or client that is gone", "refuses where Node is gone, and where it is gone itself"],
    ],
  },
  {
    class: "delay",
    host: "the launcher",
    control: "a reader that waits for the end never answers",
    guarded: "refused in time",
    file: "test/adapters/one-shot/launcher.test.ts",
    attacks: [
      ["a payload that never ends", "answers a host that never ends its payload"],
      ["a pipe that never ends", "answers in time where a pipe never ends"],
    ],
  },
  {
    class: "delay",
    host: "pi, omp, OpenCode (guards in their process)",
    control: "an engine in the host's own process hangs the host",
    guarded: "the judge process is ended, the call refused in words, and the next one judged",
    file: guards,
    attacks: [
      ["an engine that hangs at a call", "hangs (%s), refuses in words and goes on"],
      ["an engine that breaks at a call", "breaks (%s), refuses in words and goes on"],
      ["an engine that hangs at a result", "hangs over a result, withholds it"],
      [
        "an engine that hangs at one of several calls",
        "hangs at one of several calls, refuses those that wait behind it",
      ],
    ],
  },
  {
    class: "delay",
    host: "the MCP proxy",
    control: "a proxy that judges by itself hangs with its engine",
    guarded: "refused or withheld, and the session goes on",
    file: guards,
    attacks: [
      ["an engine that hangs at a call", "refuses a call over which the engine hangs, and goes on"],
      ["an engine that hangs at a result", "withholds a result over which the engine hangs"],
    ],
  },
  {
    class: "delay",
    host: "guards in the process of a host",
    control: "a guard that asks nobody judges nothing",
    guarded: "every call is refused",
    file: guards,
    attacks: [
      ["a Node for the judge that is not there", "is not there"],
      ["a judge that ends at once", "ends at once"],
      ["another program in the judge's place", "is another program"],
    ],
  },
  {
    class: "delay",
    host: "files that rules read",
    control: "opening one of these by itself never returns, or reads without end",
    guarded: "not opened, or read up to its bound",
    file: "test/adapters/regular-file.test.ts",
    attacks: [
      ["pipes, devices, sockets, folders, links that lead to themselves", "is not read: %s"],
      ["the memory of a process", "is not read: the memory of a process"],
    ],
  },
  {
    class: "delay",
    host: "programs that rules run",
    control: "who waits for the end of the output waits for ever",
    guarded: "the program has ended when its own process has, and its exit code is the answer",
    file: "test/adapters/held-pipes.heavy.test.ts",
    attacks: [
      [
        "a program that leaves a process behind that holds its output",
        "and that ends with %d has ended: what it said counts, and the helper lives on",
      ],
      ["a process left behind that writes without end", "from a helper that writes without end is bounded"],
    ],
  },
  {
    class: "delay",
    host: "programs that rules run",
    control: "who waits for the end of the output waits for ever",
    guarded: "an answer comes in time, and what the program left behind is ended",
    file: "test/adapters/programs.heavy.test.ts",
    attacks: [
      ["a program that hears no signal", "hears no signal"],
      ["a program that stops itself", "stops itself"],
      ["a program that writes without end", "writes without end"],
      ["a program that closes its output and stays", "closes its output and stays"],
      [
        "a program whose grandchildren are in groups of their own",
        "its grandchildren too, in its process group or in one of their own",
      ],
    ],
  },
];
