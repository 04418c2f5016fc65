import { spend } from "../meter.ts";
import { describe, report } from "../programs/describe.ts";
import { type Arguments, given, valueOf } from "../programs/grammar.ts";
import type { Reporter } from "../programs/program.ts";
import { isKnown } from "../programs/registry.ts";
import { withoutEnd } from "../text/ends.ts";
import { directoryAfter } from "./directories.ts";
import type { Draft, FoldedRedirect } from "./draft.ts";
import { type Atom, type Field, literalAtom, literalField, unknownAtom, unknownVariable, withText } from "./fields.ts";
import { programName } from "./names.ts";
import { concatenated, fileKey, type WrittenFiles } from "./written.ts";

const unknownLine: Atom = { ...unknownAtom, template: `\${${unknownVariable}}\n` };

/** Records the texts that one command writes to files. Source: threats page, classes 2 and 9. */
export function recordWrites(machine: Writing, draft: Draft): void {
  for (const redirect of draft.redirects)
    recordRedirect(machine, redirect, draft.cwd, printed(draft), copiedProgram(draft));
  spend(2 + draft.redirects.length + draft.args.length);
  const row = writers.get(draft.program);
  if (row) row(machine, draft);
  else changed(machine, draft);
}

/** Records the text that a group of commands, or a shell, writes to its output files. */
export function recordGroup(machine: Writing, redirects: readonly FoldedRedirect[], cwd: string, from: number): void {
  if (!redirects.some((redirect) => writesOutput(redirect))) return;
  spend(machine.drafts.length - from);
  const printing = machine.drafts
    .slice(from)
    .filter((draft) => draft.pipedTo < 0 && !draft.redirects.some(writesOutput) && !draft.analysed);
  const text = concatenated(printing.map(printed));
  for (const redirect of redirects) recordRedirect(machine, redirect, cwd, text, "");
}

// Programs that print nothing unless something is wrong.
const quiet: ReadonlySet<string> = new Set(
  "cd mkdir touch rm mv cp ln chmod chown export set unset shopt true : sleep test [ local declare readonly read trap umask source . exit return install".split(
    " ",
  ),
);

function printed(draft: Draft): Atom {
  const known = draft.output?.atom;
  if (known) return known.kind === "unknown" && known.template === undefined ? { ...unknownLine, ...known } : known;
  return quiet.has(draft.program) ? literalAtom("") : unknownLine;
}

function writesOutput(redirect: FoldedRedirect): boolean {
  return (
    redirect.target !== undefined &&
    redirect.descriptor <= 1 &&
    /^(?:>|>>|>\||&>|&>>|>&|<>|>!|>>!|>>\|)$/.test(redirect.operator) &&
    !(redirect.operator === ">&" && /^\d*-?$/.test(redirect.target.text))
  );
}

function recordRedirect(machine: Writing, redirect: FoldedRedirect, cwd: string, text: Atom, program: string): void {
  if (!writesOutput(redirect) || !redirect.target) return;
  const key = fileKey(redirect.target, cwd);
  if (key === undefined) return;
  if (redirect.operator.includes(">>")) machine.files.append(key, text);
  else machine.files.replace(key, text, program);
}

/** The known program that `cat /bin/x` or `dd if=/bin/x` prints; empty for anything else. */
function copiedProgram(draft: Draft): string {
  if (draft.program !== "cat" && draft.program !== "dd") return "";
  const files = draft.args.map((word) => word.text.replace(/^if=/, "")).filter((text) => !/^(?:-|\w+=)/.test(text));
  return files.length === 1 ? installed(files[0] as string) : "";
}

/** Returns the name of the known program at a path in a program folder, or an empty text. */
function installed(path: string): string {
  const name = programName(path);
  return /(?:^|\/)s?bin\//.test(path) && isKnown(name) ? name : "";
}

/** The part of an analysis that remembers files. */
interface Writing {
  readonly files: WrittenFiles;
  readonly drafts: readonly Draft[];
}

type Writer = (machine: Writing, draft: Draft) => void;

const tee: Writer = (machine, draft) => {
  const append = draft.args.some((word) => /^(?:-[^\Wa]*a\w*|--append)$/.test(word.text));
  for (const word of draft.args) {
    const key = word.text.startsWith("-") ? undefined : fileKey(word, draft.cwd);
    if (key === undefined) continue;
    const text = draft.input?.atom ?? unknownLine;
    if (append) machine.files.append(key, text);
    else machine.files.replace(key, text);
  }
};

const dd: Writer = (machine, draft) => {
  const source = draft.args.find((word) => word.text.startsWith("if="));
  for (const word of draft.args) {
    if (!word.text.startsWith("of=")) continue;
    const target = withText(word, word.text.slice(3));
    if (source) copyOne(machine, withText(source, source.text.slice(3)), target, draft.cwd);
    else put(machine, target, draft.cwd, draft.input?.atom ?? unknownLine);
  }
};

function put(machine: Writing, target: Field, cwd: string, text: Atom, program = ""): void {
  const key = fileKey(target, cwd);
  if (key !== undefined) machine.files.replace(key, text, program);
}

/** `cp`, `mv`, `install`, `ln` and `rsync` of files on this machine: content and identity go along. */
const copy: Writer = (machine, draft) => {
  const { args } = describe(draft.program, draft.args);
  const folder = valueOf(args, "--target-directory") ?? valueOf(args, "-t");
  const operands = folder ? [...args.operands, folder] : args.operands;
  const [target, sources] = [operands.at(-1), operands.slice(0, -1)];
  if (!target && !lnNames.has(draft.program)) return;
  if (sources.length === 0 && target) sources.push(target);
  for (const source of sources) {
    const name = programName(source.text.replace(remotePlace, ""));
    const into = target && source !== target ? target : literalField(name, source.place);
    const inside = withText(into, `${withoutEnd(into.text, "/")}/${name}`);
    const one = makesLinks(draft, args) ? linkFrom(isSymbolic(draft, args)) : copyOne;
    if (!/\/$|^\.\.?$/.test(into.text) && !folder) one(machine, source, into, draft.cwd);
    one(machine, source, { ...inside, ...(into.template ? { template: `${into.template}/${name}` } : {}) }, draft.cwd);
  }
};

/** A place on another host, `user@host:` or the scheme of one. */
const remotePlace = /^(?:[\w.-]+@)?[\w.-]+:(?!\\)|^rsync:\/\//;

function copyOne(machine: Writing, source: Field, target: Field, cwd: string): void {
  const [from, to] = [fileKey(source, cwd), fileKey(target, cwd)];
  if (from === undefined || to === undefined || from === to) return;
  const remote = remotePlace.test(source.text);
  const program = installed(source.text);
  if (remote) put(machine, target, cwd, { ...unknownLine, origin: "network" });
  else if (program !== "") machine.files.replace(to, unknownAtom, program);
  else if (machine.files.at(from)) machine.files.copy(from, to);
  else if (machine.files.at(to)?.exact) machine.files.replace(to, unknownLine);
  else machine.files.copy(from, to);
}

const lnNames: ReadonlySet<string> = new Set(["ln", "gln"]);

/** True for a program that makes another name of a file, also `cp -l` and `cp -s`; a tree that is linked has folders of its own. */
function makesLinks({ program }: Draft, args: Arguments): boolean {
  if (lnNames.has(program) || program === "link") return true;
  if (["-r", "-R", "--recursive", "-a", "--archive"].some((name) => given(args, name))) return false;
  return /^g?cp$/.test(program) && ["-l", "--link", "-s", "--symbolic-link"].some((name) => given(args, name));
}

/** True where the link holds the text of its target, which is then found from the link's folder. */
function isSymbolic({ program }: Draft, args: Arguments): boolean {
  return lnNames.has(program) && given(args, "--symbolic") && !given(args, "--relative");
}

const linkFrom =
  (isSymbolicLink: boolean) =>
  (machine: Writing, source: Field, target: Field, cwd: string): void =>
    linkOne(machine, source, target, cwd, isSymbolicLink);

function linkOne(machine: Writing, source: Field, target: Field, cwd: string, isSymbolicLink: boolean): void {
  const to = fileKey(target, cwd);
  const folder =
    isSymbolicLink && target.text.includes("/")
      ? directoryAfter(cwd, target.text.slice(0, target.text.lastIndexOf("/") + 1))
      : cwd;
  const from = fileKey(source, folder);
  const program = installed(source.text);
  if (to === undefined || from === undefined || to === from) return;
  if (program !== "") machine.files.replace(to, unknownAtom, program);
  else machine.files.link(from, to);
}

/** Downloads, and all other programs that by their row write a file that this text wrote earlier. */
const changed: Writer = (machine, draft) => {
  // `emit` has put it there.
  const origin = draft.program === "git" ? clonedFrom(draft) : draft.output?.atom?.origin;
  if (machine.files.empty && origin !== "network") return;
  const collector = new Collector();
  report(draft.program, draft, describe(draft.program, draft.args), collector);
  const into = draft.program === "gh" ? downloadedInto(draft, collector.files[0]) : undefined;
  const folder = into && fileKey(into, draft.cwd);
  if (folder !== undefined) machine.files.unpack(folder, "network");
  for (const file of collector.files.slice(0, 64)) {
    const key = fileKey(file, draft.cwd);
    if (key === undefined) continue;
    if (origin === "network" && unpacking.has(draft.program)) machine.files.unpack(key, origin);
    else if (origin === "network") machine.files.replace(key, { ...unknownLine, origin });
    else if (!keeping.has(draft.program) && machine.files.at(key)?.exact)
      machine.files.append(key, { ...unknownLine, ...(origin ? { origin } : {}) });
  }
};

// Programs that unpack their input into a folder.
const unpacking: ReadonlySet<string> = new Set(
  "tar gtar bsdtar unzip cpio bsdcpio 7z 7za 7zz unar unrar git".split(" "),
);

/** `git clone address`: the folder's content comes from another host. */
function clonedFrom(draft: Draft): "network" | undefined {
  const words = draft.args.filter((word) => !word.text.startsWith("-"));
  const remote = /^(?:[a-z][a-z0-9+.-]*:\/\/|[\w.-]+@[\w.-]+:)/i;
  return words[0]?.text === "clone" && words.some((word) => remote.test(word.text)) ? "network" : undefined;
}

/** `gh gist clone id`, `gh release download`: the folder that fills with files whose names are not here. */
function downloadedInto(draft: Draft, written: Field | undefined): Field | undefined {
  const [group, verb, name, folder] = draft.args.filter((word) => !word.text.startsWith("-"));
  const what = `${group?.text ?? ""} ${verb?.text ?? ""}`;
  if (what === "gist clone") return folder ?? name;
  return what === "release download" || what === "run download" ? written : undefined;
}

// Programs that change a file's metadata alone, or make it if it is absent.
const keeping: ReadonlySet<string> = new Set([
  "chmod",
  "chown",
  "chgrp",
  "touch",
  "setfacl",
  "xattr",
  "chattr",
  "sync",
]);

/** A reporter that keeps the files that are written and drops all else. */
class Collector implements Reporter {
  readonly files: Field[] = [];

  write(file: Field): void {
    this.files.push(file);
  }

  writeInside(_: Field, inside: Field): void {
    this.files.push(inside);
  }

  repository(): string {
    return "";
  }

  folders(): void {}

  link(file: Field): void {
    this.files.push(file);
  }

  mayBeFolder(): boolean {
    return true;
  }

  tree(): void {}
  read(): void {}
  delete(): void {}
  run(): void {}
  network(): void {}
  install(): void {}
  push(): void {}
  onBranch(): void {}
  newTree(): void {}
  config(): void {}
  kill(): void {}
  doubt(): void {}
}

const writers: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ["tee", tee],
  ["sponge", tee],
  ["dd", dd],
  ...["cp", "mv", "install", "ln", "rsync", "scp", "gcp", "gmv", "ginstall", "gln", "link"].map(
    (name) => [name, copy] as const,
  ),
]);

// Programs that read the files named to them as they would their input.
const filters: ReadonlySet<string> = new Set(
  "cat tac head tail base64 gbase64 base32 rev xxd sort uniq less more bat nl".split(" "),
);

/** Returns the command as if its input were the content of the files that it names and that this text wrote. */
export function withFileInput(machine: Writing, draft: Draft): Draft {
  if (machine.files.empty || !filters.has(draft.program)) return draft;
  const options: Field[] = [];
  const atoms: Atom[] = [];
  let found = false;
  for (const word of draft.args) {
    if (word.text.startsWith("-") && word.text !== "-") {
      options.push(word);
      continue;
    }
    const { holds } = word;
    found ||= holds !== undefined;
    atoms.push(holds?.at(-1) ?? (word.text === "-" ? (draft.input?.atom ?? unknownLine) : unknownLine));
  }
  if (!found) return draft;
  return { ...draft, args: options, input: { atom: concatenated(atoms) } };
}
