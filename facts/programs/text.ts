import type { TreeTakes } from "../../schema/facts.ts";
import { type Field, patternField, withText } from "../shell/fields.ts";
import { withoutEnd } from "../text/ends.ts";
import { awkInterpreter } from "./code/awk-interpreter.ts";
import { reportCode } from "./code/report.ts";
import { scanSource, sourceOf } from "./code/sources.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program, readAll } from "./program.ts";
import { grepOptions, rgOptions } from "./searches.ts";
import { runsCommands, writtenFiles } from "./sed.ts";
import { takenByGrep, takenBySearch } from "./taken.ts";

/** Reads its operands; options with values are named so that the values are not taken for files. */
function reader(names: string, options: readonly string[] = []): Program {
  return program(names, options, (call) => readAll(call));
}

/** Programs that say something about a file and show nothing that it holds. */
function teller(names: string, options: readonly string[], shows: readonly string[] = []): Program {
  return program(names, options, (call) => readAll(call, { metadata: !shows.some((option) => call.has(option)) }));
}

/** Options with which a search prints only the names of matching files, or counts, and no text. */
const unshown = ["--quiet", "--count", "--files-with-matches", "--files-without-match"];

function grep(
  recursive: boolean,
  quiet: readonly string[] = unshown,
  taken: (call: Call) => TreeTakes | undefined = takenByGrep,
): (call: Call) => void {
  return (call) => {
    const given = call.has("--regexp") || call.has("--file");
    const patterns = call.value("--file");
    if (patterns) call.to.read(patterns);
    const files = given || call.has("--files") ? call.operands : call.operands.slice(1);
    const walks = call.value("--directories")?.text === "recurse";
    const deep = recursive || walks || call.has("--recursive") || call.has("--dereference-recursive");
    const takes = deep ? taken(call) : undefined;
    const options = { recursive: deep, metadata: quiet.some((option) => call.has(option)), takes };
    for (const file of files) if (file.text !== "-") call.to.read(file, options);
    if (files.length === 0 && deep && call.draft.input === undefined)
      call.to.read({ ...call.draft.name, text: ".", kind: "literal", glob: false }, options);
    for (const option of ["--pre", "--hostname-bin"]) {
      const value = call.value(option);
      if (!value) continue;
      call.to.run(value.text);
      call.to.doubt(`${call.program} runs a program that it is given`);
    }
  };
}

function sed(call: Call): void {
  const scripts = [...call.values("--expression")];
  const file = call.value("--file");
  const given = scripts.length > 0 || file !== undefined;
  const [first, ...rest] = call.operands;
  if (!given && first) scripts.push(first);
  const files = given ? call.operands : rest;
  for (const path of files) {
    if (path.text === "-") continue;
    call.to.read(path);
    if (call.has("--in-place")) call.to.write(path);
  }
  if (file) {
    call.to.read(file);
    call.to.doubt("the sed script is in a file");
  }
  for (const script of scripts) sedScript(call, script);
}

function sedScript(call: Call, script: Field): void {
  if (script.kind === "unknown") call.to.doubt("part of the sed script is not known");
  if (runsCommands(script.text)) {
    call.to.run("sed");
    call.to.doubt("the sed script runs commands");
  }
  for (const path of writtenFiles(script.text))
    call.to.write({ ...withText(script, path), kind: "literal", glob: false });
}

/** Operands are read; the program text is scanned as code. Unless it does more than print, it is no run. */
function awk(call: Call): void {
  const files = call.values("--file").concat(call.values("--exec"));
  const source = sourceOf(awkInterpreter, call.args, call.draft.input, call.draft.place);
  for (const file of files) {
    call.to.read(file);
    call.to.run(file.text);
    call.to.doubt("the awk program is in a file");
  }
  const operands = source?.option === undefined && files.length === 0 ? call.operands.slice(1) : call.operands;
  for (const path of operands) if (!/^[A-Za-z_]\w*=/.test(path.text) && path.text !== "-") call.to.read(path);
  const includes = call.values("--include").concat(call.values("--load"));
  if (includes.some((word) => word.text === "inplace")) for (const path of operands) call.to.write(path);
  if (includes.some((word) => word.text !== "inplace") || /@(?:load|include)/.test(source?.code ?? ""))
    call.to.doubt("awk loads a library");
  if (!source) return;
  const found = scanSource(awkInterpreter, source, call.args, call.words);
  if (found.findings.some((one) => one.kind === "text")) call.to.run("awk");
  reportCode(found, "awk", source.place, call.to);
}

/** The first operand is a filter, and the words behind `--args` are strings. */
function jq(call: Call): void {
  const cut = call.words.findIndex((word) => word.text === "--args" || word.text === "--jsonargs");
  const before = new Set(cut < 0 ? call.words : call.words.slice(0, cut));
  const unsure = call.has("--from-file") || call.operands[0]?.open === true;
  for (const file of unsure ? call.operands : call.operands.slice(1)) if (before.has(file)) call.to.read(file);
  for (const option of ["--from-file", "--slurpfile", "--rawfile", "--argfile"])
    for (const file of call.values(option)) call.to.read(file);
}

/** A lone operand may be a file; otherwise the first operand, after `eval` or a similar word, is a filter. */
function yq(call: Call): void {
  const named = /^(?:e|ea|eval|eval-all)$/.test(call.operands[0]?.text ?? "");
  const operands = named ? call.operands.slice(1) : call.operands;
  const files = operands.length < 2 || operands[0]?.open || call.has("--from-file") ? operands : operands.slice(1);
  const script = call.value("--from-file");
  if (script) call.to.read(script);
  for (const file of files) {
    if (file.text !== "-") call.to.read(file);
    if (call.has("--inplace")) call.to.write(file);
  }
}

function pager(call: Call): void {
  readAll(call);
  const log = call.value("-o") ?? call.value("-O");
  if (log) call.to.write(log);
}

function sort(call: Call): void {
  readAll(call);
  const file = call.value("--output");
  if (file) call.to.write(file);
  const compressor = call.value("--compress-program");
  if (!compressor) return;
  call.to.run(compressor.text);
  call.to.doubt("sort runs a program that it is given");
}

/** `uniq in out`: the second operand is written. */
function inOut(call: Call): void {
  const [from, to] = call.operands;
  if (from && from.text !== "-") call.to.read(from);
  if (to && to.text !== "-") call.to.write(to);
}

function split(call: Call): void {
  const [file, prefix] = call.operands;
  if (file && file.text !== "-") call.to.read(file);
  const stem = (call.program === "csplit" ? call.value("--prefix") : prefix) ?? {
    ...call.draft.name,
    text: "x",
    kind: "literal" as const,
  };
  call.to.write({
    ...withText(stem, `${stem.text}*`),
    glob: true,
    kind: stem.kind === "literal" ? "pattern" : stem.kind,
  });
  if (!call.has("--filter")) return;
  call.to.run(call.value("--filter")?.text ?? "");
  call.to.doubt("split runs a program that it is given");
}

/** Programs that read, filter and compare text. */
const filters: readonly Program[] = [
  program("wc", ["--files0-from="], (call) => readAll(call, { metadata: true })),
  reader("cat tac rev cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5 comm tsort look", [
    "--files0-from=",
    "--output-delimiter=",
  ]),
  reader(
    "bat batcat",
    optionList(`
    -r --line-range=; -l --language=; --style=; --color=; --theme=; -H --highlight-line=; --pager=
  `),
  ),
  reader(
    "nl",
    optionList(`
    -b --body-numbering=; -d --section-delimiter=; -f --footer-numbering=; -h --header-numbering=; -i
    --line-increment=; -l --join-blank-lines=; -n --number-format=; -s --number-separator=; -v
    --starting-line-number=; -w --number-width=
  `),
  ),
  reader(
    "od hexdump hd",
    optionList(`
    -A --address-radix=; -j --skip-bytes=; -N --read-bytes=; -t --format=; -w --width=?; -S --strings=;
    -e=; -f=; -n=; -s=
  `),
  ),
  reader("strings", ["-n --bytes=", "-t --radix=", "-e --encoding=", "-T --target="]),
  reader("shasum", ["-a --algorithm="]),
  reader("fold expand unexpand fmt pr", [
    "-w --width=",
    "-t --tabs=",
    "-g --goal=",
    "-p --prefix=",
    "-l --length=",
    "-h --header=",
  ]),
  reader(
    "join",
    optionList(`
    -1=; -2=; -j=; -a=; -v=; -e=; -o=; -t=
  `),
  ),
  teller(
    "cmp",
    ["-i --ignore-initial=", "-n --bytes=", "-l --verbose", "-b --print-bytes"],
    ["--verbose", "--print-bytes"],
  ),
  reader("cut", ["-b --bytes=", "-c --characters=", "-d --delimiter=", "-f --fields=", "--output-delimiter="]),
  program(
    "file",
    ["-m --magic-file=", "-f --files-from=", "-F --separator=", "-e --exclude=", "-P --parameter="],
    (call) => {
      // Rules of the caller's own can have it print what they match.
      readAll(call, { metadata: call.value("--magic-file") === undefined });
      // Names of files that are not there are printed.
      for (const names of call.values("--files-from")) call.to.read(names);
    },
  ),
  reader("paste", ["-d --delimiters="]),
  reader("column", [
    "-s --separator=",
    "-o --output-separator=",
    "-c --output-width=",
    "-N --table-columns=",
    "-R --table-right=",
  ]),
  reader(
    "head tail",
    optionList(`
    -n --lines=; -c --bytes=; -q --quiet; -v --verbose; -f --follow=?; -F; --pid=; -s --sleep-interval=;
    --retry; -z
  `),
  ),
  program(
    "less more most zless pg",
    optionList(`
    -o --log-file=; -O --LOG-FILE=; -p --pattern=; -k --lesskey-file=; -x --tabs=; -b --buffers=; -h=;
    -j=; -P=; -t=; -T=; -y=; -z=
  `),
    pager,
  ),
  program("grep ggrep egrep fgrep zgrep", grepOptions, grep(false)),
  program("rgrep", grepOptions, grep(true)),
  // Here a later option takes such a one back, and the letters mean other things: `-L` follows links.
  program("rg ripgrep ag ack", rgOptions, grep(true, [], takenBySearch)),
  program(
    "sed gsed",
    optionList(`
    -n --quiet --silent; -e --expression=; -f --file=; -i --in-place=?; -E -r --regexp-extended; -l
    --line-length=; -s --separate; -u --unbuffered; -z --null-data; --posix; --debug; --sandbox;
    --follow-symlinks
  `),
    sed,
  ),
  { names: awkInterpreter.names, grammar: awkInterpreter.grammar, effects: awk },
  program(
    "sort gsort",
    optionList(`
    -o --output=; -k --key=; -t --field-separator=; -S --buffer-size=; -T --temporary-directory=;
    --parallel=; --compress-program=; --files0-from=; --sort=; --batch-size=; --random-source=; -c
    --check=?
  `),
    sort,
  ),
  program(
    "uniq",
    ["-f --skip-fields=", "-s --skip-chars=", "-w --check-chars=", "--all-repeated=?", "--group=?"],
    inOut,
  ),
  { names: ["tr"], data: true },
  program(
    "diff sdiff diff3",
    optionList(`
    -r --recursive; -U --unified=?; -C --context=?; -I --ignore-matching-lines=; -x --exclude=; -X
    --exclude-from=; -L --label=; -W --width=; -S --starting-file=; --color=?; --from-file=; --to-file=;
    -D --ifdef=; -o --output=; -q --brief
  `),
    (call) => readAll(call, { recursive: call.has("--recursive"), metadata: call.has("--brief") }),
  ),
  program(
    "patch",
    optionList(`
    -p --strip=; -i --input=; -d --directory=; -o --output=; -r --reject-file=; -R --reverse; -B
    --prefix=; -z --suffix=; -F --fuzz=; --dry-run
  `),
    (call) => {
      const input = call.value("--input");
      if (input) call.to.read(input);
      for (const file of call.operands.slice(0, 1)) call.to.write(file);
      if (call.operands.length === 0) {
        const folder = call.value("--directory");
        const given = input ?? call.draft.redirects.find(({ operator }) => operator === "<")?.target;
        const place: Field = folder ?? { ...call.draft.name, text: ".", kind: "literal", glob: false };
        if (!call.has("--dry-run")) call.to.tree(place, "patched", given);
        if (folder && !call.has("--dry-run"))
          call.to.write(patternField(`${withoutEnd(folder.text, "/")}/*`, folder.place), false);
        call.to.doubt("which files the patch changes is not known");
      }
    },
  ),
  program(
    "split csplit",
    optionList(`
    -b --bytes=; -l --lines=; -n --digits=; -a --suffix-length=; -C --line-bytes=; --filter=;
    --additional-suffix=; -f --prefix=; -t --separator=
  `),
    split,
  ),
  program(
    "xxd",
    optionList(`
    -r --revert; -p --plain; -l --len=; -s --seek=; -c --cols=; -g --groupsize=; -n --name=; -u; -i
    --include; -b; -e
  `),
    inOut,
  ),
  reader("base64 base32 basenc", ["-d -D --decode", "-i --ignore-garbage --input", "-w --wrap=", "-b --break="]),
  program(
    "jq gojq jaq",
    optionList(`
    -e --exit-status; -r --raw-output; -c --compact-output; -n --null-input; -s --slurp; -R --raw-input;
    -S --sort-keys; -f --from-file=; -L=; --indent=; --tab; --arg==; --argjson==; --slurpfile==;
    --rawfile==; --argfile==; --args; --jsonargs
  `),
    jq,
  ),
  program("yq", ["-i --inplace --in-place", "-o --output-format=", "-p --input-format=", "--from-file=", "-I="], yq),
  reader(
    "shellcheck yamllint markdownlint jsonlint xmllint actionlint hadolint vale kubeconform kubeval cspell codespell lychee tflint checkov zizmor",
    ["-f --format=", "-c --config=", "-s --shell=", "-e --exclude=", "--xpath=", "--schema="],
  ),
];

/** Programs that put out text which they read. */
export const textPrograms: readonly Program[] = filters.map((row) => ({ ...row, filter: true }));
