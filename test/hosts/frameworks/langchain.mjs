import { bash, engine, given, ours, read, theirs } from "./agent.mjs";

const { createAgent, createMiddleware, tool } = await theirs("langchain/dist/index.js");
const { ToolMessage } = await theirs("@langchain/core/dist/messages/index.js");
const { ChatOpenAI } = await theirs("@langchain/openai/dist/index.js");
const model = new ChatOpenAI({
  model: "scripted",
  apiKey: "not-a-key",
  configuration: { baseURL: `${given.url}/v1` },
  maxRetries: 0,
});
const schema = (name) => ({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });
const tools = [
  tool(async (i) => bash(i), { name: "bash", description: "runs", schema: schema("command") }),
  tool(async (i) => read(i), { name: "read", description: "reads", schema: schema("path") }),
];
const middleware = [];
let asked = 0;
if (given.guarded) {
  const { langchainMiddleware } = await ours("adapters/frameworks/index.js");
  const approve = () => {
    asked++;
    return given.approve === true;
  };
  const context = { cwd: given.project, approve };
  middleware.push(createMiddleware(langchainMiddleware(await engine(), ToolMessage, context)));
}
const agent = createAgent({ model, tools, middleware });
await agent.invoke({ messages: [{ role: "user", content: "Please do the scripted work." }] });
console.log(JSON.stringify({ asked }));
