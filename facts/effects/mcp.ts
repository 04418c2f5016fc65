import { anyText } from "../../schema/approximation.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { mcpName } from "../../schema/tools.ts";
import { spend } from "../meter.ts";
import { sqlMeaning, sqlStatements } from "../programs/sql.ts";
import type { Field } from "../shell/fields.ts";
import { adoptLater } from "./adopted.ts";
import { argumentField, own, stringsIn } from "./arguments.ts";
import { wordsOf } from "./call-names.ts";
import { reportAddedTool } from "./declared-tools.ts";
import { type FileAccess, fileAccess } from "./file-tools.ts";
import { reportGuarded } from "./guarded.ts";
import { reportLaterTool } from "./later-environment.ts";
import { isDestination, isOrigin, type NamedText, namedTexts } from "./named-paths.ts";
import { notKnown, type Reading } from "./reading.ts";
import { reportWritten } from "./scripts.ts";
import { readShell } from "./shell.ts";
import { Sink } from "./sink.ts";

const deletingWord = /^(?:(?:delete|remove|unlink|purge|destroy|trash|erase|wipe)\w*|rm|rmdir|rmtree|drop|drops)$/;
/** Words in the names of tools that only read, unless another word shows that they send. */
const lookingWord =
  /^(?:fetch|get|read|open|view|visit|navigate|goto|browse|crawl|scrape|search|screenshot|extract|lookup|docs?)$/;
const sendingWord =
  /^(?:post|put|patch|send|submit|upload|push|publish|create|update|write|delete|share|reply|comment|invoke|execute|request)$/;
/** Names of tools that put a whole folder somewhere. */
const treeWord = /^(?:extract|unzip|untar|unpack|decompress|restore|copy|cp|clone|checkout|sync|mirror)$/;
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
  const known = fileAccess(server, tool);
  const strings = stringsIn(event.args ?? {});
  const texts = namedTexts(name, event.args ?? {}, known !== undefined);
  if (!strings || !texts) return notKnown("the arguments are larger than can be analysed");
  if (known) knownAccess(known, texts, event, files, sink);
  possiblePush(tool, event, sink);
  reportLaterTool(tool, strings, sink);
  possibleAccesses(known !== undefined, tool, texts, event, sink);
  if (known === undefined && wordsOf(`${server} ${tool}`).some((word) => runningWord.test(word)))
    possibleCommands(event, files, sink);
  reportAddedTool(name, event, sink);
  reportGuarded(sink, event.environment);
  if (sink.over !== undefined) return notKnown(sink.over);
  const doubts = [{ reason: `what the tool \`${name.slice(0, 80)}\` does is not analysed` }];
  return { understanding: "opaque", doubts, shell: undefined, effects: sink.effects() };
}

/** Reports the accesses of a known tool: it uses every path in its arguments, at any depth. */
function knownAccess(
  kind: FileAccess,
  named: readonly NamedText[],
  event: JudgedEvent,
  files: FileSystem,
  sink: Sink,
): void {
  const recursive = own(event.args ?? {}, "recursive") === true;
  const writes = kind === "write" || kind === "edit";
  const texts = writes ? writtenTexts(event) : [];
  if (texts.length > editedTexts) sink.notRead("the call writes more texts than can be analysed");
  for (const { name, text, path: how } of named) {
    if (sink.overflown) return;
    if (how !== "named") continue;
    const path = argumentField(text);
    if (kind === "read" || kind === "edit") sink.read(path, { recursive });
    if (kind === "metadata") sink.read(path, { metadata: true, recursive });
    for (const written of texts.slice(0, editedTexts))
      reportWritten({ path: text, text: written, whole: kind === "write" }, event.environment, files, sink);
    if (writes) sink.write(path);
    if (kind === "move") moved(name, path, sink);
    if (kind === "delete" || kind === "delete tree") sink.delete(path, recursive || kind === "delete tree");
  }
}

function moved(name: string, path: Field, sink: Sink): void {
  if (isDestination(name)) {
    sink.write(path);
    sink.tree(path, "replaced");
  }
  if (!isOrigin(name)) return;
  sink.read(path, { recursive: true });
  sink.delete(path, true);
}

/** Texts that a file server is to write, to be looked into for scripts. */
function writtenTexts(event: JudgedEvent): readonly string[] {
  return textArguments
    .flatMap((name) => stringsIn(own(event.args, name)) ?? [])
    .filter((one) => !/^old/i.test(one.name))
    .map((one) => one.text);
}

const textArguments = ["content", "contents", "text", "edits", "new_text", "newText"] as const;
// Texts of one call that are looked into.
const editedTexts = 512;

/** Reports the push of a tool named for it, with target and force under the argument names that git servers use. */
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
    branch: text("branch", "ref", "target_branch") || anyText("branch"),
    forced: flag("force", "force_push", "forced"),
    mirror: flag("mirror"),
    delete: flag("delete"),
    certain: false,
  });
}

/** Names of tools that read, and the words beside them that tell the object. */
const readingWord = /^(?:grep|ripgrep|rg|ls|cat|head|tail|stat|list|read|search|find|glob|view|tree)$/;
const readWord =
  /^(?:files?|dirs?|directory|directories|folders?|text|contents?|lines?|in|info|code|codebase|many|multiple|symbols?)$/;

/** True for a tool that is named for reading and for nothing else. */
function readsOnly(words: readonly string[]): boolean {
  return (
    words.some((word) => readingWord.test(word)) && words.every((word) => readingWord.test(word) || readWord.test(word))
  );
}

/**
 * Reports possible accesses by the shape of arguments: paths may be read and written, and deleted by a tool named for it;
 * addresses may be reached.
 */
function possibleAccesses(
  known: boolean,
  tool: string,
  texts: readonly NamedText[],
  event: JudgedEvent,
  sink: Sink,
): void {
  const words = wordsOf(tool);
  const deletes = words.some((word) => deletingWord.test(word));
  const looks = words.some((word) => lookingWord.test(word)) && !words.some((word) => sendingWord.test(word));
  const flag = ["recursive", "force_recursive", "recurse"].some((name) => own(event.args, name) === true);
  const reads = readsOnly(words);
  const brings = words.some((word) => treeWord.test(word));
  for (const { name, text, path: how } of texts) {
    if (sink.overflown) return;
    spend(2 + (Math.min(text.length, 4096) >> 5));
    if (sqlArgument.test(name)) possibleStatements(text, sink);
    if (address.test(text) && !text.startsWith("file:")) {
      sink.network(text, looks ? "download" : "both", false);
      continue;
    }
    if (known || how === undefined) continue;
    const path = argumentField(text);
    sink.read(path, { certain: false });
    if (!reads || isDestination(name)) sink.write(path, false);
    if (brings && isDestination(name)) sink.tree(path, "replaced");
    if (deletes) sink.delete(path, flag || /tree|dir|folder|recursive|all/i.test(tool), false);
  }
}

/** A tool named for running things may give its command to a shell. */
const runningWord = /^(?:run|exec|execute|shell|bash|sh|terminal|console|command|cmd|process|ssh|spawn|eval)\w{0,3}$/;
const commandArguments = ["command", "cmd", "script", "shell_command", "commandLine", "command_line"] as const;

function possibleCommands(event: JudgedEvent, files: FileSystem, sink: Sink): void {
  for (const name of commandArguments) {
    const text = own(event.args, name);
    if (typeof text !== "string") continue;
    const inner = new Sink(event.environment, files);
    const reading = readShell(text, event.environment.cwd, event.environment, "bash", inner);
    if (reading.shell) adoptLater(sink, inner.effects(), false);
    else if (!reading.syntax) sink.notRead(reading.doubts[0]?.reason ?? "the command is not understood");
  }
}

/** Arguments that hold SQL, for any server; other text holds no statement that deletes anything. */
const sqlArgument = /^(?:sql|query|statement|statements|queries)$/i;
const longestSql = 262_144;

function possibleStatements(text: string, sink: Sink): void {
  if (text.length > longestSql) return sink.notRead("a text of SQL is longer than can be analysed");
  for (const one of sqlStatements(text, "") ?? [])
    if (one.kind === "sql") for (const target of sqlMeaning(one.tokens).targets) sink.config(`sql ${target}`, false);
}
