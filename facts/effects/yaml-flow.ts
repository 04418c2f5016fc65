import { spend } from "../meter.ts";
import {
  addArgument,
  doubleQuoted,
  isCommandKey,
  plainOf,
  type YamlCommands,
  type YamlGroup,
  type YamlValue,
} from "./yaml-texts.ts";

const token =
  /\s+|#[^\n]*|"((?:[^"\\]|\\[\s\S])*)"|'((?:[^']|'')*)'|[[\]{},]|:(?=[\s,[\]{}]|$)|[&!][^\s,[\]{}]+|(?:[^\s,[\]{}"'#:]|:(?![\s,[\]{}]|$)|(?<=\S)#)(?:[^,[\]{}:\n]|:(?![\s,[\]{}]|$))*|["']/gy;

/** Finds the end of a list or mapping in brackets, line by line. */
export interface FlowEnd {
  readonly closed: boolean;
  next(line: string): void;
}

/** Begins to look for the end of what the first bracket of a text opens. */
export function flowEnd(text: string): FlowEnd {
  let depth = 0;
  let quote = "";
  let closed = false;
  const next = (line: string): void => {
    for (let i = 0; i < line.length && !closed; i++) {
      const sign = line[i] as string;
      if (quote !== "") {
        if (quote === '"' && sign === "\\") i += 1;
        else if (sign === quote) quote = "";
      } else if (sign === '"' || sign === "'") {
        // A quote inside of a plain word is a character of it.
        if (/[\s,[\]{}:]/.test(line[i - 1] ?? " ")) quote = sign;
      } else if (sign === "#" && /\s/.test(line[i - 1] ?? " ")) break;
      else if (sign === "[" || sign === "{") depth += 1;
      else if (sign === "]" || sign === "}") {
        depth -= 1;
        closed = depth <= 0;
      }
    }
  };
  next(text);
  return {
    get closed() {
      return closed;
    },
    next,
  };
}

interface Level {
  readonly isList: boolean;
  /** Key of the list or mapping, and whether texts in it are commands. */
  readonly parent: string;
  readonly isCommand: boolean;
  readonly group: YamlGroup;
  readonly words: string[];
  key: string | undefined;
}

/** Most brackets that are open at once; deeper ones are read as if they stood in the last of these. */
const depthCount = 64;

/** Reads a list or mapping in brackets: the texts that are commands by the key of a list or by their own. */
export function readFlow(
  text: string,
  key: string,
  isCommand: boolean,
  wanted: YamlCommands,
  group: YamlGroup,
): readonly YamlValue[] {
  const values: YamlValue[] = [];
  const levels: Level[] = [{ isList: true, parent: key, isCommand, group, words: [], key: undefined }];
  let pending: string | undefined;
  const top = (): Level => levels.at(-1) as Level;
  const end = (): void => {
    if (pending !== undefined) take(pending, top(), values, wanted);
    pending = undefined;
    top().key = undefined;
  };
  token.lastIndex = 0;
  for (let found = token.exec(text); found && found[0] !== ""; found = token.exec(text)) {
    const [sign, double, single] = found;
    // Each is a match of its own, which takes longer than its length says.
    spend(2);
    if (sign === "[" || sign === "{") open(levels, sign === "[", wanted);
    else if (sign === "]" || sign === "}") {
      end();
      if (levels.length > 1) levels.pop();
    } else if (sign === ",") end();
    else if (sign === ":") {
      top().key = pending ?? "";
      pending = undefined;
    } else if (double !== undefined) pending = doubleQuoted(double);
    else if (single !== undefined) pending = single.replaceAll("''", "'");
    else if (/^[^\s#&!"']/.test(sign)) pending = pending === undefined ? plainOf(sign) : `${pending} ${plainOf(sign)}`;
    // JSON needs no blank behind the colon of a quoted key.
    if ((double ?? single) !== undefined && text[token.lastIndex] === ":") {
      top().key = pending ?? "";
      pending = undefined;
      token.lastIndex += 1;
    }
  }
  end();
  return values;
}

function open(levels: Level[], isList: boolean, wanted: YamlCommands): void {
  const last = levels.at(-1) as Level;
  if (levels.length > depthCount) return;
  const key = last.key ?? last.parent;
  const isCommand = last.key === undefined ? last.isCommand : isCommandKey(last.key, last.parent, wanted);
  levels.push({
    isList,
    parent: key,
    isCommand,
    // A list belongs to the mapping of its key.
    group: isList ? last.group : {},
    words: [],
    key: undefined,
  });
}

function take(text: string, level: Level, values: YamlValue[], wanted: YamlCommands): void {
  const key = level.key ?? level.parent;
  level.words.push(text);
  if (level.key === "shell") level.group.shell = text;
  if (key === "args") addArgument(level.group, text);
  const isCommand =
    level.key === undefined ? level.isCommand && level.isList : isCommandKey(level.key, level.parent, wanted);
  if (isCommand) values.push({ key, text, group: level.group, list: level.isList ? level.words : undefined });
}
