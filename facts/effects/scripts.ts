import type { EffectBase, PathValue } from "../../schema/facts.ts";
import type { Environment } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { spend } from "../meter.ts";
import { wiringFile } from "../paths/wiring.ts";
import { adoptLater } from "./adopted.ts";
import { reportLaterCode } from "./later-code.ts";
import { isPlainVariables, reportLaterFile } from "./later-environment.ts";
import { asRead } from "./line-ends.ts";
import { reportSettings } from "./loaders.ts";
import { isManifest, reportManifest } from "./manifests.ts";
import { happensIfReached, identityOf } from "./reached.ts";
import { type Scripts, scriptsIn } from "./script-kinds.ts";
import { readShell, type ShellReading, type WrittenText } from "./shell.ts";
import { Sink } from "./sink.ts";

// Most lines of a part of a script that are read one by one, if the part as a whole is no valid script.
const lineCount = 2_048;
// Cost of one text beside its length.
const textCost = 64;
// Most lines of a typed text that are read one by one, if the text as a whole is no shell text.
const typedLines = 64;
// Code that is read as a constant of the shell that starts its interpreter.
const codeLength = limits.shellLength;
const codeVariable = "HOOKWARDEN_CODE";

/** How code of a file is given to its interpreter, by the end of the file's name. */
const interpreters: readonly (readonly [RegExp, string])[] = [
  [/\.py$/i, "python3 -c"],
  [/\.[cm]?js$/i, "node -e"],
  [/\.(?:[cm]?ts|[jt]sx)$/i, "tsx -e"],
  [/\.rb$|(?:^|\/)(?:Rakefile|Gemfile|Vagrantfile|Podfile)$/i, "ruby -e"],
  [/\.p[lm]$/i, "perl -e"],
  [/\.lua$/i, "lua -e"],
  [/\.php$/i, "php -r"],
  [/\.(?:rs|go|swift|kts?|scala|cs|hs|ml)$/i, "raku -e"],
];

/**
 * Adds the effects of a script that a call writes, as possible ones: those that are certain if the script runs. Parts that are
 * not understood add nothing, so that writing stays free: running it later is opaque. A script over a bound makes the call not
 * understood, because the unread rest may be less harmless. Paths are resolved from the folder where such a file usually runs.
 * Source: threats page, class 9.
 */
export function reportWritten(written: WrittenText, environment: Environment, files: FileSystem, sink: Sink): void {
  // A call over a bound is not understood, so its other effects do not matter.
  if (sink.over !== undefined) return;
  spend(16 + (written.text.length >> 5));
  const path = sink.resolve(written.path, environment.cwd, false).lexical;
  const texts = asRead(path, written.text);
  if (!written.tooLong) {
    const listed = [sink.configs.length, sink.installs.length] as const;
    for (const text of texts) reportText(path, text, written.whole, environment, files, sink);
    if (texts.length > 1) [sink.configs, sink.installs].forEach((list, i) => void listOnce(list, listed[i] as number));
    return;
  }
  if (texts.some((text) => carriesEffects(path, text)))
    sink.notRead(`what is written to ${shownPath(path)} is longer than can be analysed`);
}

/** Keeps each effect behind a place of a list once: several ways of reading a text may report the same. */
function listOnce(list: EffectBase[], from: number): void {
  const seen = new Set<string>();
  const added = list.splice(from);
  for (const one of added) {
    const identity = identityOf(one);
    if (!seen.has(identity)) list.push(one);
    seen.add(identity);
  }
}

/**
 * Adds the effects of a text that a call types into a terminal, as possible effects, whichever program reads it. An agent with
 * its own terminal runs the commands that it types there. A text that is not shell text adds nothing.
 */
export function reportTyped(
  typed: readonly string[],
  cwd: string,
  environment: Environment,
  files: FileSystem,
  sink: Sink,
): void {
  for (const text of typed) {
    if (sink.over !== undefined) return;
    spend(textCost + (text.length >> 5));
    for (const one of [text, ...(text.includes("\n") ? text.split("\n").slice(0, typedLines) : [])]) {
      if (one.trim() === "") continue;
      const inner = new Sink(environment, files);
      const reading = readShell(one, cwd, environment, "bash", inner);
      if (!reading.shell) continue;
      adoptLater(sink, inner.effects(), false);
      break;
    }
  }
}

/** The same for one way of reading the text. */
function reportText(
  path: string,
  text: string,
  whole: boolean,
  environment: Environment,
  files: FileSystem,
  sink: Sink,
): void {
  reportSettings(path, text, sink);
  reportLaterFile(path, text, sink);
  reportManifest(path, text, sink);
  reportLaterCode(path, text, sink);
  const reader = new WrittenReader(path, environment, files, sink);
  reader.code(text);
  reader.aliases(text);
  if (sink.over !== undefined) return;
  const scripts = scriptsIn(path, text, whole);
  if (scripts?.over !== undefined) sink.notRead(`${shownPath(path)} has ${scripts.over} than can be analysed`);
  else for (let one = scripts; one !== undefined; one = one.further) reader.scripts(one, whole);
}

/** Reads the effects of one written file's texts into the sink of the call. */
class WrittenReader {
  readonly #path: string;
  readonly #environment: Environment;
  readonly #files: FileSystem;
  readonly #sink: Sink;

  constructor(path: string, environment: Environment, files: FileSystem, sink: Sink) {
    this.#path = path;
    this.#environment = environment;
    this.#files = files;
    this.#sink = sink;
  }

  scripts(scripts: Scripts, whole: boolean): void {
    const path = this.#path;
    spend(8 * Object.keys(this.#environment.variables).length);
    const environment = this.#with({ "0": path, BASH_SOURCE: path });
    const folder = scripts.folder === "own" ? path.slice(0, path.lastIndexOf("/")) || "/" : environment.cwd;
    for (const text of scripts.texts) {
      if (this.#sink.over !== undefined) return;
      if (text.trim() === "" || this.#read(text, folder, environment, scripts) || whole) continue;
      const lines = text.split("\n");
      if (lines.length > lineCount) return this.#sink.notRead(`${shownPath(path)} has more lines than can be analysed`);
      for (const line of lines) if (line.trim() !== "") this.#read(line, folder, environment, scripts);
    }
  }

  /**
   * Reports three kinds of effects of code in other languages. These are deletes of constant paths, downloads handed to an
   * interpreter, and effects on the guard: files that call it, a human's decisions, agents without hooks. Its other effects are
   * not judged until it runs: reading, writing and calling are what programs are for.
   */
  code(text: string): void {
    const interpreter = interpreterFor(this.#path);
    if (!interpreter) return;
    if (text.length > codeLength)
      return this.#sink.notRead(`the code in ${shownPath(this.#path)} is longer than can be analysed`);
    spend(8 + text.length);
    // An end tag of PHP ends a comment as well.
    const code = interpreter === "php -r" ? text.replace(/<\?(?:php|=)?/g, ";").replaceAll("?>", "\n;") : text;
    const inner = new Sink(this.#environment, this.#files);
    const environment = this.#with({ [codeVariable]: code });
    const reading = readShell(`${interpreter} "$${codeVariable}"`, environment.cwd, environment, "bash", inner);
    if (!reading.shell) return this.#refused(reading);
    const deletes = inner.deletes.filter((one) => happensIfReached(one) && (one.recursive || isWiring(one.path)));
    const writes = inner.writes.filter((one) => happensIfReached(one) && isWiring(one.path));
    const config = inner.configs.filter(
      (one) => happensIfReached(one) && typeof one.target === "string" && ofGuard.test(one.target),
    );
    const runs = inner.runs.filter(
      (one) => happensIfReached(one) && (one.source === "network" || one.source === "decoded"),
    );
    adoptLater(this.#sink, { ...new Sink(environment, this.#files).effects(), deletes, writes, config, runs }, false);
  }

  /** Reports how aliases in a start file would affect the guard: they run whenever their name is typed. */
  aliases(text: string): void {
    if (!startFile.test(this.#path)) return;
    spend(text.length >> 4);
    for (const found of [...text.matchAll(aliased)].slice(0, aliasCount)) {
      const inner = new Sink(this.#environment, this.#files);
      const body = found[2] ?? found[3] ?? "";
      spend(textCost + (body.length >> 5));
      const reading = readShell(body, this.#environment.cwd, this.#environment, "bash", inner);
      if (!reading.shell) continue;
      this.#guard(inner);
    }
  }

  /** Adopts only those effects of another text that concern the guard. */
  #guard(inner: Sink): void {
    const config = inner.configs.filter(
      (one) => happensIfReached(one) && typeof one.target === "string" && ofGuard.test(one.target),
    );
    adoptLater(this.#sink, { ...new Sink(this.#environment, this.#files).effects(), config }, false);
  }

  /** False where the text is no shell text. */
  #read(text: string, cwd: string, environment: Environment, { elsewhere, besideAgents }: Scripts): boolean {
    spend(textCost + (text.length >> 5));
    const inner = new Sink(this.#environment, this.#files);
    const reading = readShell(text, cwd, environment, "bash", inner);
    if (reading.shell) {
      adoptLater(this.#sink, inner.effects(), elsewhere);
      if (elsewhere && besideAgents) this.#guard(inner);
      if (reading.typed.length > 0) reportTyped(reading.typed, cwd, environment, this.#files, this.#sink);
    } else this.#refused(reading);
    return reading.shell !== undefined;
  }

  #refused(reading: ShellReading): void {
    if (reading.syntax) return;
    this.#sink.notRead(`${shownPath(this.#path)}: ${reading.doubts[0]?.reason ?? "it is not understood"}`);
  }

  #with(variables: Readonly<Record<string, string>>): Environment {
    return { ...this.#environment, variables: { ...this.#environment.variables, ...variables } };
  }
}

/** Settings that concern the guard: others that code and aliases set are not judged until they run. */
const ofGuard = /^(?:guard|agent|hookwarden) /;
const startFile =
  /(?:^|\/)\.?(?:\w*(?:rc|profile|aliases|login|zshenv)|config\.fish)$|\/(?:profile\.d|fish\/(?:conf\.d|functions))\/[^/]+$/i;
const aliased = /^[ \t]*alias[ \t]+(?:-\w+[ \t]+){0,4}[\w.:-]+[= \t][ \t]*(?:(["'])(.{1,2048}?)\1|(\S{1,2048}))/gm;
const aliasCount = 256;

function isWiring(path: PathValue): boolean {
  return !path.pattern && (wiringFile(path.lexical) || wiringFile(path.real));
}

/** True for a file whose text something runs, now or later, by its path and how its text begins. */
function carriesEffects(path: string, text: string): boolean {
  return (
    isPlainVariables(path) ||
    isManifest(path) ||
    interpreterFor(path) !== undefined ||
    scriptsIn(path, text, true) !== undefined
  );
}

function interpreterFor(path: string): string | undefined {
  return interpreters.find(([ending]) => ending.test(path))?.[1];
}

/** The end of a path, for messages. */
function shownPath(path: string): string {
  return `\`${path.length > 80 ? `…${path.slice(-79)}` : path}\``;
}
