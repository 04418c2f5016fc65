import { bash, finished } from "../omp-process.ts";
import type { Cases } from "../report.ts";
import { textOfFiles } from "../scratch.ts";
import { eventsOf, given, type Program } from "./program.ts";

/** Events of runs and turns, and what a handler makes of the context, on omp's program. */
export async function agentCases(program: Program, cases: Cases): Promise<void> {
  await cases.group("a run", () => aRun(program, cases));
  await cases.group("messages before the start", () => messages(program, cases));
  await cases.group("context", () => context(program, cases));
  await cases.group("errors of handlers", () => errors(program, cases));
  await cases.group("what omp does by itself", () => byItself(program, cases));
}

/** Names in their order, with those left out that are not asked about. */
const only = (events: readonly string[], ...names: readonly string[]): string =>
  events.filter((name) => names.includes(name)).join(" ");

async function aRun(program: Program, cases: Cases): Promise<void> {
  const round = await program.prompt("Please do the scripted work.", [bash("echo one"), finished]);
  const loaded = program.seen.filter(({ loaded }) => loaded === true).map(({ module }) => module);
  cases.check("modules of the command line are loaded in its order", loaded.join() === "a,b,c", loaded);
  const events = eventsOf({ seen: program.seen, requests: [] }, "a");
  cases.check("session_start is told once, before all others", events.indexOf("session_start") === 0, events);
  const run = only(events, "before_agent_start", "agent_start", "turn_start", "turn_end", "agent_end");
  const whole = "before_agent_start agent_start turn_start turn_end turn_start turn_end agent_end";
  cases.check("a run begins and ends once, and its turns stand between", run === whole, run);
  const [before] = given(round, "before_agent_start");
  cases.check("before_agent_start tells the prompt", before?.["prompt"] === "Please do the scripted work.", before);
  const [end] = given(round, "agent_end");
  const roles = (end?.["messages"] as { role: string }[] | undefined)?.map(({ role }) => role).join(" ");
  cases.check("agent_end has the messages of the run", roles === "user assistant toolResult assistant", roles);
  const [first, second] = given(round, "turn_start").map(({ turnIndex }) => turnIndex);
  cases.check("turn_start tells which turn it is", first === 0 && second === 1, [first, second]);
  const [turn] = given(round, "turn_end") as { message?: { role: string }; toolResults?: { toolName: string }[] }[];
  const told = turn?.message?.role === "assistant" && turn.toolResults?.[0]?.toolName === "bash";
  cases.check("turn_end has the answer and the results of its calls", told, turn);
  const human = events.indexOf("message_start");
  const order = events.indexOf("agent_start") < events.indexOf("turn_start") && events.indexOf("turn_start") < human;
  cases.check("the human's message comes after the start of the turn", order, events);
  const contexts = given(round, "context").length;
  cases.check("context is told before each call of the model", contexts === 2 && round.requests.length === 2, contexts);
  const tools = only(events, "tool_call", "tool_execution_start", "tool_result", "tool_execution_end");
  const flow = "tool_call tool_execution_start tool_result tool_execution_end";
  cases.check("a call is told before it runs, and its result after", tools === flow, tools);
  const turns = eventsOf(round).filter((name) => name === "turn_start").length;
  cases.check("each module is told of each event", turns === 2 * 3, turns);
}

async function messages(program: Program, cases: Cases): Promise<void> {
  const message = (by: string) => ({
    message: { customType: "note", content: `hello from ${by}`, display: true, details: { by }, attribution: "agent" },
  });
  program.answer({
    a: { before_agent_start: { answer: message("a") } },
    b: { before_agent_start: { answer: message("b") } },
  });
  const { requests } = await program.prompt("Please look at the notes.", [finished]);
  program.answer({});
  const [request = ""] = requests;
  const after = request.indexOf("hello from a") > request.indexOf("Please look at the notes.");
  cases.check("a message of before_agent_start reaches the model after the prompt", after, request.slice(-900));
  const session = sessionText(program);
  const fields = ['"customType":"note"', '"content":"hello from a"', '"display":true', '"details":{"by":"a"}'];
  cases.check(
    "a message of before_agent_start is kept by the session with its fields",
    fields.every((field) => session.includes(field)),
    session.slice(-900),
  );
  cases.check(
    "a message of before_agent_start keeps its attribution",
    session.includes('"attribution":"agent"'),
    session.slice(-900),
  );
  cases.check(
    "the program takes the messages of every module, not the first alone",
    request.includes("hello from b"),
    request.slice(-900),
  );
}

async function context(program: Program, cases: Cases): Promise<void> {
  program.answer({ a: { context: { adds: "added by a" } }, b: { context: { adds: "added by b" } } });
  const round = await program.prompt("Please mind the context.", [finished]);
  program.answer({});
  const seen = (module: string) => JSON.stringify(given(round, "context", module)[0]);
  const chained =
    !seen("a").includes("added by") && seen("b").includes("added by a") && seen("c").includes("added by b");
  cases.check("each module gets the context that the one before returned", chained, seen("c").slice(-600));
  const [request = ""] = round.requests;
  const both = request.includes("added by a") && request.includes("added by b");
  cases.check("the model gets the context that the last module returned", both, request.slice(-600));
  const current = seen("a").includes("Please mind the context.") && seen("a").includes("hello from a");
  cases.check("context has the messages as they are now", current, seen("a").slice(-600));
  const { requests } = await program.prompt("Please go on.", [finished]);
  cases.check(
    "a changed context is for one call of the model alone",
    !requests[0]?.includes("added by"),
    requests[0]?.slice(-600),
  );
  cases.check("the session keeps its own messages", !sessionText(program).includes("added by"));
  const same = requests[0]?.includes("hello from a") === true && requests[0].includes("Please mind the context.");
  cases.check("without an answer the messages pass unchanged", same, requests[0]?.slice(-600));
  program.answer({ b: { context: { drops: "hello from" } } });
  const dropped = await program.prompt("Please drop it.", [finished]);
  program.answer({});
  cases.check(
    "a message that is left out is not sent",
    !dropped.requests[0]?.includes("hello from"),
    dropped.requests[0],
  );
}

async function errors(program: Program, cases: Cases): Promise<void> {
  program.answer({ a: { agent_start: { throws: "broke in a" }, context: { throws: "broke too" } } });
  const round = await program.prompt("Please go on although it breaks.", [finished]);
  program.answer({});
  const told = program.records.filter(({ type }) => type === "extension_error");
  const [error] = told;
  const whole = error?.["event"] === "agent_start" && error["error"] === "broke in a";
  cases.check(
    "a throw is reported as module, event and error",
    whole && String(error["extensionPath"]).endsWith("a.mjs"),
    told,
  );
  cases.check(
    "a throw in the chain of the context is reported too",
    told.some(({ event }) => event === "context"),
    told,
  );
  const later = eventsOf(round, "b");
  const goesOn = later.includes("agent_start") && later.includes("context") && round.requests.length === 1;
  cases.check("the other modules and the run go on after a throw", goesOn, later);
}

async function byItself(program: Program, cases: Cases): Promise<void> {
  const fails = { fails: "overloaded_error: the model is overloaded" };
  // omp's client asks three times by itself before its session does.
  const retried = await program.during([fails, fails, fails, finished], async () => {
    await program.ask({ type: "prompt", message: "Please try again where it fails." });
    await program.until("the end of a retry", () => program.seen.some(({ event }) => event === "auto_retry_end"));
  });
  const [start] = given(retried, "auto_retry_start");
  const known = start?.["attempt"] === 1 && String(start["errorMessage"]).includes("overloaded");
  cases.check("a retry is told with its attempt and why", known, start);
  const [end] = given(retried, "auto_retry_end");
  cases.check(
    "the end of a retry is told with whether it helped",
    end?.["success"] === true && end["attempt"] === 1,
    end,
  );
  const [failed] = given(retried, "agent_end");
  const answer = (failed?.["messages"] as { stopReason?: string }[] | undefined)?.at(-1);
  cases.check("agent_end is told also when the model fails", answer?.stopReason === "error", answer);
  const task = { content: "write it", status: "pending" };
  await program.ask({ type: "set_todos", phases: [{ name: "Work", tasks: [task] }] });
  const reminded = await program.prompt("Please stop early.", [{ text: "I stop." }, { text: "I stop again." }]);
  await program.ask({ type: "set_todos", phases: [] });
  const [reminder] = given(reminded, "todo_reminder");
  const todo = JSON.stringify(reminder?.["todos"]) === JSON.stringify([task]) && reminder?.["attempt"] === 1;
  cases.check("todo_reminder is told with what is left to do", todo, reminder);
  const warned = await program.prompt("Please say it.", [
    { text: "I say the unwelcome-word now." },
    { text: "I do not." },
  ]);
  const [rule] = (given(warned, "ttsr_triggered")[0]?.["rules"] ?? []) as { name: string }[];
  cases.check("ttsr_triggered is told with the rules", rule?.name === "no-such-word", rule);
  await program.ask({ type: "set_auto_compaction", enabled: true });
  const compacted = await program.during([{ text: "Long.", tokens: 127_900 }, { text: "The summary." }], async () => {
    await program.ask({ type: "prompt", message: "Please be long." });
    await program.until("its end", () => program.seen.some(({ event }) => event === "auto_compaction_end"));
  });
  await program.ask({ type: "set_auto_compaction", enabled: false });
  const [began] = given(compacted, "auto_compaction_start");
  cases.check("an automatic compaction is told with its reason", began?.["reason"] === "threshold", began);
  const [ended] = given(compacted, "auto_compaction_end") as { result?: { summary?: string }; aborted?: boolean }[];
  const result = ended?.result?.summary?.includes("The summary.") === true && ended.aborted === false;
  cases.check("the end of an automatic compaction is told with its result", result, ended);
}

/** Text of omp's session files. */
export function sessionText({ scratch }: Program): string {
  return textOfFiles(scratch.agent, ".jsonl");
}
