import type { JudgedEvent, ToolName } from "../../schema/judged-event.ts";
import { limits } from "../../schema/limits.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { argumentOf, canonicalTool, folded, keysOfArguments, mcpName, toolArguments } from "../../schema/tools.ts";
import { metered, spend } from "../meter.ts";
import { commandText, stringsIn } from "./arguments.ts";
import {
  type Arguments,
  argumentKeys,
  codeKeys,
  commandKeys,
  hasArguments,
  hasTarget,
  inputKeys,
  jsonOf,
  listKeys,
  nameKeys,
  objectOf,
  programKeys,
  proseKeys,
  serverKeys,
  toolKeys,
  wordsOf,
} from "./call-names.ts";
import { filesIn } from "./named-paths.ts";
import { tellsCommand } from "./told-commands.ts";
import { keysOf, keysTyped, typedLine } from "./typed-line.ts";

/** A call in the arguments of another. */
interface Carried {
  readonly tool: string;
  readonly args: Arguments;
}

/**
 * Returns the calls inside the arguments of a call: `{tool, arguments}` and similar forms at any depth, commands given in pieces,
 * and texts that are typed or given as commands. Each is a separate event, to be judged in addition to the call. Source: threats
 * page, class 20.
 */
export function carriedCalls(event: JudgedEvent, files: FileSystem, share = 1): readonly JudgedEvent[] | "too many" {
  if (event.event !== "tool_call" || !event.tool || !event.args) return none;
  const { name } = event.tool;
  if (isShell(name) && isBare(event.args)) return none;
  const isCanonical = toolArguments(name) !== undefined;
  if (isCanonical && isPlain(event.args) && !(isShell(name) && hasShellForms(event.args))) return none;
  return metered(
    limits.carriedWork * share,
    () => {
      const search = new Search(event, files);
      if (isShell(name)) search.shellForms(event.args as Arguments);
      if (isCanonical) search.nested(name, event.args as Arguments);
      else search.walk(event.args, undefined);
      return search.found();
    },
    () => "too many",
  );
}

/** True for arguments that are numbers and words of one line, as most are: they carry no calls. */
function isPlain(args: Arguments): boolean {
  if (filesIn("", args).length > 0) return false;
  return Object.entries(args).every(
    ([key, value]) => typeof value !== "object" && !(typeof value === "string" && isNestedText(key, value)),
  );
}

/** True for a text that may hold the arguments of a call. Content of files and text for people hold none. */
function isNestedText(key: string, text: string): boolean {
  return /^\s*[{[]/.test(text) && !proseKeys.has(folded(key)) && folded(key) !== "text";
}

function isShell(name: string): boolean {
  return name === "bash" || name === "powershell";
}

const none: readonly JudgedEvent[] = [];

/** True for a call with only a command, as most calls of a shell are: shell text is read separately. */
function isBare(args: Arguments): boolean {
  for (const name in args) if (name !== "command") return false;
  const { command } = args;
  return typeof command === "string" && !/^\s*[{[]/.test(command);
}

/** True if a shell's arguments hold more than a command that could be one, or be read by one. Most hold none. */
function hasShellForms(args: Arguments): boolean {
  for (const name in args) {
    if (name === "command") continue;
    const key = folded(name);
    if (listKeys.has(key) || inputKeys.has(key) || commandKeys.has(key)) return true;
  }
  return false;
}

/** Words in a tool's name that show that it forwards calls, types, or runs code. */
const wrappingWord = /^(?:call|invoke|batch|parallel|multi|dispatch|proxy|execute|run|use|forward|relay|tools?)$/;
const typingWord =
  /^(?:stdin|keys?|keystrokes?|terminal|tmux|pty|tty|console|keyboard|repl|computer|bash|sh|zsh|shell)$/;
const codingWord =
  /^(?:run|exec|execute|eval|repl|python|py|node|js|javascript|interpreter|notebook|sandbox|jupyter|ipython)$/;
/** Words of a name that only together say so: `interact_with_process`, `send_input`. */
const handingWord = /^(?:interact|write|send|feed|put)$/;
const waitingWord = /^(?:process|session|stdin|input|pid)$/;
const typedKeys = new Set("text input data value string content message line".split(" "));

/** Prefixes under which models name the tools of a host. */
const namespace = /^(?:functions|tools|default_api|multi_tool_use)[.:/]/;

/** One entry of an object: its folded name, its value and its name as given. */
type Entry = readonly [folded: string, value: unknown, name: string];

/** Names that may make an object a call, or a program with its arguments. */
const tellingKeys: ReadonlySet<string> = new Set(
  [toolKeys, nameKeys, argumentKeys, serverKeys, programKeys, listKeys, inputKeys].flatMap((keys) => [...keys]),
);

/** Returns the entries with such names. Makes none for all other keys, of which an object can have very many. */
function tellingEntries(object: Arguments): readonly Entry[] {
  const found: Entry[] = [];
  for (const name of Object.keys(object)) {
    const key = folded(name);
    if (tellingKeys.has(key)) found.push([key, object[name], name]);
  }
  return found;
}

const javascript = /^(?:node|js|javascript|repl)$/;

class Search {
  readonly #event: JudgedEvent;
  readonly #files: FileSystem;
  readonly #words: readonly string[];
  readonly #carried = new Map<string, Carried>();
  #over = false;

  constructor(event: JudgedEvent, files: FileSystem) {
    this.#event = event;
    this.#files = files;
    this.#words = wordsOf(event.tool?.name ?? "");
  }

  found(): readonly JudgedEvent[] | "too many" {
    if (this.#over) return "too many";
    return [...this.#carried.values()].map(({ tool, args }) => ({
      ...this.#event,
      tool: toolNamed(tool),
      args,
      args_raw: args,
    }));
  }

  /** Looks at every object and text of a value, calls within calls among them. */
  walk(value: unknown, key: string | undefined): void {
    const open: { value: unknown; key: string | undefined; depth: number }[] = [{ value, key, depth: 0 }];
    for (let item = open.pop(); item && !this.#over; item = open.pop()) {
      spend(2);
      if (item.depth > limits.payloadDepth) return this.#tooMany();
      if (typeof item.value === "string") this.#text(item.value, item.key ?? "");
      else if (Array.isArray(item.value)) {
        if (item.key !== undefined && commandKeys.has(item.key)) this.#command(item.value);
        if (this.#isTyping(item.key ?? "")) this.#keys(item.value);
        for (const one of item.value) open.push({ value: one, key: item.key, depth: item.depth + 1 });
      } else if (item.value !== null && typeof item.value === "object") {
        const object = item.value as Arguments;
        this.#object(object, item.key, tellingEntries(object));
        for (const name of Object.keys(object))
          open.push({ value: object[name], key: folded(name), depth: item.depth + 1 });
      }
    }
  }

  /** Reads arguments of a tool that are nested deeper than the tool looks: a host's own reader may look there. */
  nested(tool: string, args: Arguments): void {
    const shape = toolArguments(tool) ?? {};
    const hasPath = Object.hasOwn(shape, "path");
    const open: { value: unknown; key: string; depth: number }[] = [{ value: args, key: "", depth: 0 }];
    for (let item = open.pop(); item && !this.#over; item = open.pop()) {
      spend(2);
      if (item.depth > limits.payloadDepth) return this.#tooMany();
      if (Array.isArray(item.value)) {
        for (const one of item.value) open.push({ value: one, key: item.key, depth: item.depth + 1 });
      } else if (item.value !== null && typeof item.value === "object") {
        const object = item.value as Arguments;
        if (item.depth > 0 && hasTarget(tool, object)) this.#nestedCall(tool, object);
        const files = hasPath ? filesIn(item.key, object) : [];
        if (files.length > limits.carriedCalls) return this.#tooMany();
        for (const path of files) this.#add(tool, { path });
        for (const [key, one] of Object.entries(object)) {
          // The tool itself reads its own lists.
          if (item.depth === 0 && shape[argumentOf(shape, key) ?? ""]?.type === "list(dyn)") continue;
          const value = typeof one === "string" && isNestedText(key, one) ? jsonOf(one, /^/) : one;
          if (value !== undefined && typeof value === "object")
            open.push({ value, key: folded(key), depth: item.depth + 1 });
        }
      }
    }
  }

  #nestedCall(tool: string, args: Arguments): void {
    this.#add(tool, args);
    if (isShell(tool)) new Search(this.#event, this.#files).#into(this, args, tool);
  }

  /** Reads further forms of a shell's command: its words in a list, its input, and a second command. */
  shellForms(args: Arguments): void {
    const command = commandText(args["command"]);
    for (const [name, value] of Object.entries(args)) {
      const key = folded(name);
      const rest = typeof value === "string" ? value : listText(value);
      if (command !== undefined && listKeys.has(key) && rest !== undefined) this.#shell(`${command} ${rest}`, args);
      else if (key === "commands") for (const one of Array.isArray(value) ? value : [value]) this.#command(one);
      else if (command !== undefined && inputKeys.has(key)) this.#read(command, value, args);
      else if (command === undefined && inputKeys.has(key)) this.#command(value);
      else if (name !== "command" && commandKeys.has(key) && !isAlias(name)) this.#command(value);
    }
  }

  /** Reads an object as a call and as a program with arguments; `entries` are those whose names matter for that. */
  #object(object: Arguments, key: string | undefined, entries: readonly Entry[]): void {
    this.#call(object, key, entries);
    const program = entries.find(([name, value]) => programKeys.has(name) && typeof value === "string")?.[1];
    const list = entries.find(([name, value]) => listKeys.has(name) && listText(value) !== undefined)?.[1];
    if (typeof program === "string" && list !== undefined) this.#shell(`${program} ${listText(list)}`, object);
    const inputs = entries.filter(([name]) => inputKeys.has(name)).map(([, value]) => value);
    if (typeof program === "string") for (const input of inputs) this.#read(program, input, object);
  }

  /** Judges a command together with its input: a text, or lines at any depth. */
  #read(command: string, input: unknown, beside: Arguments): void {
    const lines = stringsIn(input);
    if (!lines) return this.#tooMany();
    if (lines.length > 0) this.#shell(withInput(command, lines.map(({ text }) => text).join("\n")), beside);
  }

  /** Reads an object that names a tool and contains its arguments. */
  #call(object: Arguments, key: string | undefined, entries: readonly Entry[]): void {
    const named = entries.find(([name, value]) => toolKeys.has(name) && isToolName(value));
    const weak = named ?? entries.find(([name, value]) => nameKeys.has(name) && isToolName(value));
    if (!weak) return;
    const held = entries.find(([name, value]) => argumentKeys.has(name) && objectOf(value) !== undefined);
    const tool = this.#toolOf(String(weak[1]), entries);
    const given = held ? objectOf(held[1]) : undefined;
    const rest = Object.fromEntries(Object.entries(object).filter(([name]) => name !== weak[2]));
    if (named ? !given && !hasArguments(tool, rest) : !(given && this.#isCall(tool, object, key))) return;
    this.#add(tool, given ?? rest);
    if (typeof held?.[1] === "string" && given) this.walk(given, undefined);
    if (isShell(canonicalTool(tool))) new Search(this.#event, this.#files).#into(this, given ?? rest, tool);
  }

  /** Adds the forms of a shell called by another call. */
  #into(outer: Search, args: Arguments, tool: string): void {
    this.shellForms(canonicalArguments(canonicalTool(tool), args));
    for (const one of this.#carried.values()) outer.#add(one.tool, one.args);
    if (this.#over) outer.#tooMany();
  }

  /** True for a call. A name with arguments counts as a call only if the tool is known, or the outer tool forwards calls. */
  #isCall(tool: string, object: Arguments, key: string | undefined): boolean {
    const known = toolArguments(canonicalTool(tool)) !== undefined || mcpName(tool) !== undefined;
    const typed = object["type"] === "tool_use" || object["type"] === "function" || key === "function";
    return known || typed || this.#words.some((word) => wrappingWord.test(word));
  }

  #toolOf(given: string, entries: readonly Entry[]): string {
    const tool = given.replace(namespace, "");
    const server = entries.find(([name, value]) => serverKeys.has(name) && typeof value === "string")?.[1];
    return typeof server === "string" && server !== "" && !mcpName(tool) ? `mcp__${server}__${tool}` : tool;
  }

  #text(given: string, key: string): void {
    const object = objectOf(given);
    if (object) return this.walk(object, undefined);
    // Terminals take a carriage return for the end of a line.
    const text = given.replace(/\r\n?/g, "\n");
    if (codeKeys.has(key) && this.#words.some((word) => codingWord.test(word))) this.#code(text);
    const typing = this.#isTyping(key);
    const isNamed = commandKeys.has(key) || typing;
    if (!isNamed && proseKeys.has(key)) return;
    if (typing) this.#keys(keysOf(text));
    // Judges the line as a terminal would submit it, and the raw text for a program that is no terminal.
    for (const one of isNamed ? new Set([text, typedLine(text)]) : [text])
      if (tellsCommand(one, isNamed ? "named" : "unnamed", this.#event, this.#files)) this.#shell(one, {});
  }

  /** True for an argument of a tool that types. */
  #isTyping(key: string): boolean {
    return (typedKeys.has(key) || commandKeys.has(key)) && types(this.#words);
  }

  /** Judges single keys by the text that they type. */
  #keys(keys: readonly unknown[] | undefined): void {
    if (!keys?.every((key) => typeof key === "string")) return;
    const text = typedLine(keysTyped(keys));
    if (tellsCommand(text, "named", this.#event, this.#files)) this.#shell(text, {});
  }

  /** Reads code in the language of the call; without one, in all supported languages. */
  #code(code: string): void {
    const said = this.#event.args?.["language"];
    const own = this.#words.some((word) => javascript.test(word)) ? ["javascript"] : ["python", "javascript"];
    for (const language of typeof said === "string" ? [said] : own) this.#add("eval", { code, language });
  }

  /** Reads a command given as a text, as words, or as a program with arguments. */
  #command(value: unknown): void {
    const object = objectOf(typeof value === "string" ? undefined : value);
    if (object) return this.#object(object, undefined, tellingEntries(object));
    const text = commandText(value);
    if (text !== undefined && tellsCommand(text, "named", this.#event, this.#files)) this.#shell(text, {});
  }

  /** Judges a shell command in the folder and with the variables given beside it. */
  #shell(command: string, beside: Arguments): void {
    const { cwd, env } = canonicalArguments("bash", beside);
    this.#add("bash", {
      command,
      ...(typeof cwd === "string" && { cwd }),
      ...(typeof env === "object" && env !== null && { env }),
    });
  }

  #add(tool: string, args: Arguments): void {
    spend(16);
    this.#carried.set(`${tool} ${JSON.stringify(args)}`, { tool, args });
    if (this.#carried.size > limits.carriedCalls) this.#tooMany();
  }

  #tooMany(): void {
    this.#over = true;
  }
}

function types(words: readonly string[]): boolean {
  const hands = words.some((word) => handingWord.test(word)) && words.some((word) => waitingWord.test(word));
  return hands || words.some((word) => typingWord.test(word));
}

function isToolName(value: unknown): boolean {
  return typeof value === "string" && /^[\w.:/-]{1,200}$/.test(value);
}

/** Words of a list, as a shell is given them. */
function listText(value: unknown): string | undefined {
  return Array.isArray(value) && value.length > 0
    ? commandText(["true", ...value])?.slice("'true' ".length)
    : undefined;
}

/** Returns a command with its input as one shell text. */
function withInput(command: string, input: string): string {
  let end = "HOOKWARDEN_INPUT";
  while (input.includes(end)) end += "_";
  return `${command} <<'${end}'\n${input}\n${end}`;
}

function isAlias(name: string): boolean {
  return toolArguments("bash")?.["command"]?.aliases?.includes(name) === true;
}

function toolNamed(host_name: string): ToolName {
  const name = canonicalTool(host_name);
  return { name, host_name, server: mcpName(host_name)?.server };
}

/** Arguments under their canonical names; of several names of one argument the first of the table counts. */
function canonicalArguments(tool: string, args: Arguments): Arguments {
  const shape = toolArguments(tool);
  if (!shape) return args;
  const made: Record<string, unknown> = { ...args };
  for (const [name, [first = name]] of keysOfArguments(shape, args)) made[name] = args[first];
  return made;
}
