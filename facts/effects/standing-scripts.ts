import type { DeleteEffect, PathValue, SeenScript, ShellFacts, WriteEffect } from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import { metered, spend, spendText } from "../meter.ts";
import { given, readArguments } from "../programs/grammar.ts";
import { shellGrammar, shellNames } from "../programs/shells.ts";
import type { Draft } from "../shell/draft.ts";
import type { Field } from "../shell/fields.ts";
import { programName } from "../shell/names.ts";
import { interpreterOf } from "../shell/scripts.ts";
import { adoptNow } from "./adopted.ts";
import { Sink } from "./sink.ts";

/** Reads a text of a shell into a sink of its own. */
type Read = (
  text: string,
  cwd: string,
  environment: Environment,
  sink: Sink,
  deeper: StandingScripts,
) => { readonly shell: ShellFacts | undefined };

const shells: ReadonlySet<string> = new Set(shellNames);

/**
 * Scripts of one event that stood on the disk before it and that the call runs, read through the port of files: regular files
 * inside the workspace, few, short, and each once. Their effects are only possible, because another process may change them
 * before they run. Parts that are not understood add nothing. Source: shell design page, section 5.
 */
export class StandingScripts {
  /** Texts of files that were read, by real path; undefined for a file that may not be read. */
  readonly #asked: Map<string, string | undefined>;
  readonly #depth: number;

  constructor(asked: Map<string, string | undefined> = new Map(), depth = 0) {
    this.#asked = asked;
    this.#depth = depth;
  }

  /** The scripts that were read, in the order in which the call runs them. */
  get seen(): readonly SeenScript[] {
    return [...this.#asked].flatMap(([path, text]) => (text === undefined ? [] : [{ path, text }]));
  }

  /** Adds the effects of the scripts that these commands run. */
  report(drafts: readonly Draft[], environment: Environment, sink: Sink, read: Read): void {
    if (this.#depth >= limits.standingDepth || environment.workspace === "") return;
    let looks = 0;
    for (const draft of drafts) {
      spend(1);
      // A file that the call may not have written may still have its old content.
      if ((draft.analysed && !draft.args.some(({ varies }) => varies)) || looks === mostLooks) continue;
      const words = scriptOf(draft, drafts);
      const [file, ...args] = words ?? [];
      if (file) looks += 1;
      if (file) this.#one({ draft, file, args }, drafts, environment, sink, read);
    }
  }

  #one({ draft, file, args }: Run, drafts: readonly Draft[], environment: Environment, sink: Sink, read: Read): void {
    if (file.kind !== "literal" || draft.cwd === "") return;
    const path = sink.resolve(file.text, draft.cwd, false);
    const from = isReplaced(path, sink) ? copied(draft, path, drafts, sink) : file;
    const text = from && this.#text(sink.resolve(from.text, draft.cwd, false).real, environment, sink);
    if (text === undefined || (isByPath(draft, file) && !shells.has(interpreterNamed(text)))) return;
    const inner = new Sink(environment, sink.files);
    const deeper = new StandingScripts(this.#asked, this.#depth + 1);
    const variables = {
      ...environment.variables,
      ...givenTo(draft),
      "0": path.lexical,
      BASH_SOURCE: path.lexical,
    };
    const known = { ...environment, variables };
    // Line ends of Windows are no part of the words before them that matters here.
    const lines = text.replaceAll("\r\n", "\n");
    const whole = args.every(({ kind }) => kind === "literal")
      ? `set -- ${args.map(({ text: word }) => quoted(word)).join(" ")}\n${lines}`
      : lines;
    const reading = metered(
      limits.standingWork,
      () => read(whole, draft.cwd, known, inner, deeper),
      () => undefined,
    );
    if (reading?.shell && inner.over === undefined) adoptNow(sink, inner.effects());
  }

  #text(path: string, { workspace }: Environment, sink: Sink): string | undefined {
    const folder = sink.resolve(workspace, "/", false).real;
    if (!path.startsWith(folder === "/" ? "/" : `${folder}/`)) return undefined;
    if (!this.#asked.has(path) && this.#asked.size < limits.standingScripts) {
      spend(fileUnits);
      const isFile = sink.files.lookup(path).kind === "file";
      this.#asked.set(path, isFile ? sink.files.readText(path, limits.standingBytes) : undefined);
    }
    const text = this.#asked.get(path);
    if (text !== undefined) spendText(text.length);
    return text;
  }
}

/** Most commands of one text that are checked for scripts; each is compared with everything that the call writes. */
const mostLooks = 16;
/** Units of one look at the disk. */
const fileUnits = 64;

interface Run {
  readonly draft: Draft;
  readonly file: Field;
  readonly args: readonly Field[];
}

/** Programs that change a file's metadata, or part of its content. */
const amending =
  /^g?(?:chmod|chown|chgrp|touch|setfacl|chattr|chflags|xattr|sed|perl|dos2unix|unix2dos|shfmt|truncate|patch|ed|ex|awk|prettier|sort|strip)$/;

/** True for a file that the call surely rewrites, moves or deletes, so that nothing of its old content is left. */
function isReplaced({ lexical, real }: PathValue, { writes, deletes }: Sink): boolean {
  spend(1 + writes.length + deletes.length);
  const isHere = ({ path, recursive }: WriteEffect | DeleteEffect): boolean =>
    [path.lexical, path.real].some(
      (one) => one === lexical || one === real || (recursive && [lexical, real].some((p) => p.startsWith(`${one}/`))),
    );
  return writes.some((one) => one.certain && !amending.test(one.via) && isHere(one)) || deletes.some(isHere);
}

/** Returns the variables with known values that the command passes to the program it runs. */
function givenTo({ env }: Draft): Readonly<Record<string, string>> {
  spend(env.size);
  return Object.fromEntries([...env].flatMap(([name, { kind, text }]) => (kind === "literal" ? [[name, text]] : [])));
}

/** True for a file that is run by its own name: its first line names the interpreter. A shell that is called explicitly runs any text. */
function isByPath({ name }: Draft, file: Field): boolean {
  return name === file;
}

/** Returns the program that a script's first line names, also after `env` or `busybox`. */
function interpreterNamed(text: string): string {
  const words = interpreterOf(text).flatMap((word) => word.split(/[ \t]+/));
  const found = words.find((word) => !word.startsWith("-") && !/^\w+=|(?:^|\/)(?:env|busybox)$/.test(word));
  return programName(found ?? "");
}

/** The script that a command runs, with its arguments; undefined for a command that runs none. */
function scriptOf(draft: Draft, drafts: readonly Draft[]): readonly Field[] | undefined {
  const { program, name, args } = draft;
  if (program === "source" || program === ".") return args[0]?.text === "--" ? args.slice(1) : args;
  if (shells.has(program)) {
    const words = args.filter(({ text }) => !/^\+[a-zA-Z]+$/.test(text));
    const read = readArguments(shellGrammar, words);
    if (given(read, "-c") || given(read, "-n")) return undefined;
    const operands = read.operands[0]?.text === "-" ? read.operands.slice(1) : read.operands;
    const isInput = given(read, "-s") || operands.length === 0 || operands[0]?.text === "/dev/stdin";
    if (!isInput) return operands;
    const file = givenFile(draft, drafts);
    return file && [file, ...operands];
  }
  return name.text.includes("/") ? [name, ...args] : undefined;
}

/** Returns the input file of a shell, from a redirection or through `cat`. */
function givenFile({ redirects, pipedFrom }: Draft, drafts: readonly Draft[]): Field | undefined {
  const redirect = redirects.findLast(({ operator, descriptor }) => operator === "<" && descriptor <= 0);
  if (redirect) return redirect.target;
  const writer = drafts[pipedFrom];
  return writer?.program === "cat" && writer.args.length === 1 ? writer.args[0] : undefined;
}

/** Returns the file that an earlier command copied, moved or linked to a path. */
function copied(draft: Draft, path: PathValue, drafts: readonly Draft[], sink: Sink): Field | undefined {
  const before = drafts.slice(0, Math.max(0, drafts.indexOf(draft)));
  spend(before.length);
  for (const { program, args, cwd } of before.reverse()) {
    if (!/^(?:cp|mv|ln|install)$/.test(program) || cwd === "" || cwd !== draft.cwd) continue;
    const [from, to, ...more] = args.filter(({ text }) => !text.startsWith("-"));
    if (!from || to?.kind !== "literal" || more.length > 0) continue;
    const source = sink.resolve(from.text, cwd, false);
    if (sink.resolve(to.text, cwd, false).lexical === path.lexical && !isWrittenAlone(source, sink)) return from;
  }
  return undefined;
}

/** True for a file that the call writes, so that its content on the disk is outdated. */
function isWrittenAlone({ lexical }: PathValue, { writes }: Sink): boolean {
  return writes.some(({ path }) => path.lexical === lexical);
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
