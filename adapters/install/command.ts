import { basename } from "node:path";

/** The program that hosts are wired to, as it stands on the user's machine: absolute paths. */
export interface HookProgram {
  /** The Node that runs it. */
  readonly node: string;
  /** `hookwarden-hook.cjs`, the launcher. */
  readonly launcher: string;
  /** `hookwarden.js`, the command line. */
  readonly command: string;
  /** Folder of the built modules, `dist`. */
  readonly modules: string;
  /** Where hooks ask the daemon first: the shell launcher, and the daemon's socket. */
  readonly daemon?: { readonly shell: string; readonly socket: string };
}

/** What a hook judges by besides the usual places: absolute paths and `pack:<name>`, user scope. */
export interface HookPolicies {
  readonly policies: readonly string[];
  readonly set: Readonly<Record<string, string>>;
}

/** A command line that `install` wrote. */
export interface HookCommand {
  readonly node: string;
  readonly launcher: string;
  readonly host: string;
  /** What stands behind the host's name. */
  readonly given: readonly string[];
  /** The shell launcher, where the line asks the daemon first. */
  readonly shell?: string;
}

/** Name of the launcher's file, by which a command line of ours is told. */
export const launcherName = "hookwarden-hook.cjs";

/** Name of the file that asks the daemon first. */
export const shellName = "hookwarden-hook.sh";

/** The shell that runs it. */
const shell = "/bin/sh";

/** How a line goes on where the launcher cannot even start: that still refuses, on every host that reads exit codes. */
const otherwise = " || exit 2";

/** Characters that a shell of the platform takes for more than text inside our quotes. */
const unquotable = { win32: /["%!^\r\n]/, posix: /[\r\n\0]/ } as const;

/** A word that no shell of the platform can be given; undefined where all can. */
export function unquotableWord(words: readonly string[], platform: NodeJS.Platform): string | undefined {
  const refused = platform === "win32" ? unquotable.win32 : unquotable.posix;
  return words.find((word) => refused.test(word));
}

/** One word of a command line. */
export function quoted(word: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The options of a hook as words. */
export function optionWords({ policies, set }: HookPolicies): readonly string[] {
  return [
    ...policies.flatMap((policy) => ["--policy", policy]),
    ...Object.entries(set).flatMap(([name, value]) => ["--set", `${name}=${value}`]),
  ];
}

/** The line that a host's shell runs for each event. */
export function hookLine(host: string, program: HookProgram, by: HookPolicies, platform: NodeJS.Platform): string {
  return callLine(host, program, by, platform) + otherwise;
}

/** The call of the launcher alone. */
export function callLine(host: string, program: HookProgram, by: HookPolicies, platform: NodeJS.Platform): string {
  const words = optionWords(by).map((word) => (word.startsWith("--") ? word : quoted(word, platform)));
  const { node, launcher, daemon } = program;
  const files = daemon ? [shell, daemon.shell, node, launcher, daemon.socket] : [node, launcher];
  return [...files.map((file) => quoted(file, platform)), host, ...words].join(" ");
}

/**
 * Reads a line back; undefined for one that `install` never writes, such as a line that somebody wrote by hand, with other
 * words behind it. A line is ours by its form and the launcher's name, wherever that stood when it was written.
 */
export function readHookLine(line: string, platform: NodeJS.Platform): HookCommand | undefined {
  if (!line.endsWith(otherwise)) return undefined;
  const words = splitWords(line.slice(0, -otherwise.length), platform) ?? [];
  const asks = words[0]?.text === shell && fileName(words[1]?.text ?? "") === shellName;
  const files = words.slice(asks ? 2 : 0, asks ? 5 : 2);
  const [host, ...given] = words.slice(asks ? 5 : 2);
  const [node, launcher] = files;
  if (!node || !launcher || !files.every(({ isQuoted }) => isQuoted) || !host || host.isQuoted) return undefined;
  if (fileName(launcher.text) !== launcherName || given.length % 2 !== 0) return undefined;
  const known = given.every(({ text, isQuoted }, i) => isQuoted === (i % 2 === 1) && (i % 2 === 1 || isOption(text)));
  if (!known) return undefined;
  return {
    node: node.text,
    launcher: launcher.text,
    host: host.text,
    given: given.map(({ text }) => text),
    ...(asks && words[1] && { shell: words[1].text }),
  };
}

function fileName(path: string): string {
  return basename(path.replaceAll("\\", "/"));
}

function isOption(word: string): boolean {
  return word === "--policy" || word === "--set";
}

interface Word {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Words of a line in our own quoting; undefined where anything else stands in it. */
function splitWords(line: string, platform: NodeJS.Platform): Word[] | undefined {
  const word = platform === "win32" ? /"([^"]*)"|([A-Za-z0-9-]+)/y : /'([^']*(?:'\\''[^']*)*)'|([A-Za-z0-9-]+)/y;
  const words: Word[] = [];
  for (let at = 0; at < line.length; at++) {
    word.lastIndex = at;
    const found = word.exec(line);
    if (!found) return undefined;
    const [whole, inQuotes, plain = ""] = found;
    words.push({ text: (inQuotes ?? plain).replaceAll("'\\''", "'"), isQuoted: inQuotes !== undefined });
    at += whole.length;
    if (at < line.length && line[at] !== " ") return undefined;
  }
  return words;
}
