import { before, type HookCommand, readDirectCall, readHookLine } from "./command.ts";
import type { ArrayNode, ObjectNode, ValueNode } from "./jsonc.ts";
import {
  addItem,
  addMember,
  dataOf,
  type JsoncText,
  type JsonPath,
  type JsonValue,
  keyOf,
  memberOf,
  readJsonc,
  type TextFault,
  valueAt,
  without,
} from "./jsonc.ts";
import type { FileWiring, Inspection, Unwired, Wired, WiredBefore } from "./wiring.ts";
import { isFault } from "./wiring.ts";

/** Layout of the hooks in a host's JSON file: lists of entries by event, below `hooks`. */
export interface HookTable {
  readonly path: string;
  /** Host name that the launcher gets as its argument. */
  readonly host: string;
  /** Other host names whose launcher lines in the same file serve this host too. */
  readonly aliases?: readonly string[];
  readonly platform: NodeJS.Platform;
  /** Events by the host's own names. */
  readonly events: readonly string[];
  /** The entry of one event. */
  entry(event: string): JsonValue;
  /** Required members of the file, such as a version. */
  readonly head?: Readonly<Record<string, JsonValue>>;
  /** True if `hooks` is one list, and each entry names its event. */
  readonly flat?: boolean;
}

/** Fields that may hold a command line. */
const commandFields = ["command", "bash", "powershell"] as const;

/** The wiring of a file with hooks by event. */
export function hookFile(table: HookTable): FileWiring {
  return {
    path: table.path,
    own: false,
    wire: (text) => wire(table, text),
    unwire: (text, before) => unwire(table, text, before),
    inspect: (text) => inspect(table, text),
  };
}

/** One entry of a hook list, with our hooks and those of others. A group, as Claude Code has them, holds a list of hooks. */
interface Entry {
  readonly node: ValueNode;
  /** Its index in the list. */
  readonly index: number;
  readonly ours: readonly HookCommand[];
  readonly others: number;
}

/** Returns the path of an event's entries. */
function listPath({ flat }: HookTable, event: string): JsonPath {
  return flat ? ["hooks"] : ["hooks", event];
}

function entriesOf(
  json: JsoncText,
  table: HookTable,
  event: string,
): { list: ArrayNode; entries: Entry[] } | undefined {
  const list = valueAt(json, listPath(table, event));
  if (list?.type !== "Array") return undefined;
  const entries = list.elements.map(({ value }, index) => entryOf(value, index, table));
  return { list, entries: entries.filter(({ node }) => !table.flat || eventOf(node) === event) };
}

/** Returns the event that an entry of a flat list names. */
function eventOf(node: ValueNode): string {
  const value = memberOf(node, "event")?.value;
  return value?.type === "String" ? value.value : "";
}

function entryOf(node: ValueNode, index: number, table: HookTable): Entry {
  const group = memberOf(node, "hooks")?.value;
  const hooks = group?.type === "Array" ? group.elements.map(({ value }) => value) : [node];
  const ours = hooks.flatMap((hook) => ownCommand(hook, table) ?? []);
  return { node, index, ours, others: hooks.length - ours.length };
}

function ownCommand(hook: ValueNode, { host, aliases = [], platform }: HookTable): HookCommand | undefined {
  for (const field of commandFields) {
    const value = memberOf(hook, field)?.value;
    const found = value?.type === "String" ? readHook(value.value, memberOf(hook, "args")?.value, platform) : undefined;
    if (found && (found.host === host || aliases.includes(found.host))) return found;
  }
  return undefined;
}

/** Reads a hook of ours: a line for the host's shell, or a program with its arguments. */
function readHook(command: string, args: ValueNode | undefined, platform: NodeJS.Platform): HookCommand | undefined {
  if (args === undefined) return readHookLine(command, platform);
  const words = dataOf(args);
  const texts = Array.isArray(words) && words.every((word) => typeof word === "string");
  return texts ? readDirectCall({ command, args: words as readonly string[] }) : undefined;
}

/** True if the file has its required members, and each event has one hook of ours that equals the current form. */
function upToDate(json: JsoncText, table: HookTable): boolean {
  if (Object.keys(table.head ?? {}).some((name) => !memberOf(json.root, name))) return false;
  if (formerEvents(json, table).length > 0) return false;
  return table.events.every((event) => {
    const own = entriesOf(json, table, event)?.entries.filter(({ ours }) => ours.length > 0) ?? [];
    const [only] = own;
    if (!only || own.length > 1) return false;
    if (only.ours.some((ours) => isShared(ours, table))) return true;
    return JSON.stringify(dataOf(only.node)) === JSON.stringify(table.entry(event));
  });
}

/** True if the hook of another host serves this one too: it reads the same line, and starts no program directly. */
function isShared({ host, direct }: HookCommand, table: HookTable): boolean {
  return host !== table.host && direct !== true;
}

/** Lists the events that hold a hook of ours but are not written by this version. */
function formerEvents(json: JsoncText, table: HookTable): readonly string[] {
  return eventsIn(json).filter(
    (event) => !table.events.includes(event) && withoutOne(json, table, event) !== undefined,
  );
}

function wire(table: HookTable, given: string | undefined): Wired | TextFault {
  const blank = given === undefined || given.trim() === "";
  const first = readJsonc(blank ? "{}\n" : given);
  if ("message" in first) return first;
  if (!blank && upToDate(first, table)) return { text: given, made: [] };
  const bare = takenOut(first, table, ({ host, direct }) => host === table.host || direct === true);
  if (isFault(bare)) return bare;
  // An event that the host does not know may make it refuse the file.
  const pruned = prune(bare.text, table.flat ? [] : formerEvents(first, table).map((event) => listPath(table, event)));
  if (typeof pruned !== "string") return pruned;
  let text = pruned;
  const made: JsonPath[] = [];
  const add = (change: (json: JsoncText) => ReturnType<typeof addItem>): TextFault | undefined => {
    const json = readJsonc(text);
    if ("message" in json) return json;
    const added = change(json);
    if ("message" in added) return added;
    text = added.text;
    made.push(...added.made);
    return undefined;
  };
  for (const [name, value] of Object.entries(table.head ?? {})) {
    const fault = add((json) =>
      memberOf(json.root, name) ? { text: json.text, made: [] } : addMember(json, [], name, value),
    );
    if (fault) return fault;
  }
  for (const event of table.events) {
    const fault = add((json) => addItem(json, listPath(table, event), table.entry(event)));
    if (fault) return fault;
  }
  return { text, made };
}

/** Returns the text without our hooks; lists and objects stay, even if they are now empty. */
function takenOut(
  start: JsoncText,
  table: HookTable,
  isTaken: (ours: HookCommand) => boolean = ({ host }) => host === table.host,
): { readonly text: string; readonly ours: number } | TextFault {
  const events = eventsIn(start);
  let json = start;
  let ours = 0;
  for (const event of events) {
    for (;;) {
      const next = withoutOne(json, table, event, isTaken);
      if (next === undefined) break;
      const read = readJsonc(next);
      if ("message" in read) return read;
      json = read;
      ours++;
    }
  }
  return { text: json.text, ours };
}

/** Lists every event that has entries in a file, also those that this version does not write. */
function eventsIn(json: JsoncText): readonly string[] {
  const hooks = valueAt(json, ["hooks"]);
  if (hooks?.type === "Array") return [...new Set(hooks.elements.map(({ value }) => eventOf(value)))];
  return hooks?.type === "Object" ? hooks.members.map(keyOf) : [];
}

/** Returns the text without one hook of ours at an event; undefined if there is none. */
function withoutOne(
  json: JsoncText,
  table: HookTable,
  event: string,
  isTaken: (ours: HookCommand) => boolean = ({ host }) => host === table.host,
): string | undefined {
  const found = entriesOf(json, table, event);
  const entry = found?.entries.find(({ ours }) => ours.some(isTaken));
  if (!found || !entry) return undefined;
  if (entry.others === 0 && entry.ours.every(isTaken)) return without(json, found.list, [entry.index]);
  const group = memberOf(entry.node, "hooks")?.value as ArrayNode;
  const inner = group.elements.findIndex(({ value }) => {
    const ours = ownCommand(value, table);
    return ours !== undefined && isTaken(ours);
  });
  return without(json, group, [inner]);
}

function unwire(table: HookTable, text: string, before: WiredBefore | undefined): Unwired | TextFault {
  const json = readJsonc(text);
  if ("message" in json) return json;
  const bare = takenOut(json, table);
  if (isFault(bare)) return bare;
  if (bare.ours === 0) return { text, ours: 0, empty: false };
  const rest = prune(bare.text, before?.made ?? []);
  return typeof rest === "string" ? { text: rest, ours: bare.ours, empty: isEmpty(rest, table) } : rest;
}

/** Removes the lists and objects that `install` made, if they are empty; innermost first. */
function prune(start: string, made: readonly JsonPath[]): string | TextFault {
  let text = start;
  for (const path of [...made].sort((a, b) => b.length - a.length)) {
    const json = readJsonc(text);
    if ("message" in json) return json;
    const node = valueAt(json, path);
    const parent = valueAt(json, path.slice(0, -1));
    if (parent?.type !== "Object" || !node || !isHollow(json, node)) continue;
    const index = parent.members.findLastIndex((member) => keyOf(member) === path.at(-1));
    text = without(json, parent, [index]);
  }
  return text;
}

/** True for an empty list or object without even a comment in it. */
function isHollow({ text }: JsoncText, node: ValueNode): boolean {
  if (node.type !== "Object" && node.type !== "Array") return false;
  const [start = 0, end = 0] = node.range ?? [];
  return text.slice(start + 1, end - 1).trim() === "";
}

/** True if the text holds nothing but the required members, and no comment. */
function isEmpty(text: string, { head = {} }: HookTable): boolean {
  const json = readJsonc(text);
  if ("message" in json || json.root.type !== "Object" || json.comments.length > 0) return false;
  return (json.root as ObjectNode).members.every(
    (member) => Object.hasOwn(head, keyOf(member)) || (keyOf(member) === "hooks" && isHollow(json, member.value)),
  );
}

function inspect(table: HookTable, text: string): Inspection | TextFault {
  const json = readJsonc(text);
  if ("message" in json) return json;
  const wired: string[] = [];
  const targets = new Set<string>();
  let [earlier, later, direct] = [0, 0, false];
  for (const event of table.events) {
    const entries = entriesOf(json, table, event)?.entries ?? [];
    const at = entries.findIndex(({ ours }) => ours.length > 0);
    if (at < 0) continue;
    wired.push(event);
    for (const { launcher, node, shell, direct: isDirect = false } of entries[at]?.ours ?? []) {
      direct ||= isDirect;
      if (isDirect) targets.add(before);
      for (const target of [launcher, node, ...(shell === undefined ? [] : [shell])]) targets.add(target);
    }
    earlier = Math.max(earlier, count(entries.slice(0, at)));
    later = Math.max(later, count(entries.slice(at)));
  }
  const missing = table.events.filter((event) => !wired.includes(event));
  return { wired, missing, targets: [...targets], before: earlier, after: later, ...(direct && { direct }) };
}

function count(entries: readonly Entry[]): number {
  return entries.reduce((n, { others }) => n + others, 0);
}
