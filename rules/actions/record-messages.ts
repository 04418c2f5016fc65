import { limits } from "../../schema/limits.ts";
import type { FoundValue, Masked, Pseudonym, RecordMask } from "../../schema/ports.ts";
import { MessageMemo } from "./message-memo.ts";

/**
 * A mask that looks at each message of an event by itself, once: at every turn a host shows the whole conversation again.
 * What could not be looked at as a whole is withheld as a whole, as by the mask itself.
 */
export function maskByMessage(mask: RecordMask): RecordMask {
  const memo = new MessageMemo<Read>();
  const read = (message: unknown, pseudonym: Pseudonym): Read | undefined => {
    const json = JSON.stringify(message);
    const masked = mask.mask(message, json, pseudonym);
    return masked && { ...masked, length: json.length };
  };
  return {
    mask: (value, json, pseudonym) => {
      const messages = messagesOf(value);
      if (!messages) return mask.mask(value, json, pseudonym);
      const session = pseudonym("history") ?? "";
      const found: FoundValue[] = [];
      const shown: unknown[] = [];
      let left: number = limits.scanLength;
      for (const message of messages) {
        const known = memo.find(message, session)?.value ?? read(message, pseudonym);
        left -= known?.length ?? 0;
        if (!known || left < 0) return undefined;
        memo.keep(message, session, known);
        shown.push(known.value);
        found.push(...known.found);
      }
      const rest = { ...(value as object), messages: [] };
      const beside = mask.mask(rest, JSON.stringify(rest), pseudonym);
      if (!beside) return undefined;
      found.push(...beside.found);
      const same = beside.value === rest && shown.every((message, i) => message === messages[i]);
      return { value: same ? value : { ...(beside.value as object), messages: shown }, found };
    },
  };
}

/** A message after masking, with the units of text that were looked at. */
interface Read extends Masked {
  readonly length: number;
}

function messagesOf(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "messages")) return undefined;
  const { messages } = value as { readonly messages: unknown };
  return Array.isArray(messages) && messages.length > 0 ? messages : undefined;
}
