import { readFileSync } from "node:fs";
import type { Cases } from "../report.ts";
import { answersTo, eventsOf, notesOf, orderOf, placeOf, rising, sentIn, systemIn, textOf, toldOf } from "./parts.ts";
import type { HostEvent } from "./pi-api.ts";
import type { Part, Talk } from "./talk.ts";

type Check = Cases["check"];

/** Cases about sessions, models and resources; the last of them ends the process. */
export async function sessionCases(talk: Talk, cases: Cases): Promise<void> {
  const check = cases.check.bind(cases);
  await cases.group("models", () => models(talk, check));
  await cases.group("resources", () => resourceCases(talk, check));
  await cases.group("moves in the tree", () => moves(talk, check));
  await cases.group("compaction", () => compactions(talk, check));
  await cases.group("a reload", () => reloads(talk, check));
  await cases.group("switches", () => switches(talk, check));
  await cases.group("forks", () => forks(talk, check));
  await cases.group("the end", () => theEnd(talk, check));
}

async function models(talk: Talk, check: Check): Promise<void> {
  const set = await talk.during("plain", [], () =>
    talk.ask({ type: "set_model", provider: "scripted", modelId: "other" }),
  );
  const [event] = eventsOf(set, "model_select");
  const idOf = (model: unknown) => (model as { id?: string } | undefined)?.id;
  check(
    "model_select carries the new model and the one before",
    idOf(event?.["model"]) === "other" && idOf(event?.["previousModel"]) === "scripted",
    event,
  );
  const cycled = await talk.during("plain", [], () => talk.ask({ type: "cycle_model" }));
  check(
    "model_select says whether the model was set or cycled to",
    event?.["source"] === "set" && eventsOf(cycled, "model_select")[0]?.["source"] === "cycle",
    [event?.["source"], eventsOf(cycled, "model_select")],
  );
}

async function resourceCases(talk: Talk, check: Check): Promise<void> {
  const [event] = eventsOf(talk.log, "resources_discover");
  check(
    "resources_discover fires at startup with the folder and the reason",
    event?.["reason"] === "startup" && event["cwd"] === talk.scratch.project,
    event,
  );
  const names = textOf(await talk.ask({ type: "get_commands" }));
  check(
    "the skills and prompts of a handler are loaded",
    names.includes("skill:seed-skill") && names.includes("seed-template"),
    names,
  );
  const part = await talk.prompt("plain", "what can you do");
  check(
    "the system prompt is built anew with them",
    systemIn(part.requests[0]).includes("A skill of the test."),
    systemIn(part.requests[0]).slice(-600),
  );
}

async function moves(talk: Talk, check: Check): Promise<void> {
  const stopped = await talk.prompt("no move", "/seed-a", { runs: 0 });
  check(
    "cancel in session_before_tree prevents the move, and no handler runs behind it",
    textOf(notesOf(stopped, "command")).includes('"cancelled":true') &&
      eventsOf(stopped, "session_tree").length === 0 &&
      eventsOf(stopped, "session_before_tree", "b").length === 0,
    toldOf(stopped),
  );
  const moved = await talk.prompt("a move with a summary", "/seed-a", { runs: 0 });
  check(
    "session_before_tree comes before a move in the tree and session_tree behind it",
    rising(placeOf(moved, "a", "begin", "session_before_tree"), placeOf(moved, "a", "begin", "session_tree")),
    toldOf(moved),
  );
  const [before] = eventsOf(moved, "session_before_tree");
  const preparation = before?.["preparation"] as Record<string, unknown> | undefined;
  check(
    "session_before_tree carries the preparation and a signal",
    typeof preparation?.["targetId"] === "string" &&
      preparation["userWantsSummary"] === true &&
      before?.["signal"] === "signal, open",
    before,
  );
  const [after] = eventsOf(moved, "session_tree");
  const next = await talk.prompt("plain", "where are we");
  const sent = textOf(sentIn(next.requests[0]));
  const labels = readFileSync(await talk.fileNow(), "utf8");
  check(
    "the summary of a handler stands for the branch, and its label is kept",
    textOf(after?.["summaryEntry"]).includes("the summary of the branch") &&
      after?.["fromExtension"] === true &&
      sent.includes("the summary of the branch") &&
      labels.includes("seed-label"),
    after,
  );
  check(
    "context has the summary of a branch, of the role branchSummary",
    textOf(eventsOf(next, "context")[0]).includes('"role":"branchSummary"'),
    toldOf(next),
  );
}

async function compactions(talk: Talk, check: Check): Promise<void> {
  await talk.prompt("plain", "something to remember");
  let refused: unknown;
  const stopped = await talk.during("no compaction", [], async () => {
    refused = await talk.ask({ type: "compact", customInstructions: "be short" });
  });
  check(
    "cancel in session_before_compact prevents compaction, and no handler runs behind it",
    textOf(refused).includes('"success":false') &&
      eventsOf(stopped, "session_compact").length === 0 &&
      eventsOf(stopped, "session_before_compact", "b").length === 0,
    [refused, toldOf(stopped)],
  );
  const [event] = eventsOf(stopped, "session_before_compact");
  check(
    "session_before_compact carries the preparation, the entries, the instructions and a signal",
    typeof (event?.["preparation"] as HostEvent | undefined)?.["firstKeptEntryId"] === "string" &&
      Array.isArray(event?.["branchEntries"]) &&
      event["customInstructions"] === "be short" &&
      event["signal"] === "signal, open",
    Object.keys(event ?? {}),
  );
  const own = await talk.during("own compaction", [], () => talk.ask({ type: "compact" }));
  check(
    "session_before_compact comes before a compaction by the human and session_compact behind it",
    rising(placeOf(own, "a", "begin", "session_before_compact"), placeOf(own, "a", "begin", "session_compact")),
    toldOf(own),
  );
  const next = await talk.prompt("plain", "what was it");
  check(
    "the compaction of a handler stands in place of the model's",
    own.requests.length === 0 &&
      textOf(eventsOf(own, "session_compact")[0]).includes('"fromExtension":true') &&
      textOf(sentIn(next.requests[0])).includes("the summary of the handler"),
    toldOf(own),
  );
  check(
    "context has the summary of a compaction, of the role compactionSummary",
    textOf(eventsOf(next, "context")[0]).includes('"role":"compactionSummary"'),
    toldOf(next),
  );
  const full = await talk.prompt("own compaction", "a long one", {
    turns: [{ text: "A long answer.", tokens: 127_000 }],
  });
  check(
    "an automatic compaction fires both events too",
    orderOf(full, ["agent_end", "session_before_compact", "session_compact"]).length >= 3 &&
      rising(placeOf(full, "a", "begin", "session_before_compact"), placeOf(full, "a", "begin", "session_compact")),
    toldOf(full),
  );
}

async function reloads(talk: Talk, check: Check): Promise<void> {
  await talk.prompt("remember", "/seed-a", { runs: 0 });
  const part = await talk.prompt("reload", "/seed-a", { runs: 0 });
  check(
    "session_start fires after a reload and says so",
    eventsOf(part, "session_start")[0]?.["reason"] === "reload",
    toldOf(part),
  );
  check(
    "a handler restores its state from the entries of the branch",
    textOf(notesOf(part, "session_start")).includes('"remembered":7'),
    notesOf(part, "session_start"),
  );
  check(
    "resources_discover fires after a reload and says so",
    eventsOf(part, "resources_discover")[0]?.["reason"] === "reload",
    toldOf(part),
  );
  const [start] = eventsOf(talk.log, "session_start");
  check(
    "session_start fires when the session is first loaded",
    start !== undefined && talk.log[0]?.event === "session_start",
    start,
  );
}

async function switches(talk: Talk, check: Check): Promise<void> {
  const first = await talk.fileNow();
  const stopped = await talk.during("no switch", [], () => talk.ask({ type: "new_session" }));
  check(
    "cancel in session_before_switch prevents it, and no handler runs behind it",
    (await talk.fileNow()) === first &&
      eventsOf(stopped, "session_start").length === 0 &&
      eventsOf(stopped, "session_before_switch").length === 1 &&
      eventsOf(stopped, "session_before_switch", "b").length === 0,
    toldOf(stopped),
  );
  const fresh = await talk.during("plain", [], () => talk.ask({ type: "new_session" }));
  await talk.prompt("plain", "the first words of a new session");
  const resumed = await talk.during("plain", [], () => talk.ask({ type: "switch_session", sessionPath: first }));
  const [toNew] = eventsOf(fresh, "session_before_switch");
  const [toOld] = eventsOf(resumed, "session_before_switch");
  check(
    "session_before_switch says why, and the file for a resumed session alone",
    toNew?.["reason"] === "new" &&
      toNew["targetSessionFile"] === undefined &&
      toOld?.["reason"] === "resume" &&
      toOld["targetSessionFile"] === first,
    [toNew, toOld],
  );
  check(
    "session_before_switch comes before, and behind a switch session_start, not session_switch",
    startsBehind(fresh, "session_before_switch", "new") && startsBehind(resumed, "session_before_switch", "resume"),
    [toldOf(fresh), toldOf(resumed)],
  );
  check(
    "session_start fires after a switch and says which",
    eventsOf(fresh, "session_start")[0]?.["reason"] === "new" &&
      eventsOf(resumed, "session_start")[0]?.["reason"] === "resume",
    [toldOf(fresh), toldOf(resumed)],
  );
  check(
    "model_select does not fire when a session is resumed",
    eventsOf(resumed, "model_select").length === 0,
    toldOf(resumed),
  );
}

/** Whether `session_start` with a reason came behind an event, and no event of the old names. */
function startsBehind(part: Part, before: string, reason: string): boolean {
  return (
    rising(placeOf(part, "a", "end", before), placeOf(part, "a", "begin", "session_start")) &&
    eventsOf(part, "session_start")[0]?.["reason"] === reason &&
    orderOf(part, ["session_switch", "session_fork"]).length === 0
  );
}

async function forks(talk: Talk, check: Check): Promise<void> {
  await talk.prompt("plain", "the words to fork at");
  const entryId = await lastEntry(talk);
  const first = await talk.fileNow();
  const stopped = await talk.during("no fork", [], () => talk.ask({ type: "fork", entryId }));
  check(
    "cancel in session_before_fork prevents it, and no handler runs behind it",
    (await talk.fileNow()) === first &&
      eventsOf(stopped, "session_start").length === 0 &&
      eventsOf(stopped, "session_before_fork", "b").length === 0,
    toldOf(stopped),
  );
  check(
    "session_before_fork carries the entry that is forked from",
    entryId !== "" && eventsOf(stopped, "session_before_fork")[0]?.["entryId"] === entryId,
    [entryId, toldOf(stopped)],
  );
  const forked = await talk.during("fork without messages", [], () => talk.ask({ type: "fork", entryId }));
  check(
    "session_before_fork comes before, and behind a fork session_start, not session_fork",
    startsBehind(forked, "session_before_fork", "fork"),
    toldOf(forked),
  );
  check(
    "session_start fires after a fork and says so",
    eventsOf(forked, "session_start")[0]?.["reason"] === "fork",
    toldOf(forked),
  );
  const next = await talk.prompt("plain", "what is left after the fork");
  const sent = textOf(sentIn(next.requests[0]));
  check(
    "skipConversationRestore changes nothing: the fork has the messages before the entry",
    answersTo(forked, "session_before_fork") === 1 &&
      sent.includes("what is left after the fork") &&
      sent.includes("A long answer.") &&
      !sent.includes("the words to fork at"),
    sent.slice(-900),
  );
}

/** The entry of the last message of the human. */
async function lastEntry(talk: Talk): Promise<string> {
  const { data } = (await talk.ask({ type: "get_fork_messages" })) as { data?: { messages: { entryId: string }[] } };
  return data?.messages.at(-1)?.entryId ?? "";
}

async function theEnd(talk: Talk, check: Check): Promise<void> {
  const before = talk.log.length;
  talk.scenario("quit");
  talk.send({ id: "last", type: "prompt", message: "/seed-a" });
  const { exitCode } = await talk.ended;
  const log = talk.log.slice(before);
  check(
    "a handler may ask for the end: session_shutdown fires and pi ends",
    exitCode === 0 && eventsOf(log, "session_shutdown").length === 1 && log.at(-1)?.event === "session_shutdown",
    [exitCode, log.map(({ at, event }) => `${at} ${event}`)],
  );
}
