import { spend } from "../../facts/meter.ts";
import { EvaluationError, Timestamp, type Value } from "../../schema/ports.ts";
import type { PastCall } from "../../schema/session.ts";
import { toolMatcher } from "../../schema/tool-matcher.ts";
import { canonicalTool } from "../../schema/tools.ts";
import type { Overload } from "./code.ts";
import { overload } from "./code.ts";
import { evaluationError, type MapValue } from "./values.ts";

/** Keys of the filter of `session.calls`: the type of each value, and the possible values if there are few. */
export const callFilters = {
  tool: { type: "string", help: 'write a name or a glob, such as `"bash"` or `"mcp__*"`' },
  event: { type: "string", help: 'write `"tool_call"`', values: ["tool_call", "user_bash", "user_python"] },
  outcome: { type: "string", help: 'write `"allow"`, `"ask"` or `"block"`', values: ["allow", "ask", "block"] },
  executed: { type: "bool", help: "write `true` or `false`" },
  agent: { type: "string", help: 'write the id of an agent, such as `"main"`' },
} as const satisfies Readonly<
  Record<string, { readonly type: "string" | "bool"; readonly help: string; readonly values?: readonly string[] }>
>;

type Filter = keyof typeof callFilters;

const filters = Object.keys(callFilters) as Filter[];

/** Reads a filter. An unknown key is an error, so that a misspelt key never matches every call. */
function wantedOf(filter: MapValue): ReadonlyMap<Filter, unknown> | EvaluationError {
  const entries = filter instanceof Map ? [...filter] : Object.entries(filter);
  const wanted = new Map<Filter, unknown>();
  for (const [key, value] of entries) {
    const known = filters.find((name) => name === key);
    if (!known) return evaluationError(`calls have no \`${String(key).slice(0, 40)}\`, only ${filters.join(", ")}`);
    wanted.set(known, value);
  }
  return wanted;
}

function callsOf(calls: readonly PastCall[], wanted: ReadonlyMap<Filter, unknown>): Value {
  spend(calls.length * 4);
  const tool = wanted.get("tool");
  const matchesTool = typeof tool === "string" ? toolMatcher([canonicalTool(tool)]) : undefined;
  const found = calls.filter((call) =>
    [...wanted].every(([name, value]) =>
      name === "tool" && matchesTool ? matchesTool(call.tool) : call[name] === value,
    ),
  );
  return found.map(asValue);
}

function asValue({ tool, event, outcome, executed, agent, time }: PastCall): Value {
  const seconds = Math.floor(time / 1000);
  return {
    tool,
    event,
    outcome,
    executed,
    agent,
    time: new Timestamp(seconds, Math.round((time - seconds * 1000) * 1_000_000)),
  };
}

function isWithin(call: Value, now: number, last: number): boolean {
  const time = typeof call === "object" && call !== null ? (call as { time?: unknown }).time : undefined;
  return time instanceof Timestamp && now - (time.seconds * 1000 + time.nanos / 1_000_000) <= last;
}

/** Functions on the session and on labelled files; they read only the session's view. */
export const sessionFunctions: Readonly<Record<string, readonly Overload[]>> = {
  calls: [
    overload("session.calls", ["any", "map"], ([, filter], { session }) => {
      const wanted = wantedOf(filter);
      return wanted instanceof EvaluationError ? wanted : callsOf(session.calls, wanted);
    }),
    overload("session.calls_all", ["any"], (_args, { session }) => {
      spend(session.calls.length * 4);
      return session.calls.map(asValue);
    }),
  ],
  calls_within: [
    overload("calls.within", ["list", "duration"], ([calls, span], { session }) => {
      const last = span.seconds * 1000 + span.nanos / 1_000_000;
      return calls.filter((call) => isWithin(call, session.now, last)).length;
    }),
  ],
  labels: [overload("paths.labels", ["any", "path"], ([, path], { session }) => session.pathLabels(path.real))],
};
