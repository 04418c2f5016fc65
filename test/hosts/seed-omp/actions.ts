import { bash, finished } from "../omp-process.ts";
import type { Cases } from "../report.ts";
import { delegation } from "../stand-ins.ts";
import { sessionText } from "./agent.ts";
import type { Program, RpcRecord } from "./program.ts";

/** What a module can do by itself (commands, messages, entries, programs) and what it can ask of a screen, in RPC mode. */
export async function actionCases(program: Program, cases: Cases): Promise<void> {
  await cases.group("commands", () => commands(program, cases));
  await cases.group("dialogs", () => dialogs(program, cases));
}

async function commands(program: Program, cases: Cases): Promise<void> {
  const { data = {} } = await program.ask({ type: "get_available_commands" });
  const all = data["commands"] as { name: string; description?: string; source?: string }[];
  const listed = all.filter(({ name }) => name === "say");
  cases.check(
    "a command of a module is one of omp's commands",
    listed[0]?.source === "extension" && listed[0].description === "say of a test",
    listed,
  );
  cases.check("the program lists a name once", listed.length === 1, listed);
  const round = await program.during([], async () => {
    await program.ask({ type: "prompt", message: "/run-echo" });
    await program.until("the program", () => program.seen.some(({ ran }) => ran !== undefined));
  });
  const [{ module, ran } = { module: "", ran: {} }] = round.seen.filter((one) => one["ran"] !== undefined);
  cases.check(
    "exec of a module runs a program",
    JSON.stringify(ran) === '{"stdout":"hello\\n","stderr":"","code":0,"killed":false}',
    ran,
  );
  cases.check(
    "the program takes the command of the last module that has it",
    module === "b" && round.requests.length === 0,
    round.seen,
  );
  for (const message of ["/say a message of a module", "/keep a state of a module"])
    await program.during([], () => program.ask({ type: "prompt", message }));
  await program.until("both in the session", () => sessionText(program).includes("a state of a module"));
  const session = sessionText(program);
  const said = session.includes('"customType":"note"') && session.includes('"content":"a message of a module"');
  cases.check("a module's message is kept by the session", said, session.slice(-600));
  cases.check(
    "a module's entry is kept by the session",
    session.includes('"customType":"kept-state"') && session.includes('{"text":"a state of a module"}'),
    session.slice(-600),
  );
  const { requests } = await program.prompt("Please go on with what a module said.", [finished]);
  cases.check(
    "the model gets a module's message",
    requests[0]?.includes("a message of a module") === true,
    requests[0]?.slice(-600),
  );
  cases.check(
    "the model does not get a module's entry",
    !requests[0]?.includes("a state of a module"),
    requests[0]?.slice(-600),
  );
}

async function dialogs(program: Program, cases: Cases): Promise<void> {
  const before = program.records.length;
  program.answer({ a: { before_agent_start: { asks: true } } });
  const { seen } = await program.prompt("Please ask the human.", [finished]);
  program.answer({});
  const [one] = seen.filter(({ answers }) => answers !== undefined);
  const expected = { select: "b", confirm: true, input: "word", editor: "edited" };
  const answered = Object.entries(expected).every(
    ([name, value]) => (one?.["answers"] as Record<string, unknown>)?.[name] === value,
  );
  cases.check("select, confirm, input and editor answer what the human answers", answered, one);
  const asked = program.records.slice(before).filter(({ type }) => type === "extension_ui_request");
  const of = (method: string): RpcRecord | undefined => asked.find((record) => record["method"] === method);
  cases.check(
    "select asks with its title and options",
    of("select")?.["title"] === "which" && JSON.stringify(of("select")?.["options"]) === '["a","b"]',
    asked,
  );
  cases.check(
    "confirm asks with its title and message",
    of("confirm")?.["title"] === "really" && of("confirm")?.["message"] === "yes?",
    of("confirm"),
  );
  cases.check(
    "input asks with its title and placeholder",
    of("input")?.["title"] === "what" && of("input")?.["placeholder"] === "a word",
    of("input"),
  );
  const editor = of("editor");
  cases.check(
    "editor asks with its title, text and style",
    editor?.["title"] === "long" && editor["prefill"] === "text" && editor["promptStyle"] === true,
    editor,
  );
  cases.check(
    "notify shows its text and kind",
    of("notify")?.["message"] === "hello" && of("notify")?.["notifyType"] === "warning",
    of("notify"),
  );
  cases.check(
    "setStatus shows a text under its key",
    of("setStatus")?.["statusKey"] === "a key" && of("setStatus")?.["statusText"] === "a status",
    of("setStatus"),
  );
  cases.check(
    "setEditorText fills the editor",
    of("set_editor_text")?.["text"] === "typed by a module",
    of("set_editor_text"),
  );
  const members = (one?.["answers"] as { members?: unknown } | undefined)?.members;
  cases.check("custom and theme are there", JSON.stringify(members) === '["custom","theme"]', members);
  cases.check(
    "hasUI is true where a human can be asked",
    seen.every(({ event, hasUI }) => event === undefined || hasUI === true),
  );
}

/** A sub-agent's calls come to the modules too; nobody looks on there, although somebody does outside. */
export async function subAgentCases(program: Program, cases: Cases): Promise<void> {
  const delegating = { calls: [{ name: "task", args: delegation }] };
  const turns = [delegating, bash("echo from-below"), finished, finished];
  const { seen } = await program.prompt("Please hand the work on.", turns);
  const calls = seen.filter(({ event, module }) => event === "tool_call" && module === "a");
  const of = (text: string) => calls.find(({ given }) => JSON.stringify(given?.["input"]).includes(text));
  const below = of("from-below");
  cases.check("the calls of a sub-agent come to the modules", below !== undefined, calls);
  const alone = below?.hasUI === false && of("Helper")?.hasUI === true;
  cases.check("hasUI is false in a sub-agent", alone, calls);
}
