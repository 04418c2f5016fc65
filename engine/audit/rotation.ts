import { keyName, parseKeyName } from "./checkpoint.ts";
import { type NoteKey, parseVerifierKey, verifierKey } from "./note.ts";

/** Handover from one key to the next: the old key signs this statement and is then erased. */
export interface Rotation {
  readonly install: string;
  /** Epoch of the new key; the old one's is one less. */
  readonly epoch: number;
  readonly key: NoteKey;
  /** Wall clock, RFC 3339 with milliseconds. */
  readonly time: string;
}

/** Returns the text of a rotation, which the old key signs. Undefined if the new key's name is not that of its epoch. */
export function formatRotation({ install, epoch, key, time }: Rotation): string | undefined {
  if (parseKeyName(key.name) === undefined || key.name !== keyName(install, epoch) || epoch < 2) return undefined;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)) return undefined;
  return `hookwarden/${install}/rotation\nepoch ${epoch}\nkey ${verifierKey(key)}\ntime ${time}\n`;
}

/** Reads the text of a rotation; undefined for anything that `formatRotation` would not write, byte for byte. */
export function parseRotation(text: string): Rotation | undefined {
  const [, , keyLine = "", timeLine = ""] = text.split("\n");
  const key = keyLine.startsWith("key ") ? parseVerifierKey(keyLine.slice(4)) : undefined;
  const name = key && parseKeyName(key.name);
  if (!key || !name || !timeLine.startsWith("time ")) return undefined;
  const found = { ...name, key, time: timeLine.slice(5) };
  return formatRotation(found) === text ? found : undefined;
}
