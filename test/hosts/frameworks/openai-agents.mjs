import { bash, engine, given, ours, read, theirs } from "./agent.mjs";

const { Agent, OpenAIChatCompletionsModel, run, setTracingDisabled, tool } = await theirs(
  "@openai/agents/dist/index.mjs",
);
const { default: OpenAI } = await theirs("openai/index.mjs");
setTracingDisabled(true);
const client = new OpenAI({ baseURL: `${given.url}/v1`, apiKey: "not-a-key" });
const schema = (name) => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
  additionalProperties: false,
});
const own = [
  tool({
    name: "bash",
    description: "runs",
    parameters: schema("command"),
    strict: true,
    execute: async (i) => bash(i),
  }),
  tool({ name: "read", description: "reads", parameters: schema("path"), strict: true, execute: async (i) => read(i) }),
];
let tools = own;
if (given.guarded) {
  const { openaiAgentsTools } = await ours("adapters/frameworks/index.js");
  tools = openaiAgentsTools(own, await engine(), { cwd: given.project });
}
const agent = new Agent({ name: "scripted", tools, model: new OpenAIChatCompletionsModel(client, "scripted") });
let result = await run(agent, "Please do the scripted work.");
const asked = result.interruptions?.length ?? 0;
if (asked > 0 && given.approve) {
  for (const interruption of result.interruptions) result.state.approve(interruption);
  result = await run(agent, result.state);
}
console.log(JSON.stringify({ asked }));
