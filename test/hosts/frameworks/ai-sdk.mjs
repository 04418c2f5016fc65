import { bash, engine, given, ours, read, theirs } from "./agent.mjs";

const { generateText, streamText, jsonSchema, tool, stepCountIs } = await theirs("ai/dist/index.js");
const { MockLanguageModelV4, simulateReadableStream } = await theirs("ai/dist/test/index.js");
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const seen = [];
let turn = 0;

function partsOf(step) {
  if (step === undefined || "text" in step) return [{ type: "text", text: step?.text ?? "All done." }];
  const [{ name, args }] = step.calls;
  return [{ type: "tool-call", toolCallId: `call_${turn}`, toolName: name, input: JSON.stringify(args) }];
}

const finishOf = (content) => ({ unified: content[0].type === "text" ? "stop" : "tool-calls", raw: undefined });

const model = new MockLanguageModelV4({
  async doGenerate({ prompt }) {
    seen.push(JSON.stringify(prompt));
    const content = partsOf(given.turns[turn++]);
    return { content, finishReason: finishOf(content), usage, warnings: [] };
  },
  async doStream({ prompt }) {
    seen.push(JSON.stringify(prompt));
    const content = partsOf(given.turns[turn++]);
    const chunks = [
      { type: "stream-start", warnings: [] },
      ...content.flatMap((part) =>
        part.type === "text"
          ? [
              { type: "text-start", id: "1" },
              { type: "text-delta", id: "1", delta: part.text },
              { type: "text-end", id: "1" },
            ]
          : [part],
      ),
      { type: "finish", finishReason: finishOf(content), usage },
    ];
    return { stream: simulateReadableStream({ chunks }) };
  },
});

const schema = (name) => jsonSchema({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });
const own = {
  bash: tool({ description: "runs", inputSchema: schema("command"), execute: async (input) => bash(input) }),
  read: tool({
    description: "reads",
    inputSchema: schema("path"),
    async *execute(input) {
      yield "reading";
      yield read(input);
    },
  }),
};
let options = { tools: own };
if (given.guarded) {
  const { aiSdkGuard } = await ours("adapters/frameworks/index.js");
  const guard = aiSdkGuard(await engine(), { cwd: given.project });
  options = { tools: guard.tools(own), toolApproval: given.wrapOnly ? undefined : guard.toolApproval };
}
const messages = [{ role: "user", content: "Please do the scripted work." }];
const run = { model, ...options, messages, stopWhen: stepCountIs(10) };
const parts = [];
let asked = 0;
if (given.stream) {
  for await (const part of streamText(run).fullStream) parts.push(JSON.stringify(part));
} else {
  const result = await generateText(run);
  const requests = result.content.filter((part) => part.type === "tool-approval-request");
  asked = requests.length;
  if (asked > 0 && given.approve) {
    const responses = requests.map(({ approvalId }) => ({
      type: "tool-approval-response",
      approvalId,
      approved: true,
    }));
    await generateText({
      ...run,
      messages: [...messages, ...result.response.messages, { role: "tool", content: responses }],
    });
  }
}
console.log(JSON.stringify({ seen, parts, asked }));
