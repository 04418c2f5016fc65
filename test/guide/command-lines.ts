import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { stateFolder } from "../../store/state-folder.ts";
import { humanWho } from "../cli/human.ts";
import { type Ran, run } from "../cli/run.ts";

const root = join(import.meta.dirname, "../..");

/** The pages that tell people what to run. */
export const pages: readonly string[] = [
  "README.md",
  ...readdirSync(join(root, "docs/guide"))
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `docs/guide/${name}`),
];

/** The text of a page. */
export const textOf = (page: string): string => readFileSync(join(root, page), "utf8");

/** One fenced block of a page. */
export interface PageBlock {
  readonly page: string;
  readonly language: string;
  /** Text after the language, e.g. the name of a file. */
  readonly info: string;
  readonly text: string;
}

/** The fenced blocks of all pages. */
export const blocks: readonly PageBlock[] = pages.flatMap((page) =>
  [...textOf(page).matchAll(/^```(\S*) ?(.*)\n([\s\S]*?)^```$/gm)].map(([, language = "", info = "", text = ""]) => ({
    page,
    language,
    info,
    text,
  })),
);

/** One command of hookwarden that a page shows in a block, without the prompt and the remark behind it. */
export interface CommandLine {
  readonly page: string;
  readonly line: string;
}

/** The commands of hookwarden in the blocks of all pages. */
export const commandLines: readonly CommandLine[] = blocks
  .filter(({ language }) => ["", "sh", "console", "text"].includes(language))
  .flatMap(({ page, text }) =>
    text
      .split("\n")
      .map((line) => line.replace(/^\$ /, "").replace(/\s+# .*$/, ""))
      .filter((line) => line.startsWith("hookwarden "))
      .map((line) => ({ page, line })),
  );

/** The commands of hookwarden that stand in the prose of all pages. */
export const commandsInProse: readonly CommandLine[] = pages.flatMap((page) =>
  [
    ...textOf(page)
      .replace(/^```[\s\S]*?^```$/gm, "")
      .matchAll(/`(hookwarden [^`]+)`/g),
  ].map(([, line = ""]) => ({
    page,
    line: line.replace(/\s+/g, " "),
  })),
);

/** A line as words, with where its streams come from and go. Quotes are those of a shell; nothing is substituted. */
export function parsed(line: string): {
  readonly words: readonly string[];
  readonly from: string | undefined;
  readonly to: string | undefined;
} {
  const tokens = [...line.matchAll(/'([^']*)'|"([^"]*)"|(<[\w-]+>)|([<>])|([^\s'"<>]+)/g)].map(
    ([whole, single, double]) => ({
      text: single ?? double ?? whole,
      quoted: single !== undefined || double !== undefined,
    }),
  );
  const words: string[] = [];
  const streams: Record<string, string | undefined> = {};
  for (let i = 0; i < tokens.length; i++) {
    const { text, quoted } = tokens[i] as (typeof tokens)[number];
    if (!quoted && (text === "<" || text === ">")) streams[text] = tokens[++i]?.text;
    else words.push(text);
  }
  return { words: words.slice(1), from: streams["<"], to: streams[">"] };
}

/** A scratch project and home in which commands of pages run, in this process. */
export class GuideWorld {
  readonly #root = realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-commands-")));
  readonly home = join(this.#root, "home");
  readonly project = join(this.#root, "shop");
  /** Folder that a page calls `/mnt/elsewhere`. */
  readonly elsewhere = join(this.#root, "elsewhere");
  /** Values of `<id>` and the like. */
  readonly values: Record<string, string> = {};

  constructor() {
    for (const folder of [this.home, this.project, this.elsewhere]) mkdirSync(folder);
  }

  /** Our folder of state. */
  get state(): string {
    return stateFolder({}, this.home);
  }

  /** Writes a file, by its path below the project. */
  put(path: string, text: string): void {
    mkdirSync(dirname(join(this.project, path)), { recursive: true });
    writeFileSync(join(this.project, path), text);
  }

  /** Runs a command with these words. */
  run(args: readonly string[], stdin?: string): Promise<Ran> {
    const env = { HOME: this.home, PATH: "/usr/bin:/bin" };
    const human = humanWho("yes", () => {});
    return run(args, { cwd: this.project, home: this.home, env, human, ...(stdin !== undefined && { stdin }) });
  }

  /** Runs a line of a page as a shell would begin it, with a human who says yes. */
  async follow(line: string): Promise<Ran> {
    const { words, from, to } = parsed(line);
    const ran = await this.run(
      words.flatMap((word) => this.#expanded(word)),
      from === undefined ? undefined : readFileSync(join(this.project, from), "utf8"),
    );
    if (to !== undefined) this.put(to, ran.out);
    return ran;
  }

  #expanded(word: string): readonly string[] {
    const value = this.values[word];
    if (value !== undefined) return [value];
    const path = word.replace(/^~(?=\/)/, this.home).replace("/mnt/elsewhere", this.elsewhere);
    if (!path.includes("*") || /[{"]/.test(path)) return [path];
    const fits = new RegExp(`^${basename(path).replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
    const names = readdirSync(join(this.project, dirname(path))).filter((name) => fits.test(name));
    return names.sort().map((name) => join(dirname(path), name));
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
