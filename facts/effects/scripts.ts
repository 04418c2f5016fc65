import type { Environment } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { reportSettings } from "./loaders.ts";
import { reportManifest } from "./manifests.ts";
import { scriptsIn } from "./script-kinds.ts";
import { readShell, type WrittenText } from "./shell.ts";
import { Sink } from "./sink.ts";

// Lines of a part of a script that are looked at one by one where the part as a whole is no script.
const lineCount = 256;

/** How code of a file is given to its interpreter, by the end of the file's name. */
const interpreters: readonly (readonly [RegExp, string])[] = [
  [/\.py$/i, "python3 -c"],
  [/\.[cm]?js$/i, "node -e"],
  [/\.rb$|(?:^|\/)(?:Rakefile|Gemfile|Vagrantfile|Podfile)$/i, "ruby -e"],
  [/\.p[lm]$/i, "perl -e"],
  [/\.lua$/i, "lua -e"],
  [/\.php$/i, "php -r"],
  [/\.(?:rs|go|swift|kts?|scala|cs|hs|ml)$/i, "raku -e"],
];

/**
 * Adds to the sink what a script would do that a call writes, as possible effects: those that are certain if the
 * script runs. What is not understood in it adds nothing, so that writing stays free: running it later is opaque.
 * Paths are resolved from the folder where such a file usually runs. Source: threats page, class 9.
 */
export function reportWritten(written: WrittenText, environment: Environment, files: FileSystem, sink: Sink): void {
  const path = sink.resolve(written.path, environment.cwd, false).lexical;
  reportSettings(path, written.text, sink);
  reportManifest(path, written.text, sink);
  reportCode(path, written.text);
  const scripts = scriptsIn(path, written.text, written.whole);
  if (!scripts) return;
  const folder = scripts.folder === "own" ? path.slice(0, path.lastIndexOf("/")) || "/" : environment.cwd;
  for (const text of scripts.texts) {
    if (text.trim() === "" || text.length > limits.shellLength) continue;
    if (read(text, folder, scripts.elsewhere) || written.whole) continue;
    for (const line of text.split("\n").slice(0, lineCount))
      if (line.trim() !== "") read(line, folder, scripts.elsewhere);
  }

  /**
   * Deletes of constant paths in code of other languages, and downloads that it gives to an interpreter. All else that
   * code may do is its own matter until it runs: what it reads, writes and calls is what programs are written for.
   */
  function reportCode(file: string, text: string): void {
    const interpreter = interpreters.find(([ending]) => ending.test(file))?.[1];
    if (!interpreter || text.length > limits.shellLength / 2) return;
    const inner = new Sink(environment, files);
    const code = interpreter === "php -r" ? text.replace(/<\?(?:php|=)?|\?>/g, ";") : text;
    const call = `${interpreter} '${code.replaceAll("'", "'\\''")}'`;
    if (!readShell(call, environment.cwd, environment, "bash", inner).shell) return;
    const deletes = inner.deletes.filter((one) => one.certain && one.recursive);
    const runs = inner.runs.filter((one) => one.certain && (one.source === "network" || one.source === "decoded"));
    sink.possible({ ...new Sink(environment, files).effects(), deletes, runs }, false);
  }

  /** False where the text is no shell text. */
  function read(text: string, cwd: string, elsewhere: boolean): boolean {
    const inner = new Sink(environment, files);
    const variables = { ...environment.variables, "0": path, BASH_SOURCE: path };
    const reading = readShell(text, cwd, { ...environment, variables }, "bash", inner);
    if (!reading.shell) return false;
    sink.possible(inner.effects(), elsewhere);
    return true;
  }
}
