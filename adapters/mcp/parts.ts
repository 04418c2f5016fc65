import type { ContentPart } from "../../schema/generated.ts";
import { type Fields, isFields, own } from "./messages.ts";

/** How something that MCP has at one place is a content part of an event, and the way back; undefined where there is none. */
export interface Form {
  toPart(value: unknown): ContentPart;
  fromPart(part: unknown): unknown;
}

/** A text on its own. */
export const textForm: Form = {
  toPart: (value) => ({ type: "text", text: value as string }),
  fromPart: (part) => (isFields(part) && own(part, "type") === "text" ? textOf(part) : undefined),
};

/**
 * A content part of MCP. The text of an embedded resource stands where every part has its text, so that rules see it; media
 * have their type under the name that events have for it.
 */
export const partForm: Form = {
  toPart: (value) => {
    // What is no part fits no event, and is answered closed.
    if (!isFields(value)) return value as unknown as ContentPart;
    const kind = own(value, "type");
    const resource = own(value, "resource");
    if (kind === "resource" && isFields(resource) && !Object.hasOwn(value, "text")) return lifted(value, resource);
    if ((kind === "image" || kind === "audio") && !Object.hasOwn(value, "mime_type"))
      return renamed(value, "mimeType", "mime_type");
    return value as unknown as ContentPart;
  },
  fromPart: (part) => {
    if (!isFields(part)) return undefined;
    const kind = own(part, "type");
    const resource = own(part, "resource");
    if (kind === "resource" && isFields(resource)) return lowered(part, resource);
    return kind === "image" || kind === "audio" ? renamed(part, "mime_type", "mimeType") : part;
  },
};

/** One item of `contents`, what reading a resource gives: the same as an embedded one. */
export const resourceForm: Form = {
  toPart: (value) => partForm.toPart({ type: "resource", resource: value }),
  fromPart: (part) => {
    const back = partForm.fromPart(part);
    return isFields(back) && own(back, "type") === "resource" ? own(back, "resource") : undefined;
  },
};

function textOf(part: Fields): string | undefined {
  const text = own(part, "text");
  return typeof text === "string" ? text : undefined;
}

function lifted(value: Fields, resource: Fields): ContentPart {
  const { text, ...rest } = resource;
  if (typeof text !== "string") return value as unknown as ContentPart;
  return { ...value, text, resource: rest } as unknown as ContentPart;
}

function lowered(part: Fields, resource: Fields): Fields {
  const { text, ...rest } = part;
  return typeof text === "string" ? { ...rest, resource: { ...resource, text } } : part;
}

function renamed(value: Fields, from: string, to: string): ContentPart {
  if (!Object.hasOwn(value, from)) return value as unknown as ContentPart;
  const { [from]: type, ...rest } = value;
  return { ...rest, [to]: type } as unknown as ContentPart;
}
