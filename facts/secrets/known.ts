/** A secret value, with a name that shows its origin. */
export interface KnownValue {
  readonly name: string;
  readonly value: string;
}

/** Detector of values given by the policy or the adapter. */
export const knownValueId = "secrets/known-value";

/** Shorter values would be found in innocent text. */
export const minKnownLength = 8;

/** Longer values are found by their first part. */
const maxKnownLength = 16_384;

/** Length of a form's keyword in the automaton. */
const wordLength = 24;

/**
 * Separates values that can be searched for from the names of those that cannot, because they are shorter than `minKnownLength`
 * or repeat one character. Blanks at the ends, as in a file of secrets, are not part of a value. The values stay in the scanner
 * and appear in no fact, finding or message. Source: threats section 5.3.
 */
export function knownValues(given: readonly KnownValue[]): {
  readonly usable: readonly KnownValue[];
  readonly tooWeak: readonly string[];
} {
  const usable: KnownValue[] = [];
  const tooWeak: string[] = [];
  for (const { name, value } of given) {
    const text = value.trim().slice(0, maxKnownLength);
    if (text.length < minKnownLength || new Set(text).size < 3) tooWeak.push(name);
    else usable.push({ name, value: text });
  }
  return { usable, tooWeak };
}

/** One way to write a known value. */
export interface KnownForm {
  readonly text: string;
  /** Beginning of its occurrences, as the automaton's keyword. */
  readonly word: string;
  /** Letter case does not matter: hexadecimal digits. */
  readonly caseless: boolean;
  /** Base64 characters before and behind that hold some bits of the value. */
  readonly before: number;
  readonly after: number;
}

/**
 * The common encodings of a value: as it is, JSON, percent, forms, markup, hexadecimal, base64 and base64url at every
 * alignment.
 */
export function knownForms(value: string): readonly KnownForm[] {
  const text = (value as string & { toWellFormed(): string }).toWellFormed();
  const bytes = Buffer.from(text);
  const plain = (form: string, caseless = false): KnownForm => ({
    text: form,
    word: form.slice(0, wordLength),
    caseless,
    before: 0,
    after: 0,
  });
  const percent = encodeURIComponent(text);
  const forms = [
    plain(value),
    plain(JSON.stringify(value).slice(1, -1)),
    plain(percent),
    plain(percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    // Percent escapes of a form are decoded before the search.
    plain(value.replaceAll(" ", "+")),
    ...markupForms(value).map((form) => plain(form)),
    plain(bytes.toString("hex"), true),
    ...[0, 1, 2].flatMap((alignment) => [base64(bytes, alignment, "base64"), base64(bytes, alignment, "base64url")]),
  ];
  return [...new Map(forms.map((form) => [form.text, form])).values()];
}

/** A value in markup, with the ways to write its quotes. */
function markupForms(value: string): readonly string[] {
  if (!/[&<>"']/.test(value)) return [];
  const text = value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return ['"', "&quot;", "&#34;"].flatMap((double) =>
    ["'", "&#39;", "&#x27;", "&apos;"].map((single) => text.replaceAll('"', double).replaceAll("'", single)),
  );
}

/** Returns the base64 characters that depend only on the value, if it begins `alignment` bytes into a group of three. */
function base64(bytes: Buffer, alignment: number, encoding: "base64" | "base64url"): KnownForm {
  const whole = Buffer.concat([Buffer.alloc(alignment), bytes])
    .toString(encoding)
    .replace(/={1,2}$/, "");
  const before = alignment === 0 ? 0 : 1;
  const after = ((alignment + bytes.length) * 8) % 6 === 0 ? 0 : 1;
  const text = whole.slice(alignment + before, whole.length - after);
  return { text, word: text.slice(0, wordLength), caseless: false, before, after };
}

/** Returns the span of a form whose keyword is at an offset, with the rest of its encoding of the value. */
export function matchForm(text: string, form: KnownForm, at: number): readonly [number, number] | undefined {
  const end = at + form.text.length;
  const there = text.slice(at, end);
  if (form.caseless ? there.toLowerCase() !== form.text : there !== form.text) return undefined;
  const start = form.before > 0 && isBase64(text[at - 1]) ? at - 1 : at;
  let stop = form.after > 0 && isBase64(text[end]) ? end + 1 : end;
  while (form.text.length > 0 && form.after > 0 && text[stop] === "=" && stop < end + 3) stop += 1;
  return [start, stop];
}

function isBase64(c: string | undefined): boolean {
  return c !== undefined && /[A-Za-z0-9+/_-]/.test(c);
}
