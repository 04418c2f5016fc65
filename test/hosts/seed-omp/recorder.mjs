import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/*
 * A hook module that writes down every event that it is told, and answers as the file of answers says at that moment. It
 * imports nothing of the host. A module of a test calls `recorder(name)`; several of them stand beside one another.
 */

const events = [
  ...["session_start", "session_before_switch", "session_switch", "session_before_branch", "session_branch"],
  ...["session_before_compact", "session.compacting", "session_compact", "session_before_tree", "session_tree"],
  ...["session_shutdown", "session_stop", "agent_start", "agent_end", "turn_start", "turn_end", "before_agent_start"],
  ...["context", "message_start", "message_end", "tool_call", "tool_result", "tool_execution_start"],
  ...["tool_execution_end", "auto_compaction_start", "auto_compaction_end", "auto_retry_start", "auto_retry_end"],
  ...["ttsr_triggered", "todo_reminder", "input", "user_bash", "user_python"],
];

const note = (entry) => appendFileSync(join(homedir(), "seen.jsonl"), `${plain(entry)}\n`);

/** JSON of anything: what has no JSON is named. */
function plain(value) {
  const above = new Set();
  return JSON.stringify(value, (_key, part) => {
    if (typeof part === "function") return "a function";
    if (part instanceof AbortSignal) return "a signal";
    if (typeof part !== "object" || part === null) return part;
    if (above.has(part)) return "seen above";
    above.add(part);
    return part;
  });
}

/** What the test wants of this module at this event: nothing, or one of the answers below. */
function wanted(module, event) {
  const file = join(homedir(), "answers.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8"))[module]?.[event] : undefined;
}

const textOf = (content) => (typeof content === "string" ? content : content.map(({ text }) => text ?? "").join(""));

/** Makes an answer of what is wanted. */
function answerOf(want, event) {
  if (want === undefined) return undefined;
  if (want.throws !== undefined) throw new Error(want.throws);
  if (want.sets !== undefined) return void Object.assign(event.input, want.sets);
  if (want.adds !== undefined) {
    const added = { role: "user", content: [{ type: "text", text: want.adds }], timestamp: 1 };
    return { messages: [...event.messages, added] };
  }
  if (want.drops !== undefined)
    return { messages: event.messages.filter(({ content }) => !JSON.stringify(content ?? "").includes(want.drops)) };
  if (want.ends !== undefined) return { content: [{ type: "text", text: `${textOf(event.content)}${want.ends}` }] };
  if (want.compacts !== undefined) {
    const { firstKeptEntryId, tokensBefore } = event.preparation;
    return { compaction: { summary: want.compacts, firstKeptEntryId, tokensBefore, details: { by: "a hook" } } };
  }
  return want.answer;
}

/** Uses every method of a module's screen, and says what each answered. */
async function asked(ui) {
  const answers = {
    select: (await ui.select("which", ["a", "b"])) ?? "undefined",
    confirm: await ui.confirm("really", "yes?"),
    input: (await ui.input("what", "a word")) ?? "undefined",
    editor: (await ui.editor("long", "text", {}, { promptStyle: true })) ?? "undefined",
  };
  ui.notify("hello", "warning");
  ui.setStatus("a key", "a status");
  ui.setEditorText("typed by a module");
  return { ...answers, editorText: ui.getEditorText(), members: ["custom", "theme"].filter((name) => name in ui) };
}

/** Commands that let a test use the rest of the API. */
export function commands(pi, note) {
  const command = (name, handler) => pi.registerCommand(name, { description: `${name} of a test`, handler });
  command("say", async (text) =>
    pi.sendMessage({ customType: "note", content: text, display: true, details: { n: 1 } }),
  );
  command("keep", async (text) => pi.appendEntry("kept-state", { text }));
  command("run-echo", async () => note({ ran: await pi.exec("echo", ["hello"]) }));
  command("move-to", async (target, ctx) => {
    const [id, summarize] = target.split(" ");
    note({ moved: await ctx.navigateTree(id, { summarize: summarize === "summarize" }) });
  });
  command("leaf", async (_args, ctx) =>
    note({ leaf: ctx.sessionManager.getLeafId(), model: ctx.model?.id, cwd: ctx.cwd }),
  );
  pi.registerMessageRenderer("note", () => undefined);
}

/** A factory that records under a name. */
export function recorder(module, more) {
  return (pi) => {
    note({ module, loaded: true });
    for (const event of events)
      pi.on(event, async (given, ctx) => {
        note({ module, event: given.type, hasUI: ctx.hasUI, given });
        if (wanted(module, event)?.asks) return void note({ module, answers: await asked(ctx.ui) });
        return answerOf(wanted(module, event), given);
      });
    more?.(pi, (entry) => note({ module, ...entry }));
  };
}
