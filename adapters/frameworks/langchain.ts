import type { Engine } from "../../runtime.ts";
import { type Call, type ToolContext, ToolJudge } from "./tool-judge.ts";
import { copyWith } from "./wrap-tools.ts";

/** A call in the form of LangChain's middleware. */
export interface ToolCallRequest {
  readonly toolCall: {
    readonly name: string;
    readonly args: Record<string, unknown>;
    readonly id?: string | undefined;
  };
}

/** `ToolMessage` of `@langchain/core`, passed in by the application: a refusal is one. */
export type ToolMessageClass = new (fields: {
  content: string;
  tool_call_id: string;
  name: string;
  status: "error";
}) => object;

/** For `createMiddleware` of LangChain 1. */
export interface ToolMiddleware {
  readonly name: "hookwarden";
  wrapToolCall<Request extends ToolCallRequest, Result>(
    request: Request,
    handler: (request: Request) => Promise<Result> | Result,
  ): Promise<Result>;
}

/**
 * Middleware that puts an engine in front of the tools of a LangChain agent (hosts page others, section 5):
 * `createMiddleware(langchainMiddleware(engine, ToolMessage))`, first in the list, since the first is the outermost. A
 * refusal is a message of status `error`; an `ask` goes to `context.approve`, which may call `interrupt`.
 */
export function langchainMiddleware(
  engine: Engine,
  ToolMessage: ToolMessageClass,
  context: ToolContext = {},
): ToolMiddleware {
  const judge = new ToolJudge(engine, { host: "langchain", ...context });
  return {
    name: "hookwarden",
    async wrapToolCall<Request extends ToolCallRequest, Result>(
      request: Request,
      handler: (request: Request) => Promise<Result> | Result,
    ): Promise<Result> {
      const { name, args, id } = request.toolCall;
      const call: Call = { tool: name, args, id };
      const verdict = await judge.run(call);
      if (!verdict.runs) {
        const fields = { content: verdict.reason, tool_call_id: id ?? "", name, status: "error" } as const;
        return new ToolMessage(fields) as Result;
      }
      const ran: Call = { ...call, args: verdict.args };
      const rewritten = { ...request, toolCall: { ...request.toolCall, args: verdict.args } };
      let given: Result;
      try {
        given = await handler(rewritten);
      } catch (error) {
        throw await judge.error(ran, error);
      }
      return (await shown(given, ran, verdict.beside, judge)) as Result;
    },
  };
}

/** Returns the answer with its texts judged: a message, or the messages in a command of the graph. */
async function shown(given: unknown, call: Call, beside: string | undefined, judge: ToolJudge): Promise<unknown> {
  if (typeof given !== "object" || given === null) return judge.result(call, given, beside);
  if ("content" in given) return message(given, call, beside, judge);
  const { update } = given as { update?: unknown };
  if (typeof update !== "object" || update === null) return given;
  const { messages } = update as { messages?: unknown };
  if (!Array.isArray(messages)) return copyWith(given, { update: await judge.result(call, update, beside) });
  const judged = await Promise.all(
    messages.map((item: unknown) =>
      typeof item === "object" && item !== null && "content" in item ? message(item, call, beside, judge) : item,
    ),
  );
  return copyWith(given, { update: { ...update, messages: judged } });
}

async function message(
  given: object & { content: unknown; artifact?: unknown },
  call: Call,
  beside: string | undefined,
  judge: ToolJudge,
): Promise<object> {
  const content = await judge.result(call, given.content, beside);
  const artifact =
    given.artifact === undefined ? {} : { artifact: await judge.result(call, given.artifact, undefined) };
  // A message keeps its fields twice: LangChain rebuilds it from the second copy.
  const { lc_kwargs } = given as { lc_kwargs?: object };
  return copyWith(given, {
    content,
    ...artifact,
    ...(lc_kwargs && { lc_kwargs: { ...lc_kwargs, content, ...artifact } }),
  });
}
