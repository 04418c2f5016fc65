import type { JudgedEvent } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { mcpName } from "../../schema/tools.ts";
import { sqlMeaning, sqlStatements } from "../programs/sql.ts";
import { own, stringsIn } from "./arguments.ts";
import { notKnown, type Reading } from "./reading.ts";
import { reportWritten } from "./scripts.ts";
import { looksLikePath, readShell } from "./shell.ts";
import { Sink } from "./sink.ts";
import { argumentField } from "./tools.ts";

type Access = "read" | "metadata" | "write" | "edit" | "move" | "delete" | "delete tree";

/** Tools of well-known file servers, by the tool's name, with the arguments that hold paths. */
const fileTools: ReadonlyMap<string, Access> = new Map<string, Access>([
  ["read_file", "read"],
  ["read_text_file", "read"],
  ["read_media_file", "read"],
  ["read_multiple_files", "read"],
  ["list_directory", "metadata"],
  ["list_directory_with_sizes", "metadata"],
  ["directory_tree", "metadata"],
  ["search_files", "metadata"],
  ["get_file_info", "metadata"],
  ["write_file", "write"],
  ["create_directory", "write"],
  ["edit_file", "edit"],
  ["move_file", "move"],
  ["delete_file", "delete"],
  ["delete_directory", "delete tree"],
]);

const fileServers = /^(?:fs|files?|filesystem|server-filesystem|file-system)$/i;
const deletingWord = /^(?:(?:delete|remove|unlink|purge|destroy|trash|erase|wipe)\w*|rm|rmdir|rmtree|drop|drops)$/;
/** Names of tools that only look something up, unless a word beside it says that they send. */
const lookingWord =
  /^(?:fetch|get|read|open|view|visit|navigate|goto|browse|crawl|scrape|search|screenshot|extract|lookup|docs?)$/;
const sendingWord =
  /^(?:post|put|patch|send|submit|upload|push|publish|create|update|write|delete|share|reply|comment|invoke|execute|request)$/;
const pathArguments = ["path", "paths", "file", "files", "source", "destination", "directory"] as const;
const address = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

/**
 * Facts of a tool that is not canonical: a known file server by table; any other by the shape of its arguments.
 * Always opaque. Source: language section 4; threats page, class 20.
 */
export function readForeignTool(name: string, event: JudgedEvent, files: FileSystem): Reading {
  const parts = mcpName(name);
  const server = event.tool?.server ?? parts?.server ?? "";
  const tool = parts?.tool ?? name;
  const sink = new Sink(event.environment, files);
  sink.begin({ via: name, command: -1, cwd: event.environment.cwd, certain: true });
  sink.run(name);
  const known = fileServers.test(server) ? fileTools.get(tool) : undefined;
  const strings = stringsIn(event.args ?? {});
  if (!strings) return notKnown("the arguments are larger than can be analysed");
  if (known) knownAccess(known, event, files, sink);
  possiblePush(tool, event, sink);
  possibleAccesses(known !== undefined, tool, strings, event, sink);
  if (known === undefined && wordsOf(`${server} ${tool}`).some((word) => runningWord.test(word)))
    possibleCommands(event, files, sink);
  if (sink.overflown) return notKnown("the call has more effects than can be listed");
  const doubts = [{ reason: `what the tool \`${name.slice(0, 80)}\` does is not analysed` }];
  return { understanding: "opaque", doubts, shell: undefined, effects: sink.effects() };
}

function knownAccess(kind: Access, event: JudgedEvent, files: FileSystem, sink: Sink): void {
  const args = event.args ?? {};
  const strings = pathArguments.flatMap((name) =>
    (stringsIn(own(args, name)) ?? []).map((found) => ({ name, text: found.text })),
  );
  const recursive = own(args, "recursive") === true;
  for (const { name, text } of strings) {
    const path = argumentField(text);
    if (kind === "read" || kind === "edit") sink.read(path, { recursive });
    if (kind === "metadata") sink.read(path, { metadata: true, recursive });
    if (kind === "write" || kind === "edit") wroteInto(text, kind === "write", event, files, sink);
    if (kind === "write" || kind === "edit" || (kind === "move" && name === "destination")) sink.write(path);
    if (kind === "move" && name === "source") {
      sink.read(path, { recursive: true });
      sink.delete(path, true);
    }
    if (kind === "delete" || kind === "delete tree") sink.delete(path, recursive || kind === "delete tree");
  }
}

/** Looks into the text that a file server is to write, for scripts. */
function wroteInto(path: string, whole: boolean, event: JudgedEvent, files: FileSystem, sink: Sink): void {
  const texts = textArguments.flatMap((name) => stringsIn(own(event.args, name)) ?? []);
  for (const found of texts.filter((one) => !/^old/i.test(one.name)).slice(0, editedTexts))
    reportWritten({ path, text: found.text, whole }, event.environment, files, sink);
}

const textArguments = ["content", "contents", "text", "edits", "new_text", "newText"] as const;
// Texts of one call that are looked into.
const editedTexts = 64;

/** Words of a tool's name, written `like_this`, `like-this` or `likeThis`. */
function wordsOf(name: string): string[] {
  return name
    .slice(0, 256)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** A tool named for pushing says where to and whether with force, under the names that servers of git use. */
function possiblePush(tool: string, event: JudgedEvent, sink: Sink): void {
  const words = wordsOf(tool);
  if (!words.includes("push") || words.includes("notification")) return;
  const text = (...names: readonly string[]): string => {
    const found = names.map((name) => own(event.args, name)).find((value) => typeof value === "string");
    return typeof found === "string" ? found : "";
  };
  const flag = (...names: readonly string[]): boolean => names.some((name) => own(event.args, name) === true);
  sink.push({
    remote: text("remote"),
    branch: text("branch", "ref", "target_branch"),
    forced: flag("force", "force_push", "forced"),
    mirror: flag("mirror"),
    delete: flag("delete"),
    certain: false,
  });
}

/** By shape: paths may be read and written, and deleted by a tool named for it; addresses may be reached. */
function possibleAccesses(
  known: boolean,
  tool: string,
  strings: readonly { name: string; text: string }[],
  event: JudgedEvent,
  sink: Sink,
): void {
  const words = wordsOf(tool);
  const deletes = words.some((word) => deletingWord.test(word));
  const looks = words.some((word) => lookingWord.test(word)) && !words.some((word) => sendingWord.test(word));
  const flag = ["recursive", "force_recursive", "recurse"].some((name) => own(event.args, name) === true);
  for (const { name, text } of strings) {
    if (sqlArgument.test(name)) possibleStatements(text, sink);
    if (address.test(text) && !text.startsWith("file:")) {
      sink.network(text, looks ? "download" : "both", false);
      continue;
    }
    if (known || !(looksLikePath(text) || (pathArguments as readonly string[]).includes(name))) continue;
    const path = argumentField(text);
    sink.read(path, { certain: false });
    sink.write(path, false);
    if (deletes) sink.delete(path, flag || /tree|dir|folder|recursive|all/i.test(tool), false);
  }
}

/** A tool named for running things may give its command to a shell. */
const runningWord = /^(?:run|exec|execute|shell|bash|sh|terminal|console|command|cmd|process|ssh|spawn|eval)\w{0,3}$/;
const commandArguments = ["command", "cmd", "script", "shell_command", "commandLine", "command_line"] as const;

function possibleCommands(event: JudgedEvent, files: FileSystem, sink: Sink): void {
  for (const name of commandArguments) {
    const text = own(event.args, name);
    if (typeof text !== "string" || text.length > limits.shellLength) continue;
    const inner = new Sink(event.environment, files);
    const reading = readShell(text, event.environment.cwd, event.environment, "bash", inner);
    if (reading.shell) sink.possible(inner.effects(), false);
  }
}

/** Arguments that hold SQL, whatever the server; what is none has no statement that takes anything away. */
const sqlArgument = /^(?:sql|query|statement|statements|queries)$/i;
// Longer texts are data.
const longestSql = 65_536;

function possibleStatements(text: string, sink: Sink): void {
  for (const one of sqlStatements(text.slice(0, longestSql), "") ?? [])
    if (one.kind === "sql") for (const target of sqlMeaning(one.tokens).targets) sink.config(`sql ${target}`, false);
}
