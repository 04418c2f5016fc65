// A small agent with every place where Opta fires hooks: a start for a loop of your own.
//
//   node agent.mjs turns.json "what the user types"
//
// `turns.json` plays the model: a list of { "text", "calls": [{ "tool", "args" }] }. Put your own model and tools in its
// place. Hooks are those of ~/.config/opta and .opta in this folder. HOOKWARDEN_JUDGE_URL names the model of judge.mjs.
// Ctrl+C ends the session as its end does: session.end fires, and what still runs is ended. A second one waits for nothing.

import { spawn } from "node:child_process";
import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Runs one session. `hooks` is a HookManager, or a guard of `createOptaGuard` with a policy beside the hooks; `model` takes
 * the messages and gives { text, calls }; without calls it wants to stop. `compact` may give shorter messages after a turn.
 * `signal` ends the session where it stands; tools and model get it too. Resolves to the messages, and the error that
 * ended the session.
 */
export async function runAgent({
  hooks,
  model,
  prompt,
  cwd,
  tools = toolsOf(cwd),
  session = "s1",
  name = "",
  compact,
  signal = new AbortController().signal,
}) {
  const messages = [];
  const say = (role, text) => {
    if (text !== undefined && text !== "") messages.push({ role, text });
  };
  const heard = (event, more = {}) => hooks.fire(event, { event, session_id: session, cwd, model: name, ...more });
  const ended = new Promise((_resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
  ended.catch(() => undefined);
  /** What work comes to, for as long as nobody ends the session. */
  const unlessEnded = (work) => Promise.race([work, ended]);
  const fire = (event, more) => unlessEnded(heard(event, more));

  try {
    // 1. Before the loop.
    say("user", (await fire("session.start")).additionalContext);
    if (prompt !== undefined) {
      const typed = await fire("prompt.pre", { prompt });
      if (typed.cancelled) throw new Error(`the prompt was refused: ${typed.reason}`);
      say("user", typed.additionalContext);
      say("user", typed.prompt ?? prompt);
    }
    for (let calls = 0, sentOn = false; ; ) {
      const turn = await unlessEnded(model(messages, signal));
      say("assistant", turn.text);
      if ((turn.calls ?? []).length === 0) {
        const stop = await fire("stop", { last_message: turn.text ?? "", stop_active: sentOn });
        say("user", stop.additionalContext);
        if (!stop.cancelled) break;
        sentOn = true;
        say("user", stop.reason);
        continue;
      }
      sentOn = false;
      for (const { tool, args } of turn.calls) say("tool", await callTool(tool, args, `c${++calls}`));
      const shorter = compact?.(messages);
      if (shorter !== undefined) {
        messages.splice(0, messages.length, ...shorter);
        // 5. After the history was compacted.
        await fire("compact");
      }
    }
  } catch (error) {
    if (!signal.aborted) {
      // 7. When anything fails.
      await heard("error", { error_message: error.message });
      return { messages, error: error.message };
    }
  }
  // 6. After the loop, also where the human ended it. A background hook runs when this resolves, so the process may end.
  await heard("session.end");
  return { messages };

  async function callTool(tool, args, id) {
    const call = { tool_name: tool, tool_args: JSON.stringify(args), tool_call_id: id };
    // 2. Before the tool runs.
    const before = await fire("tool.pre", call);
    say("user", before.additionalContext);
    if (before.cancelled) return `[blocked] ${before.reason}`;
    const final = before.updatedInput ?? args;
    const ran = { ...call, tool_args: JSON.stringify(final) };
    let after;
    let text;
    try {
      if (!Object.hasOwn(tools, tool)) throw new Error(`there is no tool ${tool}`);
      text = await unlessEnded(tools[tool](final, signal));
      // 3. After it worked. Hand over the whole result: hooks get its first 2 KB, and a policy redacts all of it.
      after = await fire("tool.post", { ...ran, tool_result: text });
    } catch (error) {
      if (signal.aborted) throw error;
      text = `failed: ${error.message}`;
      // 4. After it failed.
      after = await fire("tool.post", { ...ran, tool_result: text, tool_failed: true });
    }
    say("user", after.additionalContext);
    return after.result ?? text;
  }
}

/** Opta's tools on a folder. */
export function toolsOf(folder) {
  const path = (args) => join(folder, String(args.path));
  return {
    run_command: ({ command }, signal) => runShell(String(command), folder, signal),
    read_file: async (args) => readFileSync(path(args), "utf8"),
    write_file: async (args) => {
      writeFileSync(path(args), String(args.content));
      return "written";
    },
    edit_file: async (args) => {
      const text = readFileSync(path(args), "utf8");
      writeFileSync(
        path(args),
        text.replace(String(args.old_text), () => String(args.new_text)),
      );
      return "edited";
    },
  };
}

/** Runs a command, in a process group of its own, so that all it starts ends with it when the signal says so. */
function runShell(command, cwd, signal) {
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", command], { cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    const end = () => process.kill(-child.pid, "SIGKILL");
    child.on("error", reject);
    child.on("spawn", () => signal?.addEventListener("abort", end));
    child.on("exit", () => signal?.removeEventListener("abort", end));
    child.on("close", () => resolve(output));
  });
}

/**
 * A signal for the session, aborted when the human ends the process. `leave` ends the process by what the human sent, so that a
 * shell sees 130 for Ctrl+C, and with it the hooks that still run; a second Ctrl+C does so at once.
 */
function untilInterrupted() {
  const ending = new AbortController();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"];
  let sent;
  const leave = () => {
    for (const name of names) process.off(name, heard);
    process.kill(process.pid, sent);
  };
  const heard = (name) => {
    sent = name;
    if (ending.signal.aborted) leave();
    else ending.abort(new Error(`ended by ${name}`));
  };
  for (const name of names) process.on(name, heard);
  return { signal: ending.signal, leave };
}

/** The session of the command line. */
async function main(script, prompt) {
  const { loadOptaHooks } = await import("hookwarden/opta");
  const { modelJudge } = await import("./judge.mjs");
  const { HOOKWARDEN_JUDGE_URL: url, HOOKWARDEN_JUDGE_MODEL: model, HOOKWARDEN_JUDGE_KEY: key } = process.env;
  const { manager, findings } = loadOptaHooks({
    ...(url !== undefined && { judge: modelJudge({ url, model, key }) }),
    status: (message) => message !== undefined && console.error(`… ${message}`),
  });
  for (const { severity, path, at, message, help } of findings)
    console.error(`${severity}: ${path}${at}: ${message}; ${help}`);
  const turns = JSON.parse(readFileSync(script, "utf8"));
  const { signal, leave } = untilInterrupted();
  const { messages, error } = await runAgent({
    hooks: manager,
    cwd: process.cwd(),
    name: "turns",
    prompt,
    model: async () => turns.shift() ?? {},
    signal,
  });
  if (signal.aborted) return leave();
  for (const { role, text } of messages) console.log(`${role}: ${text}`);
  if (error !== undefined) console.error(`error: ${error}`);
  process.exit(error === undefined ? 0 : 1);
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === undefined) {
    console.error("usage: node agent.mjs turns.json [prompt]");
    process.exit(2);
  }
  await main(process.argv[2], process.argv[3]);
}
