/** Media types that are text. A host may send them encoded, so their data is searched. */
const textual =
  /^(?:text\/|image\/svg|application\/(?:json|xml|[\w.-]+\+(?:json|xml)|javascript|x-(?:sh|yaml|www-form)))/i;

/** True for an image, audio or base64 part, as hosts and MCP servers shape them; its data is not text. */
export function isMedia(value: Readonly<Record<string, unknown>>): boolean {
  const kind = own(value, "type");
  const mime = own(value, "mimeType") ?? own(value, "media_type") ?? own(value, "mime_type");
  if (typeof mime === "string" && textual.test(mime)) return false;
  return kind === "image" || kind === "audio" || kind === "base64" || (kind === undefined && typeof mime === "string");
}

/** Types of data that holds no plain text: pictures, sound, fonts and compressed data. */
const unreadable =
  /^(?:image|audio|video|font|model)\/|^application\/(?:pdf|zip|gzip|x-gzip|x-bzip2|x-xz|zstd|x-7z-compressed|java-archive|msword|vnd\.(?:ms-|openxmlformats|oasis)[\w.-]*|epub\+zip|wasm)\b/i;

/**
 * True for a media part whose data cannot show a secret. A model or a tool may read any other data as text, whatever its
 * declared type, so it is scanned, in its encoding.
 */
export function isUnreadable(value: Readonly<Record<string, unknown>>): boolean {
  if (!isMedia(value)) return false;
  const kind = own(value, "type");
  const mime = own(value, "mimeType") ?? own(value, "media_type") ?? own(value, "mime_type");
  return kind === "image" || kind === "audio" || (typeof mime === "string" && unreadable.test(mime));
}

/** True for an address that holds an image, a sound or a film itself. */
export function isMediaAddress(value: unknown): boolean {
  return (
    typeof value === "string" &&
    /^data:(?:image|audio|video)\/(?!svg)[\w.+-]{1,64};base64,[A-Za-z0-9+/=]*$/i.test(value)
  );
}

/** True for the field of a media part that holds its data as base64. */
export function isMediaData(key: string, value: unknown): value is string {
  return (key === "data" || key === "blob") && typeof value === "string" && /^[A-Za-z0-9+/=\s]*$/.test(value);
}

/** A field of an object, never an inherited one. */
export function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
