import { spend } from "../meter.ts";

/** How `read` and `mapfile` take texts apart. Source: bash manual, "Bash Builtin Commands". */
export interface RecordOptions {
  /** Backslashes are ordinary (`-r`). */
  readonly raw: boolean;
  /** Character that ends a record. */
  readonly delimiter: string;
  /** Units to read at most (`-n`, `-N`). */
  readonly most: number | undefined;
}

/** One record: its units, whether each stood behind a backslash, and how much of the text it took. */
export interface TextRecord {
  readonly units: readonly string[];
  readonly escaped: ReadonlySet<number>;
  readonly taken: number;
}

/** The record at the start of a text; it may be empty. */
export function recordOf(text: string, options: RecordOptions): TextRecord {
  const units: string[] = [];
  const escaped = new Set<number>();
  let at = 0;
  while (at < text.length && (options.most === undefined || units.length < options.most)) {
    const unit = text[at] as string;
    if (unit === options.delimiter) return { units, escaped, taken: at + 1 };
    if (unit === "\\" && !options.raw) {
      const next = text[at + 1];
      at += 2;
      // A backslash before a line end joins two lines.
      if (next === undefined || next === "\n") continue;
      escaped.add(units.length);
      units.push(next);
      continue;
    }
    units.push(unit);
    at += 1;
  }
  return { units, escaped, taken: Math.min(at, text.length) };
}

/** Splits a record at field separators into at most `count` fields; the last one takes the rest. */
export function fieldsOf(record: TextRecord, separators: string, count: number): string[] {
  const { units, escaped } = record;
  const blank = (i: number): boolean => separates(i) && /[ \t\n]/.test(units[i] as string);
  const marks = new Set(separators.split(""));
  spend(separators.length >> 3);
  const separates = (i: number): boolean => !escaped.has(i) && marks.has(units[i] as string);
  let end = units.length;
  while (end > 0 && blank(end - 1)) end -= 1;
  let at = 0;
  while (at < end && blank(at)) at += 1;
  const fields: string[] = [];
  while (at < end && fields.length < count - 1) {
    const from = at;
    while (at < end && !separates(at)) at += 1;
    fields.push(units.slice(from, at).join(""));
    while (at < end && blank(at)) at += 1;
    if (at < end && separates(at) && (at === from || !blank(at - 1) || !blank(at))) {
      at += 1;
      while (at < end && blank(at)) at += 1;
    }
  }
  if (at < end) fields.push(lastField(units, at, end, separates));
  return fields;
}

/** Returns the rest of a record, without the separator at its end if that is the only one in it. */
function lastField(units: readonly string[], from: number, end: number, separates: (i: number) => boolean): string {
  let first = from;
  while (first < end && !separates(first)) first += 1;
  return units.slice(from, first === end - 1 ? first : end).join("");
}

/** Records of a whole text, for `mapfile`; a delimiter stays at the end of each unless it is dropped. */
export function recordsOf(text: string, delimiter: string, dropped: boolean, most: number): string[] | undefined {
  const records: string[] = [];
  let from = 0;
  while (from < text.length) {
    if (records.length >= most) return undefined;
    const at = text.indexOf(delimiter, from);
    const end = at < 0 ? text.length : at + 1;
    records.push(text.slice(from, dropped && at >= 0 ? at : end));
    from = end;
  }
  return records;
}
