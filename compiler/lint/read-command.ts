import { readEvent } from "../../facts/effects/event.ts";
import type { Reading } from "../../facts/effects/reading.ts";
import { exampleEnvironment } from "../../schema/example-environment.ts";
import type { Effects } from "../../schema/facts.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import type { FileSystem } from "../../schema/ports.ts";

/** An empty world: nothing stands anywhere. */
const noFiles: FileSystem = { lookup: () => ({ kind: "absent" }), readText: () => undefined };

/** Effects of a command, and whether facts understand it whole. */
export type CommandReading = Pick<Reading, "effects" | "understanding">;

const known = new Map<string, CommandReading>();

/**
 * Reads a command in a world without files. It is only read, as in every decision, so that lints need no tables of programs of
 * their own.
 */
export function readCommand(command: string): CommandReading {
  const before = known.get(command);
  if (before) return before;
  const { effects, understanding } = readEvent(callOf(command), noFiles);
  const made = { effects, understanding };
  if (known.size >= 1_000) known.clear();
  known.set(command, made);
  return made;
}

/** Returns the effects that facts see in a command, in a world without files. */
export function effectsOfCommand(command: string): Effects | undefined {
  return readCommand(command).effects;
}

function callOf(command: string): JudgedEvent {
  const args = { command };
  return {
    ...{ event: "tool_call", id: "", time: 0, host: "", call_id: undefined },
    tool: { name: "bash", host_name: "bash", server: undefined },
    ...{ args, args_raw: args },
    environment: { ...exampleEnvironment, case_insensitive: false, variables: {} },
    session: { id: "", labels: [], turn: 1 },
    agent: { id: "main", depth: 0, type: "" },
    ...{ definition: undefined, result: undefined, messages: undefined, prompt: undefined, system_prompt: undefined },
    ...{ input: undefined, command: undefined, exclude_from_context: false, fields: {} },
  };
}
