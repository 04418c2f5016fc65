import { spend, spendText, unitsLeft } from "../../facts/meter.ts";
import { limits } from "../../schema/limits.ts";
import type { FoundValue, Masked, Pseudonym, RecordMask } from "../../schema/ports.ts";
import { MessageMemo } from "./message-memo.ts";
import { isConstant } from "./record-quiet.ts";

/**
 * Returns a mask that searches each message of an event separately, and only once, because a host repeats the whole conversation
 * at every turn. It does the same with constant surroundings, which repeat those of the previous event. A value that could not be
 * searched completely is withheld completely, as by `mask` itself.
 */
export function maskByMessage(mask: RecordMask): RecordMask {
  const memo = new MessageMemo<Read>();
  const read = (part: unknown, session: string, pseudonym: Pseudonym, about: unknown = part): Read | undefined => {
    const left = unitsLeft();
    const json = JSON.stringify(part);
    spendText(json.length * 4);
    const masked = mask.mask(part, json, pseudonym);
    const made = masked && { ...masked, length: json.length, work: left - unitsLeft() };
    if (made) memo.keep(about, session, made);
    return made;
  };
  const remembered = (part: unknown, session: string): Read | undefined => {
    const known = memo.find(part, session)?.value;
    // A remembered message costs the work of its first search, so that remembering changes no answer.
    if (known) spend(known.work);
    return known;
  };
  const around = (environment: object, pseudonym: Pseudonym): Masked | undefined => {
    const session = pseudonym("history") ?? "";
    return remembered(environment, session) ?? read({ environment }, session, pseudonym, environment);
  };
  const beside = (value: object, json: string | undefined, pseudonym: Pseudonym, bare?: string): Masked | undefined => {
    const environment = surroundingsOf(value);
    if (!environment) return mask.mask(value, json ?? JSON.stringify(value), pseudonym);
    const masked = around(environment, pseudonym);
    const rest = { ...value, environment: nothing };
    const found = masked && mask.mask(rest, bare ?? JSON.stringify(rest), pseudonym);
    if (!found) return undefined;
    if (found.value === rest && masked.found.length === 0) return { value, found: found.found };
    return {
      value: { ...(found.value as object), ...(masked.value as object) },
      found: [...masked.found, ...found.found],
    };
  };
  return {
    mask: (value, json, pseudonym, bare) => {
      if (typeof value !== "object" || value === null) return mask.mask(value, json, pseudonym);
      const messages = messagesOf(value);
      if (!messages) return beside(value, json, pseudonym, bare);
      const session = pseudonym("history") ?? "";
      const found: FoundValue[] = [];
      const shown: unknown[] = [];
      let left: number = limits.scanLength;
      for (const message of messages) {
        const known = remembered(message, session) ?? read(message, session, pseudonym);
        left -= known?.length ?? 0;
        if (!known || left < 0) return undefined;
        shown.push(known.value);
        if (known.found.length > 0) found.push(...known.found);
      }
      const rest = { ...value, messages: [] };
      const others = beside(rest, undefined, pseudonym);
      if (!others) return undefined;
      found.push(...others.found);
      const same = others.value === rest && shown.every((message, i) => message === messages[i]);
      return { value: same ? value : { ...(others.value as object), messages: shown }, found };
    },
  };
}

const nothing = Object.freeze({});

/** Returns the surroundings of an event if they are immutable. */
function surroundingsOf(value: object): object | undefined {
  if (!Object.hasOwn(value, "environment")) return undefined;
  const { environment } = value as { readonly environment: unknown };
  return typeof environment === "object" && environment !== null && isConstant(environment) ? environment : undefined;
}

/** A message after masking, with the number of text units searched. */
interface Read extends Masked {
  readonly length: number;
  /** Units of work that it took. */
  readonly work: number;
}

function messagesOf(value: object): readonly unknown[] | undefined {
  if (!Object.hasOwn(value, "messages")) return undefined;
  const { messages } = value as { readonly messages: unknown };
  return Array.isArray(messages) && messages.length > 0 ? messages : undefined;
}
