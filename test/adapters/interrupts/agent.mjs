// An agent on hookwarden/hooks whose work does not end: what is under way when a human presses Ctrl+C is the first word.
import { appendFileSync, writeFileSync } from "node:fs";
import { AgentLoop, HookRunner, loadHooks, SessionChanges } from "hookwarden/hooks";

const [work, ended, raw] = process.argv.slice(2);
if (raw === "raw") process.stdin.setRawMode(true).resume();
const cwd = process.cwd();
const { hooks, errors } = await loadHooks(["./module.mjs"], cwd, { profile: "pi" });
if (errors.length > 0) throw new Error(JSON.stringify(errors));
const runner = new HookRunner(hooks, { cwd, profile: "pi" });
const under = (what) => {
  writeFileSync("under-way", what);
  return new Promise(() => setInterval(() => undefined, 1_000));
};
const call = { role: "assistant", content: [{ type: "toolCall", id: "1", name: "bash", arguments: { command: "x" } }] };
const loop = new AgentLoop(runner, {
  tools: [{ name: "bash", execute: () => (work === "tool" ? under("tool") : { content: [] }) }],
  systemPrompt: () => "",
  model: () => (work === "model" ? under("model") : call),
  runCommand: () => under("command"),
});
const session = new SessionChanges(runner);
if (ended === "ended") session.endOn();
await session.start("startup", cwd);
appendFileSync("log", `begun ${work}\n`);
if (work === "idle") await under("idle");
await loop.submit(work === "command" ? "!x" : "go");
