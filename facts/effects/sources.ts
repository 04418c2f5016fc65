import type { RunSource } from "../../schema/facts.ts";
import { spend } from "../meter.ts";
import { describe } from "../programs/describe.ts";
import { type Arguments, given, valueOf } from "../programs/grammar.ts";
import { shellNames } from "../programs/shells.ts";
import type { Draft } from "../shell/draft.ts";
import { type Atom, type Field, mayHoldMore } from "../shell/fields.ts";
import { familyOf } from "../shell/names.ts";
import { readsSocket, touchesSocket } from "../shell/origins.ts";
import { originIn } from "../shell/written.ts";

/** Options that hold code, by interpreter, and those that make it run no code from its operands or input. */
interface Interpreter {
  readonly code: readonly string[];
  readonly other?: readonly string[];
  /** Options that name a file with the code. */
  readonly files?: readonly string[];
  /** Its operands and its input are no code. */
  readonly optionsOnly?: true;
  /** Its operands are no code, and its input is. */
  readonly inputOnly?: true;
}

const interpreters: ReadonlyMap<string, Interpreter> = new Map<string, Interpreter>([
  ["python", { code: ["-c"], other: ["-m"] }],
  ...["node", "nodejs", "bun-node", "deno-run"].map(
    (name) => [name, { code: ["--eval", "--print"], other: ["--check"] }] as const,
  ),
  ["java", { code: [], files: ["-jar", "-cp", "-classpath"] }],
  ["perl", { code: ["-e", "-E"] }],
  ["expect", { code: ["-c"] }],
  ["ruby", { code: ["-e"] }],
  ["php", { code: ["--run"], other: ["-S"] }],
  ...["lua", "luajit", "Rscript", "R", "osascript", "groovy"].map((name) => [name, { code: ["-e"] }] as const),
  ...[
    "tsx",
    "ts-node",
    "jiti",
    "esno",
    "esr",
    "vite-node",
    "babel-node",
    "swc-node",
    "ts-node-esm",
    "swift",
    "julia",
    "elixir",
    "scala",
    "tclsh",
    "guile",
    "racket",
  ].map((name) => [name, { code: ["--eval"] }] as const),
  ...["fish", "csh", "tcsh", "nu", "pwsh", "powershell", "xonsh", "elvish", "ion", "murex", "osh"].map(
    (name) => [name, { code: ["--command"] }] as const,
  ),
]);
const shells: ReadonlySet<string> = new Set(shellNames);

/** Programs that also take code, by the options or the first operand that hold it. Source: their manuals. */
const codeTakers: ReadonlyMap<string, Interpreter> = new Map<string, Interpreter>([
  ...["awk", "gawk", "mawk", "nawk"].map((name) => [name, { code: [], files: ["-f", "--file"] }] as const),
  ...["sed", "gsed"].map((name) => [name, { code: ["--expression"], files: ["--file"] }] as const),
  ...["vim", "nvim", "vi", "ex", "view"].map((name) => [name, { code: ["-c", "--cmd"], optionsOnly: true }] as const),
  ["emacs", { code: ["--eval", "--execute"], optionsOnly: true }],
  ["gdb", { code: ["-ex", "-iex", "--eval-command"], optionsOnly: true }],
  ["lftp", { code: ["-e", "-c"], optionsOnly: true }],
  ...["mapfile", "readarray", "complete", "compgen"].map(
    (name) => [name, { code: ["-C"], optionsOnly: true }] as const,
  ),
  ["bind", { code: ["-x"], optionsOnly: true }],
  ...["ed", "red"].map((name) => [name, { code: [], inputOnly: true }] as const),
]);

/** Variables that name a file with code, or hold code of another language. Those of shell texts are read as such. */
const codeVariables: ReadonlySet<string> = new Set("BASH_ENV ENV LD_PRELOAD PERL5DB".split(" "));

/** Returns the source of the code that a command runs; empty for a program that runs no code given to it. */
export function codeSource(draft: Draft, args: Arguments): RunSource {
  spend(1 + draft.redirects.length);
  const name = familyOf(draft.program);
  if (shells.has(name)) return shellSource(draft, args);
  if (name === "eval") return originIn(draft.args).origin ?? "text";
  const [first] = args.operands;
  if (name === "source" || name === ".") return first ? fileSource(draft, first) : "";
  if (name === "crontab" || name === "at" || name === "batch") return scheduled(draft, args);
  const row = interpreters.get(name);
  if (!row) return draft.name.origin ?? (draft.name.holds ? "file" : "");
  for (const option of row.code) {
    const value = valueOf(args, option);
    if (value || given(args, option)) return value?.origin ?? "text";
  }
  for (const option of row.files ?? []) {
    const file = valueOf(args, option);
    if (file) return fileSource(draft, file);
  }
  if (row.other?.some((option) => given(args, option))) return "";
  return first ? fileSource(draft, first) : inputSource(draft);
}

function shellSource(draft: Draft, args: Arguments): RunSource {
  const [first] = args.operands;
  if (given(args, "-c")) return first?.origin ?? "text";
  // `sh -i >& /dev/tcp/host/port 0>&1`: the connection is its input too.
  if (!first && draft.redirects.some(touchesSocket)) return "network";
  return first && !given(args, "-s") ? fileSource(draft, first) : inputSource(draft);
}

function scheduled(draft: Draft, args: Arguments): RunSource {
  const file = draft.program === "crontab" ? args.operands[0] : valueOf(args, "-f");
  return file ? fileSource(draft, file) : inputSource(draft);
}

function fileSource(draft: Draft, file: Field): RunSource {
  if (file.text === "-" || file.text === "/dev/stdin" || file.text === "/proc/self/fd/0") return inputSource(draft);
  return file.origin ?? (file.text.startsWith("/dev/fd/") ? "input" : "file");
}

function inputSource(draft: Draft): RunSource {
  if (draft.redirects.some(readsSocket)) return "network";
  const origin = draft.input?.atom?.origin;
  if (origin) return origin;
  const redirect = draft.redirects.findLast((one) => one.descriptor <= 0 && one.operator.startsWith("<"));
  if (redirect) return redirect.data ? (redirect.data.origin ?? "text") : (redirect.target?.origin ?? "file");
  return draft.input === undefined && draft.pipedFrom < 0 ? "" : "input";
}

/** True for a command that runs unseen code: a stream, a download, an unknown text or file. */
export function runsUnseen(draft: Draft, drafts: readonly Draft[]): boolean {
  const name = familyOf(draft.program);
  // Their wrappers doubt only a wholly unknown text.
  if (name === "trap" || name === "alias") return draft.doubts.length > 0;
  for (const [variable, value] of draft.env) if (codeVariables.has(variable) && isBlank(value)) return true;
  if (!shells.has(name) && !rowOf(name) && !/^(?:eval|source|\.)$/.test(name))
    return isUnseen(draft.name) && draft.name.kind !== "unknown";
  const { args } = describe(draft.program, draft.args);
  spend(1);
  const word = codeWord(draft, args, name);
  if (name === "eval" && draft.args.some(mayHoldMore)) return true;
  if (word === "input") return isUnseenInput(draft, drafts[draft.pipedFrom]);
  return word !== undefined && (isUnseen(word) || (holdsCode(name, args) && mayHoldMore(word)));
}

function rowOf(name: string): Interpreter | undefined {
  return interpreters.get(name) ?? codeTakers.get(name);
}

/** True where the word is code itself and no file with it. */
function holdsCode(name: string, args: Arguments): boolean {
  if (shells.has(name)) return given(args, "-c");
  return interpreters.get(name)?.code.some((option) => given(args, option)) === true;
}

/** Returns the word that holds the code or names its file; `input` for a program that reads it there, undefined for one that runs none. */
function codeWord(draft: Draft, args: Arguments, name: string): Field | "input" | undefined {
  const [first] = args.operands;
  const isInput = first === undefined || /^(?:-|\/dev\/stdin|\/proc\/self\/fd\/0)$/.test(first.text);
  if (name === "eval") return draft.args.find((word) => !isUnseen(word)) ?? draft.args[0];
  if (name === "source" || name === ".") return first && isInput ? "input" : first;
  if (shells.has(name)) return given(args, "-c") ? first : isInput || given(args, "-s") ? "input" : first;
  const row = rowOf(name);
  for (const option of [...(row?.code ?? []), ...(row?.files ?? [])]) {
    const value = valueOf(args, option);
    if (value || given(args, option)) return value;
  }
  if (row?.optionsOnly || row?.other?.some((option) => given(args, option))) return undefined;
  return isInput || row?.inputOnly ? "input" : first;
}

/** Programs that print code for the shell of a human: `source <(kubectl completion bash)`. */
const completes = /\b(?:completions?|init|hook|env|shellenv|activate)\b/;

function rawOf(word: Partial<Pick<Field, "place">>): string {
  return word.place && "raw" in word.place && typeof word.place.raw === "string" ? word.place.raw.slice(0, 256) : "";
}

/** True for an unknown text, also where the call downloads or decodes it. */
function isUnseen(word: Atom & Pick<Field, "content" | "holds"> & Partial<Pick<Field, "place">>): boolean {
  if (word.content === null && word.text.startsWith("/dev/fd/")) return !completes.test(rawOf(word));
  if (typeof word.content === "string" || word.holds?.some((one) => one.kind === "literal")) return false;
  return word.origin !== undefined ? word.kind === "unknown" || "holds" in word : isBlank(word);
}

/** True for a `cat` of named files: such a file is no stream, even if it is printed first. */
function printsFiles({ program, args }: Draft): boolean {
  const files = args.filter(({ text }) => !text.startsWith("-"));
  return program === "cat" && files.length > 0 && files.every((word) => word.kind === "literal" && !isUnseen(word));
}

function isBlank({ kind, text }: Atom): boolean {
  return kind === "unknown" && /^[\s"'`;]*$/.test(text);
}

function isUnseenInput(draft: Draft, feeder: Draft | undefined): boolean {
  if (draft.redirects.some(readsSocket)) return true;
  const redirect = draft.redirects.findLast((one) => one.descriptor <= 0 && one.operator.startsWith("<"));
  if (redirect) {
    const from = redirect.data ?? redirect.target;
    return from !== undefined && isUnseen(from);
  }
  const atom = draft.input?.atom;
  if (atom) return atom.kind === "unknown" && (atom.origin !== undefined || isBlank(atom));
  return feeder !== undefined && !printsFiles(feeder);
}
