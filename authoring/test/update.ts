import { readFileSync } from "node:fs";
import type { YamlEntry, YamlMap } from "../../compiler/yaml-node.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Source, Span } from "../../diagnostics/source.ts";
import { canonicalJson } from "../../engine/canonical.ts";
import { writeAtomically } from "../../store/output-file.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { applyEdits, type Edit } from "../fmt/edits.ts";
import type { Mend } from "./run-case.ts";
import { parseSuite, readSuite, type SuiteFile } from "./suite-file.ts";
import { SuiteRun } from "./suite-run.ts";

/** Result of updating a suite's expectations. */
export interface SuiteUpdate {
  /** Changes, one line each: place, old value, new value. */
  readonly changes: readonly SuiteChange[];
  /** The reasons why nothing was written though something had to be. */
  readonly problems: readonly Diagnostic[];
}

/** One rewritten expectation. `line` counts from 1, in the old text. */
export interface SuiteChange {
  readonly line: number;
  readonly before: string;
  /** Empty if the expectation was removed. */
  readonly after: string;
}

/**
 * Rewrites the expectations of a suite that differ from the results, as edits of its text: comments and everything else stay
 * byte for byte. The new text is judged before it is written, whole or not at all. Faults of the events themselves stay.
 */
export function updateSuite(path: string, name: string): SuiteUpdate {
  const file = readSuite(path, name);
  if (!("plan" in file)) return { changes: [], problems: file.diagnostics };
  const mends = mendsOf(file);
  if (mends.length === 0) return { changes: [], problems: [] };
  const maps = new Set(mends.map(({ expect }) => expect));
  const rewritten = [...maps].flatMap((map) => rewriteMap(map as YamlMap, mends, file.source));
  const text = applyEdits(
    file.source.text,
    rewritten.map(({ edit }) => edit),
  );
  const why = write(file, text);
  if (why === undefined) return { changes: rewritten.map(({ change }) => change), problems: [] };
  const help = "nothing of this suite was changed; run it again, and see that its folder can be written";
  return { changes: [], problems: [fileDiagnostic("HW702", name, `\`${name}\` cannot be written: ${why}`, help)] };
}

/** Returns every expectation that differs, once. */
function mendsOf(file: SuiteFile): Mend[] {
  const mends = new Map<YamlEntry, Mend>();
  for (const { mismatches } of new SuiteRun(file).cases())
    for (const { mend } of mismatches) if (mend) mends.set(mend.entry, mend);
  return [...mends.values()];
}

interface Rewritten {
  readonly edit: Edit;
  readonly change: SuiteChange;
}

/** Returns the edits of one `expect`: changed values, and entries without a value any more. */
function rewriteMap(map: YamlMap, mends: readonly Mend[], source: Source): Rewritten[] {
  const own = new Map(mends.filter(({ expect }) => expect === map).map((mend) => [mend.entry, mend]));
  const isGone = (entry: YamlEntry | undefined): boolean => {
    const mend = entry && own.get(entry);
    return mend !== undefined && mend.actual === undefined;
  };
  const found: Rewritten[] = [];
  for (let i = 0; i < map.entries.length; i++) {
    const entry = map.entries[i] as YamlEntry;
    const mend = own.get(entry);
    if (!mend) continue;
    if (!isGone(entry)) {
      const text = yamlOf(mend.actual);
      found.push(
        changed(entry, entry, { span: trimmed(entry.value.span, source), text }, `${entry.key}: ${text}`, source),
      );
      continue;
    }
    let last = i;
    while (isGone(map.entries[last + 1])) last++;
    const end = map.entries[last] as YamlEntry;
    const isAll = i === 0 && last === map.entries.length - 1;
    const text = isAll ? `outcome: ${mend.outcome}` : "";
    const whole = { start: entry.keySpan.start, end: trimmed(end.value.span, source).end };
    const span = isAll ? whole : removal(map, i, last, whole, source);
    found.push(changed(entry, end, { span, text }, text, source));
    i = last;
  }
  return found;
}

function changed(first: YamlEntry, last: YamlEntry, edit: Edit, after: string, source: Source): Rewritten {
  const { line } = source.position(first.keySpan.start);
  const before = source.text.slice(first.keySpan.start, trimmed(last.value.span, source).end);
  return { edit, change: { line, before, after } };
}

/** Returns the span to remove with a run of entries: their lines, or the commas between them. Comments stay. */
function removal(map: YamlMap, first: number, last: number, whole: Span, source: Source): Span {
  const { text } = source;
  const isFlow = text[map.span.start] === "{";
  if (!isFlow) {
    const start = text.lastIndexOf("\n", whole.start - 1);
    return { start: text[start - 1] === "\r" ? start - 1 : start, end: whole.end };
  }
  const next = map.entries[last + 1];
  const isApart = (start: number, end: number): boolean => text.slice(start, end).includes("\n");
  if (next) {
    const comma = text.indexOf(",", whole.end) + 1;
    return { start: whole.start, end: isApart(whole.end, next.keySpan.start) ? comma : next.keySpan.start };
  }
  const before = map.entries[first - 1];
  const start = before ? trimmed(before.value.span, source).end : whole.start;
  return isApart(start, whole.start) ? whole : { start, end: whole.end };
}

/** Returns a span without the white space at its end, which some block values have. */
function trimmed({ start, end }: Span, source: Source): Span {
  return { start, end: start + source.text.slice(start, end).trimEnd().length };
}

/** Returns a value as YAML that fits anywhere: a plain word if that is safe, JSON otherwise. */
function yamlOf(value: unknown): string {
  const isWord =
    typeof value === "string" && /^[A-Za-z][A-Za-z0-9_/-]*$/.test(value) && !reserved.has(value.toLowerCase());
  return isWord ? (value as string) : canonicalJson(value);
}

/** Words that YAML may read as something else. */
const reserved: ReadonlySet<string> = new Set(["null", "true", "false", "yes", "no", "on", "off", "y", "n"]);

/** Writes a suite; returns why it was left unchanged, or undefined. If somebody changed it meanwhile, their text stays. */
function write(file: SuiteFile, text: string): string | undefined {
  const { path, bytes, source } = file;
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "\ufeff" : "";
  const again = parseSuite({ name: source.name, path, bytes: new TextEncoder().encode(mark + text) });
  if (!("plan" in again)) return `the new text would not be a suite: ${again.diagnostics[0]?.message}`;
  if (mendsOf(again).length > 0) return "the new text would not hold either";
  try {
    if (!readFileSync(path).equals(bytes)) return "it changed while it was run";
    writeAtomically(path, mark + text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
