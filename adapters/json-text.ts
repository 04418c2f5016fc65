/**
 * True if an object in a JSON text has one key twice. Readers differ in which of the two they take, so the other side may
 * read something else than was judged. The text must be JSON that was parsed. Linear in the text.
 */
export function hasDoubleKeys(text: string): boolean {
  return doubleKey(text) !== undefined;
}

/** Returns the first key that occurs twice in one object of a JSON text; undefined if there is none. */
export function doubleKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "{":
        open.push(new Set());
        isKey = true;
        break;
      case "[":
        open.push(undefined);
        isKey = false;
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case ",":
        isKey = open.at(-1) !== undefined;
        break;
      case '"': {
        const end = endOfString(text, at);
        const keys = isKey ? open.at(-1) : undefined;
        if (keys) {
          const key = keyOf(text.slice(at, end + 1));
          if (keys.has(key)) return key;
          keys.add(key);
        }
        isKey = false;
        at = end;
      }
    }
  }
  return undefined;
}

/** Returns the value of a key, from the string as written. */
function keyOf(written: string): string {
  return written.includes("\\") ? (JSON.parse(written) as string) : written.slice(1, -1);
}

/** Returns the offset of the quotation mark that ends the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return end;
}
