import { type HostRow, on } from "./row.ts";

const wrapped = { crash: "closed", timeout: "hangs", malformed: "none" } as const;
const inProcess = { evidence: "run", kind: "wrapper", fails: wrapped } as const;

/** The MCP proxy between any client and server. Source: hosts page others, section 4. */
export const mcp: HostRow = {
  title: "MCP proxy",
  versions: ["SDK 1.32.2"],
  evidence: "run",
  kind: "proxy",
  ask: { by: "none", headless: "blocks" },
  fails: { crash: "closed", timeout: "hangs", malformed: "closed" },
  events: {
    tool_call: on(
      "tools/call",
      {
        block: "full",
        ask: "blocks",
        allow: "host_prompt_stays",
        redact: "full",
        modify: "full",
        inject_message: "beside_result",
      },
      { note: "a denied call is answered as a failed one, so the model can react" },
    ),
    tool_result: on(
      ["tools/call result", "resources/read", "prompts/get"],
      { redact: "full", truncate: "full", inject_append: "full", inject_message: "beside_result" },
      { note: "structured content must still fit the tool's schema" },
    ),
  },
  tools: {},
  notes: [
    "denied tools are left out of `tools/list`, and definitions that changed are withheld",
    "annotations are claims of the server: they may tighten, never loosen",
  ],
};

/** AI SDK, by tool approval and wrapped tools. Source: hosts page others, section 5. */
export const aiSdk: HostRow = {
  title: "AI SDK",
  versions: ["7.0.173"],
  ...inProcess,
  ask: { by: "host prompt", headless: "blocks" },
  events: {
    tool_call: on(
      "toolApproval",
      { block: "full", ask: "full", allow: "full", redact: "full", modify: "full", inject_message: "beside_result" },
      { note: "tools that the provider runs are never seen" },
    ),
    tool_result: on("execute", { redact: "full", truncate: "full", inject_append: "full" }),
    context: on("transformParams", { redact: "unproven", truncate: "unproven", drop: "unproven" }),
  },
  tools: {},
  notes: ["a streaming `execute` needs a wrapper of its own"],
};

/** OpenAI Agents SDK. Source: hosts page others, section 5. */
export const openaiAgents: HostRow = {
  title: "OpenAI Agents",
  versions: ["0.20.0"],
  ...inProcess,
  ask: { by: "host prompt", headless: "blocks" },
  events: {
    tool_call: on(
      "inputGuardrails",
      { block: "full", ask: "full", allow: "full", redact: "full", modify: "full", inject_message: "beside_result" },
      { note: "function tools only, by wrapping `invoke`" },
    ),
    tool_result: on("outputGuardrails", { redact: "full", truncate: "full", inject_append: "full" }),
  },
  tools: {},
  notes: ["shell, computer and patch tools have approval functions, and no guardrails"],
};

/** LangChain agents, by middleware. Source: hosts page others, section 5. */
export const langchain: HostRow = {
  title: "LangChain",
  versions: ["1.5.14"],
  ...inProcess,
  ask: { by: "host prompt", headless: "blocks" },
  events: {
    tool_call: on(
      "wrapToolCall",
      { block: "full", ask: "full", allow: "full", redact: "full", modify: "full", inject_message: "beside_result" },
      { note: "the first middleware is the outermost" },
    ),
    tool_result: on(
      "wrapToolCall result",
      { redact: "full", truncate: "full", inject_append: "full" },
      { note: "the answer may be a command of the graph, not a message" },
    ),
    context: on("wrapModelCall", { redact: "unproven", truncate: "unproven", drop: "unproven" }),
  },
  tools: {},
  notes: [],
};

/** Mastra agents. Source: hosts page others, section 5. */
export const mastra: HostRow = {
  title: "Mastra",
  versions: ["1.71.0"],
  ...inProcess,
  ask: { by: "host prompt", headless: "blocks" },
  events: {
    tool_call: on(
      ["execute", "beforeToolCall"],
      { block: "full", ask: "full", allow: "full", redact: "full", modify: "full", inject_message: "beside_result" },
      { note: "by wrapping `execute`; a human is asked by the application" },
    ),
    tool_result: on(
      "afterToolCall",
      { redact: "full", truncate: "full", inject_append: "full" },
      {
        note: "by wrapping `execute`; `afterToolCall` itself only sees",
      },
    ),
    context: on("processInput", { redact: "unproven", truncate: "unproven", drop: "unproven" }),
  },
  tools: {},
  notes: [],
};
