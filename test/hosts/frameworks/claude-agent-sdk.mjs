import { engine, given, ours, theirs } from "./agent.mjs";

const { query } = await theirs("@anthropic-ai/claude-agent-sdk/sdk.mjs");
let hooks = {};
if (given.guarded) {
  const { claudeAgentHooks } = await ours("adapters/frameworks/index.js");
  hooks = claudeAgentHooks(await engine(), { cwd: given.project });
}
let asked = 0;
const options = {
  cwd: given.project,
  model: "claude-sonnet-4-5",
  settingSources: [],
  hooks,
  allowedTools: ["Bash", "Read"],
  canUseTool: async (_tool, input) => {
    asked++;
    return given.approve ? { behavior: "allow", updatedInput: input } : { behavior: "deny", message: "no" };
  },
  env: { ...process.env, ANTHROPIC_BASE_URL: given.url },
};
async function* prompt() {
  yield {
    type: "user",
    message: { role: "user", content: "Please do the scripted work." },
    parent_tool_use_id: null,
    session_id: "",
  };
  await new Promise((resolve) => setTimeout(resolve, 20_000).unref());
}
const parts = [];
for await (const message of query({ prompt: prompt(), options })) {
  parts.push(JSON.stringify(message));
  if (message.type === "result") break;
}
console.log(JSON.stringify({ asked, said: parts }));
process.exit(0);
