import { limits } from "../../schema/limits.ts";
import { spend } from "../meter.ts";
import { type Field, literalField } from "../shell/fields.ts";

/** One string found in arguments, with the name of its argument. */
export interface Found {
  readonly name: string;
  readonly text: string;
}

/** Every string in a value, at any depth within the payload bounds; undefined over a bound. No recursion. */
export function stringsIn(value: unknown): Found[] | undefined {
  const found: Found[] = [];
  const open: { name: string; value: unknown; depth: number }[] = [{ name: "", value, depth: 0 }];
  for (let visits = 0; open.length > 0; visits++) {
    const item = open.pop();
    if (!item) break;
    spend(2);
    if (visits > limits.payloadNodes || item.depth > limits.payloadDepth) return undefined;
    if (typeof item.value === "string") found.push({ name: item.name, text: item.value });
    else if (Array.isArray(item.value))
      for (const element of [...item.value].reverse())
        open.push({ name: item.name, value: element, depth: item.depth + 1 });
    else if (item.value !== null && typeof item.value === "object") {
      for (const key of Object.keys(item.value).reverse())
        open.push({ name: key, value: (item.value as Record<string, unknown>)[key], depth: item.depth + 1 });
    }
  }
  return found;
}

/**
 * The command of a shell tool as text. Some hosts give a program with its arguments as a list of words, which no shell
 * expands; one word alone may as well be a whole command line, and is read as one. Undefined for anything else.
 */
export function commandText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const words: string[] = [];
  spend(2 * value.length);
  for (const word of value as readonly unknown[]) {
    if (typeof word !== "string") return undefined;
    // Quoted, the first is no keyword and no assignment, and none is expanded.
    words.push(words.length > 0 && /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  }
  return value.length === 1 ? (value[0] as string) : words.join(" ");
}

/** An own property, so that `constructor` and the like are never found. */
export function own(record: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

const nowhere = { start: 0, end: 0 };

/** A tool's argument as a word. Tools take `~` as the home folder, unlike a quoted word of a shell. */
export function argumentField(text: string, glob = false): Field {
  return { ...literalField(text, nowhere), glob, tilde: true, kind: glob ? "pattern" : "literal" };
}
