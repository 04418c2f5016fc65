import type { ContentPart } from "../../schema/generated.ts";
import { type Fields, isFields, own } from "./messages.ts";

/** Conversion of an MCP value to a content part of an event, and back; undefined if there is no way back. */
export interface Form {
  toPart(value: unknown): ContentPart;
  fromPart(part: unknown): unknown;
}

/** A bare text. */
export const textForm: Form = {
  toPart: (value) => ({ type: "text", text: value as string }),
  fromPart: (part) => (isFields(part) && own(part, "type") === "text" ? textOf(part) : undefined),
};

/**
 * A content part of MCP. The text of an embedded resource moves to the usual place of a part's text, so that rules see it.
 * The type of media gets the name that events use.
 */
export const partForm: Form = {
  toPart: (value) => {
    // A value that is no part fits no event, and the event is answered closed.
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

/** One item of `contents`, the result of reading a resource: the same as an embedded resource. */
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
