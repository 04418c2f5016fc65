import { bash, finished, has, read } from "../omp-process.ts";
import type { Cases } from "../report.ts";
import { sessionText } from "./agent.ts";
import { type Answers, eventsOf, given, type Program, type Round } from "./program.ts";

/** What modules can and cannot do about calls and results, on omp's program. */
export async function toolCases(program: Program, cases: Cases): Promise<void> {
  await cases.group("blocked calls", () => blocked(program, cases));
  await cases.group("throwing handlers", () => throwing(program, cases));
  await cases.group("arguments", () => changedArguments(program, cases));
  await cases.group("results", () => results(program, cases));
  await cases.group("failed tools", () => failures(program, cases));
}

/** One call, with these answers of the modules. */
async function one(program: Program, answers: Answers, call = bash("touch FORBIDDEN")): Promise<Round> {
  program.answer(answers);
  const round = await program.prompt("Please make the scripted call.", [call, finished]);
  program.answer({});
  return round;
}

/** What the model was told of the last call: the message of that role at the end of its last request. */
function toldOf({ requests }: Round): string {
  const { messages } = JSON.parse(requests.at(-1) ?? '{"messages":[]}') as { messages: { role: string }[] };
  return JSON.stringify(messages.findLast(({ role }) => role === "tool") ?? "");
}

/** Whether the result of the last call counts as an error. */
function isError(round: Round): unknown {
  const results = given(round, "turn_end")[0]?.["toolResults"] as { isError?: boolean }[] | undefined;
  return results?.[0]?.isError;
}

async function blocked(program: Program, cases: Cases): Promise<void> {
  const round = await one(program, { a: { tool_call: { answer: { block: true, reason: "not on this branch" } } } });
  cases.check("a blocked call does not run", !has(program.scratch, "FORBIDDEN"), program.told);
  cases.check(
    "the reason of a block is the text that the model gets",
    toldOf(round).includes("not on this branch"),
    toldOf(round),
  );
  cases.check("a blocked call has the result of a failed one", isError(round) === true, given(round, "turn_end"));
  cases.check("no module after the block is asked", !eventsOf(round, "b").includes("tool_call"), eventsOf(round, "b"));
  cases.check("the run goes on after a block", round.requests.length === 2, round.requests.length);
  const bare = await one(program, { a: { tool_call: { answer: { block: true } } } });
  const generic = toldOf(bare).includes("blocked by an extension") && !has(program.scratch, "FORBIDDEN");
  cases.check("a block without a reason has a text of the program's", generic, toldOf(bare));
  const later = await one(program, { c: { tool_call: { answer: { block: true, reason: "the last one minds" } } } });
  const stands = toldOf(later).includes("the last one minds") && !has(program.scratch, "FORBIDDEN");
  cases.check("the block of any module stops the call", stands, toldOf(later));
}

async function throwing(program: Program, cases: Cases): Promise<void> {
  const round = await one(program, { b: { tool_call: { throws: "the handler broke" } } });
  cases.check("a handler that throws blocks the call", !has(program.scratch, "FORBIDDEN"), program.told);
  cases.check(
    "the model gets the text of a handler's error",
    toldOf(round).includes("the handler broke"),
    toldOf(round),
  );
  cases.check(
    "no module after a throw is asked about the call",
    !eventsOf(round, "c").includes("tool_call"),
    eventsOf(round, "c"),
  );
}

async function changedArguments(program: Program, cases: Cases): Promise<void> {
  const kept = { a: { tool_call: { answer: { reason: "a word that blocks nothing" } } } };
  const through = await one(program, kept, bash("echo through"));
  cases.check("an answer that does not block lets the call run", toldOf(through).includes("through"), toldOf(through));
  const written = await one(program, { a: { tool_call: { sets: { command: "echo written" } } } }, bash("echo first"));
  cases.check(
    "arguments that a module writes to are those that run",
    toldOf(written).includes("written"),
    toldOf(written),
  );
  const answers = {
    a: { tool_call: { answer: { input: { command: "echo returned-by-a" } } } },
    b: { tool_call: { answer: { input: { command: "echo returned-by-b" } } } },
  };
  const returned = await one(program, answers, bash("echo first"));
  const last = toldOf(returned).includes("returned-by-b") && !toldOf(returned).includes("returned-by-a");
  cases.check("arguments that modules return are those that run, the last ones", last, toldOf(returned));
  const original = (given(returned, "tool_call", "b")[0]?.["input"] as { command?: string } | undefined)?.command;
  cases.check("the next module is told the original arguments", original === "echo first", original);
}

async function results(program: Program, cases: Cases): Promise<void> {
  const plain = await one(program, {}, bash("echo a-result"));
  const [call] = given(plain, "tool_call");
  const [event] = given(plain, "tool_result");
  const input = JSON.stringify(call?.["input"]) === '{"command":"echo a-result"}';
  cases.check(
    "tool_call has tool, call id and arguments",
    input && call?.["toolName"] === "bash" && call["toolCallId"] !== "",
    call,
  );
  const from =
    event?.["toolCallId"] === call?.["toolCallId"] && event?.["toolName"] === "bash" && event["isError"] === false;
  const said = JSON.stringify(event?.["content"] ?? "").includes("a-result") && event?.["details"] !== undefined;
  cases.check("tool_result has those of the call, with content, details and isError false", from && said, event);
  const answers = { a: { tool_result: { ends: " and a" } }, b: { tool_result: { ends: " and b" } } };
  const chained = await one(program, answers, bash("echo chained"));
  cases.check("returned content is what the model gets", toldOf(chained).includes(" and a"), toldOf(chained));
  cases.check(
    "the program's results chain: the next module gets the changed one",
    toldOf(chained).includes(" and a and b"),
    toldOf(chained),
  );
  cases.check(
    "every module of a result is asked",
    eventsOf(chained, "c").includes("tool_result"),
    eventsOf(chained, "c"),
  );
  const details = { a: { tool_result: { answer: { details: { by: "details-of-a" } } } } };
  await one(program, details, bash("echo detailed"));
  cases.check(
    "returned details are what the session keeps",
    sessionText(program).includes('"details":{"by":"details-of-a"}'),
  );
  const flagged = await one(program, { a: { tool_result: { answer: { isError: true } } } }, bash("echo flagged"));
  cases.check("a returned isError reaches the program's result", isError(flagged) === true, given(flagged, "turn_end"));
  const thrown = await one(
    program,
    { a: { tool_result: { throws: "broke" } }, b: { tool_result: { ends: " and b" } } },
    read("long.txt"),
  );
  cases.check(
    "a throw about a result is passed over, and the next module is asked",
    toldOf(thrown).includes(" and b"),
    toldOf(thrown).slice(-300),
  );
}

async function failures(program: Program, cases: Cases): Promise<void> {
  const call = read("gone.txt");
  const failed = await one(program, {}, call);
  const [event] = given(failed, "tool_result");
  cases.check(
    "a failed tool is told with isError true and the error's text",
    event?.["isError"] === true && JSON.stringify(event["content"]).includes("gone.txt"),
    event,
  );
  const text = (event?.["content"] as { text: string }[] | undefined)?.[0]?.text ?? "nothing";
  cases.check(
    "the model gets the very error of a failed tool",
    toldOf(failed).includes(JSON.stringify(text).slice(1, -1)) && isError(failed) === true,
    toldOf(failed),
  );
  const answers = { a: { tool_result: { answer: { content: [{ type: "text", text: "all is well" }] } } } };
  const replaced = await one(program, answers, call);
  cases.check(
    "returned content replaces the error of a failed tool, which stays failed",
    toldOf(replaced).includes("all is well") && isError(replaced) === true,
    toldOf(replaced),
  );
  const mended = await one(program, { a: { tool_result: { answer: { isError: false } } } }, call);
  cases.check(
    "isError false makes a failed tool a success in the program",
    isError(mended) === false,
    given(mended, "turn_end"),
  );
}
