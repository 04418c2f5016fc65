import type { Engine } from "../../runtime.ts";
import { type Call, type ToolContext, ToolJudge } from "./tool-judge.ts";
import { copyWith } from "./wrap-tools.ts";

/** A function tool of OpenAI Agents, by structure. */
export interface FunctionTool {
  readonly type: string;
  readonly name: string;
  invoke(runContext: never, input: string, details?: never): Promise<unknown>;
  needsApproval?(runContext: never, input: never, callId?: string): Promise<boolean>;
}

type Invoke = (runContext: unknown, input: string, details?: { toolCall?: { callId?: string } }) => Promise<unknown>;
type NeedsApproval = (runContext: unknown, input: unknown, callId?: string) => Promise<boolean>;

/**
 * Puts an engine in front of function tools of OpenAI Agents (hosts page others, section 5). A refused call returns its
 * reason as the result, so that the model can react. An `ask` becomes the SDK's interruption, and the call runs once
 * approved there. Other tools (shell, computer, patches, hosted MCP) cannot be guarded: they throw a TypeError.
 */
export function openaiAgentsTools<T extends object>(
  tools: readonly T[],
  engine: Engine,
  context: ToolContext = {},
): T[] {
  const judge = new ToolJudge(engine, { host: "openai-agents", ...context });
  return tools.map((tool) => guarded(tool as unknown as FunctionTool, judge) as unknown as T);
}

function guarded(tool: FunctionTool, judge: ToolJudge): FunctionTool {
  if (tool.type !== "function" || typeof tool.invoke !== "function")
    throw new TypeError(`tool \`${tool.name}\` is no function tool: no policy can be in front of it`);
  const invoke = tool.invoke.bind(tool) as unknown as Invoke;
  const before = tool.needsApproval?.bind(tool) as unknown as NeedsApproval | undefined;
  const needsApproval: NeedsApproval = async (runContext, input, callId) => {
    // A refusal needs nobody's approval: the call is not going to run.
    const standing = await judge.standing({ tool: tool.name, args: input, id: callId });
    if (typeof standing === "object") return false;
    return standing === "ask" || (await before?.(runContext, input, callId)) === true;
  };
  const judged: Invoke = async (runContext, input, details) => {
    const call: Call = { tool: tool.name, args: parsed(input), id: details?.toolCall?.callId };
    const verdict = await judge.run(call);
    if (!verdict.runs) return verdict.reason;
    const ran = { ...call, args: verdict.args };
    try {
      const text = verdict.args === call.args ? input : JSON.stringify(verdict.args);
      return await judge.result(ran, await invoke(runContext, text, details), verdict.beside);
    } catch (error) {
      throw await judge.error(ran, error);
    }
  };
  return copyWith(tool, { invoke: judged, needsApproval });
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return input;
  }
}
