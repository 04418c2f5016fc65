import { readEvent } from "../../../facts/effects/event.ts";
import type { Reading } from "../../../facts/effects/reading.ts";
import { knownParts, shownText, type Text } from "../../../schema/approximation.ts";
import { exampleEnvironment } from "../../../schema/example-environment.ts";
import type { PathValue } from "../../../schema/facts.ts";
import type { Environment, JudgedEvent } from "../../../schema/judged-event.ts";
import type { FileSystem } from "../../../schema/ports.ts";

/** A text with an ellipsis for each part that is not known. */
export function dotted(text: Text): string {
  return shownText(text).replace(/⟨[^⟩]*⟩/g, "…");
}

/** An empty world: nothing stands anywhere. */
export const emptyFiles: FileSystem = { lookup: () => ({ kind: "absent" }), readText: () => undefined };

export const environment: Environment = {
  ...exampleEnvironment,
  branch: "feature/login",
  case_insensitive: false,
  variables: {},
};

/** A `tool_call` event for tests. */
export function toolCall(
  name: string,
  args: Readonly<Record<string, unknown>> | undefined,
  changes: Partial<Environment> = {},
): JudgedEvent {
  return {
    event: "tool_call",
    id: "e1",
    time: 0,
    host: "test",
    call_id: undefined,
    tool: { name, host_name: name, server: undefined },
    args,
    args_raw: args,
    environment: { ...environment, ...changes },
    session: { id: "s1", labels: [], turn: 1 },
    agent: { id: "main", depth: 0, type: "" },
    definition: undefined,
    result: undefined,
    messages: undefined,
    prompt: undefined,
    system_prompt: undefined,
    input: undefined,
    command: undefined,
    exclude_from_context: false,
    fields: {},
  };
}

/** Facts of a bash command. */
export function bash(command: string, changes: Partial<Environment> = {}): Reading {
  return readEvent(toolCall("bash", { command }, changes), emptyFiles);
}

/** Facts of any tool call. */
export function tool(name: string, args: Readonly<Record<string, unknown>> | undefined): Reading {
  return readEvent(toolCall(name, args), emptyFiles);
}

function shown(path: PathValue, flags: readonly (string | false)[]): string {
  return [path.lexical, ...flags.filter((flag) => flag !== false)].join(" ");
}

/** Effects as short lines, for tables: `/etc recursive`, `/x maybe`. */
export function deletes(reading: Reading): string[] {
  return (reading.effects?.deletes ?? []).map((one) =>
    shown(one.path, [one.recursive && "recursive", !one.certain && "maybe"]),
  );
}

export function writes(reading: Reading): string[] {
  return (reading.effects?.writes ?? []).map((one) => shown(one.path, [!one.certain && "maybe"]));
}

export function reads(reading: Reading): string[] {
  return (reading.effects?.reads ?? []).map((one) =>
    shown(one.path, [one.recursive && "recursive", one.metadata_only && "metadata", !one.certain && "maybe"]),
  );
}

export function runs(reading: Reading): string[] {
  return (reading.effects?.runs ?? []).map((one) => shownText(one.target));
}

export function network(reading: Reading): string[] {
  return (reading.effects?.network ?? []).map(
    (one) => `${one.url.host || one.url.text} ${one.direction}${one.certain ? "" : " maybe"}`,
  );
}

export function pushes(reading: Reading): string[] {
  return (reading.effects?.pushes ?? []).map((one) =>
    [
      `${shownText(one.remote)}:${shownText(one.target.branch)}`,
      one.forced && "forced",
      one.mirror && "mirror",
      one.delete && "delete",
      !one.certain && "maybe",
    ]
      .filter((part) => part !== false)
      .join(" "),
  );
}

/** Programs with their wrappers: `sudo timeout rm`. */
export function programs(reading: Reading): string[] {
  return (reading.shell?.commands ?? []).map((command) =>
    [...command.wrappers, command.program].map(knownParts).join(" "),
  );
}
