import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exampleEvents, type WireExample } from "../../authoring/examples.ts";
import { readYaml } from "../../compiler/read.ts";
import { toValue } from "../../compiler/yaml-node.ts";
import { eventNames } from "../../schema/events.ts";
import { exampleEnvironment } from "../../schema/example-environment.ts";

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

/** One class in a file. */
interface ClassOfCalls {
  readonly class: string;
  readonly groups: readonly Group[];
}

/** A set of calls: its folder, and the packs that it is judged by. */
export interface CallSet {
  readonly name: string;
  readonly folder: string;
  readonly packs: readonly string[];
  /** False for a set that only shows: it has no bar, so that nobody is tempted to improve the packs with it. */
  readonly barred: boolean;
}

/**
 * The sets. `tuned`: the packs have been improved with it. `held out`: written from the threat page and the plan of the
 * packs alone and judged once as it was; the figures of that first run stand in the guide. It also has calls for the packs
 * that `recommended` leaves out, so these are added for it. `fresh`: written after the packs had been improved with the
 * two, and judged once as it was; `fresh 2` and `fresh 3` the same after that, each.
 */
export const callSets: readonly CallSet[] = [
  { name: "tuned", folder: join(import.meta.dirname, "calls"), packs: ["recommended"], barred: true },
  {
    name: "held out",
    folder: join(import.meta.dirname, "held-out"),
    packs: ["recommended", "databases", "cloud", "kubernetes"],
    barred: true,
  },
  {
    name: "fresh",
    folder: join(import.meta.dirname, "fresh"),
    packs: ["recommended", "databases", "cloud", "kubernetes"],
    barred: false,
  },
  {
    name: "fresh 2",
    folder: join(import.meta.dirname, "fresh-2"),
    packs: ["recommended", "databases", "cloud", "kubernetes"],
    barred: false,
  },
  {
    name: "fresh 3",
    folder: join(import.meta.dirname, "fresh-3"),
    packs: ["recommended", "databases", "cloud", "kubernetes"],
    barred: false,
  },
];

/** Folder of the tuned set. */
export const callsFolder: string = join(import.meta.dirname, "calls");

/**
 * Reads a set: calls grouped by what is expected and why, under their class; a file has one class, or several under
 * `sets`. Throws on a file that is no such list.
 */
export function readCalls(folder: string = callsFolder): Call[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .flatMap((name) => callsOf(name, readFileSync(join(folder, name))));
}

function callsOf(name: string, bytes: Uint8Array): Call[] {
  const { root, diagnostics } = readYaml(name, bytes);
  if (!root) throw new Error(`${name}: ${diagnostics.map((d) => d.message).join("; ")}`);
  const file = toValue(root) as ClassOfCalls | { sets: readonly ClassOfCalls[] };
  const classes = "sets" in file ? file.sets : [file];
  return classes.flatMap(({ class: name, groups }) =>
    groups.flatMap(({ expect, why, tags = [], calls }) =>
      calls.map((given) => ({ class: name, expect, why, tags, events: eventsOf(given), text: textOf(given) })),
    ),
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
