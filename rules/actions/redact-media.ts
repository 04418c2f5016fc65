import { isMedia, isMediaAddress, isMediaData, own } from "../../facts/text/media.ts";

/**
 * Returns a part of a payload with a note in place of its image, audio or other base64 data; the very same value for any
 * other part. The shapes are those of hosts, MCP servers and model providers.
 */
export function withoutMedia(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const kind = own(value, "type");
  if (kind === "image_url" || kind === "input_image") return holdsAddress(value) ? textPart("image") : value;
  if (!isMedia(value)) return value;
  if (kind === "image" || kind === "audio") return textPart(kind);
  const field = ["data", "blob"].find((key) => isMediaData(key, own(value, key)));
  if (field === undefined) return value;
  const { [field]: _, ...rest } = value;
  // A source of a document, or a resource, in the form that it has for text.
  return kind === "base64"
    ? { type: "text", media_type: "text/plain", data: note("data") }
    : { ...rest, mimeType: "text/plain", text: note("data") };
}

function holdsAddress(value: Readonly<Record<string, unknown>>): boolean {
  const image = own(value, "image_url");
  const url = typeof image === "object" && image !== null ? own(image as Record<string, unknown>, "url") : image;
  return isMediaAddress(url);
}

function textPart(kind: string): Readonly<Record<string, unknown>> {
  return { type: "text", text: note(kind) };
}

function note(kind: string): string {
  return `[withheld: ${kind}]`;
}
