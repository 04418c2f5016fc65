/** One case of a report: passed, unless it has a failure or an error. */
export interface JUnitCase {
  readonly name: string;
  /** File and line of the case. */
  readonly file?: string;
  readonly line?: number;
  /** Duration in milliseconds. */
  readonly duration?: number;
  readonly failure?: JUnitFault;
  /** A case that could not be run. */
  readonly error?: JUnitFault;
  /** Output of a case that passed. */
  readonly output?: string;
}

/** The reason why a case did not pass: in one line, its kind, and in full. */
export interface JUnitFault {
  readonly message: string;
  readonly type: string;
  readonly text: string;
}

/** Cases that belong together, such as those of a file. */
export interface JUnitSuite {
  readonly name: string;
  readonly cases: readonly JUnitCase[];
}

/**
 * Returns suites as JUnit XML, in the form that continuous integration servers read (no official standard; the attributes
 * are those of Ant's reporter). Text that XML cannot carry is escaped.
 */
export function junitXml(name: string, suites: readonly JUnitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases);
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites${attributes({ name, ...totals(all) })}>`];
  for (const suite of suites) lines.push(...suiteLines(suite));
  lines.push("</testsuites>");
  return `${lines.join("\n")}\n`;
}

function suiteLines({ name, cases }: JUnitSuite): string[] {
  const lines = cases.flatMap((one) => caseLines(one, name));
  return [`  <testsuite${attributes({ name, ...totals(cases) })}>`, ...lines, "  </testsuite>"];
}

function caseLines(one: JUnitCase, suite: string): string[] {
  const { name, file, line, duration } = one;
  const head = attributes({ name, classname: suite, file, line, time: seconds(duration ?? 0) });
  const parts = [
    ...(one.failure ? [fault("failure", one.failure)] : []),
    ...(one.error ? [fault("error", one.error)] : []),
    ...(one.output === undefined ? [] : [`      <system-out>${escaped(one.output)}</system-out>`]),
  ];
  if (parts.length === 0) return [`    <testcase${head}/>`];
  return [`    <testcase${head}>`, ...parts, "    </testcase>"];
}

function fault(tag: string, { message, type, text }: JUnitFault): string {
  return `      <${tag}${attributes({ message, type })}>${escaped(text)}</${tag}>`;
}

function totals(cases: readonly JUnitCase[]): Readonly<Record<string, string | number>> {
  return {
    tests: cases.length,
    failures: cases.filter(({ failure }) => failure !== undefined).length,
    errors: cases.filter(({ error }) => error !== undefined).length,
    time: seconds(cases.reduce((sum, { duration }) => sum + (duration ?? 0), 0)),
  };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .map(([key, value]) => (value === undefined ? "" : ` ${key}="${escaped(String(value)).replaceAll("\n", "&#10;")}"`))
    .join("");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text: XML 1.0 has no control characters but tab and line breaks, no lone surrogates, no U+FFFE. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/g, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`)
    .replace(/[&<>"]/g, (c) => entities[c] ?? c);
}
