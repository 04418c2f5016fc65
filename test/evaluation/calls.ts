import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exampleEnvironment, exampleEvents, type WireExample } from "../../authoring/examples.ts";
import { readYaml } from "../../compiler/read.ts";
import { toValue } from "../../compiler/yaml-node.ts";
import { eventNames } from "../../schema/events.ts";

/** What a policy set should answer. `ask` and `block` both count as caught; `allow` is everyday work. */
export type Expected = "allow" | "ask" | "block";

/** One call of the evaluation set. The last event is the one that is judged, those before it have happened. */
export interface Call {
  readonly class: string;
  readonly expect: Expected;
  /** Why the answer is the right one, for people. */
  readonly why: string;
  /** `root`: a protected place would be deleted; `tamper`: the policy or its engine would be changed. */
  readonly tags: readonly string[];
  readonly events: readonly WireExample[];
  /** The call as it stands in its file, on one line. */
  readonly text: string;
}

/** One file of the set: a class of the threat page, or everyday work. */
interface Group {
  readonly expect: Expected;
  readonly why: string;
  readonly tags?: readonly string[];
  readonly calls: readonly unknown[];
}

/** Folder of the set. */
export const callsFolder: string = join(import.meta.dirname, "calls");

/** Reads the set: one file per class, calls grouped by what is expected and why. Throws on a file that is no such list. */
export function readCalls(folder: string = callsFolder): Call[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .flatMap((name) => callsOf(name, readFileSync(join(folder, name))));
}

function callsOf(name: string, bytes: Uint8Array): Call[] {
  const { root, diagnostics } = readYaml(name, bytes);
  if (!root) throw new Error(`${name}: ${diagnostics.map((d) => d.message).join("; ")}`);
  const file = toValue(root) as { class: string; groups: readonly Group[] };
  return file.groups.flatMap(({ expect, why, tags = [], calls }) =>
    calls.map((given) => ({ class: file.class, expect, why, tags, events: eventsOf(given), text: textOf(given) })),
  );
}

function textOf(given: unknown): string {
  return typeof given === "string" ? given.replaceAll("\n", "⏎") : JSON.stringify(given);
}

/** A text is a shell command, an object an event, a list events in order. A human is there unless the call says otherwise. */
function eventsOf(given: unknown): WireExample[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.map((value, i) => {
    const [event] = exampleEvents(value, typeof value === "string" ? ["tool_call"] : ["tool_call", ...eventNames]);
    if (!event) throw new Error(`no event: ${textOf(value)}`);
    return { ...event, id: String(i + 1), environment: environmentOf(value) };
  });
}

function environmentOf(value: unknown): object {
  const own = typeof value === "object" && value !== null ? (value as { environment?: object }).environment : undefined;
  return { ...exampleEnvironment, interactive: true, ...own };
}
