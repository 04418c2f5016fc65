import { bash, finished } from "../pi-script.ts";
import type { Cases } from "../report.ts";
import { answersTo, eventsOf, notesOf, orderOf, sentIn, systemIn, textOf, toldOf } from "./parts.ts";
import { otherPicture, picture } from "./prompt-scenarios.ts";
import type { Conversation } from "./talk.ts";

/** The order in which a prompt's own events come. */
const prompted = ["input", "before_agent_start", "agent_start", "turn_start", "agent_end"];

/** Cases about input and the start of a run. */
export async function promptCases(talk: Conversation, cases: Cases): Promise<void> {
  const check = cases.check.bind(cases);
  await cases.group("input", () => inputs(talk, check));
  await cases.group("commands and expansion", () => commands(talk, check));
  await cases.group("a message of an extension", () => fromExtension(talk, check));
  await cases.group("the start of a run", () => starts(talk, check));
  await cases.group("a start that fails", () => failedStart(talk, check));
  await cases.group("a command of an extension", () => ownCommand(talk, check));
}

type Check = Cases["check"];

async function inputs(talk: Conversation, check: Check): Promise<void> {
  const chained = await talk.prompt("transform", "say something", {}, { images: [picture] });
  const [first] = eventsOf(chained, "input", "a");
  const [second] = eventsOf(chained, "input", "b");
  check("text over RPC fires input and says so", first?.["source"] === "rpc", first);
  check(
    "input carries the text, the images and the source",
    first?.["text"] === "say something" && textOf(first["images"]) === textOf([picture]),
    first,
  );
  check("the second handler of input sees the text of the first", second?.["text"] === "say something [a]", second);
  check(
    "a transformed text is what the model gets",
    textOf(sentIn(chained.requests[0]).at(-1)).includes("say something [a] [b]"),
    sentIn(chained.requests[0]).at(-1),
  );
  const sent = textOf(sentIn(chained.requests[0]).at(-1));
  check(
    "a transform without images keeps the original ones",
    sent.includes("[a] [b]") && sent.includes(picture.data),
    sent,
  );
  const replaced = await talk.prompt("other images", "look", {}, { images: [picture] });
  const other = textOf(sentIn(replaced.requests[0]).at(-1));
  check(
    "a transform with images replaces them",
    other.includes(otherPicture.data) && !other.includes(picture.data),
    other,
  );
  const handled = await talk.prompt("handled", "swallow this", { runs: 0 });
  check(
    "handled calls no model",
    handled.requests.length === 0 && eventsOf(handled, "input").length === 1,
    toldOf(handled),
  );
  check("handled stops the chain and everything behind it", onlyInputOfA(handled), toldOf(handled));
  const continued = await talk.prompt("continue", "leave this as it is");
  check(
    "continue and no answer pass the text",
    answersTo(continued, "input", "a") === 1 &&
      answersTo(continued, "input", "b") === 0 &&
      textOf(sentIn(continued.requests[0]).at(-1)).includes('"leave this as it is"'),
    toldOf(continued),
  );
}

function onlyInputOfA(part: Parameters<typeof toldOf>[0]): boolean {
  return part.log.filter(({ at }) => at === "begin").every(({ by, event }) => by === "a" && event === "input");
}

async function commands(talk: Conversation, check: Check): Promise<void> {
  const skill = await talk.prompt("plain", "/skill:seed-skill with care");
  const [input] = eventsOf(skill, "input");
  const [start] = eventsOf(skill, "before_agent_start");
  check("input has the text before a skill is expanded", input?.["text"] === "/skill:seed-skill with care", input);
  check(
    "before_agent_start has the prompt with the skill expanded",
    textOf(start?.["prompt"]).includes("What the seed skill says."),
    start?.["prompt"],
  );
  const template = await talk.prompt("plain", "/seed-template now");
  check(
    "a template is expanded after input too",
    eventsOf(template, "input")[0]?.["text"] === "/seed-template now" &&
      textOf(eventsOf(template, "before_agent_start")[0]?.["prompt"]).includes("What the template says: now"),
    toldOf(template),
  );
  const command = await talk.prompt("plain", "/seed-a some words", { runs: 0 });
  check(
    "a command of an extension runs, and input does not fire",
    notesOf(command, "command")[0]?.["args"] === "some words" && eventsOf(command, "input").length === 0,
    toldOf(command),
  );
}

/** Built-in commands are those of pi's editor, so that over RPC none is there. */
async function ownCommand(talk: Conversation, check: Check): Promise<void> {
  const file = await talk.ask({ type: "get_state" });
  const into = await talk.prompt("into a command", "open another session");
  check(
    "a text that input makes a built-in command goes to the model",
    textOf(sentIn(into.requests[0]).at(-1)).includes('"/new"') && orderOf(into, ["session_before_switch"]).length === 0,
    toldOf(into),
  );
  const out = await talk.prompt("out of a command", "/new");
  check(
    "a built-in command that reaches input can be made something else",
    eventsOf(out, "input")[0]?.["text"] === "/new" && textOf(sentIn(out.requests[0]).at(-1)).includes("just words"),
    toldOf(out),
  );
  const after = await talk.ask({ type: "get_state" });
  check("no session was opened by them", fileOf(file) !== "" && fileOf(file) === fileOf(after), [file, after]);
}

function fileOf(state: { readonly [field: string]: unknown }): string {
  return String((state["data"] as { sessionFile?: string } | undefined)?.sessionFile ?? "");
}

async function fromExtension(talk: Conversation, check: Check): Promise<void> {
  const part = await talk.during("send a message", [], () =>
    talk.running(1, () => talk.ask({ type: "prompt", message: "/seed-a" })),
  );
  const [input] = eventsOf(part, "input");
  check(
    "a message that an extension sends fires input with the source extension, then a run",
    input?.["text"] === "from the extension" && input["source"] === "extension" && part.requests.length === 1,
    toldOf(part),
  );
}

async function starts(talk: Conversation, check: Check): Promise<void> {
  const part = await talk.prompt(
    "start messages",
    "begin",
    { turns: [bash("echo one"), finished] },
    { images: [picture] },
  );
  const order = orderOf(part, prompted);
  check(
    "input comes first, then before_agent_start, then agent_start",
    textOf(order.slice(0, 3)) === textOf(prompted.slice(0, 3)),
    order,
  );
  check(
    "before_agent_start fires once for a prompt, not on the later turns of its run",
    part.requests.length === 2 && order.filter((event) => event === "before_agent_start").length === 1,
    order,
  );
  startPayloads(part, check);
  startMessages(part, check);
  const next = await talk.prompt("plain", "begin again");
  const base = String(eventsOf(part, "before_agent_start")[0]?.["systemPrompt"]);
  check(
    "without an answer the base prompt holds: an earlier run leaves nothing",
    eventsOf(next, "before_agent_start")[0]?.["systemPrompt"] === base &&
      systemIn(part.requests[0]).includes("Line of a.") &&
      !systemIn(next.requests[0]).includes("Line of"),
    systemIn(next.requests[0]).slice(-300),
  );
}

function startPayloads(part: Parameters<typeof toldOf>[0], check: Check): void {
  const [first] = eventsOf(part, "before_agent_start", "a");
  const [second] = eventsOf(part, "before_agent_start", "b");
  check(
    "before_agent_start carries the prompt, its images and the system prompt",
    first?.["prompt"] === "begin" &&
      textOf(first["images"]) === textOf([picture]) &&
      typeof first["systemPrompt"] === "string",
    { ...first, systemPromptOptions: "left out" },
  );
  check(
    "the system prompt chains over before_agent_start",
    second?.["systemPrompt"] === `${first?.["systemPrompt"]}\nLine of a.`,
    String(second?.["systemPrompt"]).slice(-200),
  );
  check(
    "a returned system prompt holds for each model call of the run",
    part.requests.length === 2 &&
      part.requests.every((request) => systemIn(request).includes("Line of a.\\nLine of b.")),
    part.requests.map((request) => systemIn(request).slice(-200)),
  );
}

function startMessages(part: Parameters<typeof toldOf>[0], check: Check): void {
  const roles = sentIn(part.requests[0]).slice(-3);
  check(
    "the messages of before_agent_start stand behind the user's, each one of its own",
    roles.length === 3 &&
      textOf(roles[0]).includes("begin") &&
      textOf(roles[1]).includes("text of a") &&
      textOf(roles[2]).includes("part of b"),
    roles,
  );
  check(
    "the model sees a message whatever its display says",
    textOf(roles[1]).includes("text of a") && textOf(roles[2]).includes("part of b"),
    roles,
  );
  check(
    "on the way to the model they have the role of the user",
    roles.length === 3 && roles.every(({ role }) => role === "user"),
    roles,
  );
  check(
    "content of a message is a text or a list of parts, pictures too",
    textOf(roles[2]).includes(picture.data) && textOf(roles[2]).includes("part of b"),
    roles[2],
  );
  const custom = eventsOf(part, "message_end")
    .map((event) => event["message"] as Record<string, unknown>)
    .filter(({ role }) => role === "custom");
  check(
    "a message keeps its type",
    textOf(custom.map((message) => message["customType"])) === '["seed-a","seed-b"]',
    custom,
  );
  check("its role in the session is custom", custom.length === 2, custom);
  check("and its details", textOf(custom[0]?.["details"]) === '{"kept":"by a"}', custom[0]);
}

async function failedStart(talk: Conversation, check: Check): Promise<void> {
  const part = await talk.prompt("start throws", "begin once more");
  const errors = part.records.filter(({ type }) => type === "extension_error");
  check(
    "a throw in before_agent_start is reported",
    errors.length === 1 &&
      textOf(errors).includes("before_agent_start") &&
      textOf(errors).includes("the start of a fails"),
    errors,
  );
  check(
    "the other handlers still run, and the run goes on",
    part.requests.length === 1 && textOf(sentIn(part.requests[0]).at(-1)).includes("b goes on"),
    toldOf(part),
  );
}
