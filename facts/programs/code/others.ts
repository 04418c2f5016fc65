import * as act from "./actions.ts";
import { fromPkg } from "./installs.ts";
import { type Action, actions, type Language } from "./language.ts";
import { type Lexicon, lineEnds, type Quote, words } from "./lexicon.ts";
import { joinedPath, knownText, textValue, unknown } from "./values.ts";

const double: Quote = { open: '"', close: '"', escapes: "c" };
const single: Quote = { open: "'", close: "'", escapes: "c" };

const base: Lexicon = {
  lineEnd: lineEnds.feed,
  lineComments: ["#"],
  blockComments: [],
  quotes: [{ open: '"""', close: '"""', escapes: "c" }, double, single],
  newlines: true,
  regex: false,
  nameStart: /[\p{L}_]/u,
  namePart: /[\p{L}\p{N}_!?]/u,
  keywords: words("if else elseif for while do end in return begin let try catch finally function module using import"),
  members: new Set(["."]),
  joins: new Set(),
  adjacent: "none",
  bareCalls: "never",
  braces: "block",
  pairs: new Set(["=", ":"]),
};

/** A home folder, as a call without arguments gives it. */
const home: Action = () => ({ kind: "text", text: "~", home: true });
const expands: Action = (call) => {
  const [path] = call.args;
  return path?.kind === "text" && path.text.startsWith("~") ? { ...path, home: true } : path;
};

/** Julia. */
export const julia: Language = {
  name: "julia",
  lexicon: {
    ...base,
    quotes: [
      { open: "`", close: "`", escapes: "none", kind: "run", interpolation: "${" },
      ...base.quotes.filter((quote) => quote !== single),
    ],
    joins: new Set(["*"]),
  },
  calls: actions([
    ["rm Base.rm", act.deletes("option", 0)],
    ["mv", act.moves],
    ["cp", act.copies],
    ["symlink", act.links],
    ["write touch mkdir mkpath chmod chown", act.writes()],
    ["read readline readlines eachline include", act.reads()],
    ["readdir walkdir", act.reads(0, { metadata: true })],
    ["open", act.opens()],
    ["download Downloads.download", act.fetches("download")],
    ["cd", act.changesFolder],
    ["eval include_string", act.doubts("it runs code that is made as it runs")],
    ["Pkg.add add Pkg.develop Pkg.dev", fromPkg],
  ]),
  folds: actions([
    ["homedir", home],
    ["expanduser", expands],
    ["joinpath", act.path],
    ["pwd", () => textValue(".")],
    ["string", act.concatenation],
    ["run pipeline", () => undefined],
  ]),
  methods: new Map(),
  pure: words(
    "print println show display length size sum maximum minimum sort map filter collect parse Int Float64 String Dict Set push! pop! split join replace uppercase lowercase isfile isdir basename dirname abspath rand randn zeros ones range now time sleep exit Pkg.status versioninfo typeof sqrt exp log sin cos abs round",
  ),
  pureMethods: new Set(),
  modules: words("Dates Statistics LinearAlgebra Random Printf Base Test Downloads DelimitedFiles"),
  constants: new Map([["ENV.HOME", { kind: "text", text: "~", home: true }]]),
  argv: [["ARGS", 0]],
};

/** Elixir. */
export const elixir: Language = {
  name: "elixir",
  lexicon: {
    ...base,
    quotes: [
      { open: '"""', close: '"""', escapes: "c", interpolation: "#{" },
      { ...double, interpolation: "#{" },
      { ...single, interpolation: "#{" },
    ],
    joins: new Set(["<>"]),
    keywords: words(
      "if else do end fn case cond with for in and or not when unless receive after rescue try raise def",
    ),
  },
  calls: actions([
    ["File.rm_rf File.rm_rf!", act.deletes(true, 0)],
    ["File.rm File.rm! File.rmdir File.rmdir!", act.deletes(false, 0)],
    ["File.rename File.rename!", act.moves],
    ["File.cp File.cp!", act.copies],
    ["File.cp_r File.cp_r!", act.copiesTree],
    ["File.ln_s File.ln_s! File.ln File.ln!", act.links],
    ["File.write File.write! File.touch File.touch! File.mkdir File.mkdir_p File.mkdir_p! File.chmod", act.writes()],
    ["File.read File.read! File.stream! Code.require_file Code.eval_file", act.reads()],
    ["File.ls File.ls! File.stat", act.reads(0, { metadata: true })],
    ["File.cd File.cd!", act.changesFolder],
    ["System.shell os.cmd", act.shell()],
    ["System.cmd", act.program()],
    ["Code.eval_string", act.evaluates],
    ["Req.get! HTTPoison.get! httpc.request", act.fetches("download")],
    ["Req.post! HTTPoison.post!", act.fetches("upload")],
  ]),
  folds: actions([
    ["System.user_home System.user_home!", home],
    ["Path.expand", expands],
    ["Path.join", act.path],
    ["File.cwd!", () => textValue(".")],
    ["System.get_env", (call) => (knownText(call.args[0]) === "HOME" ? home(call) : unknown)],
  ]),
  methods: new Map(),
  pure: words(
    "IO.* Enum.* String.* List.* Map.* Integer.* Float.* Keyword.* Regex.* Date.* DateTime.* inspect length is_nil to_string Path.wildcard File.exists? File.dir? System.version System.halt Application.* Mix.env Process.sleep",
  ),
  pureMethods: new Set(),
  modules: words("IO Enum String List Map File System Path Code Integer Float Keyword Regex Date"),
  constants: new Map(),
  argv: [["System.argv", 0]],
  canonical: (name) => name.replace(/^:/, ""),
};

/** A text or path with a method that runs the text or removes the path. */
const executes: Action = (call) => {
  const { on } = call;
  if (on?.kind === "list") act.runsWords(call, on.items);
  else call.to.add({ kind: "text", text: on ?? unknown });
  return undefined;
};

/** Groovy. */
export const groovy: Language = {
  name: "groovy",
  lexicon: {
    ...base,
    lineEnd: lineEnds.feedOrReturn,
    lineComments: ["//"],
    blockComments: [["/*", "*/"]],
    quotes: [{ open: '"""', close: '"""', escapes: "c" }, double, single],
    members: new Set([".", "?."]),
    joins: new Set(["+"]),
    bareCalls: "texts",
    pairs: new Set([":"]),
    keywords: words("if else for while in return def new_ try catch finally import class switch case"),
  },
  calls: actions([
    ["Runtime.getRuntime", () => textValue("")],
    ["exec", act.shellOrWords],
    ["URL", act.fetches("download")],
    ["evaluate Eval.me", act.evaluates],
  ]),
  folds: actions([
    ["File Paths.get Path.of", (call) => joinedPath(call.args)],
    ["System.getProperty", (call) => (knownText(call.args[0]) === "user.home" ? home(call) : unknown)],
  ]),
  methods: actions([
    ["execute", executes],
    ["deleteDir", (call) => void call.to.delete(call.on ?? unknown, true)],
    ["delete", (call) => void call.to.delete(call.on ?? unknown, false)],
    ["setText write append", (call) => void call.to.write(call.on ?? unknown)],
    ["getText readLines eachLine", (call) => void call.to.read(call.on ?? unknown)],
  ]),
  pure: words("println print printf Integer.* Math.* String.* System.currentTimeMillis"),
  pureMethods: words("toString trim split join collect each size length toUpperCase toLowerCase waitFor text"),
  modules: new Set(),
  constants: new Map(),
  argv: [["args", 0]],
};
