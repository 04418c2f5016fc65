import { hosts } from "../../schema/hosts.ts";
import type { ProgramRequest } from "../../schema/ports.ts";
import { type HookEvent, hookEvents } from "./config.ts";
import { buildEnv, firstBytes } from "./context.ts";

/**
 * Returns Opta's variables for a program whose rule has `protocol: { exit_code: opta }`, so that Opta's scripts run
 * unchanged as programs of a policy. Returns none for another protocol, and for an event that Opta does not have.
 */
export function optaVariables({ protocol, input, variables, cwd }: ProgramRequest): Record<string, string> {
  const name = protocol === "opta" ? optaEvent(variables["HOOKWARDEN_EVENT"]) : undefined;
  if (name === undefined) return {};
  const given = JSON.parse(input) as Readonly<Record<string, unknown>>;
  const fields = objectOf(given["fields"]);
  return buildEnv(name, {
    event: name,
    session_id: variables["HOOKWARDEN_SESSION"] ?? "",
    cwd,
    ...(typeof given["tool"] === "string" && { tool_name: given["tool"] }),
    ...("args" in given && { tool_args: JSON.stringify(given["args"]) }),
    ...(Array.isArray(given["content"]) && { tool_result: textOf(given["content"]) }),
    ...(typeof fields["message"] === "string" && { error_message: fields["message"] }),
  });
}

/** Returns Opta's name of an event; undefined if it has none. */
function optaEvent(event: string | undefined): HookEvent | undefined {
  const name = event === "input" ? "prompt.pre" : event === "stop" ? event : delivered(event);
  return hookEvents.find((known) => known === name);
}

function delivered(event: string | undefined): string | undefined {
  const rows: Readonly<Record<string, { readonly names: readonly string[] }>> = hosts.opta.events;
  return event !== undefined && Object.hasOwn(rows, event) ? rows[event]?.names[0] : undefined;
}

function textOf(content: readonly unknown[]): string {
  return firstBytes(content.flatMap((part) => objectOf(part)["text"] ?? []).join("\n"));
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
