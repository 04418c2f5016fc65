import { readFileSync } from "node:fs";
import { bash, finished, has } from "../pi-script.ts";
import type { Cases } from "../report.ts";
import {
  answersTo,
  eventsOf,
  messagesOf,
  notesOf,
  orderOf,
  placeOf,
  rising,
  sentIn,
  systemIn,
  textOf,
  toldOf,
  toolsIn,
} from "./parts.ts";
import type { Logged } from "./recorder.ts";
import type { Conversation, Part } from "./talk.ts";

type Check = Cases["check"];

/** Cases about runs, turns, the context and messages. */
export async function turnCases(talk: Conversation, cases: Cases, version: string): Promise<void> {
  const check = cases.check.bind(cases);
  await cases.group("a run", () => wholeRun(talk, check, version));
  await cases.group("context", () => contexts(talk, check));
  await cases.group("steering", () => steering(talk, check));
  await cases.group("tools of the model", () => offeredTools(talk, check));
  await cases.group("answers to what only tells", () => unheeded(talk, check));
}

async function wholeRun(talk: Conversation, check: Check, version: string): Promise<void> {
  const part = await talk.prompt("end looks back", "work a little", {
    turns: [bash("echo one"), bash("echo two"), bash("cat notes.txt"), finished],
  });
  runEvents(part, check);
  turnEvents(part, check);
  messageEvents(part, check);
  const file = await talk.fileNow();
  const saved = file === "" ? "" : readFileSync(file, "utf8");
  check(
    "messages stand in the session file",
    saved.includes("last line of the notes") && saved.includes("work a little"),
    file,
  );
  const contextEvents = eventsOf(part, "context");
  contextOrder(part, check, version);
  check(
    "context fires before each model call: a run of three calls has it four times",
    contextEvents.length === 4 && part.requests.length === 4,
    toldOf(part),
  );
  const last = messagesOf(contextEvents.at(-1));
  const roles = last.map(({ role }) => role);
  const words = textOf(last);
  check("context has the message of the prompt", words.includes("work a little"), words.slice(-500));
  check(
    "context has the results of earlier turns of the run",
    words.includes("last line of the notes"),
    words.slice(-500),
  );
  check("context has earlier messages of the session", words.includes("begin once more"), words.slice(0, 500));
  check("context has what before_agent_start injected", words.includes("text of a") && roles.includes("custom"), roles);
  check(
    "context has messages of the roles user, assistant, toolResult and custom",
    ["user", "assistant", "toolResult", "custom"].every((role) => roles.includes(role)),
    roles,
  );
  const base = String(eventsOf(part, "before_agent_start")[0]?.["systemPrompt"]).slice(0, 60);
  const opening = JSON.stringify(base).slice(1, -1);
  check(
    "context does not have the system prompt",
    base.length === 60 &&
      systemIn(part.requests[0]).includes(opening) &&
      !words.includes(opening) &&
      !roles.includes("system"),
    words.slice(0, 300),
  );
  check(
    "context has no definitions of tools, which the model is given all the same",
    toolsIn(part.requests[0]).includes("bash") &&
      textOf(Object.keys(contextEvents[0] ?? {}).sort()) === '["messages","type"]',
    Object.keys(contextEvents[0] ?? {}),
  );
}

/** pi 0.73 does not wait for handlers of events that only tell, so that those of `turn_start` may come later. */
function contextOrder(part: Part, check: Check, version: string): void {
  const waits = !version.startsWith("0.73.");
  const order = orderOf(part, waits ? ["turn_start", "context", "turn_end"] : ["context"]);
  const turn = waits ? ["turn_start", "context", "turn_end"] : ["context"];
  check(
    "context fires once in each turn, from pi 0.87 on behind the handlers of turn_start",
    textOf(order) === textOf([...turn, ...turn, ...turn, ...turn]),
    order,
  );
}

function runEvents(part: Part, check: Check): void {
  const order = orderOf(part, ["before_agent_start", "agent_start", "turn_start", "turn_end", "agent_end"]);
  const turn = ["turn_start", "turn_end"];
  check(
    "agent_start comes behind before_agent_start, and agent_end behind the last turn",
    textOf(order) === textOf(["before_agent_start", "agent_start", ...turn, ...turn, ...turn, ...turn, "agent_end"]),
    order,
  );
  const [start] = eventsOf(part, "agent_start");
  check(
    "agent_start fires once per run and has nothing but its type",
    eventsOf(part, "agent_start").length === 1 && textOf(start) === '{"type":"agent_start"}',
    start,
  );
  check("agent_end fires once per run", eventsOf(part, "agent_end").length === 1, order);
  const made = messagesOf(eventsOf(part, "agent_end")[0]);
  const roles = made.map(({ role }) => role).filter((role) => role !== "system");
  check(
    "agent_end carries the messages of the run",
    textOf(roles) === textOf(["user", ...[1, 2, 3].flatMap(() => ["assistant", "toolResult"]), "assistant"]),
    roles,
  );
  check(
    "agent_end carries those alone, not the conversation before",
    textOf(made).includes("work a little") && !textOf(made).includes("begin once more"),
    roles,
  );
  const [sizes] = notesOf(part, "agent_end");
  check(
    "the whole history comes from the session manager at agent_end",
    Number(sizes?.["branch"]) > Number(sizes?.["run"]) && Number(sizes?.["run"]) >= 8,
    sizes,
  );
  const [first, second] = ["end", "note"].map((at) => placeOf(part, "a", at as Logged["at"], "agent_start"));
  check("handlers of one extension run in the order in which they were registered", rising(first ?? -1, second ?? -1), [
    first,
    second,
  ]);
}

function turnEvents(part: Part, check: Check): void {
  const starts = eventsOf(part, "turn_start");
  check(
    "turn_start counts the turns from 0 within the run",
    textOf(starts.map((event) => event["turnIndex"])) === "[0,1,2,3]",
    starts,
  );
  check(
    "turn_start says when the turn began",
    starts.length === 4 && starts.every((event) => Math.abs(Number(event["timestamp"]) - Date.now()) < 600_000),
    starts,
  );
  const answer = part.log.findIndex(
    ({ by, at, event, data }) =>
      by === "a" && at === "begin" && event === "message_start" && textOf(data).includes('"role":"assistant"'),
  );
  check(
    "turn_start comes before the answer of the model",
    rising(placeOf(part, "a", "begin", "turn_start"), answer),
    toldOf(part),
  );
  const ends = eventsOf(part, "turn_end");
  const [end] = ends;
  check(
    "turn_end carries its index, the answer and the results of the tools",
    textOf(ends.map((event) => event["turnIndex"])) === "[0,1,2,3]" &&
      textOf(end?.["message"]).includes('"role":"assistant"') &&
      textOf(end?.["toolResults"]).includes('"role":"toolResult"') &&
      ((end?.["toolResults"] ?? []) as readonly unknown[]).length === 1,
    end,
  );
  check(
    "turn_end comes behind the answer and its tool calls",
    rising(
      placeOf(part, "a", "begin", "tool_call"),
      placeOf(part, "a", "begin", "tool_execution_end"),
      placeOf(part, "a", "begin", "turn_end"),
    ),
    toldOf(part),
  );
}

function messageEvents(part: Part, check: Check): void {
  const roleOf = (event: { readonly [field: string]: unknown }) => (event["message"] as { role: string }).role;
  const framed = orderOf(part, ["message_start", "message_end"]);
  const started = eventsOf(part, "message_start")
    .map(roleOf)
    .filter((role) => role !== "system");
  const ended = eventsOf(part, "message_end")
    .map(roleOf)
    .filter((role) => role !== "system");
  check(
    "each message has a start and an end",
    started.length === 8 &&
      textOf(started) === textOf(ended) &&
      framed.every((event, index) => event === (index % 2 === 0 ? "message_start" : "message_end")) &&
      ["user", "assistant", "toolResult"].every((role) => started.includes(role)),
    [started, ended],
  );
  const updates = eventsOf(part, "message_update");
  check(
    "only an answer of the assistant has updates",
    updates.length > 4 && updates.every((event) => roleOf(event) === "assistant"),
    updates.map(roleOf),
  );
  const [update] = updates;
  check(
    "an update carries the partial message and the token event",
    typeof (update?.["assistantMessageEvent"] as { type?: unknown } | undefined)?.type === "string" &&
      typeof update?.["message"] === "object",
    update,
  );
  savedMessages(part, check);
}

/** What the session had at the end of the first answer, and at the event that follows it. */
function savedMessages(part: Part, check: Check): void {
  const answers = ({ session = [] }: Logged): number => session.filter((role) => role === "assistant").length;
  const ends = part.log.filter(({ by, at, event }) => by === "a" && at === "begin" && event === "message_end");
  const end = ends.find(({ data }) => data && (data["message"] as { role: string }).role === "assistant");
  const next = part.log.find((line) => line.event === "turn_end" && line.by === "a" && line.at === "begin");
  check(
    "a message goes to the session when the handlers of its end are done",
    end !== undefined && next !== undefined && answers(next) === answers(end) + 1,
    [end?.session, next?.session],
  );
}

async function contexts(talk: Conversation, check: Check): Promise<void> {
  await talk.prompt("plain", "please forget-me soon");
  const part = await talk.prompt("context changed", "what is left");
  const [first] = eventsOf(part, "context", "a");
  const [second] = eventsOf(part, "context", "b");
  const sent = textOf(sentIn(part.requests[0]));
  check(
    "a context handler gets the messages as the session has them",
    textOf(first).includes("forget-me"),
    toldOf(part),
  );
  check(
    "the second handler of context gets what the first made",
    !textOf(second).includes("forget-me") && textOf(second).includes("words of the context"),
    textOf(second).slice(-400),
  );
  check("context can leave messages out", part.requests.length === 1 && !sent.includes("forget-me"), sent.slice(-600));
  check(
    "context can add messages",
    textOf(sentIn(part.requests[0]).at(-1)).includes("words of the context"),
    sent.slice(-600),
  );
  const place = await talk.prompt("context in place", "keep-me as I am");
  const edited = textOf(sentIn(place.requests[0]));
  check(
    "context messages can be changed in place",
    edited.includes("edited in place") && !edited.includes("keep-me"),
    edited.slice(-400),
  );
  const next = await talk.prompt("plain", "and now");
  const later = textOf(sentIn(next.requests[0]));
  check(
    "what context changed is gone in the next call: handlers got a copy",
    edited.includes("edited in place") &&
      later.includes("forget-me") &&
      later.includes("keep-me as I am") &&
      !later.includes("words of the context") &&
      !later.includes("edited in place"),
    later.slice(-800),
  );
  const given = messagesOf(eventsOf(next, "context")[0]).length;
  const passed = sentIn(next.requests[0]).filter(({ role }) => role !== "system" && role !== "developer").length;
  check("without an answer of context the messages pass as they are", given > 10 && given === passed, [given, passed]);
}

async function steering(talk: Conversation, check: Check): Promise<void> {
  const part = await talk.prompt("steer", "work while I talk", {
    turns: [bash("echo one"), { text: "First answer." }, { text: "Second answer." }],
  });
  const words = part.requests.map((request) => textOf(sentIn(request)));
  check(
    "words that steer are input of the next turn",
    words[1]?.includes("words that steer") === true && !words[1].includes("words that follow"),
    words[1]?.slice(-500),
  );
  check(
    "words that follow wait until the agent would stop",
    words.length === 3 && words[2]?.includes("words that follow") === true && words[2].includes("First answer."),
    words.at(-1)?.slice(-500),
  );
  const contextWords = eventsOf(part, "context").map((event) => textOf(messagesOf(event)));
  check(
    "context has steering and follow-up messages that became input",
    contextWords[1]?.includes("words that steer") === true && contextWords[2]?.includes("words that follow") === true,
    contextWords.at(-1)?.slice(-500),
  );
  const ends = eventsOf(part, "agent_end");
  check(
    "agent_end fires when nothing is queued any more",
    ends.length === 1 && textOf(ends[0]).includes("Second answer."),
    toldOf(part),
  );
  check(
    "a message of an extension to a running agent fires input with the source extension",
    textOf(eventsOf(part, "input").map((event) => event["source"])) === '["rpc","extension","extension"]',
    eventsOf(part, "input"),
  );
}

async function offeredTools(talk: Conversation, check: Check): Promise<void> {
  await talk.prompt("fewer tools", "/seed-a", { runs: 0 });
  const part = await talk.prompt("plain", "with fewer tools");
  check(
    "setActiveTools says which tools the model is offered",
    textOf(toolsIn(part.requests[0])) === '["read"]',
    toolsIn(part.requests[0]),
  );
  await talk.prompt("all tools", "/seed-a", { runs: 0 });
}

async function unheeded(talk: Conversation, check: Check): Promise<void> {
  const part = await talk.prompt("answers to what only tells", "work on", {
    turns: [bash("touch HARMLESS"), finished],
  });
  const went =
    has(talk.scratch, "HARMLESS") && part.requests.length === 2 && !textOf(part.requests).includes("Not heeded.");
  const answered = (...events: string[]) => events.every((event) => answersTo(part, event) > 0);
  check("an answer to agent_start has no effect", went && answered("agent_start"), toldOf(part));
  check(
    "answers to the events of a running tool have no effect",
    went && answered("tool_execution_start", "tool_execution_update", "tool_execution_end"),
    toldOf(part),
  );
  check(
    "answers to the start of a turn or message have no effect",
    went && answered("turn_start", "message_start", "message_update"),
    toldOf(part),
  );
}
