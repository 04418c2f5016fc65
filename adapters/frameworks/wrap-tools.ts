import type { Engine } from "../../runtime.ts";
import { type Call, type ToolContext, ToolJudge } from "./tool-judge.ts";

/** A tool of a framework, by structure: its method of this name runs it. */
export interface ExecutableTool {
  readonly execute?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
}

/** Tools by name, or a list of tools that name themselves. */
export type Tools = Readonly<Record<string, object>> | readonly object[];

/**
 * Returns the same tools with an engine in front of each `execute(input, options)`. A refused call throws its reason and
 * does not run. Rules may rewrite arguments and results. An `ask` goes to `context.approve` or is a refusal. If an `execute`
 * yields values one after another, each is judged. Tools without `execute` run elsewhere (at the provider or in the client)
 * and cannot be guarded here. They throw a TypeError when `wrapTools` is called, unless `context.foreign` lets them through.
 */
export function wrapTools<T extends Tools>(
  tools: T,
  engine: Engine,
  context: ToolContext & { readonly foreign?: "keep" } = {},
): T {
  return wrapWith(tools, new ToolJudge(engine, context), context.foreign === "keep");
}

/** Like `wrapTools`, with a judge that it shares with the framework's own approval. */
export function wrapWith<T extends Tools>(tools: T, judge: ToolJudge, keepForeign: boolean): T {
  const wrap = (tool: object, name: string | undefined): object => wrapped(tool, name, judge, keepForeign);
  if (Array.isArray(tools)) return tools.map((tool) => wrap(tool, undefined)) as unknown as T;
  return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, wrap(tool as object, name)])) as T;
}

type Execute = (input: unknown, ...rest: readonly unknown[]) => unknown;

function wrapped(tool: ExecutableTool, name: string | undefined, judge: ToolJudge, keepForeign: boolean): object {
  const own = [name, tool.name, tool.id].find((text) => typeof text === "string" && text !== "");
  if (typeof own !== "string") throw new TypeError("a tool without a name cannot be guarded");
  const { execute } = tool;
  if (typeof execute !== "function") {
    if (keepForeign) return tool;
    throw new TypeError(`tool \`${own}\` has no \`execute\`: it runs where no policy can be in front of it`);
  }
  return copyWith(tool, { execute: guarded(own, tool, execute as Execute, judge) });
}

/** Copies an object with its prototype, so that a framework still recognizes it as its own. */
export function copyWith<T extends object>(value: T, fields: object): T {
  const copy = Object.create(Object.getPrototypeOf(value) as object | null, Object.getOwnPropertyDescriptors(value));
  for (const [key, field] of Object.entries(fields))
    Object.defineProperty(copy, key, { value: field, enumerable: true, configurable: true, writable: true });
  return copy as T;
}

function guarded(name: string, tool: object, execute: Execute, judge: ToolJudge): Execute {
  return async (input, ...rest) => {
    const call: Call = { tool: name, args: input, id: idOf(rest) };
    const verdict = await judge.run(call);
    if (!verdict.runs) throw new Error(verdict.reason);
    const ran: Call = { ...call, args: verdict.args };
    try {
      const given: unknown = await Reflect.apply(execute, tool, [verdict.args, ...rest]);
      return isStream(given)
        ? stream(given, ran, verdict.beside, judge)
        : await judge.result(ran, given, verdict.beside);
    } catch (error) {
      throw await judge.error(ran, error);
    }
  };
}

/** Returns the framework's id of a call, which is among the options in one of these places. */
function idOf(rest: readonly unknown[]): string | undefined {
  for (const options of rest) {
    if (typeof options !== "object" || options === null) continue;
    const { toolCallId, agent } = options as { toolCallId?: unknown; agent?: { toolCallId?: unknown } };
    const id = toolCallId ?? agent?.toolCallId;
    if (typeof id === "string") return id;
  }
  return undefined;
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Yields values, each judged before anybody gets it. */
async function* stream(
  values: AsyncIterable<unknown>,
  call: Call,
  beside: string | undefined,
  judge: ToolJudge,
): AsyncGenerator<unknown> {
  try {
    for await (const value of values) yield await judge.result(call, value, beside);
  } catch (error) {
    throw await judge.error(call, error);
  }
}
