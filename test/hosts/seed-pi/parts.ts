import type { HostEvent, Message } from "./pi-api.ts";
import type { Logged } from "./recorder.ts";
import type { Part } from "./talk.ts";

/** A message of a model request. */
export interface Sent {
  readonly role: string;
  readonly content?: unknown;
}

/** The events of a name that an extension got, in order. */
export function eventsOf(part: Part | readonly Logged[], event: string, by = "a"): HostEvent[] {
  const log = "log" in part ? part.log : part;
  return log.flatMap((line) =>
    line.at === "begin" && line.by === by && line.event === event && line.data ? [line.data] : [],
  );
}

/** How often an extension answered an event with something. */
export function answersTo(part: Part, event: string, by = "a"): number {
  return part.log.filter((line) => line.at === "end" && line.by === by && line.event === event && line.data).length;
}

/** What a scenario of an extension wrote down about an event. */
export function notesOf(part: Part, event: string, by = "a"): HostEvent[] {
  return part.log.flatMap((line) =>
    line.at === "note" && line.by === by && line.event === event && line.data ? [line.data] : [],
  );
}

/** Names of the events that an extension got, in order, those of a list alone. */
export function orderOf(part: Part, among: readonly string[], by = "a"): string[] {
  return part.log
    .filter((line) => line.at === "begin" && line.by === by && among.includes(line.event))
    .map(({ event }) => event);
}

/** Messages of a model request. */
export function sentIn(request: string | undefined): readonly Sent[] {
  return (JSON.parse(request ?? "{}") as { messages?: Sent[] }).messages ?? [];
}

/** Names of the tools that a model request offers. */
export function toolsIn(request: string | undefined): string[] {
  const { tools = [] } = JSON.parse(request ?? "{}") as { tools?: { function: { name: string } }[] };
  return tools.map((tool) => tool.function.name);
}

/** The system prompt of a model request. */
export function systemIn(request: string | undefined): string {
  const system = sentIn(request).filter(({ role }) => role === "system" || role === "developer");
  return JSON.stringify(system.map(({ content }) => content));
}

/** The messages of an event. */
export function messagesOf(event: HostEvent | undefined): readonly Message[] {
  return (event?.["messages"] as readonly Message[] | undefined) ?? [];
}

/** Text of whatever holds it, to look for words in. */
export function textOf(value: unknown): string {
  return JSON.stringify(value) ?? "";
}

/** Index of a logged line; -1 where there is none. */
export function placeOf(part: Part, by: string, at: Logged["at"], event: string): number {
  return part.log.findIndex((line) => line.by === by && line.at === at && line.event === event);
}

/** True where numbers rise and the first is a place. */
export function rising(...places: readonly number[]): boolean {
  return places.every((place, index) => place >= 0 && (index === 0 || place > (places[index - 1] ?? 0)));
}

/** What a part came to, in short, for a report. */
export function toldOf(part: Part): string {
  const log = part.log
    .filter(({ at }) => at !== "end")
    .map(({ by, at, event }) => `${by} ${at === "note" ? "note " : ""}${event}`);
  return `${part.requests.length} requests; ${log.join(", ")}`;
}
