import { bash, engine, given, ours, read, theirs } from "./agent.mjs";

const { Agent } = await theirs("@mastra/core/dist/agent/index.js");
const { createTool } = await theirs("@mastra/core/dist/tools/index.js");
const { z } = await theirs("zod/index.js");
const own = {
  bash: createTool({
    id: "bash",
    description: "runs",
    inputSchema: z.object({ command: z.string() }),
    execute: async (input) => bash(input),
  }),
  read: createTool({
    id: "read",
    description: "reads",
    inputSchema: z.object({ path: z.string() }),
    execute: async (input) => read(input),
  }),
};
let tools = own;
let asked = 0;
if (given.guarded) {
  const { mastraTools } = await ours("adapters/frameworks/index.js");
  const approve = () => {
    asked++;
    return given.approve === true;
  };
  tools = mastraTools(own, await engine(), { cwd: given.project, approve });
}
const model = { id: "scripted/scripted", url: `${given.url}/v1`, apiKey: "not-a-key" };
const agent = new Agent({ id: "scripted", name: "scripted", instructions: "Do the work.", model, tools });
await agent.generate("Please do the scripted work.", { maxSteps: 10 });
console.log(JSON.stringify({ asked }));
process.exit(0);
