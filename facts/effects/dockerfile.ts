import { spend, spendText } from "../meter.ts";
import { interpreterOf } from "../shell/scripts.ts";
import { quotedWord, type Runner, runBy, runnerOf, wordsText } from "./shell-words.ts";

const instruction = /^\s*(?:ONBUILD\s+)?(RUN|CMD|ENTRYPOINT|HEALTHCHECK|SHELL|COPY|ADD)(?:\s+(.*))?$/is;
const hereDocument = /(?<!<)<<(-?)(["']?)([A-Za-z_][\w.-]{0,127})\2(?!<)/g;
// Here-documents of one instruction, and shells of one file.
const documentCount = 16;
const shellCount = 4;
const directiveCount = 16;

/**
 * Returns the shell texts of the build file of an image: `RUN`, `CMD`, `ENTRYPOINT` and `HEALTHCHECK`, also behind `ONBUILD`, in the
 * form of a shell, of a list and of a here-document, run by the shells that `SHELL` names. Source: Dockerfile reference.
 */
export function dockerfileTexts(text: string): string[] {
  spend(8 + (text.length >> 4));
  const reader = new Dockerfile(text);
  reader.run();
  return reader.texts;
}

class Dockerfile {
  readonly texts: string[] = [];
  readonly #lines: readonly string[];
  readonly #continued: RegExp;
  /** How each `SHELL` runs a text; the usual shell has none. */
  readonly #shells: Runner[] = [];
  /** Last place of each line that may end a here-document. */
  readonly #ends = new Map<string, number>();
  /** Words of the last `ENTRYPOINT` and `CMD` as shell text; each is written once, however many the other has. */
  #entry = "";
  #given = "";
  #at = 0;

  constructor(text: string) {
    this.#lines = text.split(/\r?\n/);
    spend(4 * this.#lines.length);
    this.#lines.forEach((line, i) => void (/^\t*\w[\w.-]*$/.test(line) && this.#ends.set(line.replace(/^\t+/, ""), i)));
    this.#continued = continuedBy(this.#lines) === "`" ? /`[ \t]*$/ : /\\[ \t]*$/;
  }

  run(): void {
    while (this.#at < this.#lines.length) {
      const line = this.#instruction();
      const found = instruction.exec(line);
      if (found) this.#read((found[1] as string).toUpperCase(), found[2] ?? "");
    }
  }

  /** Returns the next instruction on one line: comments and empty lines between its lines are not part of it. */
  #instruction(): string {
    const parts: string[] = [];
    while (this.#at < this.#lines.length) {
      const line = this.#lines[this.#at++] as string;
      if (parts.length > 0 && /^\s*(?:#|$)/.test(line)) continue;
      const isContinued = this.#continued.test(line) && !/^\s*#/.test(line);
      parts.push(isContinued ? line.replace(this.#continued, "") : line);
      if (!isContinued) break;
    }
    return parts.join(" ");
  }

  #read(name: string, given: string): void {
    spendText(given.length);
    const rest = given.replace(/^\s*(?:--\S+\s+)*/, "");
    if (name === "COPY" || name === "ADD") return void this.#documents(rest);
    if (name === "HEALTHCHECK") {
      const command = /^CMD\s+(.*)$/is.exec(rest)?.[1];
      if (command !== undefined) this.#read("CMD", command);
      return;
    }
    const words = listOf(rest);
    if (name === "SHELL") {
      if (words && this.#shells.length < shellCount) this.#shells.push(shellRunner(words));
    } else if (words) this.#words(name, words);
    else this.#shell(rest, name === "RUN" ? this.#documents(rest) : []);
  }

  /** Adds a command in the form of a list. `CMD` gives the words behind those of `ENTRYPOINT`. */
  #words(name: string, words: readonly string[]): void {
    spend(words.length);
    const text = wordsText(words);
    this.texts.push(text);
    if (name === "RUN") return;
    if (name === "ENTRYPOINT") this.#entry = text;
    else this.#given = text;
    if (this.#entry !== "" && this.#given !== "") this.texts.push(`${this.#entry} ${this.#given}`);
  }

  /** Adds a text that a shell runs, with its here-documents. */
  #shell(rest: string, documents: readonly (readonly string[])[]): void {
    const [body = []] = documents;
    const bare = /^\s*<<-?(["']?)[\w.-]+\1\s*$/.test(rest);
    const script = body.slice(0, -1).join("\n");
    const text = bare ? script : [rest, ...documents.flat()].join("\n");
    this.texts.push(text);
    if (bare && script.startsWith("#!")) {
      const other = runBy(interpreterOf(script).join(" "), script);
      if (other !== script) this.texts.push(other);
    }
    for (const run of this.#shells) {
      const program = run(text);
      if (program !== text) this.texts.push(program);
    }
  }

  /** Takes the lines of the here-documents that an instruction begins, each with the line that ends it. One that does not end is none. */
  #documents(rest: string): readonly (readonly string[])[] {
    if (!rest.includes("<<")) return [];
    return [...rest.matchAll(hereDocument)].slice(0, documentCount).flatMap(([, tabs, , end = ""]) => {
      if ((this.#ends.get(end) ?? -1) < this.#at) return [];
      const lines: string[] = [];
      while (lines.at(-1) !== end && this.#at < this.#lines.length) {
        const line = this.#lines[this.#at++] as string;
        lines.push(tabs === "-" ? line.replace(/^\t+/, "") : line);
      }
      return [lines];
    });
  }
}

/** Returns how the words of a `SHELL` run a text. A shell that is no usual one runs what stands behind its own options. */
function shellRunner(words: readonly string[]): Runner {
  spend(words.length);
  const shell = wordsText(words);
  const run = runnerOf(shell);
  const hasOption = /^-\w+$/.test(words.at(-1) ?? "");
  return (text) => {
    const program = run(text);
    return program === text || !hasOption ? program : `${shell} ${quotedWord(text)}`;
  };
}

/** Returns the sign by which a line goes on in the next: the directives at the beginning may set another. */
function continuedBy(lines: readonly string[]): string {
  for (const line of lines.slice(0, directiveCount)) {
    const [, name = "", value = ""] = /^\s*#\s*(\w+)\s*=\s*(\S*)/.exec(line) ?? [];
    if (name === "") break;
    if (name.toLowerCase() === "escape") return value;
  }
  return "\\";
}

/** Returns the words of an instruction in the form of a list; undefined for any other. */
function listOf(text: string): readonly string[] | undefined {
  if (!/^\s*\[/.test(text)) return undefined;
  spend(1 + (text.length >> 4));
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) && words.every((word) => typeof word === "string") ? words : undefined;
  } catch {
    return undefined;
  }
}
