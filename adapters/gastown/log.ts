import { appendFileSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createRegexEngine, vocabularyFor } from "../../runtime.ts";
import { limits } from "../../schema/limits.ts";
import { makeFolder } from "../../store/folders.ts";
import { stateFolder } from "../../store/state-folder.ts";
import { visible } from "../pi/approval.ts";
import type { ConfigSource } from "./config.ts";

/** Severity of a log entry. `info` reaches the screen only when verbose. */
export type LogLevel = "info" | "warning" | "error";

/** One log entry about a hook, or the configuration of hooks. Text is masked and cut when it is written. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  /** Event of the hook configuration, or `config`. */
  readonly event: string;
  readonly configSource: ConfigSource;
  readonly command?: string;
  readonly durationMs?: number;
  /** Null if the command did not end by itself. */
  readonly exitCode?: number | null;
  readonly decision?: string;
  readonly reason?: string;
  readonly path?: string;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** Destinations of log lines; by default a file of this user's and, for warnings and errors, standard error. */
export interface LogOptions {
  readonly verbose?: boolean;
  /** Receives every line; by default they are appended to `hooks.jsonl` in the state folder. */
  readonly file?: (line: string) => void;
  /** Receives lines for a human observer: warnings and errors, and all when verbose; by default standard error. */
  readonly screen?: (line: string) => void;
}

/** Shows a text to a human observer, in the host's own way. */
export type Notify = (text: string, level: LogLevel) => void;

/** The log of hooks: one JSON object a line, with the same fields in the same order, secrets masked at every level. */
export interface HookLog {
  /** Writes an entry; `quiet` entries go only to the file, since a screen shows them in its own way. */
  write(entry: LogEntry, quiet?: boolean): void;
  /**
   * From now on shows warnings and errors in the host's own interface, each once. Nothing goes to the screen, which is the
   * host's. With undefined: to the screen again.
   */
  showIn(notify: Notify | undefined): void;
  /** Returns the text without secrets, cut to the limit. */
  masked(text: string): string;
}

const names = ["message", "event", "command", "decision", "reason", "path", "stdout", "stderr"] as const;
/** Size at which a new log begins, in bytes; the previous one is kept beside it. */
const fileBytes = 5_242_880;

/**
 * Creates the log. Each text is masked first and then cut to 2,000 characters, so that no half of a secret is left. Masking
 * and cutting are noted only when verbose. Never throws. Source: seed gastown-hooks-v1.1, section 5.
 */
export function createHookLog(options: LogOptions = {}, now: () => number = Date.now): HookLog {
  const verbose = options.verbose ?? process.argv.includes("--verbose");
  const file = options.file ?? appendToFile;
  const screen = options.screen ?? ((line: string) => void process.stderr.write(`${line}\n`));
  const mask = lazyMask();
  const shown = new Set<string>();
  let notify: Notify | undefined;
  const tell = (show: Notify, entry: LogEntry): void => {
    const text = visible(masked(inWords(entry)));
    // A hook's fault recurs at each call: a human needs to read it once.
    if (entry.level !== "info" && (shown.has(text) || shown.size >= shownTexts)) return;
    if (entry.level !== "info") shown.add(text);
    show(text, entry.level);
  };
  const masked = (text: string): string => mask(text).slice(0, limits.captured).toWellFormed();
  return {
    masked,
    write(entry, quiet = false) {
      const line = JSON.stringify({ time: new Date(now()).toISOString(), ...written(entry, mask, verbose) });
      attempt(() => file(line));
      if (quiet || (!verbose && entry.level === "info")) return;
      const show = notify;
      attempt(() => (show ? tell(show, entry) : screen(line)));
    },
    showIn(next) {
      notify = next;
    },
  };
}

/** Maximum number of warnings and errors shown to a human in one process; the file has them all. */
const shownTexts = 1_000;

/** Returns an entry as text for a human. */
function inWords({ event, command, message, reason }: LogEntry): string {
  const what = command === undefined ? event : `${event} hook \`${command}\``;
  return `hookwarden: ${what}: ${message}${reason === undefined ? "" : ` (${reason})`}`;
}

/** Returns the entry as it is written, fields in one order. */
function written(entry: LogEntry, mask: (text: string) => string, verbose: boolean): Record<string, unknown> {
  const texts: Record<string, string> = {};
  const redacted: string[] = [];
  const truncated: string[] = [];
  for (const name of names) {
    const value = entry[name];
    if (value === undefined) continue;
    const clean = mask(value);
    if (clean !== value) redacted.push(name);
    if (clean.length > limits.captured) truncated.push(name);
    const cut = clean.slice(0, limits.captured).toWellFormed();
    // People read a reason, also in a terminal.
    texts[name] = name === "reason" ? visible(cut) : cut;
  }
  const { message, event, command, decision, reason, ...rest } = texts;
  return {
    level: entry.level,
    message,
    event,
    command,
    durationMs: entry.durationMs,
    exitCode: entry.exitCode,
    decision,
    reason,
    configSource: entry.configSource,
    ...rest,
    ...(verbose && redacted.length > 0 ? { redacted } : {}),
    ...(verbose && truncated.length > 0 ? { truncated } : {}),
  };
}

/** Returns masking by every detector, created for the first text. Text that cannot be masked is not shown. */
function lazyMask(): (text: string) => string {
  let made: ((text: string) => string) | undefined;
  return (text) => {
    try {
      if (text === "") return text;
      made ??= vocabularyFor(createRegexEngine()).mask;
      return made(text);
    } catch {
      return "(withheld)";
    }
  };
}

function appendToFile(line: string): void {
  const path = join(stateFolder(process.env), "hooks.jsonl");
  makeFolder(dirname(path), 0o700);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > fileBytes) renameSync(path, `${path}.1`);
  appendFileSync(path, `${line}\n`, { mode: 0o600 });
}

function attempt(write: () => void): void {
  try {
    write();
  } catch {
    // A log that cannot be written does not affect the hooks' decisions; there is nobody left to tell.
  }
}
