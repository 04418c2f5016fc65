import type { Changes, ContentPart, ToolResult } from "../../schema/generated.ts";
import { type Fields, isFields, own } from "./messages.ts";
import { type Form, partForm, resourceForm, textForm } from "./parts.ts";

/**
 * A message as the result of an event, and the way back: `changed` returns the message's body with a decision's changes. It
 * returns undefined if they have no place in the body.
 */
export interface View {
  readonly result: ToolResult;
  /** `appended` is text that a rule adds for the model. */
  changed(changes: Changes, appended: string | undefined): Fields | undefined;
}

type Path = readonly (string | number)[];

interface Slot {
  readonly path: Path;
  readonly form: Form;
}

/** The places of a body's texts. */
interface Places {
  readonly slots: readonly Slot[];
  /** Fields that nothing may change, since they are ids, numbers, or names of forms. All other fields are shown whole, as details. */
  readonly kept?: readonly string[];
  /** Adds a part that has no place of its own; false if it cannot. Without this function such parts are left out. */
  add?(body: Record<string, unknown>, part: unknown): boolean;
}

function task(body: Fields): Places {
  const kept = ["taskId", "status", "ttl", "createdAt", "lastUpdatedAt", "pollInterval"];
  return { slots: text(body, "statusMessage"), kept };
}

/** Readers for the body of each kind of message: results of methods, parameters of requests and notifications. */
export const bodies = {
  "resources/read": (body: Fields): Places => ({
    slots: each(own(body, "contents")).map((i) => ({ path: ["contents", i], form: resourceForm })),
    add: (changed, part) => {
      const contents = changed["contents"];
      const text = textForm.fromPart(part);
      const first = Array.isArray(contents) ? contents[0] : undefined;
      if (!Array.isArray(contents) || !isFields(first) || text === undefined) return false;
      contents.push({ uri: own(first, "uri"), mimeType: "text/plain", text });
      return true;
    },
  }),
  "prompts/get": (body: Fields): Places => ({
    slots: [...text(body, "description"), ...messages(own(body, "messages"))],
    add: addMessage,
  }),
  "sampling/createMessage": (body: Fields): Places => ({
    slots: [...text(body, "systemPrompt"), ...messages(own(body, "messages"))],
    kept: ["includeContext", "toolChoice"],
    add: addMessage,
  }),
  "sampling/createMessage result": (body: Fields): Places => ({ slots: parts(body, []), kept: ["role"] }),
  "tasks/result result": (body: Fields): Places =>
    Array.isArray(own(body, "content")) || typeof typeOf(own(body, "content")) === "string"
      ? { slots: parts(body, []), kept: ["role"] }
      : { slots: [], kept: ["action"] },
  "elicitation/create": (body: Fields): Places => ({
    slots: text(body, "message"),
    kept: ["mode", "elicitationId", "task"],
  }),
  "elicitation/create result": (): Places => ({ slots: [], kept: ["action"] }),
  "notifications/message": (body: Fields): Places => ({ slots: text(body, "data"), kept: ["level"] }),
  "notifications/progress": (body: Fields): Places => ({
    slots: text(body, "message"),
    kept: ["progressToken", "progress", "total"],
  }),
  "notifications/tasks/status": task,
  "tasks/get": task,
  "tasks/cancel": task,
  error: (body: Fields): Places => ({ slots: text(body, "message"), kept: ["code"] }),
} as const satisfies Record<string, (body: Fields) => Places>;

/** A kind of body that is judged. */
export type BodyKind = keyof typeof bodies;

/** True for a method or notification whose texts are judged. */
export function isBodyKind(name: string): name is BodyKind {
  return Object.hasOwn(bodies, name);
}

/** Returns the view of a body; undefined if it holds nothing to judge. */
export function viewOf(kind: BodyKind, body: Fields): View | undefined {
  const { slots, kept = [], add }: Places = bodies[kind](body);
  const apart = new Set([...kept, ...slots.map(({ path }) => path[0])]);
  const names = Object.keys(body).filter((name) => !apart.has(name));
  const details = Object.fromEntries(names.map((name) => [name, body[name]]));
  if (slots.length === 0 && Object.keys(details).length === 0) return undefined;
  const content = slots.map(({ path, form }) => form.toPart(at(body, path)));
  return {
    result: { content, ...(Object.keys(details).length > 0 && { details }), is_error: kind === "error" },
    changed: (changes, appended) => {
      const body_ = structuredClone(body) as Record<string, unknown>;
      if (!withDetails(body_, names, changes)) return undefined;
      const changed = changes.content ?? content;
      if (changed.length < slots.length || !withParts(body_, slots, changed)) return undefined;
      const more = [
        ...changed.slice(slots.length),
        ...(appended === undefined ? [] : [{ type: "text", text: appended }]),
      ];
      return !add || more.every((part) => add(body_, part)) ? body_ : undefined;
    },
  };
}

/** Returns the view of a tool's result. All of it is judged: fields besides content and structured content become the details. */
export function callView(body: Fields): View | undefined {
  const { content = [], structuredContent, isError, ...details } = body;
  if (!Array.isArray(content)) return undefined;
  const parts: ContentPart[] = content.map((part) => partForm.toPart(part));
  return {
    result: {
      content: parts,
      ...(structuredContent !== undefined && { structured: structuredContent }),
      ...(Object.keys(details).length > 0 && { details }),
      is_error: isError === true,
    },
    changed: (changes, appended) => {
      const back = (changes.content ?? parts).map((part) => partForm.fromPart(part));
      const rest = Object.hasOwn(changes, "details") ? changes.details : details;
      if (back.includes(undefined) || !isFields(rest)) return undefined;
      const all = [...back, ...(appended === undefined ? [] : [{ type: "text", text: appended }])];
      const structured = Object.hasOwn(changes, "structured") ? changes.structured : structuredContent;
      const failed = changes.is_error ?? isError;
      return {
        ...rest,
        ...((Object.hasOwn(body, "content") || all.length > 0) && { content: all }),
        ...(structured !== undefined && { structuredContent: structured }),
        ...(failed !== undefined && { isError: failed }),
      };
    },
  };
}

function withDetails(body: Record<string, unknown>, names: readonly string[], changes: Changes): boolean {
  if (!Object.hasOwn(changes, "details")) return true;
  const { details } = changes;
  if (!isFields(details) || Object.keys(details).some((name) => !names.includes(name))) return false;
  for (const name of names) if (Object.hasOwn(body, name)) body[name] = own(details, name);
  return true;
}

function withParts(body: Record<string, unknown>, slots: readonly Slot[], parts: readonly unknown[]): boolean {
  return slots.every(({ path, form }, i) => {
    const value = form.fromPart(parts[i]);
    const holder = at(body, path.slice(0, -1)) as Record<string | number, unknown>;
    if (value !== undefined) holder[path.at(-1) as string | number] = value;
    return value !== undefined;
  });
}

function at(body: Fields, path: Path): unknown {
  let value: unknown = body;
  for (const key of path) value = (value as Readonly<Record<string | number, unknown>>)[key];
  return value;
}

function each(list: unknown): readonly number[] {
  return Array.isArray(list) ? [...list.keys()] : [];
}

function typeOf(part: unknown): unknown {
  return isFields(part) ? own(part, "type") : undefined;
}

function text(body: Fields, name: string): Slot[] {
  return typeof own(body, name) === "string" ? [{ path: [name], form: textForm }] : [];
}

/** Returns the slots of a `content` that is one part or several. */
function parts(holder: unknown, path: Path): Slot[] {
  if (!isFields(holder) || !Object.hasOwn(holder, "content")) return [];
  const { content } = holder;
  if (!Array.isArray(content)) return [{ path: [...path, "content"], form: partForm }];
  return content.map((_, i) => ({ path: [...path, "content", i], form: partForm }));
}

function messages(list: unknown): Slot[] {
  return Array.isArray(list) ? list.flatMap((message, i) => parts(message, ["messages", i])) : [];
}

function addMessage(body: Record<string, unknown>, part: unknown): boolean {
  const { messages: list } = body;
  if (Array.isArray(list)) list.push({ role: "user", content: part });
  return Array.isArray(list);
}
