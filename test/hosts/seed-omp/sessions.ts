import { existsSync } from "node:fs";
import { finished } from "../omp-process.ts";
import type { Cases } from "../report.ts";
import { sessionText } from "./agent.ts";
import { eventsOf, given, type Program, type Round } from "./program.ts";

/** Events of sessions, and what a module can do about them, on omp's program. */
export async function sessionCases(program: Program, cases: Cases): Promise<void> {
  await cases.group("switches", () => switches(program, cases));
  await cases.group("branches", () => branches(program, cases));
  await cases.group("compaction", () => compaction(program, cases));
  await cases.group("moves in the tree", () => tree(program, cases));
  const starts = program.seen.filter(({ event, module }) => event === "session_start" && module === "a").length;
  cases.check("session_start is told on the initial load alone", starts === 1, starts);
}

const names = (round: Round): string => eventsOf(round, "a").join(" ");

/** Asks for something with these answers of module a; gives what happened and what omp answered. */
async function asking(
  program: Program,
  answers: Readonly<Record<string, unknown>>,
  command: { type: string; [field: string]: unknown },
  turns: { text: string }[] = [],
) {
  program.answer({ a: answers });
  let data: Readonly<Record<string, unknown>> = {};
  let error: unknown;
  const round = await program.during(turns, async () => {
    const answer = await program.ask(command);
    data = answer.data ?? {};
    error = answer["error"];
  });
  program.answer({});
  return { round, data, error };
}

async function switches(program: Program, cases: Cases): Promise<void> {
  const first = (await program.state())["sessionFile"];
  const refused = await asking(
    program,
    { session_before_switch: { answer: { cancel: true } } },
    { type: "new_session" },
  );
  const stayed = (await program.state())["sessionFile"] === first;
  cases.check("a cancelled switch does not happen", stayed && refused.data["cancelled"] === true, refused.data);
  cases.check(
    "nothing follows a cancelled switch, and no later module is asked",
    eventsOf(refused.round).join() === "session_before_switch",
    eventsOf(refused.round),
  );
  const { round } = await asking(program, {}, { type: "new_session" });
  cases.check(
    "a new session has an event before and one after",
    names(round) === "session_before_switch session_switch",
    names(round),
  );
  const [before] = given(round, "session_before_switch");
  const [after] = given(round, "session_switch");
  cases.check(
    "the switch tells its reason and where it came from",
    before?.["reason"] === "new" && after?.["reason"] === "new" && after["previousSessionFile"] === first,
    [before, after],
  );
  const back = await asking(program, {}, { type: "switch_session", sessionPath: first });
  const [resumed] = given(back.round, "session_before_switch");
  cases.check(
    "a resumed session is told as target",
    resumed?.["reason"] === "resume" && resumed["targetSessionFile"] === first,
    resumed,
  );
}

async function branches(program: Program, cases: Cases): Promise<void> {
  await asking(program, {}, { type: "new_session" });
  for (const word of ["first", "second"])
    await program.prompt(`Please do the ${word} part.`, [{ text: `The ${word} answer.` }]);
  const file = (await program.state())["sessionFile"];
  const last = async () => {
    const { data = {} } = await program.ask({ type: "get_branch_messages" });
    return (data["messages"] as { entryId: string; text: string }[]).at(-1)?.entryId ?? "";
  };
  const entryId = await last();
  const refused = await asking(
    program,
    { session_before_branch: { answer: { cancel: true } } },
    { type: "branch", entryId },
  );
  const stayed = (await program.state())["sessionFile"] === file && refused.data["cancelled"] === true;
  cases.check(
    "a cancelled branch does not happen",
    stayed && names(refused.round) === "session_before_branch",
    refused.data,
  );
  const skipping = { session_before_branch: { answer: { skipConversationRestore: true } } };
  const kept = await asking(program, skipping, { type: "branch", entryId });
  const { requests: whole } = await program.prompt("Please go on from here.", [finished]);
  cases.check(
    "a module can have the branch keep its messages",
    whole[0]?.includes("The second answer.") === true && kept.data["cancelled"] === false,
    whole[0]?.slice(-600),
  );
  await asking(program, {}, { type: "switch_session", sessionPath: file });
  const { round } = await asking(program, {}, { type: "branch", entryId });
  cases.check(
    "a branch has an event before and one after",
    names(round) === "session_before_branch session_branch",
    names(round),
  );
  const [before] = given(round, "session_before_branch");
  const [after] = given(round, "session_branch");
  cases.check(
    "the branch tells its entry and where it came from",
    before?.["entryId"] === entryId && after?.["previousSessionFile"] === file,
    [before, after],
  );
  const { requests } = await program.prompt("Please go on from there.", [finished]);
  cases.check(
    "without that answer the messages after the branch are gone",
    requests[0]?.includes("The first answer.") === true && !requests[0].includes("The second answer."),
    requests[0]?.slice(-600),
  );
}

async function compaction(program: Program, cases: Cases): Promise<void> {
  const compact = { type: "compact" };
  const refused = await asking(program, { session_before_compact: { answer: { cancel: true } } }, compact);
  cases.check(
    "a cancelled compaction does not happen",
    names(refused.round) === "session_before_compact" && refused.error !== undefined,
    [refused.error, names(refused.round)],
  );
  const [before] = given(refused.round, "session_before_compact");
  const told =
    before?.["preparation"] !== undefined && Array.isArray(before["branchEntries"]) && before["signal"] === "a signal";
  cases.check("session_before_compact has preparation, entries and a signal", told, Object.keys(before ?? {}));
  const compacting = {
    context: ["a line of a module"],
    prompt: "Sum it up for a module.",
    preserveData: { keptBy: "a module" },
  };
  const summary = { text: "The summary of the model." };
  const asked = await asking(program, { "session.compacting": { answer: compacting } }, compact, [
    summary,
    summary,
    summary,
  ]);
  const steps = "session_before_compact session.compacting session_compact";
  cases.check(
    "a compaction has an event before, one while it runs and one after",
    names(asked.round) === steps,
    names(asked.round),
  );
  const [request = ""] = asked.round.requests;
  cases.check(
    "session.compacting can add context and give the prompt",
    request.includes("a line of a module") && request.includes("Sum it up for a module."),
    request.slice(-900),
  );
  const [after] = given(asked.round, "session_compact") as {
    compactionEntry?: { preserveData?: unknown; summary?: string };
    fromExtension?: boolean;
  }[];
  cases.check(
    "session.compacting can give data to keep, which the entry has",
    JSON.stringify(after?.compactionEntry?.preserveData) === '{"keptBy":"a module"}',
    after,
  );
  cases.check(
    "session_compact has the entry, and whose it is",
    after?.compactionEntry?.summary?.includes("The summary of the model.") === true && after.fromExtension === false,
    after,
  );
  for (const word of ["third", "fourth"])
    await program.prompt(`Please do the ${word} part.`, [{ text: `The ${word} answer.` }]);
  const own = await asking(program, { session_before_compact: { compacts: "The summary of a module." } }, compact);
  const [made] = given(own.round, "session_compact") as { fromExtension?: boolean }[];
  cases.check(
    "a module can give the compaction itself, and no model is asked",
    own.data["summary"] === "The summary of a module." &&
      made?.fromExtension === true &&
      own.round.requests.length === 0,
    own,
  );
  const { requests } = await program.prompt("Please go on after that.", [finished]);
  cases.check(
    "the model goes on from a summary that a module gave",
    requests[0]?.includes("The summary of a module.") === true,
    requests[0]?.slice(-600),
  );
}

async function tree(program: Program, cases: Cases): Promise<void> {
  const command = (message: string) => ({ type: "prompt", message });
  await program.during([], () => program.ask(command("/leaf")));
  await program.until("a leaf", () => program.seen.some(({ leaf }) => leaf !== undefined));
  const target = program.seen.findLast(({ leaf }) => leaf !== undefined)?.["leaf"];
  await program.prompt("Please leave this aside.", [{ text: "An answer on a branch." }]);
  const moved = async (answers: Readonly<Record<string, unknown>>): Promise<Round> => {
    program.answer({ a: answers });
    const before = program.seen.filter((one) => one["moved"] !== undefined).length;
    const round = await program.during([], async () => {
      await program.ask(command(`/move-to ${target} summarize`));
      await program.until("a move", () => program.seen.filter((one) => one["moved"] !== undefined).length > before);
    });
    program.answer({});
    return round;
  };
  const refused = await moved({ session_before_tree: { answer: { cancel: true } } });
  cases.check(
    "a cancelled move in the tree does not happen",
    names(refused) === "session_before_tree" && JSON.stringify(refused.seen.at(-1)?.["moved"]) === '{"cancelled":true}',
    refused.seen.at(-1),
  );
  const [before] = given(refused, "session_before_tree") as {
    preparation?: { targetId?: string; userWantsSummary?: boolean };
  }[];
  cases.check(
    "session_before_tree tells where the move goes",
    before?.preparation?.targetId === target && before?.preparation?.userWantsSummary === true,
    before,
  );
  const summary = { summary: "What a module says of the branch.", details: { by: "a module" } };
  const round = await moved({ session_before_tree: { answer: { summary } } });
  cases.check(
    "a move in the tree has an event before and one after",
    names(round) === "session_before_tree session_tree",
    names(round),
  );
  const [after] = given(round, "session_tree") as {
    oldLeafId?: string;
    newLeafId?: string;
    summaryEntry?: { summary?: string; details?: unknown };
    fromExtension?: boolean;
  }[];
  cases.check(
    "session_tree has both leaves",
    after?.oldLeafId !== undefined && after.newLeafId !== after.oldLeafId,
    after,
  );
  const summarised = after?.summaryEntry;
  cases.check(
    "a module can give the summary and its details",
    summarised?.summary === summary.summary &&
      JSON.stringify(summarised.details) === '{"by":"a module"}' &&
      after?.fromExtension === true,
    after,
  );
}

/** What is told when omp ends. */
export async function endCases(program: Program, cases: Cases): Promise<void> {
  const before = program.seen.length;
  const code = await program.end();
  const events = program.seen.slice(before).flatMap(({ event, module }) => (event ? [`${module} ${event}`] : []));
  cases.check(
    "the end of the session is told to each module",
    code === 0 && ["a", "b", "c"].every((one) => events.includes(`${one} session_shutdown`)),
    [code, events],
  );
  cases.check(
    "the session file is there after the end",
    existsSync(program.scratch.agent) && sessionText(program) !== "",
  );
}
