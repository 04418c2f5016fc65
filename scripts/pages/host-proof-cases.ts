import type { EventName } from "../../schema/events.ts";
import type { HostAction, HostRow } from "../../schema/hosts/row.ts";
import { type HostName, hosts } from "../../schema/hosts.ts";

/** One case of a test. */
export interface RecordedProof {
  readonly file: string;
  /** Title of the case as its file has it. */
  readonly title: string;
  /** Name of the row, where the case is one of a table. */
  readonly row?: string;
}

/** One case that runs a real host. */
export interface RunProof {
  /** The file with the case, and the name that `npm run test:hosts` takes. */
  readonly file: string;
  readonly host: string;
  readonly title: string;
  /** Names and versions that must have passed, as in `test/hosts/passed.json`. */
  readonly on: readonly string[];
}

/** A case that proves a cell of the table. */
export type Proof = RecordedProof | RunProof;

/**
 * Capabilities that users look for in a host, by the event and action of the table; if there are several events, one that has it
 * is enough.
 */
export const capabilities = {
  "block a call": [["tool_call", "block"]],
  "ask a human": [["tool_call", "ask"]],
  "change arguments": [["tool_call", "redact"]],
  "redact a result": [["tool_result", "redact"]],
  "refuse a prompt": [["input", "block"]],
  "tell the model": [
    ["input", "inject_message"],
    ["before_agent_start", "inject_message"],
    ["session_start", "inject_message"],
    ["tool_call", "inject_message"],
  ],
  "keep a turn going": [["stop", "block"]],
} as const satisfies Record<string, readonly (readonly [EventName, HostAction])[]>;

/** Name of such a capability. */
export type CapabilityName = keyof typeof capabilities;

/** Every capability, in the order of the table. */
export const capabilityNames = Object.keys(capabilities) as CapabilityName[];

type ByCapability<P> = Readonly<Partial<Record<CapabilityName, P>>>;

/** Cases of one real run, by capability; on every version of the host's row, unless others are named. */
function ran(
  row: HostName,
  host: string,
  file: string,
  titles: ByCapability<string>,
  on: readonly string[] = (hosts[row] as HostRow).versions.map((version) => `${host} ${version}`),
): ByCapability<RunProof> {
  return mapped(titles, (title) => ({ file: `test/hosts/${file}.ts`, host, title, on }));
}

function mapped<In, Out>(given: ByCapability<In>, make: (value: In) => Out): ByCapability<Out> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, make(value as In)]));
}

const blocks = "the forbidden call does not run";
const rewrites = "a rewritten call runs as rewritten";
const hides = "the secret is in no model request";
const refuses = "a refused prompt reaches no model";
const tells = "an injected text reaches the model";

const oneShot = {
  "block a call": blocks,
  "ask a human": "ask without a human does not run",
  "change arguments": rewrites,
  "redact a result": hides,
  "refuse a prompt": refuses,
  "tell the model": tells,
};

/** The case about the end of a turn, which several hosts share. */
function sentOn(row: HostName, host: string, on?: readonly string[]): ByCapability<RunProof> {
  return ran(row, host, "keep-going", { "keep a turn going": "an agent that may not stop goes on and works" }, on);
}

const framework = (row: HostName): ByCapability<RunProof> =>
  ran(
    row,
    "frameworks",
    "frameworks",
    {
      "block a call": blocks,
      "ask a human": "a call that nobody approves does not run",
      "change arguments": rewrites,
      "redact a result": "the secret reaches nobody",
    },
    (hosts[row] as HostRow).versions.map((version) => `${row} ${version}`),
  );

/** Cases that run the real host. */
export const runs: Readonly<Partial<Record<HostName, ByCapability<RunProof>>>> = {
  pi: {
    ...ran("pi", "pi", "pi", {
      "block a call": blocks,
      "ask a human": "an approved call runs",
      "change arguments": rewrites,
      "redact a result": hides,
      "refuse a prompt": refuses,
      "tell the model": "the text for the start of the agent reaches the model",
    }),
    // The oldest version has no such event.
    ...sentOn("pi", "pi", ["pi 0.87.1", "pi 1.5.2"]),
  },
  omp: {
    ...ran("omp", "omp", "omp", {
      "block a call": `${blocks} (--extension)`,
      "change arguments": "a rewritten call runs",
      "redact a result": `${hides} (--extension)`,
      "tell the model": "the text for the start reaches the model (--extension)",
    }),
    ...sentOn("omp", "omp"),
  },
  gastown: ran(
    "gastown",
    "gastown",
    "gastown",
    {
      "block a call": "a deny in JSON blocks the call",
      "ask a human": "a policy's ask never becomes allow",
      "change arguments": "updatedInput changes what runs",
      "tell the model": "additionalContext is in the next prompt",
    },
    hosts.pi.versions.map((version) => `pi ${version}`),
  ),
  "claude-code": { ...ran("claude-code", "claude-code", "one-shot", oneShot), ...sentOn("claude-code", "claude-code") },
  codex: { ...ran("codex", "codex", "one-shot", oneShot), ...sentOn("codex", "codex") },
  "gemini-cli": { ...ran("gemini-cli", "gemini", "one-shot", oneShot), ...sentOn("gemini-cli", "gemini") },
  copilot: { ...ran("copilot", "copilot", "one-shot", oneShot), ...sentOn("copilot", "copilot") },
  opencode: ran("opencode", "opencode", "opencode", {
    "block a call": blocks,
    "ask a human": "ask without a human does not run, and says how it could",
    "change arguments": rewrites,
    "redact a result": hides,
    "refuse a prompt": refuses,
    "tell the model": tells,
  }),
  mcp: ran(
    "mcp",
    "mcp",
    "mcp",
    {
      "block a call": "a blocked call is answered as a failed one",
      "ask a human": "a call that a human must approve is refused, and says how",
      "change arguments": "rewritten arguments are what the server gets",
      "redact a result": "text and structured content are redacted, and the client finds that they fit the schema",
    },
    ["mcp-everything 2026.8.31"],
  ),
  "claude-agent-sdk": framework("claude-agent-sdk"),
  "ai-sdk": framework("ai-sdk"),
  "openai-agents": framework("openai-agents"),
  langchain: framework("langchain"),
  mastra: framework("mastra"),
};

/** Cases of one file on payloads, by capability: a title, or a title with the row of its table. */
function read(file: string, titles: ByCapability<string | readonly [string, string]>): ByCapability<RecordedProof> {
  return mapped(titles, (title) =>
    typeof title === "string" ? { file, title } : { file, title: title[0], row: title[1] },
  );
}

/** Rows of the tables of replies that the dialects of one-shot hooks have. */
function replies(dialect: string, rows: ByCapability<string>): ByCapability<RecordedProof> {
  return read(
    `test/adapters/one-shot/${dialect}.test.ts`,
    mapped(rows, (row) => ["%s", row] as const),
  );
}

/** The wrapped tools that two frameworks have alike. */
const besideResult = read("test/adapters/frameworks/tools.test.ts", {
  "tell the model": ["say what a rule adds to a call beside %s", "a text"],
});

/** Cases on payloads in the shape that documents or runs recorded, for what no run proves. */
export const recorded: Readonly<Partial<Record<HostName, ByCapability<RecordedProof>>>> = {
  "claude-agent-sdk": read("test/adapters/frameworks/tools.test.ts", {
    "refuse a prompt": "refuses a prompt",
    "tell the model": ["gets the document of Claude Code's own hooks for `%s`", "note"],
    "keep a turn going": ["sends an agent on at `%s`, and lets it stop when that has no end", "Stop"],
  }),
  omp: {
    ...read("test/adapters/omp/ask.test.ts", {
      "ask a human": ["%s", "runs as judged when the human approves"],
    }),
    ...read("test/adapters/omp/guard.test.ts", { "refuse a prompt": ["%s that a rule blocks", "input"] }),
  },
  "omp-hookapi": {
    ...read("test/adapters/hooks/policy.test.ts", {
      "block a call": "a policy's block is final, with its reason",
      "redact a result": "redaction applies to the final result: no handler adds the raw text back",
      "tell the model": "injections are delivered beside the message that wins",
    }),
    ...read("test/adapters/hooks/tool-ask.test.ts", { "ask a human": ["%s", "runs when the human approves"] }),
  },
  opta: replies("opta", {
    "block a call": "block a call with its reason",
    "ask a human": "block a call that needs asking, and say that a human can let it run",
  }),
  vscode: {
    ...replies("vscode", {
      "block a call": "deny",
      "ask a human": "ask",
      "change arguments": "rewrite",
      "tell the model": "add to a call",
      "keep a turn going": "refuse a stop in the event's own part",
    }),
    ...read("test/adapters/one-shot/vscode.test.ts", {
      "refuse a prompt": "refuse a prompt by document and by exit code",
    }),
  },
  cursor: {
    ...replies("cursor", {
      "block a call": "block",
      "ask a human": "block what needs asking anywhere else",
      "change arguments": "rewrite",
      "refuse a prompt": "refuse a prompt",
      "tell the model": "add at the start",
      "keep a turn going": "go on after a stop",
    }),
    ...read("test/adapters/one-shot/cursor.test.ts", {
      "redact a result": "redact the result of a server in its own shape",
    }),
  },
  windsurf: replies("windsurf", {
    "block a call": "block a call",
    "ask a human": "block a call that needs asking",
    "refuse a prompt": "block a prompt",
    "tell the model": "add to the reason of a block",
  }),
  cline: replies("cline", {
    "block a call": "block",
    "ask a human": "block what needs asking",
    "change arguments": "rewrite",
    "tell the model": "add to a call",
  }),
  mcp: read("test/adapters/mcp/results.test.ts", {
    "tell the model": "get a text that a rule adds to the call or to its result",
  }),
  "ai-sdk": besideResult,
  mastra: besideResult,
  "openai-agents": read("test/adapters/frameworks/tools.test.ts", {
    "tell the model": "gets what a rule adds to a call beside its result",
  }),
  langchain: read("test/adapters/frameworks/tools.test.ts", {
    "tell the model": "hands on what a rule adds to a call beside its message",
  }),
  goose: replies("goose", {
    "block a call": "block",
    "ask a human": "block what needs asking",
    "keep a turn going": "refuse a stop",
  }),
};
