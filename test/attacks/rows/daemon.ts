import type { AttackGroup } from "./row.ts";

const impostor = "test/adapters/daemon/impostor.heavy.test.ts";
const client = "test/adapters/daemon/shell-launcher.heavy.test.ts";
const front = "test/adapters/daemon/watchdog.heavy.test.ts";
const wired = "the `--daemon` line of `install`";
const served = "`hookwarden serve`";

/** Attacks on the process that answers many hooks, and on what asks it. */
export const daemonAttacks: readonly AttackGroup[] = [
  {
    class: "daemon",
    host: wired,
    control: "a client that asks whoever listens is told that the call may run",
    guarded: "the kernel names the peer, it is not the process of the lock, and a process of its own judges",
    file: impostor,
    attacks: [
      ["an impostor at the socket that allows everything", "asks nobody but the process that the lock names"],
      [
        "an impostor that wrote the lock too",
        "asks none that is not the command line beside the launcher, where the system shows that",
      ],
    ],
  },
  {
    class: "daemon",
    host: `${wired}, on a machine without perl`,
    control: "the impostor is believed",
    guarded: "`nc` cannot ask the kernel who answers: there the client trusts every process of the same user",
    closable: false,
    file: impostor,
    attacks: [["an impostor at the socket, asked by `nc`", "asks nobody but the process that the lock names"]],
  },
  {
    class: "daemon",
    host: wired,
    control: "the daemon behind the same socket answers before the change",
    guarded: "the client asks nobody there, and a process of its own judges",
    file: impostor,
    attacks: [
      "a lock that the group can write",
      "a lock that others can read",
      "a lock that is a link",
      "a lock that is a folder",
      "a lock without a number",
      "an empty lock",
      "no lock",
      "a lock that names another process",
      "a socket that is a link",
      "a folder that others can write",
      "a folder that is a link",
      "a lock of another user",
      "a socket of another user",
      "a folder of another user",
    ].map((one) => [one, one] as const),
  },
  {
    class: "daemon",
    host: wired,
    control: "a program that looks names up by `PATH`, or perl with `PERL5OPT`, runs the foreign code",
    guarded: "every helper is started by its absolute path and with cleared variables; the call is refused",
    file: impostor,
    attacks: [
      [
        "a `nc`, `perl`, `env` and nine more programs on `PATH`, functions, `BASH_ENV`, `PERL5OPT`, `IFS`",
        "starts no program that stands in a folder of the variables, and obeys none of those",
      ],
    ],
  },
  {
    class: "daemon",
    host: wired,
    control: "the same call is allowed by a daemon that answers in whole",
    guarded: "the client refuses in the host's form",
    file: client,
    attacks: [
      "a greeting alone",
      "garbage",
      "an answer with another mark",
      "too little until its time is up",
      "half of an answer",
      "an exit code that no hook has",
      "an answer with more behind it",
      "an answer without its first part",
      "an answer twice",
      "more than anybody reads",
    ].map((one) => [`a daemon that says ${one}`, one] as const),
  },
  {
    class: "daemon",
    host: wired,
    control: "nobody answers the client",
    guarded: "a process of its own judges, and refuses",
    file: client,
    attacks: [
      ["a daemon that is busy", "is busy"],
      ["a daemon that says nothing at all", "says nothing at all"],
      ["a daemon that ends the connection", "ends the connection"],
      ["a daemon that says something else first", "says something else first"],
      ["a daemon that was stopped", "does not wait for a daemon that was stopped"],
      ["a daemon that was killed", "does without a daemon where there is none, and one that was killed, by %s"],
      ["a payload of more than 16 MB", "refuses in words a payload that is larger than one may be"],
    ],
  },
  {
    class: "daemon",
    host: served,
    control: "the judge never answers, or is gone",
    guarded: "the front refuses in time, ends the judge by SIGKILL, and has the next call judged by a new one",
    file: front,
    attacks: [
      ["a judge in a busy loop", "busy-loop"],
      ["a judge that makes a folder below `/proc`", "mkdir-below-proc"],
      ["a judge that opens a pipe nobody writes", "open-fifo"],
      ["a judge in one long call of native code", "native-regex"],
      ["a judge that waits for ever", "after-await"],
      ["a judge that loops after an `await`", "loop-after-await"],
      ["a judge that was stopped", "stop"],
      ["a judge that ends", "exit"],
      ["a judge with a segmentation fault", "segmentation-fault"],
      ["a judge that aborts", "abort"],
      ["a judge without memory", "memory"],
      ["a judge that throws", "throw"],
      ["a judge with a rejection that nobody handles", "rejection"],
      ["a judge that says garbage", "garbage"],
    ],
  },
  {
    class: "daemon",
    host: served,
    control: "one that serves each as it comes is held up by the first",
    guarded: "other sessions are answered meanwhile; what waits behind is refused in words and at its time",
    file: front,
    attacks: [
      ["one session hung", "goes on serving other sessions meanwhile"],
      [
        "as many sessions hung as there are judges but one",
        "serves others while as many sessions as it has judges but one are hung",
      ],
      ["a call behind one that may take longer", "refuses at their time what waits behind a call that may take longer"],
    ],
  },
  {
    class: "daemon",
    host: served,
    control: "connections are as many as somebody opens",
    guarded: "connections beyond the bound hear so, idle ones end, long requests take turns",
    file: "test/adapters/daemon/connections.test.ts",
    attacks: [
      ["more connections than are served", "hear that there are too many, and are served when there are fewer"],
      ["connections on which nothing comes", "end when nothing comes, and keep nobody waiting meanwhile"],
      ["connections on which a byte comes now and then", "end at their time although something comes now and then"],
      [
        "long requests beside short ones",
        "take turns where their requests are long, and those that are not wait for none of them",
      ],
    ],
  },
  {
    class: "daemon",
    host: served,
    control: "a reader that joins all it has at each chunk grows with the square",
    guarded: "reading is linear, and a request in single bytes ends early",
    file: "test/adapters/daemon/request-reader.test.ts",
    attacks: [
      [
        "requests whose chunks end in line breaks",
        "is linear, whatever stands in the request and however it comes: bytes looked at, by size and by pieces",
      ],
      ["a request in single bytes", "charges reads, so that a request in single bytes ends early"],
    ],
  },
  {
    class: "daemon",
    host: served,
    control: "a record that only the judge has is gone with it",
    guarded: "what was answered is on record, and the judges go with the front",
    file: "test/adapters/daemon/real-daemon.heavy.test.ts",
    attacks: [
      ["a judge that is killed", "loses nothing with a judge that is killed"],
      ["the daemon killed", "takes its judges with it when it is killed, and the next one begins"],
    ],
  },
  {
    class: "daemon",
    host: served,
    control: "one that listens wherever it is told serves whoever owns the folder",
    guarded: "it does not begin",
    file: "test/adapters/daemon/daemon.test.ts",
    attacks: [
      [
        "a folder that others can reach, a file in the socket's place",
        "does not begin in a folder that others can reach, nor in place of a file",
      ],
    ],
  },
];
