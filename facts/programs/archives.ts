import { type Field, withText } from "../shell/fields.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program, readAll } from "./program.ts";
import { takenWithout } from "./taken.ts";

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
    unpacked(call, folder, call.operands, call.value("--transform") ?? call.value("--strip-components"));
    return;
  }
  if (call.has("--list")) {
    if (archive) call.to.read(archive);
    return;
  }
  const takes = takenWithout(call);
  // `-h` of tar follows links.
  const taken = call.has("--dereference") ? { ...(takes ?? { what: "all" as const }), follows: true as const } : takes;
  for (const member of membersOf(call)) {
    call.to.read(member, { recursive: true, takes: taken });
    if (call.has("--remove-files")) call.to.delete(member, true);
  }
  if (archive && archive.text !== "-") call.to.write(archive);
}

/** Folders that are followed from one to the next; more would make long texts of many words. */
const mostFolders = 8;

/**
 * Returns the members of an archive, each in the folder set by the `--directory` options before it; each option is relative to
 * the last.
 */
function membersOf(call: Call): Field[] {
  const folders = call.values("--directory");
  const members: Field[] = [];
  let folder: Field | undefined;
  let at = 0;
  for (const operand of call.operands) {
    for (; at < folders.length && (folders[at] as Field).place.start < operand.place.start; at++)
      folder = at < mostFolders ? inFolder(folder, folders[at] as Field) : unknownFolder(operand);
    members.push(inFolder(folder, operand));
  }
  return members;
}

function unknownFolder(word: Field): Field {
  return { ...withText(word, ""), kind: "unknown", glob: false };
}

function inFolder(folder: Field | undefined, word: Field): Field {
  if (!folder || /^[/~]/.test(word.text)) return word;
  const text = `${folder.text.replace(/\/$/, "")}/${word.text}`;
  return {
    ...withText(word, text),
    kind: folder.kind === "unknown" ? folder.kind : word.kind,
    glob: word.glob || folder.glob,
  };
}

/** Reports the files that are unpacked into a folder: all of the archive, or the named members. */
function unpacked(call: Call, folder: Field, members: readonly Field[], renamed?: Field): void {
  if (members.length === 0 || renamed) call.to.tree(folder, "replaced");
  for (const member of members) {
    const place = withText(folder, `${folder.text.replace(/\/$/, "")}/${member.text.replace(/^\/+/, "")}`);
    const inside: Field = { ...place, glob: member.glob || /[*?[]/.test(member.text), kind: member.kind };
    call.to.write(inside, false);
    call.to.tree(inside, "replaced");
  }
}

const here = (call: Call): Field => ({ ...call.draft.name, text: ".", kind: "literal", glob: false });

function unzip(call: Call): void {
  const [archive, ...members] = call.operands;
  if (archive) call.to.read(archive);
  if (call.has("-l") || call.has("-t") || call.has("-p")) return;
  const folder = call.value("-d") ?? here(call);
  call.to.write(folder);
  unpacked(call, folder, members);
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
    if (verb?.text !== "x" && verb?.text !== "e") return;
    const folder = out ? withText({ ...here(call), verbatim: -1 }, out) : here(call);
    call.to.write(folder);
    unpacked(call, folder, files);
  }
}

/** `cpio`: `-i` extracts files from the input, `-o` archives the files that the input names, `-p` copies them. */
function cpio(call: Call): void {
  for (const name of ["-F", "-I"]) for (const file of call.values(name)) call.to.read(file);
  for (const file of call.values("-O")) call.to.write(file);
  if (call.has("--extract") && !call.has("--list")) {
    const folder = call.value("--directory") ?? here(call);
    call.to.write(folder);
    unpacked(call, folder, call.operands);
  }
  if (call.has("--pass-through") && call.operands[0]) {
    call.to.write(call.operands[0]);
    call.to.tree(call.operands[0], "replaced");
  }
  if (call.has("--create") || call.has("--pass-through")) call.to.doubt("which files cpio reads is not known");
  const run = call.value("--rsh-command");
  if (run) call.to.run(run.text);
}

/** `gzip` and similar programs: a new file beside it replaces the file. */
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
    "cpio bsdcpio",
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
