import * as act from "./actions.ts";
import { fromCran, fromElsewhere, fromPak, runsFile } from "./installs.ts";
import { type Action, actions, type Language } from "./language.ts";
import { type Lexicon, lineEnds, words } from "./lexicon.ts";
import { joined, joinedPath, knownText, textValue, unknown, type Value } from "./values.ts";

const lexicon: Lexicon = {
  lineEnd: lineEnds.feed,
  lineComments: ["#"],
  blockComments: [],
  quotes: [
    { open: 'r"(', close: ')"', escapes: "none" },
    { open: "r'(", close: ")'", escapes: "none" },
    { open: '"', close: '"', escapes: "c" },
    { open: "'", close: "'", escapes: "c" },
    { open: "`", close: "`", escapes: "none", kind: "name" },
  ],
  newlines: true,
  regex: false,
  nameStart: /[\p{L}_.]/u,
  namePart: /[\p{L}\p{N}_.]/u,
  keywords: words("function if else for in while repeat break next"),
  members: new Set(["::", "$"]),
  joins: new Set(),
  adjacent: "none",
  bareCalls: "never",
  braces: "block",
  pairs: new Set(["="]),
};

/** Functions of files read a leading `~` as the home folder. Source: `path.expand` in the manual of R. */
function expanding(table: ReadonlyMap<string, Action>): ReadonlyMap<string, Action> {
  const home = (value: Value): Value =>
    value.kind === "text" && value.text.startsWith("~") ? { ...value, home: true } : value;
  return new Map(
    [...table].map(([name, action]) => [
      name,
      (call) =>
        action({
          name: call.name,
          args: call.args.map(home),
          named: call.named,
          on: call.on,
          to: call.to,
          evaluate: (code) => call.evaluate(code),
        }),
    ]),
  );
}

const fileCalls = expanding(
  actions([
    [
      "unlink base.unlink",
      (call) => act.deletes(act.truthy(call.named.get("recursive")) || act.truthy(call.args[1]), 0)(call),
    ],
    ["file.remove", act.deletes(false)],
    ["file.rename", act.moves],
    ["file.copy", act.copies],
    ["file.symlink file.link", act.links],
    ["file.create dir.create Sys.chmod sink writeRDS", act.writes()],
    ["writeLines write write.csv write.table saveRDS", act.writes(1)],
    ["file", act.opens()],
    ["readLines read.csv read.table read.delim readRDS readline.file scan load", act.reads()],
    ["list.files list.dirs dir", act.reads(0, { metadata: true })],
    [
      "download.file",
      (call) => {
        act.fetches("download")(call);
        call.to.write(act.argument(call, 1, "destfile") ?? unknown);
        return undefined;
      },
    ],
    ["url httr.GET curl", act.fetches("download")],
    ["httr.POST", act.fetches("upload")],
    ["socketConnection", act.fetches("both")],
  ]),
);

/** R. */
export const r: Language = {
  name: "R",
  lexicon,
  calls: new Map([
    ...fileCalls,
    ...actions([
      ["system shell pipe base::system base.system", act.shell()],
      ["system2 processx.run", act.program()],
      ["setwd", act.changesFolder],
      ["source base.source sys.source", runsFile],
      ["install.packages utils.install.packages BiocManager.install", fromCran],
      [
        [
          ...["install_github", "install_gitlab", "install_bitbucket", "install_git", "install_svn", "install_dev"],
          ...["remotes", "devtools", "pak"].flatMap((at) =>
            ["install_github", "install_gitlab", "install_bitbucket", "install_git", "install_svn", "install_dev"].map(
              (name) => `${at}.${name}`,
            ),
          ),
        ].join(" "),
        fromElsewhere("git"),
      ],
      ["install_url remotes.install_url devtools.install_url", fromElsewhere("url")],
      ["pak.pkg_install pak.pak pkg_install", fromPak],
      [
        "parse",
        (call) => {
          const text = call.named.get("text");
          if (text) call.evaluate(text);
          return undefined;
        },
      ],
      [
        "do.call get match.fun eval evalq",
        (call) => {
          if (call.args[0]?.kind === "text") call.to.doubt("it calls what it names by a text");
          return undefined;
        },
      ],
      ["library require requireNamespace", act.doubts("it loads a package")],
    ]),
  ]),
  folds: actions([
    ["paste0", act.concatenation],
    [
      "paste",
      (call) =>
        call.args.reduce(
          (all, arg, i) => (i === 0 ? arg : joined(joined(all, call.named.get("sep") ?? textValue(" ")), arg)),
          textValue(""),
        ),
    ],
    ["file.path", (call) => joinedPath(call.args)],
    ["path.expand", (call) => (call.args[0]?.kind === "text" ? { ...call.args[0], home: true } : undefined)],
    ["normalizePath as.character shQuote", act.same],
    [
      "Sys.getenv",
      (call) => (knownText(call.args[0]) === "HOME" ? { kind: "text", text: "~", home: true } : undefined),
    ],
    ["c", (call) => ({ kind: "list", items: call.args, named: call.named, each: true })],
  ]),
  methods: new Map(),
  pure: words(
    "print cat message format sprintf nchar substr substring strsplit gsub sub grepl regmatches toupper tolower trimws length sum mean median sd var min max range seq seq_len seq_along rep rev sort order unique table which any all is.na is.null as.numeric as.integer as.logical numeric integer logical vector list unlist lapply sapply vapply mapply apply Map Filter Reduce matrix data.frame head tail summary str nrow ncol dim names colnames rownames cbind rbind merge aggregate subset round floor ceiling sqrt exp log abs sin cos set.seed rnorm runif sample Sys.time Sys.Date Sys.info sessionInfo R.Version quit q stop warning tryCatch invisible suppressWarnings suppressMessages identical file.exists basename dirname getwd commandArgs nlevels factor levels lm cor quantile cumsum diff outer crossprod solve t",
  ),
  pureMethods: new Set(),
  modules: new Set(),
  constants: new Map(),
  argv: [],
};
