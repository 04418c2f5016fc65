import { spend } from "../meter.ts";

/** One token of SQL text. Words are upper case in `text`; `raw` is as written, quotes of a name removed. */
export interface SqlToken {
  readonly kind: "word" | "name" | "string" | "number" | "mark";
  readonly text: string;
  readonly raw: string;
}

/** One statement: SQL tokens, or a line for the client itself (`\! ls`, `.shell ls`). */
export type SqlStatement =
  | { readonly kind: "sql"; readonly tokens: readonly SqlToken[] }
  | { readonly kind: "client"; readonly text: string };

/** How a client marks its own lines: `\` anywhere (psql, mysql), `.` at the start of a line (sqlite, duckdb), `:`. */
export type ClientMark = "\\" | "." | ":" | "";

/**
 * Splits a text into statements. Comments are dropped; strings, quoted names and dollar quotes are one token, so that their
 * content is data. Undefined where a quote does not end. Linear.
 */
export function sqlStatements(text: string, mark: ClientMark): readonly SqlStatement[] | undefined {
  spend(2 + (text.length >> 1));
  const reader = new SqlReader(text, mark);
  return reader.read() ? reader.statements : undefined;
}

class SqlReader {
  readonly statements: SqlStatement[] = [];
  private readonly text: string;
  private readonly mark: ClientMark;
  private tokens: SqlToken[] = [];
  private at = 0;

  constructor(text: string, mark: ClientMark) {
    this.text = text;
    this.mark = mark;
  }

  read(): boolean {
    while (this.at < this.text.length) {
      if (!this.step()) return false;
    }
    this.end();
    return true;
  }

  private step(): boolean {
    const character = this.text[this.at] as string;
    const pair = this.text.slice(this.at, this.at + 2);
    if (/\s/.test(character)) this.at += 1;
    else if (pair === "--" || (character === "#" && this.mark === "\\" && this.tokens.length === 0))
      this.at = this.lineEnd();
    else if (pair === "/*") return this.comment();
    else if (this.isClientLine(character)) this.clientLine();
    else if (character === ";") {
      this.at += 1;
      this.end();
    } else if (character === "'" || character === '"' || character === "`") return this.quoted(character);
    else if (character === "[" && this.mark === ":") return this.quoted("]");
    else if (character === "$" && this.dollar()) return true;
    else this.plain();
    return this.at <= this.text.length;
  }

  private isClientLine(character: string): boolean {
    if (this.mark === "\\") return character === "\\" || this.startsClientWord();
    return this.mark !== "" && character === this.mark && this.tokens.length === 0;
  }

  /** mysql's own words at the start of a line: `system ls`, `source file`. */
  private startsClientWord(): boolean {
    return (
      this.tokens.length === 0 && /^(?:system|source|tee|pager|edit)[ \t]/i.test(this.text.slice(this.at, this.at + 8))
    );
  }

  private lineEnd(): number {
    const end = this.text.indexOf("\n", this.at);
    return end < 0 ? this.text.length : end;
  }

  private clientLine(): void {
    const end = this.lineEnd();
    const text = this.text.slice(this.at, end).trim();
    // `\g` and `\G` send the text before them.
    if (/^\\[gG](?:\W|$|x|exec|set|desc)/.test(text)) this.end();
    this.statements.push({ kind: "client", text });
    this.at = end;
  }

  private comment(): boolean {
    const end = this.text.indexOf("*/", this.at + 2);
    if (end < 0) return false;
    // MySQL runs the text in `/*! … */`.
    const executable = /^\/\*!\d*/.exec(this.text.slice(this.at, this.at + 9));
    if (executable) {
      for (const one of sqlStatements(this.text.slice(this.at + executable[0].length, end), "") ?? [])
        if (one.kind === "sql") for (const token of one.tokens) this.tokens.push(token);
    }
    this.at = end + 2;
    return true;
  }

  private quoted(quote: string): boolean {
    let value = "";
    let at = this.at + 1;
    for (; at < this.text.length; at++) {
      const character = this.text[at] as string;
      if (character === quote) {
        if (this.text[at + 1] !== quote) break;
        at += 1;
      } else if (
        character === "\\" &&
        quote === "'" &&
        this.text[at + 1] === "'" &&
        this.text.indexOf("'", at + 2) >= 0
      )
        at += 1;
      value += this.text[at];
    }
    if (at >= this.text.length) return false;
    this.tokens.push({ kind: quote === "'" ? "string" : "name", text: value.toUpperCase(), raw: value });
    this.at = at + 1;
    return true;
  }

  private dollar(): boolean {
    const tag = /^\$[A-Za-z_]*\$/.exec(this.text.slice(this.at, this.at + 66))?.[0];
    if (tag === undefined) return false;
    const end = this.text.indexOf(tag, this.at + tag.length);
    const close = end < 0 ? this.text.length : end;
    const value = this.text.slice(this.at + tag.length, close);
    this.tokens.push({ kind: "string", text: "", raw: value });
    this.at = close + (end < 0 ? 1 : tag.length);
    return true;
  }

  private plain(): void {
    const word = /^[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|^\d[\w.]*/.exec(
      this.text.slice(this.at, this.at + 130),
    )?.[0];
    const raw = word ?? (this.text[this.at] as string);
    const kind = word === undefined ? "mark" : /^\d/.test(word) ? "number" : "word";
    this.tokens.push({ kind, text: raw.toUpperCase(), raw });
    this.at += raw.length;
  }

  private end(): void {
    if (this.tokens.length > 0) this.statements.push({ kind: "sql", tokens: this.tokens });
    this.tokens = [];
  }
}

/** Effects of a statement: targets in the grammar of `operate`, without the system. */
export interface SqlMeaning {
  readonly targets: readonly string[];
  /** True when it changes anything at all. */
  readonly changes: boolean;
  /** Text that the server hands to its shell. */
  readonly shell?: string;
  /** File that the client or server reads or writes; a database that is attached is read, and perhaps written. */
  readonly file?: { readonly path: string; readonly writes: boolean | "perhaps" };
  readonly doubt?: string;
}

const nothing: SqlMeaning = { targets: [], changes: false };
const harmless: ReadonlySet<string> = new Set(
  "SELECT SHOW EXPLAIN DESCRIBE DESC VALUES TABLE SET RESET BEGIN START COMMIT END ROLLBACK SAVEPOINT RELEASE ABORT USE PRAGMA ANALYZE VACUUM CHECKPOINT LISTEN UNLISTEN NOTIFY FETCH MOVE CLOSE DECLARE LOCK DISCARD EXISTS OPTIMIZE CHECK FROM SUMMARIZE HELP GO PRINT STATUS DELIMITER DEALLOCATE UNLOCK".split(
    " ",
  ),
);
const building: ReadonlySet<string> = new Set(
  "INSERT CREATE REPLACE MERGE UPSERT COMMENT REINDEX REFRESH IMPORT RENAME ATTACH DETACH SECURITY CLUSTER FLUSH INSTALL LOAD".split(
    " ",
  ),
);

/** Returns the meaning of one statement by its first word, after any `WITH` or `EXPLAIN ANALYZE`. */
export function sqlMeaning(tokens: readonly SqlToken[]): SqlMeaning {
  const first = tokens[0];
  if (!first) return nothing;
  spend(1 + (tokens.length >> 2));
  switch (first.kind === "word" ? first.text : first.text === "(" ? "SELECT" : "") {
    case "WITH":
    case "EXPLAIN":
      return nested(tokens);
    case "SELECT":
      return selected(tokens);
    case "DROP":
      return dropped(tokens);
    case "TRUNCATE":
      return truncated(tokens);
    case "DELETE":
    case "UPDATE":
      return everyRow(tokens);
    case "ALTER":
      return altered(tokens);
    case "GRANT":
    case "REVOKE":
      return { targets: [`${first.text.toLowerCase()} ${rest(tokens)}`.trim()], changes: true };
    case "COPY":
    case "LOAD":
    case "UNLOAD":
    case "EXPORT":
      return copied(tokens);
    case "CREATE":
      return created(tokens);
    case "VACUUM":
    case "ATTACH":
      return otherDatabase(tokens);
    default:
      return known(first.text);
  }
}

function known(word: string): SqlMeaning {
  if (harmless.has(word)) return nothing;
  if (building.has(word)) return { targets: [], changes: true };
  return { targets: [], changes: true, doubt: `what the SQL statement \`${word}\` does is not known` };
}

/** Reads a dotted name from `at` on. */
function nameAt(tokens: readonly SqlToken[], at: number): { name: string; next: number } {
  let name = "";
  let i = at;
  for (; i < tokens.length && name.length < 256; i++) {
    const token = tokens[i] as SqlToken;
    const dot = token.text === "." || token.text === "*";
    if (name !== "" && !dot && !name.endsWith(".")) break;
    if (token.kind === "mark" && !dot) break;
    name += token.raw;
  }
  return { name, next: i };
}

function skip(tokens: readonly SqlToken[], at: number, words: readonly string[]): number {
  let i = at;
  while (words.includes(tokens[i]?.text ?? "") && tokens[i]?.kind === "word") i += 1;
  return i;
}

/** Names separated by commas. */
function names(tokens: readonly SqlToken[], from: number): string[] {
  const list: string[] = [];
  let at = from;
  while (at < tokens.length) {
    const { name, next } = nameAt(tokens, at);
    if (name === "") break;
    list.push(name);
    if (tokens[next]?.text !== ",") break;
    at = next + 1;
  }
  return list;
}

function rest(tokens: readonly SqlToken[]): string {
  return tokens
    .slice(1, 24)
    .map((token) => token.raw)
    .join(" ")
    .toLowerCase()
    .slice(0, 200);
}

const kindWords = ["MATERIALIZED", "FOREIGN", "TEMPORARY", "TEMP", "EXTERNAL", "EVENT"];

function dropped(tokens: readonly SqlToken[]): SqlMeaning {
  const start = skip(tokens, 1, kindWords);
  const kind = (tokens[start]?.text ?? "").toLowerCase();
  const from = skip(tokens, start + 1, ["IF", "EXISTS", "CONCURRENTLY", "ONLY"]);
  const list = names(tokens, from);
  return {
    targets: list.length > 0 ? list.map((name) => `drop ${kind} ${name}`) : [`drop ${kind}`.trim()],
    changes: true,
  };
}

function truncated(tokens: readonly SqlToken[]): SqlMeaning {
  const list = names(tokens, skip(tokens, 1, ["TABLE", "ONLY", "IF", "EXISTS"]));
  return { targets: list.map((name) => `truncate table ${name}`), changes: true };
}

/** `DELETE` and `UPDATE` without a condition, or with one that always holds. */
function everyRow(tokens: readonly SqlToken[]): SqlMeaning {
  const where = tokens.findIndex((token) => token.kind === "word" && token.text === "WHERE");
  const condition = tokens.slice(where + 1).map((token) => token.text);
  const always =
    where < 0 || (condition.length === 1 && /^(?:TRUE|[1-9]\d*)$/.test(condition[0] ?? "")) || equal(condition);
  const verb = (tokens[0]?.text ?? "").toLowerCase();
  if (!always) return { targets: [], changes: true };
  const { name } = nameAt(tokens, skip(tokens, 1, ["FROM", "ONLY", "LOW_PRIORITY", "QUICK", "IGNORE"]));
  return { targets: [`${verb} ${name}`.trim()], changes: true };
}

function equal(condition: readonly string[]): boolean {
  return condition.length === 3 && condition[1] === "=" && condition[0] === condition[2];
}

function altered(tokens: readonly SqlToken[]): SqlMeaning {
  const kind = (tokens[1]?.text ?? "").toLowerCase();
  const { name } = nameAt(tokens, skip(tokens, 2, ["IF", "EXISTS", "ONLY"]));
  if (/^(?:user|role|login|system)$/.test(kind)) return { targets: [`alter ${kind} ${name}`], changes: true };
  const drops = tokens.some((token) => token.kind === "word" && token.text === "DROP");
  return { targets: drops ? [`alter ${kind} ${name} drop`] : [], changes: true };
}

function created(tokens: readonly SqlToken[]): SqlMeaning {
  const kind = tokens[1]?.text ?? "";
  if (kind !== "USER" && kind !== "ROLE" && kind !== "LOGIN") return { targets: [], changes: true };
  return {
    targets: [`create ${kind.toLowerCase()} ${nameAt(tokens, skip(tokens, 2, ["IF", "NOT", "EXISTS"])).name}`],
    changes: true,
  };
}

function selected(tokens: readonly SqlToken[]): SqlMeaning {
  const into = tokens.findIndex((token) => token.kind === "word" && token.text === "INTO");
  const file = tokens[into + 2];
  if (into >= 0 && /^(?:OUTFILE|DUMPFILE)$/.test(tokens[into + 1]?.text ?? "") && file)
    return { targets: [], changes: true, file: { path: file.raw, writes: true } };
  const calls = tokens.some(
    (token, i) =>
      token.kind === "word" &&
      /^(?:PG_TERMINATE_BACKEND|PG_READ_FILE|LO_EXPORT|LO_IMPORT|LOAD_EXTENSION|SYS_EXEC|SYS_EVAL|DBLINK_EXEC|PG_RELOAD_CONF|WRITEFILE|READFILE|EDIT|LOAD_FILE)$/.test(
        token.text,
      ) &&
      tokens[i + 1]?.text === "(",
  );
  return calls
    ? { targets: [], changes: true, doubt: "a function of the database reaches files or processes" }
    : nothing;
}

/** `VACUUM main INTO 'f'`, `ATTACH DATABASE 'f' AS a`: a database in a file of its own. */
function otherDatabase(tokens: readonly SqlToken[]): SqlMeaning {
  const isAttached = tokens[0]?.text === "ATTACH";
  const before = isAttached ? 0 : tokens.findIndex((token) => token.kind === "word" && token.text === "INTO");
  const file = tokens[before < 0 ? tokens.length : skip(tokens, before + 1, ["DATABASE", "IF", "NOT", "EXISTS"])];
  if (file?.kind !== "string") return known(tokens[0]?.text ?? "");
  return { targets: [], changes: isAttached, file: { path: file.raw, writes: isAttached ? "perhaps" : true } };
}

function copied(tokens: readonly SqlToken[]): SqlMeaning {
  const program = tokens.findIndex((token) => token.kind === "word" && token.text === "PROGRAM");
  const text = tokens[program + 1];
  if (program >= 0 && text) return { targets: ["run program"], changes: true, shell: text.raw };
  const at = tokens.findIndex((token) => token.kind === "word" && /^(?:TO|FROM|INFILE)$/.test(token.text));
  const file = tokens[at + 1];
  if (at < 0 || file?.kind !== "string") return { targets: [], changes: true };
  return { targets: [], changes: true, file: { path: file.raw, writes: tokens[at]?.text === "TO" } };
}

/** Returns the changing statement inside a `WITH` or `EXPLAIN`, if any. */
function nested(tokens: readonly SqlToken[]): SqlMeaning {
  const explains = tokens[0]?.text === "EXPLAIN";
  if (explains && !tokens.slice(0, 6).some((token) => token.text === "ANALYZE" || token.text === "ANALYSE"))
    return nothing;
  const found: SqlMeaning[] = [];
  let depth = 0;
  let start = -1;
  let inner = 0;
  tokens.forEach((token, i) => {
    if (token.text === "(" && token.kind === "mark") depth += 1;
    if (token.text === ")" && token.kind === "mark") {
      depth -= 1;
      if (start >= 0 && depth < inner) {
        found.push(sqlMeaning(tokens.slice(start, i)));
        start = -1;
      }
    }
    if (
      start < 0 &&
      i > 0 &&
      token.kind === "word" &&
      /^(?:DELETE|UPDATE|INSERT|MERGE|TRUNCATE)$/.test(token.text) &&
      found.length < 16
    ) {
      start = i;
      inner = depth;
    }
  });
  if (start >= 0) found.push(sqlMeaning(tokens.slice(start)));
  return { targets: found.flatMap((one) => one.targets), changes: found.some((one) => one.changes) };
}
