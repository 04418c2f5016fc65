/** JSON answers found in a program's output, and the text beside them. */
export interface FoundAnswers {
  /** JSON texts of the objects that have one of the fields, in their order. */
  readonly answers: readonly string[];
  /** The rest of the output, without white space at its ends. */
  readonly beside: string;
  /** True if the rest looks like an unreadable decision. */
  readonly unread: boolean;
}

/** Most characters that are read (some repeatedly); an output that needs more is full of unfinished objects. */
const allowance = 8_000_000;

/**
 * Finds answers in an output. A login shell, a banner or a second program may print beside them, so an answer is not
 * assumed to be everything. Total, and bounded in its work.
 */
export function findAnswers(given: string, fields: ReadonlySet<string>): FoundAnswers {
  const output = shownText(given);
  const answers: string[] = [];
  const rest: string[] = [];
  const work = { left: allowance };
  let taken = 0;
  let unread = false;
  for (let at = output.indexOf("{"); at >= 0; ) {
    const text = objectAt(output, at, work);
    const value = text === undefined ? undefined : parsed(text);
    if (text !== undefined && value && Object.keys(value).some((name) => fields.has(name))) {
      answers.push(text);
      unread ||= hidesRefusal(text, value);
      rest.push(output.slice(taken, at));
      taken = at + text.length;
    }
    at = output.indexOf("{", value && text !== undefined ? at + text.length : at + 1);
  }
  const beside = [...rest, output.slice(taken)].join("\n").trim();
  return { answers, beside, unread: unread || looksDecided.test(beside) };
}

/** Returns the text as a terminal shows it: without colours, byte order marks, and the zero bytes of a wider encoding. */
function shownText(output: string): string {
  return output
    .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g, "")
    .replace(/[\u0000\ufeff\ufffd]/g, "");
}

const refusal = /"(?:permission)?decision"\s{0,80}:\s{0,80}"(?:deny|block)"/i;

/**
 * True where an answer holds a refusal that parsing it misses: under another object, or as the first of two fields of one
 * name. Text inside a string has escaped quotes and does not count.
 */
function hidesRefusal(text: string, value: object): boolean {
  const { decision, hookSpecificOutput } = value as { decision?: unknown; hookSpecificOutput?: unknown };
  const nested = (hookSpecificOutput as { permissionDecision?: unknown } | null | undefined)?.permissionDecision;
  if ([decision, nested].some((one) => one === "deny" || one === "block")) return false;
  const plain = text.replace(/\\u00([2-7][0-9a-f])/gi, (whole, code: string) =>
    code === "22" ? whole : String.fromCharCode(Number.parseInt(code, 16)),
  );
  return refusal.test(plain);
}

/** Matches the field as JSON, JavaScript, Python or YAML write it (unquoted only with a refusing word), and `continue: false`. */
const looksDecided =
  /["'`]continue\\{0,4}["'`]\s{0,8}[:=]\s{0,8}false\b|["'`{]\s{0,80}(?:permission)?decision\\{0,4}["'`]?\s{0,8}[:=]|\b(?:permission)?decision[\\"'`]{0,6}\s{0,8}[:=]\s{0,8}[\\"'`]{0,6}(?:deny|block)/i;

function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** Characters of JSON outside strings, besides brackets: white space, `:`, `,`, numbers, `true`, `false` and `null`. */
const plain: ReadonlySet<string> = new Set("\t\n\r :,0123456789+-.eEtrufalsn");

/** Returns the text of the balanced object that begins here; undefined if it is no JSON, or the work is used up. */
function objectAt(output: string, start: number, work: { left: number }): string | undefined {
  let depth = 0;
  for (let at = start; at < output.length; at++) {
    if (--work.left < 0) return undefined;
    const character = output[at] as string;
    if (character === '"') {
      const end = stringEnd(output, at, work);
      if (end === undefined) return undefined;
      at = end;
    } else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") {
      if (--depth > 0) continue;
      work.left -= at - start;
      return output.slice(start, at + 1);
    } else if (!plain.has(character)) return undefined;
  }
  return undefined;
}

/** Returns the end of the string that begins here; a JSON string contains no line break. */
function stringEnd(output: string, start: number, work: { left: number }): number | undefined {
  for (let at = start + 1; at < output.length; at++) {
    if (--work.left < 0) return undefined;
    const character = output[at] as string;
    if (character === '"') return at;
    if (character === "\\") at++;
    else if (character < " ") return undefined;
  }
  return undefined;
}
