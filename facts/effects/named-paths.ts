import { limits } from "../../schema/limits.ts";
import { canonicalTool, folded, mcpName, toolArguments } from "../../schema/tools.ts";
import { spend } from "../meter.ts";
import { withoutEnd } from "../text/ends.ts";
import {
  type Arguments,
  argumentKeys,
  commandKeys,
  hasArguments,
  jsonOf,
  listKeys,
  nameKeys,
  objectOf,
  programKeys,
  proseKeys,
  speechKeys,
  toolKeys,
  wordsOf,
} from "./call-names.ts";
import { looksLikePath } from "./shell.ts";
import { isSentenceText } from "./told-commands.ts";

/** A text in the arguments of an unknown tool. */
export interface NamedText {
  /** Name of the argument, folded. */
  readonly name: string;
  readonly text: string;
  /** A path by its name, by its shape, or neither. */
  readonly path: "named" | "shaped" | undefined;
}

/** Last words of arguments' names that hold paths. */
const pathWord =
  /^(?:paths?|files?|filenames?|filepaths?|dirs?|directory|directories|folders?|src|dst|dest|destinations?|uris?|archive)$/;
/** Names of paths, all of them folded, which no last word tells. */
const pathNames: ReadonlySet<string> = new Set(
  "path paths file files source destination directory filename".split(" "),
);
/** Words in the name of a tool that is about files, and what such tools call their ends. */
const fileWord =
  /^(?:files?|dir|directory|directories|folders?|copy|cp|move|mv|rename|link|symlink|archive|unzip|zip|tar)$/;
const endName = /^(?:from|to|old|new|target|into|output|out|oldname|newname|newpath|oldpath|location)$/;
/** Objects whose keys are the paths of files. */
const fileMaps: ReadonlySet<string> = new Set("files filemap changes documents filecontents newfiles paths".split(" "));
const folderKeys: ReadonlySet<string> = new Set(
  "path dir dirpath directory directorypath folder folderpath parent parentpath root base basepath basedir location".split(
    " ",
  ),
);
const leafKeys: ReadonlySet<string> = new Set("name filename file basename targetfile relativepath".split(" "));
/** Matches the name of a tool that only forwards calls. */
const handingWord = /^(?:batch|parallel|multi|call|calls|invoke|dispatch)$/;
const runningWord = /^(?:run|exec|execute|shell|bash|sh|terminal|console|command|cmd|process|ssh|spawn)$/;
const namespace = /^(?:functions|tools|default_api|multi_tool_use)[.:/]/;
// Longer texts are not paths, and are not read as JSON of arguments.
const longestJson = 1_048_576;

interface Item {
  /** Name as given: letter case also separates its words. */
  readonly key: string;
  readonly value: unknown;
  readonly depth: number;
}

/**
 * Lists every text of a call's arguments with the meaning of its name: at any depth, in texts that are JSON, in keys that are
 * paths, and as joined folders and names. Texts that the call forwards or runs are left out, because they are judged separately.
 * Undefined over a bound: of values, of depth, or of paths, each of which has an effect; with `onlyNamed`, paths by their shape
 * have none. No recursion.
 */
export function namedTexts(tool: string, args: Arguments, onlyNamed: boolean): readonly NamedText[] | undefined {
  const words = wordsOf(mcpName(tool)?.tool ?? tool);
  const found: NamedText[] = [];
  const open: Item[] = [{ key: "", value: args, depth: 0 }];
  const asks = {
    isFiles: words.some((word) => fileWord.test(word)),
    isHanding: words.some((word) => handingWord.test(word)),
  };
  const isRunning = wordsOf(tool).some((word) => runningWord.test(word));
  let paths = 0;
  const add = (text: NamedText): void => {
    found.push(text);
    if (text.path === "named" || (text.path === "shaped" && !onlyNamed)) paths++;
  };
  for (let visits = 0; open.length > 0; visits++) {
    const { key, value, depth } = open.pop() as Item;
    spend(2);
    if (visits > limits.payloadNodes || depth > limits.payloadDepth || paths > limits.effects) return undefined;
    if (typeof value === "string") {
      const name = folded(key);
      const inner = isWritten(name) || value.length > longestJson ? undefined : jsonOf(value, /^\s*[{[]/);
      if (typeof inner === "object") open.push({ key, value: inner, depth: depth + 1 });
      else add({ name, text: value, path: pathOf(key, name, value, asks.isFiles) });
    } else if (Array.isArray(value)) {
      for (const one of value) open.push({ key, value: one, depth: depth + 1 });
    } else if (value !== null && typeof value === "object") {
      const object = value as Arguments;
      for (const text of filesIn(folded(key), object)) add({ name: "file", text, path: "named" });
      const left = new Set([
        ...(asks.isHanding ? handedOn(object) : []),
        ...(isRunning && depth === 0 ? toldKeys(object) : []),
      ]);
      for (const name of Object.keys(object))
        if (!left.has(name)) open.push({ key: name, value: object[name], depth: depth + 1 });
    }
  }
  return found.reverse();
}

/** True for a text that goes into a file, or that people read: JSON in it is no arguments. */
function isWritten(key: string): boolean {
  return proseKeys.has(key) || key === "text";
}

/** Tells by the name of an argument, as given and folded, and by its text whether it is a path. */
function pathOf(given: string, key: string, text: string, isFiles: boolean): NamedText["path"] {
  if (pathNames.has(key)) return "named";
  const named =
    pathWord.test(wordsOf(given).at(-1) ?? "") || key.endsWith("filename") || (isFiles && endName.test(key));
  if (named && !/[\n\r\0]/.test(text)) return "named";
  if ((proseKeys.has(key) || speechKeys.has(key)) && /\s/.test(text.trim())) return undefined;
  if (!looksLikePath(text)) return undefined;
  return /\s/.test(text) && isSentenceText(text) ? undefined : "shaped";
}

/** Returns paths of files that no single argument holds: keys whose value is the file's content, and a folder joined with a name. */
export function filesIn(key: string, object: Arguments): readonly string[] {
  const keys = Object.keys(object);
  spend(8 * keys.length);
  return [
    ...keys.filter(
      (name) => fileMaps.has(key) || name.startsWith("file:") || (name.includes("/") && !/\s|:\/\//.test(name)),
    ),
    ...joined(keys, object),
  ];
}

/** Joins the first folders of an object with its first names. */
function joined(keys: readonly string[], object: Arguments): readonly string[] {
  const folders: string[] = [];
  const names: string[] = [];
  for (const name of keys) {
    const key = folded(name);
    const into = folderKeys.has(key) ? folders : leafKeys.has(key) ? names : undefined;
    if (!into || into.length >= 4) continue;
    const value = object[name];
    if (typeof value === "string" && value.length <= 4096 && !/[\n\r\0]/.test(value)) into.push(value);
  }
  return folders.flatMap((folder) => names.map((name) => `${withoutEnd(folder, "/")}/${name}`));
}

/** Keys of an object that are a call of a tool that is known: it is judged as the call that it is. */
function handedOn(object: Arguments): readonly string[] {
  const entries = Object.entries(object);
  const named =
    entries.find(([key]) => toolKeys.has(folded(key))) ?? entries.find(([key]) => nameKeys.has(folded(key)));
  if (!named || typeof named[1] !== "string") return [];
  const tool = canonicalTool(named[1].replace(namespace, ""));
  if (toolArguments(tool) === undefined) return [];
  const held = entries.find(([key, value]) => argumentKeys.has(folded(key)) && objectOf(value) !== undefined);
  if (held) return [held[0]];
  return entries.filter(([key]) => hasArguments(tool, { [key]: "" })).map(([key]) => key);
}

/** Keys of a command and its words, which are read as a shell reads them. */
function toldKeys(object: Arguments): readonly string[] {
  const keys = Object.keys(object);
  const program = keys.some((key) => programKeys.has(folded(key)) && typeof object[key] === "string");
  return keys.filter((key) => commandKeys.has(folded(key)) || (program && listKeys.has(folded(key))));
}

/** True for the name of an argument that gives a destination. */
export function isDestination(name: string): boolean {
  return /^(?:to|into|new|target|output|out|newname|newpath|dst|dest)$|destination|target(?:dir|path|folder)$/.test(
    name,
  );
}

/** True for the name of an argument that gives the thing to move away. */
export function isOrigin(name: string): boolean {
  return /^(?:from|old|src|path|oldname|oldpath)$|source/.test(name);
}
