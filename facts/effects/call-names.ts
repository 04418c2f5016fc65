import { argumentOf, canonicalTool, toolArguments } from "../../schema/tools.ts";
import { spend } from "../meter.ts";

/** Arguments of a call by their names. */
export type Arguments = Readonly<Record<string, unknown>>;

const set = (names: string): ReadonlySet<string> => new Set(names.split(" "));

// All names below are folded.
/** Names of a tool within an object. */
export const toolKeys = set("tool toolname recipientname recipient targettool calltool");
/** Names of a tool that are names of much else too. */
export const nameKeys = set("name function method");
/** Names of an object that holds the arguments of a call. */
export const argumentKeys = set(
  "arguments args input parameters params toolinput toolargs toolarguments toolparameters kwargs",
);
/** Names of a tool's server. */
export const serverKeys = set("server servername mcpserver");
/** Names of a list of words behind a program. */
export const listKeys = set("args arguments argv params parameters");
/** Names of a program. */
export const programKeys = set("command cmd program executable binary file exe");
/** Names of arguments that hold a command, or typed text. */
export const commandKeys = set(
  "command cmd script shell shellcommand commandline cmdline commands exec run bash sh chars keys keystrokes stdin argv",
);
/** Names of arguments that hold a program's input. */
export const inputKeys = set(
  "stdin input stdindata stdinlines stdintext stdincontent standardinput inputlines inputtext inputdata heredoc",
);
/** Names of arguments that hold text for people or content of files: they are not run. */
export const proseKeys = set(
  "title description body message comment summary question answer prompt reason query subject note notes instructions explanation " +
    "rationale thought thoughts content contents filetext newtext oldtext newstring oldstring code diff patch html markdown sql statement " +
    "search label labels name caption",
);
/** Further names of texts that people read: a sentence in one names no file. */
export const speechKeys = set(
  "text plan step steps todo todos task tasks observation observations header activeform status goal detail details feedback response " +
    "reasoning hypothesis finding findings fact facts memory remark option options choice choices result",
);
/** Names of code. */
export const codeKeys = set("code source snippet");

/** Words of a tool's name, written `like_this`, `like-this` or `likeThis`. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, 256)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** Returns an object, also from a JSON text, as models write arguments. */
export function objectOf(value: unknown): Arguments | undefined {
  const given = jsonOf(value, /^\s*\{/);
  return typeof given === "object" && given !== null && !Array.isArray(given) ? (given as Arguments) : undefined;
}

/** Returns a value, or the value of a JSON text; undefined for any other text. */
export function jsonOf(value: unknown, begins: RegExp): unknown {
  if (typeof value !== "string") return value;
  if (!begins.test(value)) return undefined;
  try {
    spend(value.length >> 4);
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

/** True for arguments of a tool: at least one of them is an argument that the tool has, in any spelling. */
export function hasArguments(tool: string, args: Arguments): boolean {
  return hasOneOf(tool, args, () => true);
}

/** True for arguments that tell a tool its target: a path, an address, code, a patch, edits, a prompt, or a required argument. */
export function hasTarget(tool: string, args: Arguments): boolean {
  return hasOneOf(
    tool,
    args,
    (name, { type, required }) =>
      required === true || targetNames.has(name) || type === "path" || type === "list(path)" || type === "url",
  );
}

const targetNames = set("code patch edits prompt");

type Shape = NonNullable<ReturnType<typeof toolArguments>>;

function hasOneOf(tool: string, args: Arguments, fits: (name: string, argument: Shape[string]) => boolean): boolean {
  const shape = toolArguments(canonicalTool(tool)) ?? {};
  const keys = Object.keys(args);
  spend(2 * keys.length);
  return keys.some((key) => {
    const name = argumentOf(shape, key);
    const argument = name === undefined ? undefined : shape[name];
    return name !== undefined && argument !== undefined && fits(name, argument);
  });
}
