import { knownParts, loosened, patternText } from "../../schema/approximation.ts";
import { type Marked, marked } from "../approximate/marked.ts";
import { type Field, literalField, piecesOf, withText, wordShown } from "../shell/fields.ts";
import { beginsOpen } from "./addresses.ts";
import { clientLine, scriptFile, shellTextOf } from "./client-lines.ts";
import { type Grammar, optionList, readArguments } from "./grammar.ts";
import { type Call, makeCall, type Program, type Reporter } from "./program.ts";
import { spelled } from "./spelled.ts";
import { type ClientMark, type SqlMeaning, sqlMeaning, sqlStatements } from "./sql.ts";
import type { Inner, Wrapper } from "./wrapper.ts";

/** One SQL client: where a call holds its statements. */
interface Client {
  readonly names: readonly string[];
  readonly mark: ClientMark;
  readonly grammar: Grammar;
  /** Options whose value is SQL text. */
  readonly inline: readonly string[];
  /** Options whose value is a file of SQL text. */
  readonly scripts: readonly string[];
  /** Options whose value is a file to write. */
  readonly outputs: readonly string[];
  /** The first operand is a file on this machine, and the others are SQL text. */
  readonly embedded?: boolean;
  /** Operands are SQL text (`bq query`), behind this many words. */
  readonly operandsFrom?: number;
}

const postgres: Client = {
  names: ["psql", "pgcli"],
  mark: "\\",
  grammar: {
    options: optionList(`
    -c --command=; -f --file=; -d --dbname=; -h --host=; -p --port=; -U --username=; -o --output=; -v --set --variable=;
    -L --log-file=; -F --field-separator=; -R --record-separator=; -P --pset=; -T --table-attr=; -t --tuples-only; -A
    --no-align; -q --quiet; -X --no-psqlrc; -1 --single-transaction; -l --list; -w --no-password; -W --password; -e
    --echo-queries; -E --echo-hidden; -a --echo-all; -x --expanded; -H --html; -s --single-step; -S --single-line; -z; -0;
    -n --no-readline; -b --echo-errors; --csv; -V --version; -? --help=?
  `),
  },
  inline: ["--command"],
  scripts: ["--file"],
  outputs: ["--output", "--log-file"],
};

const mysql: Client = {
  names: ["mysql", "mariadb", "mycli"],
  mark: "\\",
  grammar: {
    options: optionList(`
    -e --execute=; -h --host=; -P --port=; -u --user=; -p --password=?; -D --database=; --init-file=; --init-command=;
    --defaults-file=; --defaults-extra-file=; -S --socket=; --tee=; --pager=?; --default-character-set=; -N
    --skip-column-names; -B --batch; -s --silent; -v --verbose; -t --table; -E --vertical; -f --force; -q --quick; -r --raw;
    -A --no-auto-rehash; -C --compress; -V --version; -H --html; -X --xml; --ssl-mode=; --ssl-ca=; --protocol=
  `),
  },
  inline: ["--execute", "--init-command"],
  scripts: ["--init-file"],
  outputs: ["--tee"],
};

const sqlite: Client = {
  names: ["sqlite3", "sqlite", "duckdb", "litecli"],
  mark: ".",
  grammar: {
    single: true,
    options: optionList(`
    -cmd=; -init=; -c=; -f=; -separator=; -newline=; -nullvalue=; -maxsize=; -mmap=; -vfs=; -lookaside==; -pagecache==;
    -readonly; -batch; -header; -noheader; -csv; -json; -line; -list; -column; -html; -box; -table; -markdown; -quote;
    -tabs; -ascii; -bail; -echo; -interactive; -safe; -stats; -version; -help; -unsigned; -ui; -no-stdin
  `),
  },
  inline: ["-cmd", "-c", "-s"],
  scripts: ["-init", "-f"],
  outputs: [],
  embedded: true,
};

const others: readonly Client[] = [
  {
    names: ["clickhouse-client", "clickhouse"],
    mark: "",
    grammar: {
      options: optionList(`
    -q --query=; -h --host=; --port=; -u --user=; --password=; -d --database=; --queries-file=; -m --multiline; -n
    --multiquery; -s --secure; -f --format=; -t --time; --config-file=
  `),
    },
    inline: ["--query"],
    scripts: ["--queries-file"],
    outputs: [],
  },
  {
    names: ["sqlcmd", "mssql-cli"],
    mark: ":",
    grammar: {
      options: optionList(`
    -Q=; -q=; -i=; -o=; -S=; -U=; -P=; -d=; -E; -b; -W; -s=; -h=; -C; -N; -l=; -t=; -w=; -v=; -K=; -G; -I
  `),
    },
    inline: ["-Q", "-q"],
    scripts: ["-i"],
    outputs: ["-o"],
  },
  {
    names: ["cqlsh", "cockroach", "snowsql", "trino", "presto", "impala-shell", "beeline", "hive"],
    mark: "",
    grammar: {
      options: optionList(`
    -e --execute=; -q --query=; -f --file --filename=; -o --output=; --url=; --host -h=; --port -p=; -u --user --username=; -d
    --database --dbname=; -a --accountname=; --server=; --catalog=; --schema=; --insecure; --certs-dir=; -w --warehouse=
  `),
    },
    inline: ["--execute", "--query"],
    scripts: ["--file"],
    outputs: ["--output"],
  },
  {
    names: ["bq"],
    mark: "",
    grammar: {
      options: optionList(`
    --project_id=; --location=; --format=; --use_legacy_sql=?; --nouse_legacy_sql; --destination_table=; --max_rows=; -n=; -q
    --quiet; -f --force; -r --recursive; -t --table; -d --dataset; --dry_run; --source_format=; --autodetect; --schema=
  `),
    },
    inline: [],
    scripts: [],
    outputs: [],
    operandsFrom: 1,
  },
];

const clients: readonly Client[] = [postgres, mysql, sqlite, ...others];

/** Returns the SQL texts of a call, in order: options, operands, then the input if nothing else is given. */
function textsOf(client: Client, call: Call): Field[] {
  const inline = client.inline.flatMap((name) => call.values(name));
  const scripts = client.scripts.flatMap((name) => call.values(name));
  const operands = client.embedded
    ? call.operands.slice(1)
    : client.operandsFrom === undefined
      ? []
      : call.operands.slice(client.operandsFrom);
  const known = scripts.filter((file) => typeof file.content === "string");
  const texts = [...inline, ...known.map((file) => literalField(file.content ?? "", file.place)), ...operands];
  const fromInput =
    texts.length === 0 &&
    (scripts.length === 0 || scripts.some((file) => file.text === "-" || file.text === "/dev/stdin"));
  return fromInput ? [...texts, ...inputText(call)] : texts;
}

function inputText(call: Call): Field[] {
  const { input, place } = call.draft;
  if (input === undefined) return [];
  if (!input?.atom) return [{ ...literalField("", place), kind: "unknown" }];
  return [{ ...literalField(input.atom.text, place), ...input.atom }];
}

function reportSql(client: Client): (call: Call) => void {
  return (call) => {
    if (call.has("--version") || call.has("-version") || call.has("--list")) return;
    addresses(call);
    for (const name of client.scripts)
      for (const file of call.values(name)) if (file.text !== "-") scriptFile(call, file);
    for (const name of client.outputs) for (const file of call.values(name)) output(call, file);
    if (call.program === "bq" && call.operands[0]?.text !== "query") {
      tableVerbs(call);
      return;
    }
    const texts = textsOf(client, call);
    let changes = client.scripts.some((name) => call.has(name));
    for (const text of texts) changes = statements(client, call, text) || changes;
    const [file] = client.embedded ? call.operands : [];
    if (file && file.text !== ":memory:" && file.text !== "") {
      call.to.read(file);
      if (changes && !call.has("-readonly")) call.to.write(file);
    }
  };
}

function output(call: Call, file: Field): void {
  if (!file.text.startsWith("|")) call.to.write(file);
}

/** Clients whose database may be named by an address. */
const connecting = /^(?:psql|pgcli|usql|mysqlsh|mycli|cockroach)$/;

/** Reports hosts: `--host`, connection addresses among the operands and in `--dbname`; not the folder of a socket. */
function addresses(call: Call): void {
  for (const name of ["--host", "-S", "--server", "--url"])
    for (const host of call.values(name)) if (!host.text.startsWith("/")) call.to.network(host, "both");
  for (const word of [...call.operands, ...call.values("--dbname")]) {
    const host = /(?:^|\s)host(?:addr)?=([^\s]+)/.exec(word.text)?.[1];
    const isOpen = connecting.test(call.program) && word !== call.operands[1] && beginsOpen(word);
    const isAddress = /^(?:[a-z][a-z0-9+.-]*):\/\//i.test(word.text) && !/^file:/i.test(word.text);
    if (isAddress || (isOpen && host === undefined)) call.to.network(word, "both");
    else if (host !== undefined && !host.startsWith("/"))
      call.to.network(withText(word, `postgresql://${host}`), "both");
  }
}

/** Reports what the statements of one text do. True when any changes something. */
function statements(client: Client, call: Call, text: Field): boolean {
  if (text.kind === "unknown") call.to.doubt("part of the SQL text is not known");
  const mark = markedSql(text);
  const list = sqlStatements(mark.text, client.mark);
  if (!list) {
    call.to.doubt("the SQL text cannot be read");
    return true;
  }
  let changes = text.kind === "unknown";
  for (const one of list) {
    if (one.kind === "client") changes = clientLine(call, knownIn(mark, one.text)) || changes;
    else changes = meaning(client, call, sqlMeaning(one.tokens), mark) || changes;
  }
  return changes;
}

/** Returns the SQL text with a word in place of each unknown part; at the end where the places are not known. */
function markedSql(text: Field): Marked {
  if (text.kind !== "unknown") return marked([text.text]);
  const pieces = piecesOf(text);
  const isTold = pieces.filter((piece) => typeof piece === "string").join("") === text.text;
  return marked(isTold ? pieces : [text.text, { hole: "tail", of: wordShown(text) }]);
}

function knownIn(mark: Marked, part: string): string {
  return knownParts(patternText(mark.pieces(part)));
}

function meaning(client: Client, call: Call, marks: SqlMeaning, mark: Marked): boolean {
  const found = withoutMarks(marks, mark);
  for (const target of marks.targets) {
    const text = patternText(mark.pieces(`sql ${target}`));
    // An unknown part may be any further SQL text.
    if (typeof text === "string") call.to.config(text);
    else call.to.config(loosened(text), false);
  }
  const { file } = found;
  if (file) {
    const path = { ...call.draft.name, ...literalField(file.path, call.draft.place) };
    if (file.writes) call.to.write(path, client.embedded === true && file.writes === true);
    if (file.writes !== true) call.to.read(path, { certain: client.embedded === true });
  }
  if (found.shell !== undefined) call.to.run(found.shell, false);
  if (found.doubt !== undefined) call.to.doubt(found.doubt);
  return found.changes;
}

/** Reduces a statement's meaning to the known parts of its texts. */
function withoutMarks(found: SqlMeaning, mark: Marked): SqlMeaning {
  const { file, shell, doubt } = found;
  return {
    ...found,
    ...(file && { file: { ...file, path: knownIn(mark, file.path) } }),
    ...(shell !== undefined && { shell: knownIn(mark, shell) }),
    ...(doubt !== undefined && { doubt: mark.has(doubt) ? "part of the SQL text is not known" : doubt }),
  };
}

function tableVerbs(call: Call): void {
  const [verb, ...names] = call.operands;
  call.to.network("https://bigquery.googleapis.com/", "both");
  if (/^(?:rm|truncate)$/.test(verb?.text ?? ""))
    for (const name of names) call.to.config(spelled`sql ${verb?.text === "rm" ? "drop" : "truncate"} table ${name}`);
  else if (verb?.text === "load")
    for (const file of names.slice(1, 2)) if (!file.text.startsWith("gs://")) call.to.read(file);
}

/** Programs whose row is one of the SQL clients. */
export const sqlPrograms: readonly Program[] = clients.map((client) => ({
  names: client.names,
  grammar: client.grammar,
  effects: reportSql(client),
}));

const silent: Reporter = {
  read() {},
  write() {},
  writeInside() {},
  folders() {},
  link() {},
  mayBeFolder: () => true,
  tree() {},
  repository: () => "",
  delete() {},
  run() {},
  network() {},
  install() {},
  push() {},
  onBranch() {},
  newTree() {},
  config() {},
  kill() {},
  doubt() {},
};

/** Returns the shell texts in a client's input: `\! ls`, `.shell ls`, `COPY … PROGRAM 'ls'` (run on the server). */
function shellTexts(
  client: Client,
  args: readonly Field[],
  input: Wrapper["unwrap"] extends (a: never, b: infer I) => unknown ? I : never,
): Inner[] {
  const read = readArguments(client.grammar, args);
  const place = args[0]?.place ?? { start: 0, end: 0 };
  const draft = { ...emptyDraft(place), args, input };
  const call = makeCall(draft, client.names[0] ?? "", "", read, silent);
  return textsOf(client, call).flatMap((text) =>
    (sqlStatements(text.text, client.mark) ?? []).flatMap((one): Inner[] => {
      const shell = one.kind === "client" ? shellTextOf(one.text) : sqlMeaning(one.tokens).shell;
      if (shell === undefined) return [];
      const elsewhere = one.kind === "sql" && client.embedded !== true;
      return [
        { kind: "text", text: literalField(shell, text.place), ...(elsewhere ? { certain: false, cwd: "" } : {}) },
      ];
    }),
  );
}

function emptyDraft(place: Field["place"]): Call["draft"] {
  return {
    program: "",
    candidates: [],
    name: literalField("", place),
    args: [],
    env: new Map(),
    wrappers: [],
    strays: [],
    moved: [],
    redirects: [],
    cwd: "",
    place,
    input: undefined,
    certain: true,
    pipedFrom: -1,
    pipedTo: -1,
    output: undefined,
    doubts: [],
  };
}

/** SQL clients as runners of shell texts. */
export const sqlWrappers: readonly Wrapper[] = clients.map((client) => ({
  names: client.names,
  unwrap(args, input) {
    const inner = shellTexts(client, args, input);
    return inner.length > 0 ? { self: true, inner } : undefined;
  },
}));
