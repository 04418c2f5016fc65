import { replacedText } from "../../find-text.ts";
import type { Action, CodeCall } from "./language.ts";
import { hole } from "./tokens.ts";
import {
  foldedLength,
  joined,
  joinedPath,
  knownText,
  listValue,
  partialText,
  textValue,
  unknown,
  type Value,
} from "./values.ts";

const address = /^[a-z][a-z0-9+.-]*:\/\//i;

/** True for a value that says yes, or may. */
export function truthy(value: Value | undefined): boolean {
  if (value === undefined) return false;
  if (value.kind === "name") return !/^(?:false|False|FALSE|null|None|nil|NULL|undefined)$/.test(value.name);
  return knownText(value) !== "0" && knownText(value) !== "";
}

/** Returns an argument by index or by any of its names. */
export function argument(call: CodeCall, place: number, ...names: readonly string[]): Value | undefined {
  for (const name of names) if (call.named.has(name)) return call.named.get(name);
  return call.args[place];
}

/** A call without effects, whose value is unknown. */
export const nothing: Action = () => undefined;

/** Runs the argument at an index as a shell text. */
export function shell(place = 0): Action {
  return (call) => {
    const text = call.args[place] ?? call.named.get("command") ?? call.named.get("cmd") ?? unknown;
    call.to.add({ kind: "text", text }, call.named.get("cwd") ?? call.to.cwd);
    return undefined;
  };
}

/** Words to run: a program and its arguments as one list, or as all the arguments. */
export function runsWords(call: CodeCall, words: readonly Value[]): void {
  call.to.add({ kind: "words", words }, call.named.get("cwd") ?? call.to.cwd);
}

/** Runs a single argument as a shell text, and several, or a list, as words. */
export const shellOrWords: Action = (call) => {
  const args = call.args.filter((arg) => arg.kind !== "list" || arg.named.size === 0);
  const [first] = args;
  if (first?.kind === "list" && !first.each) runsWords(call, first.items);
  else if (args.length > 1) runsWords(call, args.flatMap(flat));
  else call.to.add({ kind: "text", text: first ?? unknown }, call.named.get("chdir") ?? call.to.cwd);
  return undefined;
};

function flat(value: Value): readonly Value[] {
  return value.kind === "list" ? value.items : [value];
}

/** Runs the program at an index with the list of arguments after it, as for `spawn` and `execFile`. */
export function program(place = 0): Action {
  return (call) => {
    const name = call.args[place] ?? unknown;
    const rest = call.args.slice(place + 1).filter((arg) => !(arg.kind === "list" && arg.named.size > 0));
    const list = rest[0];
    const words = [
      name,
      ...(list?.kind === "list" ? list.items : list === undefined || list.kind === "name" ? [] : [unknown]),
    ];
    if (truthy(call.named.get("shell"))) {
      const text = words.reduce((all, word) => joined(joined(all, textValue(" ")), word));
      call.to.add({ kind: "text", text }, call.named.get("cwd") ?? call.to.cwd);
    } else runsWords(call, words);
    return undefined;
  };
}

/** Runs all arguments from an index on as words. */
export function wordsFrom(place: number): Action {
  return (call) => {
    const head = call.args[place] ?? unknown;
    // `execvp(file, [argv0, …])` says the program twice.
    const list = call.args[place + 1];
    const rest = list?.kind === "list" ? list.items.slice(1) : call.args.slice(place + 2).flatMap(flat);
    runsWords(call, [head, ...rest]);
    return undefined;
  };
}

/** Deletes every argument that is a path, or the one at `place`. */
export function deletes(recursive: boolean | "option", place?: number): Action {
  return (call) => {
    const deep = recursive === "option" ? truthy(call.named.get("recursive")) : recursive;
    const paths = place === undefined ? call.args : [argument(call, place, "path") ?? unknown];
    for (const path of paths) if (path.kind !== "list" || path.named.size === 0) call.to.delete(path, deep);
    return undefined;
  };
}

/** Reads the path at that place. */
export function reads(place = 0, options: { recursive?: boolean; metadata?: boolean } = {}): Action {
  return (call) => {
    const path = argument(call, place, "path", "file", "filename") ?? unknown;
    if (address.test(partialText(path))) call.to.network(path, "download");
    else call.to.read(path, options);
    return undefined;
  };
}

/** Writes the path at that place. */
export function writes(place = 0): Action {
  return (call) => {
    call.to.write(argument(call, place, "path", "file", "filename") ?? unknown);
    return undefined;
  };
}

/** Writes every argument from an index on. */
export function writesFrom(place: number): Action {
  return (call) => {
    for (const path of call.args.slice(place)) call.to.write(path);
    return undefined;
  };
}

/** Reads the first path and writes the second. */
export const copies: Action = (call) => {
  const [from = unknown, to = unknown] = call.args;
  if (address.test(partialText(from))) call.to.network(from, "download");
  else call.to.read(from, { recursive: true });
  call.to.write(to);
  return undefined;
};

/** The same with a folder and its whole content. */
export const copiesTree: Action = (call) => {
  const [from = unknown, to = unknown] = call.args;
  call.to.read(from, { recursive: true });
  call.to.tree(to);
  return undefined;
};

/** Unpacks an archive into the folder at an argument index, or into the code's working folder. */
export function unpacks(place: number, ...names: readonly string[]): Action {
  return (call) => {
    call.to.tree(argument(call, place, ...names) ?? textValue("."));
    return doubts("it unpacks files whose names are not known")(call);
  };
}

/** Takes the first path away and writes the second. */
export const moves: Action = (call) => {
  const [from = unknown, to = unknown] = call.args;
  call.to.read(from, { recursive: true });
  call.to.delete(from, true);
  call.to.tree(to, "perhaps");
  return undefined;
};

/** Writes at the place of a link. */
export const links: Action = (call) => {
  call.to.tree(call.args[1] ?? unknown);
  return undefined;
};

/** Opens a file in the mode at `place`; none is for reading. An address is reached. */
export function opens(place = 1): Action {
  return (call) => {
    const path = argument(call, 0, "file", "filename") ?? unknown;
    const given = argument(call, place, "mode", "flags");
    const mode = given === undefined ? "r" : knownText(given);
    if (address.test(partialText(path))) call.to.network(path, "both");
    else openedAs(call, path, mode);
    return undefined;
  };
}

/** Reports what opening a path in a mode does; an unknown mode may be any. */
export function openedAs(call: CodeCall, path: Value, mode: string | undefined): void {
  if (mode === undefined) {
    call.to.read(path, { certain: false });
    call.to.write(path, false);
    return;
  }
  if (!/[wax]/.test(mode)) call.to.read(path);
  if (/[wax+]/.test(mode)) call.to.write(path);
}

/** Reaches the address at `place`; a body, or a method that changes something, makes it an upload. */
export function fetches(direction: "download" | "upload" | "both", place = 0): Action {
  return (call) => {
    const given = argument(call, place, "url", "uri", "host", "hostname");
    const url =
      given?.kind === "list"
        ? (given.named.get("url") ?? given.named.get("host") ?? given.named.get("hostname") ?? unknown)
        : given;
    const method = knownText(call.named.get("method"));
    const sends =
      ["data", "json", "body", "files"].some((name) => call.named.has(name)) ||
      (method !== undefined && !/^(?:get|head)$/i.test(method));
    call.to.network(url ?? unknown, sends ? "upload" : direction);
    return undefined;
  };
}

/** Connects to a host and port: two arguments, or one pair. */
export const connects: Action = (call) => {
  if (call.args.some((arg) => socketPath(arg) !== undefined)) return connectsToPath(call);
  const pair = call.args[0]?.kind === "list" ? call.args[0].items : call.args;
  const text = pair.slice(0, 2).map(partialText);
  if (text[0] !== undefined && /^\d+$/.test(text[0])) text.reverse();
  const host = call.named.get("host") ?? textValue(text.filter((part) => part !== "").join(":"));
  call.to.network(partialText(host) === hole ? unknown : joined(textValue("tcp://"), host), "both");
  return undefined;
};

/** Returns the path of a socket: text with a folder in it; undefined for ports and pairs of host and port. */
function socketPath(value: Value | undefined): Value | undefined {
  const path = value?.kind === "list" ? (value.named.get("path") ?? value.named.get("unix")) : value;
  return path?.kind === "text" && (path.home === true || /^(?:unix:)?\/|^[.~]|\.sock/.test(partialText(path)))
    ? path
    : undefined;
}

/** Makes a socket at the path of an argument, or of `path`, `unix` or `Local`: a write to it. An address is listened at. */
export const listens: Action = (call) => {
  const named = ["path", "unix", "Local"].map((name) => call.named.get(name)).find((value) => value !== undefined);
  for (const given of named ? [named] : call.args) {
    const path = socketPath(given);
    const text = partialText(path ?? unknown).replace(/^unix:(?:\/\/)?/, "");
    if (path) call.to.write(path.kind === "text" ? { ...path, text } : path);
  }
  return undefined;
};

/** The same for a socket that the code connects to: the program behind it may change something. */
const connectsToPath: Action = (call) => {
  for (const given of call.args) {
    const path = socketPath(given);
    if (path) call.to.write(path);
  }
  return undefined;
};

/** Changes the folder that relative paths are seen from. */
export const changesFolder: Action = (call) => {
  const folder = call.args[0] ?? unknown;
  if (call.to.muted > 0) return undefined;
  call.to.cwd = call.to.cwd === undefined ? folder : joinedPath([call.to.cwd, folder]);
  return undefined;
};

/** Ends a process. */
export const kills: Action = (call) => {
  call.to.add({ kind: "kill", target: call.args[0] ?? unknown });
  return undefined;
};

/** Runs the argument as code of the same language. */
export const evaluates: Action = (call) => {
  call.evaluate(call.args[0] ?? unknown);
  return undefined;
};

/** Records a doubt about a call that is not followed. */
export function doubts(reason: string): Action {
  return (call) => {
    call.to.doubt(reason);
    return undefined;
  };
}

/** Returns the receiver of a method, or the first argument. */
export const same: Action = (call) => call.on ?? call.args[0];

/** The arguments as one path. */
export const path: Action = (call) => joinedPath(call.args);

/** The arguments as one text. */
export const concatenation: Action = (call) => call.args.reduce(joined, call.on ?? textValue(""));

/** Joins a list to one text: `sep.join(list)`, or `list.join(sep)`. */
export const joins: Action = (call) => {
  const [left, right] = [call.on, call.args[0]];
  const list = left?.kind === "list" ? left : right;
  const separator = left?.kind === "list" ? right : left;
  if (list?.kind !== "list" || list.each) return undefined;
  const between = separator === undefined ? textValue(",") : separator;
  return (
    list.items.reduce<Value | undefined>((all, item) => (all ? joined(joined(all, between), item) : item), undefined) ??
    textValue("")
  );
};

/** Returns one or more characters by their codes. */
export const characters: Action = (call) => {
  const codes = call.args.map((arg) => Number(knownText(arg)));
  return codes.every((code) => Number.isInteger(code) && code >= 0 && code <= 0x10ffff)
    ? textValue(codes.map((code) => String.fromCodePoint(code)).join(""))
    : undefined;
};

/** Replaces one constant by another in a text. */
export const replaces: Action = (call) => {
  const [text, from, to] = [call.on, ...call.args].map(knownText);
  if (text === undefined || from === undefined || to === undefined || from === "" || text.length > 4096)
    return undefined;
  const replaced = replacedText(text, from, to, foldedLength);
  return replaced === undefined ? undefined : textValue(replaced);
};

/** Returns a list of the paths that a pattern matches. */
export const globs: Action = (call) => {
  const value = call.args[0];
  return value?.kind === "text" ? listValue([{ ...value, glob: true }]) : undefined;
};

/** Decodes constant base64. */
export function decodesBase64(value: Value | undefined): Value | undefined {
  const text = knownText(value);
  if (text === undefined || text.length > 16_384 || !/^[\w+/=\s-]*$/.test(text)) return undefined;
  return textValue(Buffer.from(text, "base64").toString("utf8"));
}

/** Decodes constant hexadecimal digits. */
export function decodesHex(value: Value | undefined): Value | undefined {
  const text = knownText(value);
  if (text === undefined || text.length > 16_384 || !/^[\da-fA-F\s]*$/.test(text)) return undefined;
  return textValue(Buffer.from(text.replace(/\s/g, ""), "hex").toString("utf8"));
}

/** Puts the arguments of a `format` call into the braces of its text. */
export const formats: Action = (call) => {
  const text = call.on?.kind === "text" ? call.on.text : undefined;
  if (text === undefined || text.length > 4096) return undefined;
  let index = 0;
  return textValue(
    text.replace(/\{(\w{0,32})(?:[!:][^{}]{0,32})?\}/g, (_, name: string) =>
      partialText(name === "" ? call.args[index++] : (call.named.get(name) ?? call.args[Number(name)])),
    ),
  );
};
