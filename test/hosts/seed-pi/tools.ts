import { bash, finished, has } from "../pi-script.ts";
import type { Cases } from "../report.ts";
import { eventsOf, notesOf, placeOf, rising, sentIn, textOf, toldOf } from "./parts.ts";
import type { HostEvent } from "./pi-api.ts";
import type { Conversation, Part } from "./talk.ts";

type Check = Cases["check"];

const seedTool = (action: string) => ({ calls: [{ name: "seed_tool", args: { action } }] });

/** Cases about tools and commands of the human. */
export async function toolCases(talk: Conversation, cases: Cases, version: string): Promise<void> {
  const check = cases.check.bind(cases);
  await cases.group("tool events", () => toolEvents(talk, check));
  await cases.group("a tool of an extension", () => ownTool(talk, check));
  await cases.group("a blocked call", () => blocked(talk, check));
  await cases.group("changed results", () => changedResults(talk, check));
  await cases.group("commands of the human", () => userCommands(talk, check, version));
}

async function toolEvents(talk: Conversation, check: Check): Promise<void> {
  const part = await talk.prompt("plain", "use a tool", { turns: [bash("echo one"), finished] });
  const [call] = eventsOf(part, "tool_call");
  const [started] = eventsOf(part, "tool_execution_start");
  const [ended] = eventsOf(part, "tool_execution_end");
  const id = call?.["toolCallId"];
  check(
    "tool_call carries the id of the call, the tool and its arguments",
    typeof id === "string" && call?.["toolName"] === "bash" && textOf(call["input"]) === '{"command":"echo one"}',
    call,
  );
  const answer = part.log.findIndex(
    ({ event, data }) => event === "message_end" && textOf(data).includes('"toolCall"'),
  );
  check(
    "tool_call fires after the model asked and before the tool runs",
    rising(answer, placeOf(part, "a", "begin", "tool_call"), placeOf(part, "a", "begin", "tool_result")),
    toldOf(part),
  );
  check(
    "handlers of tool_call run one after another",
    rising(
      placeOf(part, "a", "begin", "tool_call"),
      placeOf(part, "a", "end", "tool_call"),
      placeOf(part, "b", "begin", "tool_call"),
      placeOf(part, "b", "end", "tool_call"),
    ),
    toldOf(part),
  );
  check(
    "a call to which no handler answers runs",
    textOf(sentIn(part.requests[1]).at(-1)).includes("one"),
    toldOf(part),
  );
  check(
    "tool_execution_start carries the id, the tool and its arguments",
    started?.["toolCallId"] === id &&
      started?.["toolName"] === "bash" &&
      textOf(started["args"]) === '{"command":"echo one"}',
    started,
  );
  check(
    "tool_execution_end carries the result and whether it is an error",
    ended?.["toolCallId"] === id && ended?.["isError"] === false && textOf(ended["result"]).includes("one\\n"),
    ended,
  );
  resultEvents(part, check);
}

function resultEvents(part: Part, check: Check): void {
  const id = eventsOf(part, "tool_call")[0]?.["toolCallId"];
  const [result] = eventsOf(part, "tool_result");
  check(
    "tool_result carries id, tool, arguments, content, details and error state",
    result?.["toolCallId"] === id &&
      result?.["toolName"] === "bash" &&
      textOf(result["input"]) === '{"command":"echo one"}' &&
      textOf(result["content"]).includes("one\\n") &&
      result["isError"] === false,
    result,
  );
  check(
    "tool_result fires before the loop has the result",
    rising(placeOf(part, "b", "end", "tool_result"), toolMessage(part)),
    toldOf(part),
  );
  check(
    "handlers of tool_result run one after another, each of them",
    rising(placeOf(part, "a", "end", "tool_result"), placeOf(part, "b", "begin", "tool_result")),
    toldOf(part),
  );
  check(
    "without an answer of tool_result the result passes",
    textOf(sentIn(part.requests[1]).at(-1)).includes("one"),
    toldOf(part),
  );
}

/** Where the result of the first tool becomes a message. */
function toolMessage(part: Part): number {
  return part.log.findIndex(
    ({ event, data }) => event === "message_start" && textOf(data).includes('"role":"toolResult"'),
  );
}

async function ownTool(talk: Conversation, check: Check): Promise<void> {
  const part = await talk.prompt("plain", "use your own tool", {
    turns: [seedTool("work"), seedTool("fail"), finished],
  });
  const updates = eventsOf(part, "tool_execution_update");
  check(
    "tool_execution_update carries what the running tool reported",
    textOf(updates[0]?.["partialResult"]) ===
      '{"content":[{"type":"text","text":"half done"}],"details":{"half":true}}',
    updates,
  );
  const [done, failed] = eventsOf(part, "tool_result");
  check("tool_result carries the details of the tool", textOf(done?.["details"]) === '{"whole":true}', done);
  check(
    "a tool that throws still gives tool_result, as an error with its text",
    failed?.["isError"] === true && textOf(failed["content"]).includes("the seed tool fails"),
    failed ?? toldOf(part),
  );
  narrowed(part, check);
}

function narrowed(part: Part, check: Check): void {
  const notes = notesOf(part, "tool_call", "narrow");
  check(
    "isToolCallEventType tells the tools apart, a custom one too",
    textOf(notes.map((note) => [note["custom"], note["bash"]])) === "[[true,false],[true,false]]" &&
      notes[0]?.["action"] === "work",
    notes,
  );
}

async function blocked(talk: Conversation, check: Check): Promise<void> {
  const part = await talk.prompt("a call is blocked", "touch it", {
    turns: [bash("touch FORBIDDEN"), bash("echo one"), finished],
  });
  const commands = (by: string) => eventsOf(part, "tool_call", by).map((event) => textOf(event["input"]));
  check(
    "the first block stops at once: no handler runs behind it, and the call does not run",
    commands("a").length === 2 &&
      textOf(commands("b")) === textOf(['{"command":"echo one"}']) &&
      !has(talk.scratch, "FORBIDDEN"),
    toldOf(part),
  );
  const ended = eventsOf(part, "tool_execution_end")[0];
  check(
    "a blocked call is an error result with the reason, and the model gets it",
    ended?.["isError"] === true &&
      textOf(ended["result"]).includes("not in the read-only mode") &&
      textOf(sentIn(part.requests[1]).at(-1)).includes("not in the read-only mode"),
    ended,
  );
  check(
    "isToolCallEventType narrows a known tool: its command is there",
    textOf(notesOf(part, "tool_call", "narrow").map((note) => note["command"])) === '["echo one"]',
    notesOf(part, "tool_call", "narrow"),
  );
}

async function changedResults(talk: Conversation, check: Check): Promise<void> {
  const turns = [bash("echo one"), bash("echo two"), bash("cat folders/*"), finished];
  const part = await talk.prompt("results are changed", "use tools", { turns });
  const results = eventsOf(part, "message_end")
    .map((event) => event["message"] as HostEvent)
    .filter((message) => message["role"] === "toolResult");
  const [one, two, failed] = results;
  const seen = eventsOf(part, "tool_result", "b");
  check(
    "a handler of tool_result sees what the one before made of it",
    textOf(seen[0]?.["content"]).includes("and a") && seen[1]?.["isError"] === true,
    seen,
  );
  check(
    "changes of several handlers of tool_result add up",
    textOf(one?.["content"]).includes("and a") && textOf(one?.["details"]) === '{"by":"b"}',
    one,
  );
  check(
    "tool_result may answer content, details and the error state",
    textOf(one?.["details"]) === '{"by":"b"}' &&
      two?.["isError"] === true &&
      textOf(sentIn(part.requests[1]).at(-1)).includes("and a"),
    [one, two],
  );
  check(
    "the error state can be flipped either way",
    one?.["isError"] === false && two?.["isError"] === true && failed?.["isError"] === false,
    results,
  );
  check(
    "the result of a failed tool can be changed",
    textOf(failed?.["content"]).includes("and a") && textOf(sentIn(part.requests[3]).at(-1)).includes("and a"),
    failed,
  );
}

/** pi 0.73 asks extensions about commands of the human in its terminal alone, so that RPC shows that none is asked. */
async function userCommands(talk: Conversation, check: Check, version: string): Promise<void> {
  const asks = !version.startsWith("0.73.");
  const run = (scenario: string, command: string, more = {}) => {
    let answer: unknown;
    return talk
      .during(scenario, [], async () => {
        answer = (await talk.ask({ type: "bash", command, ...more }))["data"];
      })
      .then((part) => ({ part, answer: answer as Record<string, unknown> | undefined }));
  };
  const plain = await run("plain", "echo human");
  const hidden = await run("plain", "echo hidden", { excludeFromContext: true });
  const [event] = eventsOf(plain.part, "user_bash");
  const [quiet] = eventsOf(hidden.part, "user_bash");
  check(
    "a command of the human over RPC fires user_bash from pi 0.87 on",
    (event !== undefined) === asks,
    event ?? plain.answer,
  );
  check(
    "user_bash carries the command, the folder and whether the model is kept from it, from pi 0.87 on",
    asks
      ? event?.["command"] === "echo human" &&
          event["cwd"] === talk.scratch.project &&
          event["excludeFromContext"] === false &&
          quiet?.["excludeFromContext"] === true
      : event === undefined,
    [event, quiet],
  );
  const result = await run("a command has a result", "touch ASKED");
  check(
    "a handler of user_bash gives the result, from pi 0.87 on",
    asks
      ? result.answer?.["output"] === "output of the handler" &&
          result.answer["exitCode"] === 3 &&
          !has(talk.scratch, "ASKED")
      : has(talk.scratch, "ASKED"),
    result.answer,
  );
  const elsewhere = await run("a command runs elsewhere", "echo elsewhere");
  const ways = notesOf(elsewhere.part, "user_bash").map((note) => note["way"]);
  check(
    "operations of user_bash run the command by exec, from pi 0.87 on",
    asks
      ? textOf(ways) === '["exec"]' && textOf(elsewhere.answer?.["output"]).includes("output from elsewhere")
      : textOf(ways) === "[]" && textOf(elsewhere.answer?.["output"]).includes("elsewhere"),
    [ways, elsewhere.answer],
  );
  const next = await talk.prompt("plain", "what did I run");
  const [context] = eventsOf(next, "context");
  check(
    "context has commands of the human, of the role bashExecution",
    textOf(context).includes('"role":"bashExecution"'),
    toldOf(next),
  );
  const sent = textOf(sentIn(next.requests[0]));
  check(
    "the model gets the output of a command of the human",
    sent.includes("human") && (!asks || sent.includes("output of the handler")),
    sent.slice(-900),
  );
  if (asks) check("and not of one that it is kept from", !sent.includes("echo hidden"), sent.slice(-900));
}
