import { type Field, withText } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program, readAll } from "./program.ts";

/** `tar`: `-c` reads operands and writes the archive, `-x` writes below the folder. The first word may lack its dash. */
function tar(call: Call): void {
  const archive = call.value("--file");
  const folder: Field = call.value("--directory") ?? { ...call.draft.name, text: ".", kind: "literal", glob: false };
  for (const option of [
    "--to-command",
    "--use-compress-program",
    "--checkpoint-action",
    "--rsh-command",
    "--info-script",
  ]) {
    const value = call.value(option);
    if (!value) continue;
    call.to.run(value.text);
    call.to.doubt("tar runs a program that it is given");
  }
  for (const option of ["--files-from", "--exclude-from"])
    for (const file of call.values(option)) if (file.text !== "-") call.to.read(file);
  const snapshot = call.value("--listed-incremental");
  if (snapshot) call.to.write(snapshot);
  if (call.has("--extract")) {
    if (archive && archive.text !== "-") call.to.read(archive);
    if (call.has("--to-stdout")) return;
    call.to.write(folder);
    return;
  }
  if (call.has("--list")) {
    if (archive) call.to.read(archive);
    return;
  }
  for (const operand of call.operands) {
    call.to.read(operand, { recursive: true });
    if (call.has("--remove-files")) call.to.delete(operand, true);
  }
  if (archive && archive.text !== "-") call.to.write(archive);
}

const here = (call: Call): Field => ({ ...call.draft.name, text: ".", kind: "literal", glob: false });

function unzip(call: Call): void {
  const [archive] = call.operands;
  if (archive) call.to.read(archive);
  if (!call.has("-l") && !call.has("-t") && !call.has("-p")) call.to.write(call.value("-d") ?? here(call));
}

function zip(call: Call): void {
  const tester = call.words[call.words.findIndex((word) => word.text === "-TT") + 1];
  const short = call.words.some((word) => word.text === "-TT") ? tester : undefined;
  const [archive, ...files] = call.operands.filter((word) => word !== short);
  if (archive) call.to.write(archive);
  for (const file of files) {
    call.to.read(file, { recursive: call.has("-r") });
    if (call.has("-m")) call.to.delete(file, call.has("-r"));
  }
  const test = call.value("--unzip-command") ?? short;
  if (!test) return;
  call.to.run(test.text);
  call.to.doubt("zip runs a program that it is given");
}

/** `7z a out files`, `x in`; `rar` and `unrar` alike. */
function archiver(call: Call): void {
  const [verb, archive, ...files] = call.operands;
  if (!archive) return;
  if (/^(?:a|u|m|mf|rn)$/.test(verb?.text ?? "")) {
    call.to.write(archive);
    for (const file of files) call.to.read(file, { recursive: true });
    if (call.has("-sdel")) for (const file of files) call.to.delete(file, true);
  } else if (verb?.text === "d") call.to.write(archive);
  else {
    call.to.read(archive);
    const out = call.words.find((word) => /^-o./.test(word.text))?.text.slice(2);
    if (verb?.text === "x" || verb?.text === "e")
      call.to.write(out ? withText({ ...here(call), verbatim: -1 }, out) : here(call));
  }
}

/** `cpio`: with `-i` files come out of the input, with `-o` those that it names go in, with `-p` they are copied. */
function cpio(call: Call): void {
  for (const name of ["-F", "-I"]) for (const file of call.values(name)) call.to.read(file);
  for (const file of call.values("-O")) call.to.write(file);
  if (call.has("--extract") && !call.has("--list")) call.to.write(call.value("--directory") ?? here(call));
  if (call.has("--pass-through") && call.operands[0]) call.to.write(call.operands[0]);
  if (call.has("--create") || call.has("--pass-through")) call.to.doubt("which files cpio reads is not known");
  const run = call.value("--rsh-command");
  if (run) call.to.run(run.text);
}

/** `gzip` and kin: the file is replaced by another beside it. */
function compress(call: Call): void {
  for (const operand of call.operands) {
    if (operand.text === "-") continue;
    call.to.read(operand, { recursive: call.has("--recursive") });
    if (call.has("--stdout") || call.has("--list") || call.has("--test")) continue;
    call.to.write(operand);
  }
}

const compressOptions = optionList(`
    -c --stdout --to-stdout; -d --decompress --uncompress; -f --force; -k --keep; -l --list; -n
    --no-name; -q --quiet; -r --recursive; -S --suffix=; -t --test; -v --verbose; -T --threads=; -o=
  `);
/** Programs that pack, unpack and compress. Source: their manual pages. */
export const archivePrograms: readonly Program[] = [
  {
    dashless: true,
    ...program(
      "tar gtar bsdtar",
      optionList(`
    -g --listed-incremental=; -F --info-script --new-volume-script=; -c --create; -x --extract --get; -t --list; -r --append; -u --update; -A --catenate; -f --file=; -C
    --directory=; -z --gzip; -j --bzip2; -J --xz; -v --verbose; -p --preserve-permissions; -P
    --absolute-names; -T --files-from=; -X --exclude-from=; -I --use-compress-program=; -k
    --keep-old-files; -O --to-stdout; -m --touch; -h --dereference; --exclude=; --strip-components=;
    --transform=; --to-command=; --checkpoint=?; --checkpoint-action=; --rsh-command=;
    --owner=; --group=; --mode=; --remove-files; --wildcards; --zstd
  `),
      tar,
    ),
  },
  program("7z 7za 7zr 7zz rar unrar", ["-sdel"], archiver),
  program(
    "cpio",
    optionList(`
    -i --extract; -o --create; -p --pass-through; -t --list; -F=; -I=; -O=; -D --directory=; -H --format=; -d; -m; -u; -v; -R=; --rsh-command=; --quiet
  `),
    cpio,
  ),
  program(
    "zip",
    optionList(`
    --unzip-command=;     -r --recurse-paths; -m --move; -q --quiet; -j --junk-paths; -x --exclude=; -i --include=; -u
    --update; -d --delete; -P --password=; -e --encrypt
  `),
    zip,
  ),
  program(
    "unzip",
    optionList(`
    -d=; -l; -t; -p; -o; -n; -q; -j; -P=; -x=
  `),
    unzip,
  ),
  program("gzip gunzip zcat bzip2 bunzip2 bzcat xz unxz xzcat zstd unzstd zstdcat lz4 pigz", compressOptions, (call) =>
    call.program.endsWith("cat") ? readAll(call) : compress(call),
  ),
];
