import { setTimeout as delay } from "node:timers/promises";
import type { InstalledHost } from "../install.ts";
import { has } from "../pi-script.ts";
import type { Cases } from "../report.ts";
import { eventsOf, notesOf, sentIn, textOf, toldOf } from "./parts.ts";
import { Terminal } from "./terminal.ts";

type Check = Cases["check"];

/** Cases of a human at pi's own terminal. The keys that end pi need a terminal each. */
export async function terminalCases(host: InstalledHost, cases: Cases): Promise<void> {
  const check = cases.check.bind(cases);
  await inTerminal(host, async (terminal) => {
    await cases.group("commands typed in the terminal", () => typedCommands(terminal, check));
    await cases.group("built-in commands in the terminal", () => builtIns(terminal, check));
    await cases.group("Ctrl+D", () => leave(terminal, check));
  });
  await inTerminal(host, (terminal) => cases.group("Ctrl+C", () => interrupt(terminal, check)));
}

async function inTerminal(host: InstalledHost, work: (terminal: Terminal) => Promise<void>): Promise<void> {
  const terminal = await Terminal.open(host);
  try {
    await work(terminal);
  } finally {
    await terminal.close();
  }
}

async function typedCommands(terminal: Terminal, check: Check): Promise<void> {
  const plain = await terminal.type("plain", "!echo human", "user_bash");
  const hidden = await terminal.type("plain", "!!echo hidden", "user_bash");
  const [event] = eventsOf(plain, "user_bash");
  const [quiet] = eventsOf(hidden, "user_bash");
  check(
    "a command typed behind ! fires user_bash",
    event !== undefined && eventsOf(plain, "input").length === 0,
    toldOf(plain),
  );
  check(
    "user_bash carries the command, the folder and whether the model is kept from it",
    event?.["command"] === "echo human" &&
      event["cwd"] === terminal.scratch.project &&
      event["excludeFromContext"] === false &&
      quiet?.["command"] === "echo hidden" &&
      quiet["excludeFromContext"] === true,
    [event, quiet],
  );
  await terminal.type("a command has a result", "!touch ASKED", "user_bash");
  await terminal.shows("output of the handler");
  check("a handler of user_bash gives the result: the command does not run", !has(terminal.scratch, "ASKED"));
  const elsewhere = await terminal.type("a command runs elsewhere", "!echo elsewhere", "user_bash");
  await terminal.shows("output from elsewhere");
  const prompt = await terminal.run("typed", "hello there");
  const notes = notesOf({ ...elsewhere, log: [...elsewhere.log, ...prompt.log] }, "user_bash");
  check(
    "operations of user_bash run the command by exec, not execute",
    notes.length > 0 && notes.every((note) => note["way"] === "exec" && note["command"] === "echo elsewhere"),
    notes,
  );
  const sent = textOf(sentIn(prompt.requests[0]));
  check(
    "the model gets what was typed behind !, and the result of a handler, and nothing of what was typed behind !!",
    sent.includes("echo human") && sent.includes("output of the handler") && !sent.includes("hidden"),
    sent.slice(-900),
  );
  const [themes] = notesOf(prompt, "input");
  check(
    "a theme of a handler of resources_discover is loaded",
    textOf(themes?.["names"]).includes("seed-theme"),
    themes,
  );
  check(
    "text typed in the terminal fires input with the source interactive",
    eventsOf(prompt, "input")[0]?.["source"] === "interactive",
    toldOf(prompt),
  );
}

async function builtIns(terminal: Terminal, check: Check): Promise<void> {
  const into = await terminal.run("typed into a command", "open another session");
  check(
    "in the terminal too a text that input makes a built-in command goes to the model",
    textOf(sentIn(into.requests[0]).at(-1)).includes("/new") && eventsOf(into, "session_before_switch").length === 0,
    toldOf(into),
  );
  const typed = await terminal.type("plain", "/new", "session_start");
  check(
    "a built-in command typed in the terminal runs, and input does not fire",
    eventsOf(typed, "session_before_switch")[0]?.["reason"] === "new" && eventsOf(typed, "input").length === 0,
    toldOf(typed),
  );
}

async function leave(terminal: Terminal, check: Check): Promise<void> {
  const before = terminal.count("session_shutdown");
  terminal.press("\u0004");
  const { exitCode } = await terminal.ended;
  check(
    "session_shutdown fires at Ctrl+D",
    exitCode === 0 && terminal.count("session_shutdown") === before + 1,
    exitCode,
  );
}

/** One Ctrl+C empties the editor; pi ends at a second one within half a second. */
async function interrupt(terminal: Terminal, check: Check): Promise<void> {
  const before = terminal.count("session_shutdown");
  // Before the editor has the keyboard, the key would be a signal of the terminal.
  terminal.press("unsent");
  await terminal.shows("sent");
  terminal.press("\u0003");
  // Longer than pi waits for the second one.
  const early = await Promise.race([terminal.ended, delay(1_500, "goes on")]);
  check(
    "one Ctrl+C neither ends pi nor fires session_shutdown",
    early === "goes on" && terminal.count("session_shutdown") === before,
    early,
  );
  terminal.press("\u0003");
  await delay(100);
  terminal.press("\u0003");
  const { exitCode } = await terminal.ended;
  check(
    "session_shutdown fires at Ctrl+C, pressed twice",
    exitCode === 0 && terminal.count("session_shutdown") === before + 1,
    exitCode,
  );
}
