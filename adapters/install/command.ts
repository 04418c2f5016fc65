import { basename, dirname, join } from "node:path";

/** The program to which hosts are wired, by its absolute paths on the user's machine. */
export interface HookProgram {
  /** The Node that runs it. */
  readonly node: string;
  /** `hookwarden-hook.cjs`, the launcher. */
  readonly launcher: string;
  /** `hookwarden.js`, the command line. */
  readonly command: string;
  /** Folder of the built modules, `dist`. */
  readonly modules: string;
  /** Set if hooks ask the daemon first: the shell launcher, and the daemon's socket. */
  readonly daemon?: { readonly shell: string; readonly socket: string };
}

/** Policies of a hook besides the usual places: absolute paths and `pack:<name>`, user scope. */
export interface HookPolicies {
  readonly policies: readonly string[];
  readonly set: Readonly<Record<string, string>>;
}

/** Inputs of a command line, besides its host and event. */
export interface LinePlace {
  readonly program: HookProgram;
  readonly by: HookPolicies;
  readonly platform: NodeJS.Platform;
  /** Home folder of the user who installs. That user's policies judge, whatever a project sets for the agent. */
  readonly home: string;
  /** Our state folder, an absolute path like the home. */
  readonly state: string;
  /** False if the system's shell has no `-p`, such as busybox; it takes nothing from the environment anyway. */
  readonly privileged?: boolean;
}

/** A command line that `install` wrote. */
export interface HookCommand {
  readonly node: string;
  readonly launcher: string;
  readonly host: string;
  /** The words after the host's name. */
  readonly given: readonly string[];
  /** The shell file that runs before the launcher: the client, or the one that asks the daemon first. */
  readonly shell?: string;
  /** True if the host starts it without a shell of its own. */
  readonly direct?: true;
}

/** A program and its arguments, for a host that starts them without a shell of its own. */
export interface DirectCall {
  readonly command: string;
  readonly args: readonly string[];
}

/** Name of the launcher's file, which identifies a command line of ours. */
export const launcherName = "hookwarden-hook.cjs";

/** Name of the file that asks the daemon first. */
export const shellName = "hookwarden-hook.sh";

/** Name of the file that starts the launcher in a clean environment, and refuses if it cannot. */
export const clientName = "hookwarden-client.sh";

/** The shell that runs both files, and its option that ignores functions, options and files from the environment. */
export const shell = "/bin/sh";
const privileged = "-p";

/** End of a line, which refuses if the launcher cannot even start, on every host that reads exit codes. */
const otherwise = " || exit 2";

/** Characters that a shell of the platform would interpret even inside our quotes. */
const unquotable = { win32: /["%!^\r\n]/, posix: /[\r\n\0]/ } as const;

/** Returns the first word that no shell of the platform can take; undefined if all can be given. */
export function unquotableWord(words: readonly string[], platform: NodeJS.Platform): string | undefined {
  const refused = platform === "win32" ? unquotable.win32 : unquotable.posix;
  return words.find((word) => refused.test(word));
}

/** Quotes one word of a command line. */
export function quoted(word: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns the options of a hook as words, each option followed by its value. */
export function optionWords({ policies, set }: HookPolicies): readonly string[] {
  return [
    ...policies.flatMap((policy) => ["--policy", policy]),
    ...Object.entries(set).flatMap(([name, value]) => ["--set", `${name}=${value}`]),
  ];
}

/** Returns the path of the client beside a launcher. */
export function clientOf({ launcher }: Pick<HookProgram, "launcher">): string {
  return join(dirname(launcher), clientName);
}

/** Returns the line that a host's shell runs for one event. */
export function hookLine(host: string, event: string, place: LinePlace): string {
  return callLine(host, event, place) + otherwise;
}

/**
 * The program that starts the shell for hosts that start programs directly. It is never the shell itself: a host that
 * ignores the entry's arguments would have the shell run the payload. This program does nothing without arguments.
 */
export const before = "/usr/bin/nohup";

/** Returns the call for a host that starts programs directly, without a shell. With `-p`, our shell ignores the environment's variables. */
export function directCall(line: string): DirectCall {
  return { command: before, args: [shell, privileged, "-c", line] };
}

/** Reads a direct call back; undefined if it is not ours. */
export function readDirectCall({ command, args }: DirectCall): HookCommand | undefined {
  const line = args.at(-1) ?? "";
  const own = directCall(line);
  if (command !== own.command || args.length !== own.args.length) return undefined;
  if (!args.every((word, i) => word === own.args[i])) return undefined;
  const found = readHookLine(line, "linux");
  return found && { ...found, direct: true };
}

/** Returns the call of the launcher alone: through the client, which a POSIX shell runs; on Windows directly. */
export function callLine(host: string, event: string, place: LinePlace): string {
  const { program, by, platform, home, state } = place;
  const { node, launcher, daemon } = program;
  const options = ["--event", event, "--state", state, "--home", home, ...optionWords(by)];
  const files = [node, launcher, ...(daemon ? [daemon.socket] : [])].map((file) => quoted(file, platform));
  return [
    ...(platform === "win32" ? [] : shellWords(place)),
    ...files,
    host,
    ...options.map((word, i) => (i % 2 === 0 ? word : quoted(word, platform))),
  ].join(" ");
}

function shellWords({ program, platform, privileged: can = true }: LinePlace): readonly string[] {
  const file = program.daemon?.shell ?? clientOf(program);
  return [quoted(shell, platform), ...(can ? [privileged] : []), quoted(file, platform)];
}

/**
 * Reads a line back, also one of an earlier version. Undefined for a line that `install` never writes, such as one written
 * by hand with other words at its end. A line is ours by its form and the launcher's name, wherever the launcher was when it
 * was written.
 */
export function readHookLine(line: string, platform: NodeJS.Platform): HookCommand | undefined {
  if (!line.endsWith(otherwise)) return undefined;
  const all = splitWords(line.slice(0, -otherwise.length), platform) ?? [];
  const before = all[0]?.text === shell ? (all[1]?.text === privileged ? 2 : 1) : 0;
  const file = before === 0 ? undefined : all[before];
  const named = file && fileName(file.text);
  if (before > 0 && named !== shellName && named !== clientName) return undefined;
  const words = all.slice(file ? before + 1 : 0);
  const count = named === shellName ? 3 : 2;
  const files = words.slice(0, count);
  const [host, ...given] = words.slice(count);
  const [node, launcher] = files;
  if (!node || !launcher || ![...files, file ?? node].every(({ isQuoted }) => isQuoted)) return undefined;
  if (!host || host.isQuoted || fileName(launcher.text) !== launcherName || given.length % 2 !== 0) return undefined;
  const known = given.every(({ text, isQuoted }, i) => isQuoted === (i % 2 === 1) && (i % 2 === 1 || isOption(text)));
  if (!known) return undefined;
  return {
    node: node.text,
    launcher: launcher.text,
    host: host.text,
    given: given.map(({ text }) => text),
    ...(file && { shell: file.text }),
  };
}

function fileName(path: string): string {
  return basename(path.replaceAll("\\", "/"));
}

function isOption(word: string): boolean {
  return ["--policy", "--set", "--event", "--state", "--home"].includes(word);
}

interface Word {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Splits a line into words by our own quoting; undefined if it holds anything else. */
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
