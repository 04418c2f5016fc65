import type { Environment, JudgedEvent } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { spend } from "../meter.ts";
import type { ReadOptions } from "../programs/program.ts";
import { isBourne } from "../shell/dialects.ts";
import type { Field } from "../shell/fields.ts";
import { argumentField, commandText, own } from "./arguments.ts";
import { reportAddedTool } from "./declared-tools.ts";
import { reportGuarded } from "./guarded.ts";
import { reportVariables } from "./loaders.ts";
import { patchedFiles } from "./patches.ts";
import { notKnown, type Reading } from "./reading.ts";
import { reportTyped, reportWritten } from "./scripts.ts";
import { readShell } from "./shell.ts";
import { Sink } from "./sink.ts";
import { StandingScripts } from "./standing-scripts.ts";

/** Reports the effects of a tool that is not a shell; a returned text says why they are not known. */
type ToolEffects = (call: ToolCall) => string | undefined;

interface ToolCall {
  readonly event: JudgedEvent;
  readonly args: Readonly<Record<string, unknown>>;
  readonly sink: Sink;
  readonly files: FileSystem;
}

/** The strings of an argument that is a path or a list of paths; undefined when it is something else. */
function pathsOf(call: ToolCall, ...names: readonly string[]): Field[] | undefined {
  const fields: Field[] = [];
  for (const name of names) {
    const value = own(call.args, name);
    if (value === undefined) continue;
    const list = Array.isArray(value) ? value : [value];
    for (const item of list) {
      spend(4);
      if (typeof item !== "string" || item.includes("\0")) return undefined;
      fields.push(argumentField(item));
    }
  }
  return fields;
}

function access(
  use: (call: ToolCall, path: Field) => void,
  required: boolean,
  names: readonly string[] = ["path"],
): ToolEffects {
  return (call) => {
    const paths = pathsOf(call, ...names);
    if (!paths) return "a path argument is not a string";
    if (paths.length === 0 && required) return "the path argument is missing";
    const list = paths.length > 0 ? paths : [argumentField(".")];
    for (const path of list) {
      if (call.sink.overflown) break;
      use(call, path);
    }
    reached(call, "download");
    return undefined;
  };
}

/** Addresses that an adapter found where a tool takes paths and addresses alike. */
function reached(call: ToolCall, direction: "download" | "upload"): void {
  const urls = own(call.args, "urls");
  if (!Array.isArray(urls)) return;
  spend(urls.length);
  for (const url of urls) if (typeof url === "string") call.sink.network(url, direction);
}

/** Looks into a text that the call puts into files, for scripts. */
function wrote(call: ToolCall, paths: readonly Field[], text: unknown, whole: boolean): void {
  if (text === undefined || text === null) return;
  if (typeof text !== "string") {
    call.sink.doubt("the text that is written is not a string");
    return;
  }
  const { environment } = call.event;
  if (paths.length > writtenPaths) call.sink.notRead("a text is written into more files than can be analysed");
  for (const path of paths.slice(0, writtenPaths))
    reportWritten({ path: path.text, text, whole }, environment, call.files, call.sink);
}

// Paths of one call whose text is looked into.
const writtenPaths = 64;

/** `write`: the path, and the effects of a script that is written there. */
const write: ToolEffects = (call) => {
  const paths = pathsOf(call, "path");
  if (!paths) return "a path argument is not a string";
  if (paths.length === 0) return "the path argument is missing";
  for (const path of paths) {
    if (call.sink.overflown) break;
    call.sink.write(path);
  }
  wrote(call, paths, own(call.args, "content"), true);
  reached(call, "upload");
  return undefined;
};

/** Names under which edits inside one call hold their new text. */
const newTexts = ["new_text", "newText", "new_string", "new_str", "newString", "content"] as const;

/** `edit`: the path or paths, those inside edits, and those a patch names. */
const edit: ToolEffects = (call) => {
  const paths = pathsOf(call, "path", "paths");
  const edits = own(call.args, "edits");
  if (!paths || (edits !== undefined && !Array.isArray(edits))) return "a path argument is not a string";
  const outer = [...paths];
  const list: readonly unknown[] = Array.isArray(edits) ? edits : [];
  if (list.length > limits.effects) return "the call has more edits than can be analysed";
  for (const one of list) {
    spend(8);
    if (one === null || typeof one !== "object") continue;
    const args = one as Record<string, unknown>;
    const inner = pathsOf({ ...call, args }, "path", "file_path") ?? [];
    for (const path of inner) paths.push(path);
    for (const name of newTexts) wrote(call, inner.length > 0 ? inner : outer, own(args, name), false);
  }
  wrote(call, outer, own(call.args, "new_text"), false);
  const patch = own(call.args, "patch");
  if (patch !== undefined && typeof patch !== "string") return "the patch is not a string";
  const patched = typeof patch === "string" ? patchedFiles(patch) : [];
  for (const file of patched) {
    if (call.sink.overflown) break;
    const field = argumentField(file.path);
    if (file.change === "delete") call.sink.delete(field, false);
    else call.sink.write(field);
    if (file.added !== "") wrote(call, [field], file.added, false);
  }
  if (paths.length === 0 && patched.length === 0) return "which file is edited is not known";
  for (const path of paths) {
    if (call.sink.overflown) break;
    call.sink.read(path);
    call.sink.write(path);
  }
  return undefined;
};

const glob: ToolEffects = (call) => {
  const pattern = own(call.args, "pattern");
  const base = pathsOf(call, "path");
  if (!base || (pattern !== undefined && typeof pattern !== "string")) return "a path argument is not a string";
  const folder = base[0]?.text ?? ".";
  const text =
    typeof pattern === "string" && (pattern.startsWith("/") || pattern.startsWith("~"))
      ? pattern
      : `${folder}/${pattern ?? "**"}`;
  call.sink.read(argumentField(text, true), { metadata: true, recursive: true });
  // Other patterns and folders of the same call.
  for (const path of pathsOf(call, "paths") ?? [])
    call.sink.read(argumentField(path.text, true), { metadata: true, recursive: true });
  reached(call, "download");
  return undefined;
};

const fetched: ToolEffects = (call) => {
  const url = own(call.args, "url");
  const urls = Array.isArray(url) ? url : [url];
  if (urls.length === 0 || urls.some((one) => typeof one !== "string")) return "the address is not a string";
  const method = own(call.args, "method");
  const raw = call.event.args_raw;
  const body = ["body", "data", "json", "form", "payload"].some(
    (name) => (own(call.args, name) ?? own(raw, name)) !== undefined,
  );
  const verb = method ?? own(raw, "method");
  const sends = body || (verb !== undefined && !/^(?:GET|HEAD|OPTIONS)$/i.test(String(verb)));
  for (const one of urls) call.sink.network(one as string, sends ? "upload" : "download");
  reached(call, "download");
  return undefined;
};

/** `task` and `eval` run something that is not analysed. */
function runs(what: string): ToolEffects {
  return ({ sink }) => {
    sink.run(what);
    sink.doubt(`what the ${what} does is not analysed`);
    return undefined;
  };
}

/** Returns which files of a folder a search reads: all, or those whose names match a glob. */
function searched(args: Readonly<Record<string, unknown>>): ReadOptions {
  const given = own(args, "glob") ?? own(args, "include");
  const isName = typeof given === "string" && given !== "" && !/[/\\!,\s]/.test(given);
  return isName ? { recursive: true, takes: { what: "all", only: [given] } } : { recursive: true };
}

const rows: ReadonlyMap<string, ToolEffects> = new Map<string, ToolEffects>([
  ["read", access(({ sink }, path) => sink.read(path), true, ["path", "paths"])],
  ["write", write],
  ["edit", edit],
  ["list", access(({ sink }, path) => sink.read(path, { metadata: true }), false)],
  ["glob", glob],
  ["grep", access(({ args, sink }, path) => sink.read(path, searched(args)), false, ["path", "paths"])],
  ["fetch", fetched],
  ["search", ({ sink }) => void sink.network("", "both", false)],
  ["task", runs("task")],
  ["eval", runs("code")],
]);

/** Facts of a canonical tool other than the shells; undefined for a tool that is not canonical. */
export function readTool(name: string, event: JudgedEvent, files: FileSystem): Reading | undefined {
  const row = rows.get(name);
  if (!row) return undefined;
  const sink = new Sink(event.environment, files);
  sink.begin({ via: name, command: -1, cwd: event.environment.cwd, certain: true });
  const problem = row({ event, args: event.args ?? {}, sink, files });
  if (problem !== undefined) return notKnown(problem);
  reportAddedTool(name, event, sink);
  reportGuarded(sink, event.environment);
  if (sink.over !== undefined) return notKnown(sink.over);
  return {
    understanding: sink.doubts.length > 0 ? "opaque" : "understood",
    doubts: sink.doubts,
    shell: undefined,
    effects: sink.effects(),
  };
}

/** Facts of a command given to a shell: the tools `bash` and `powershell`, and `user_bash`. */
export function readShellCall(
  dialect: string,
  command: unknown,
  cwd: unknown,
  event: JudgedEvent,
  files: FileSystem,
): Reading {
  const text = commandText(command);
  if (text === undefined)
    return notKnown(command === undefined ? "the command is missing" : "the command is not a text or a list of words");
  if (!isBourne(dialect)) return notKnown(`the shell dialect \`${dialect.slice(0, 40)}\` is not supported`);
  if (cwd !== undefined && typeof cwd !== "string") return notKnown("the working directory is not a string");
  const given = variablesOf(own(event.args, "env"));
  if (!given) return notKnown("the variables are not strings by name");
  const sink = new Sink(event.environment, files);
  const scripts = new StandingScripts();
  const base = event.environment.cwd;
  const folder = cwd === undefined || cwd === "" ? base : sink.resolve(cwd, base, false).lexical;
  const environment = withVariables(event.environment, given);
  const { understanding, doubts, shell, written, typed, unseen, supposes } = readShell(
    text,
    folder,
    environment,
    dialect,
    sink,
    scripts,
  );
  if (!shell) return { understanding, doubts, shell, effects: undefined };
  sink.begin({ via: dialect, command: -1, cwd: folder, certain: true });
  for (const one of written) reportWritten(one, { ...environment, cwd: folder }, files, sink);
  if (typed.length > 0) reportTyped(typed, folder, environment, files, sink);
  if (sink.over !== undefined) return notKnown(sink.over);
  reportVariables(given, sink);
  const loading = sink.doubts.length > 0 && understanding === "understood";
  const seen = scripts.seen;
  return {
    understanding: loading ? "opaque" : understanding,
    doubts: [...doubts, ...sink.doubts],
    shell,
    effects: sink.effects(),
    ...(seen.length > 0 ? { scripts: seen } : {}),
    ...(unseen === undefined ? {} : { unseen }),
    ...(supposes === undefined ? {} : { supposes }),
  };
}

/** Variables that a shell call brings along; undefined when they are not strings by name. */
function variablesOf(value: unknown): Readonly<Record<string, string>> | undefined {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  spend(8 * Object.keys(value).length);
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return entries.length === Object.keys(value).length ? Object.fromEntries(entries) : undefined;
}

/** Returns the environment with the variables of a call; most calls have none. */
function withVariables(environment: Environment, given: Readonly<Record<string, string>>): Environment {
  if (Object.keys(given).length === 0) return environment;
  spend(8 * (Object.keys(environment.variables).length + Object.keys(given).length));
  return { ...environment, variables: { ...environment.variables, ...given } };
}
