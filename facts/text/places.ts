import type { JudgedEvent } from "../../schema/judged-event.ts";

/** Fields of an event that carry text, by the names that `where` begins with (those of a decision's `changes`). */
export function textPlaces(event: JudgedEvent): readonly (readonly [name: string, value: unknown])[] {
  const places: (readonly [string, unknown])[] = [
    ["args", event.args],
    ["content", event.result?.content],
    ["details", event.result?.details],
    ["structured", event.result?.structured],
    ["messages", event.messages],
    ["prompt", event.prompt],
    ["system_prompt", event.system_prompt],
    ["text", event.input?.text],
    ["command", event.command],
    ["code", event.code],
    ["fields", Object.keys(event.fields).length === 0 ? undefined : event.fields],
  ];
  return places.filter(([, value]) => value !== undefined && value !== null);
}
