import type { ContentPart } from "../../schema/generated.ts";
import { limits } from "../../schema/limits.ts";

/**
 * Texts of a tool's result, in any host's shape, as content parts, with a way to put changed texts back. Claude Code drops a
 * new result that does not have the tool's own shape and passes the raw one. So texts are replaced in place and nothing else
 * is touched (hosts page others, section 2).
 */
export interface ResultText {
  /** All texts that are not empty, each with `ref`, the index of its place; images as images. */
  readonly content: readonly ContentPart[];
  /**
   * Returns the result with the texts of a changed content. A removed text becomes empty, and text without a place of its own
   * joins the main text. Undefined if there is such text but the result has no place for it.
   */
  replaced(changed: readonly unknown[]): { readonly value: unknown } | undefined;
}

/** Keys whose texts select one of the host's forms. They are no tool text, and another value there makes the result invalid. */
const formKeys: ReadonlySet<string> = new Set([
  "type",
  "mode",
  "status",
  "kind",
  "mimeType",
  "mime_type",
  "media_type",
]);

/** Keys that most likely hold the text for the model; text without a place of its own goes there. */
const mainKeys: readonly string[] = ["stdout", "content", "text", "output", "result", "llmContent"];

interface Place {
  readonly path: readonly (string | number)[];
  readonly key: string;
  readonly text: string;
  /** Media type, if the place holds no text. */
  readonly media?: string;
}

/** Collects the texts of a result. Throws an Error if it is deeper or larger than an event may be. */
export function resultText(result: unknown): ResultText {
  const places: Place[] = [];
  collect(result, [], "", places);
  const content = places.flatMap((place, ref) => (place.text === "" ? [] : [part(place, ref)]));
  return { content, replaced: (changed) => replaced(result, places, changed) };
}

/** Joins the texts of a content with line breaks. */
export function joinedText(content: readonly unknown[]): string {
  return content.flatMap((item) => textOfPart(item) ?? []).join("\n");
}

function part({ text, media }: Place, ref: number): ContentPart {
  return media === undefined ? { type: "text", text, ref } : { type: "image", data: text, mime_type: media, ref };
}

function collect(value: unknown, path: readonly (string | number)[], key: string, places: Place[]): void {
  if (path.length > limits.payloadDepth) throw new Error("the result is nested too deeply");
  if (typeof value === "string") {
    if (formKeys.has(key)) return;
    if (places.length >= limits.payloadNodes) throw new Error("the result has too many texts");
    places.push({ path, key, text: value });
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) collect(item, [...path, i], key, places);
  } else if (typeof value === "object" && value !== null) {
    const media = mediaOf(value as Readonly<Record<string, unknown>>);
    for (const [name, item] of Object.entries(value)) {
      if (media?.key === name && typeof item === "string")
        places.push({ path: [...path, name], key: name, text: item, media: media.type });
      else collect(item, [...path, name], name, places);
    }
  }
}

/** Returns the key under which an object holds base64 media data, and its media type; undefined if it holds none. */
function mediaOf(
  value: Readonly<Record<string, unknown>>,
): { readonly key: string; readonly type: string } | undefined {
  const type = ["mimeType", "mime_type", "media_type", "type"].map((name) => value[name]).find(isMedia);
  const key = ["data", "base64"].find((name) => typeof value[name] === "string");
  return type === undefined || key === undefined ? undefined : { key, type };
}

function isMedia(value: unknown): value is string {
  return typeof value === "string" && /^(image|audio|video)\/[a-z0-9.+-]{1,60}$/.test(value);
}

function textOfPart(item: unknown): string | undefined {
  const text = typeof item === "object" && item !== null && "text" in item ? item.text : undefined;
  return typeof text === "string" ? text : undefined;
}

function replaced(
  result: unknown,
  places: readonly Place[],
  changed: readonly unknown[],
): { readonly value: unknown } | undefined {
  const texts: string[] = places.map(() => "");
  const further: string[] = [];
  for (const item of changed) {
    const { ref, data } = item as { ref?: unknown; data?: unknown };
    const text = textOfPart(item) ?? (typeof data === "string" ? data : "");
    if (typeof ref === "number" && ref in texts) texts[ref] = text;
    else if (text !== "") further.push(text);
  }
  if (further.length > 0) {
    const main = mainPlace(places);
    if (main < 0) return undefined;
    texts[main] = [texts[main], ...further].filter((text) => text !== "").join("\n");
  }
  const value: unknown = structuredClone(result);
  let whole = value;
  for (const [i, place] of places.entries()) {
    if (place.path.length === 0) whole = texts[i];
    else put(value, place.path, texts[i] as string);
  }
  return { value: whole };
}

/** Returns the index of the main text: the first place under the most likely key, else the first text; -1 if there is none. */
function mainPlace(places: readonly Place[]): number {
  for (const key of mainKeys) {
    const at = places.findIndex((place) => place.key === key && place.media === undefined);
    if (at >= 0) return at;
  }
  return places.findIndex((place) => place.media === undefined);
}

function put(value: unknown, path: readonly (string | number)[], text: string): void {
  let at = value as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) at = at[step] as Record<string | number, unknown>;
  Object.defineProperty(at, path.at(-1) as string | number, {
    value: text,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
