import type { EventName } from "../schema/events.ts";
import { eventNames } from "../schema/events.ts";
import { type FieldType, ownFields, type PayloadField, payloadShape } from "../schema/payloads.ts";
import type { ArgumentType } from "../schema/tools.ts";
import { canonicalTools, toolArguments } from "../schema/tools.ts";
import {
  always,
  command,
  effectTypes,
  maybe,
  message,
  path,
  paths,
  secret,
  session,
  textPlace,
  url,
} from "./fact-types.ts";
import { eventTable, hostTable, systemTable, toolTable } from "./name-tables.ts";
import type { Field, RecordType, Type, UsualTexts } from "./types.ts";
import { bool, count, dyn, int, list, map, named, oneOf, record, string, timestamp, usually } from "./types.ts";

/** The roots of conditions, with the events that have them (language section 4). */
export interface Root {
  readonly name: string;
  /** Undefined: every event. */
  readonly events: readonly EventName[] | undefined;
  readonly type: Type;
  readonly doc: string;
}

const calls: readonly EventName[] = ["tool_call", "tool_result"];

/** Events whose payload has a field that conditions see under this root. */
function having(root: string): readonly EventName[] {
  return eventNames.filter((name) => Object.values(payloadShape(name)).some((field) => field.root === root));
}

const acting: readonly EventName[] = [...calls, "user_bash", "user_python"];

const folder = (doc: string): Field => ({ type: path, required: true, doc, lower: { as: "convert", fn: "path.of" } });

const agent = record("agent", () => ({
  id: always(string, "Id of the agent within its session."),
  depth: always(count, "0 for the main agent, more for sub-agents."),
  type: always(string, "Type of a sub-agent; empty when the host gives none."),
}));

const environment = record("environment", () => ({
  cwd: folder("Working directory."),
  workspace: folder("Folder of the project."),
  home: folder("Home folder of the user."),
  user: always(string, "Name of the user."),
  os: always(named(systemTable), "Operating system; `macos` and `win32` stand for `darwin` and `windows`."),
  shell: always(string, "Shell that runs commands, as a bare name such as `bash` or `pwsh`."),
  branch: maybe(string, "Branch that is checked out, where there is one."),
  default_branch: maybe(string, "Default branch of the repository, where it is known."),
  case_insensitive: always(bool, "True where the volume folds letter case."),
  interactive: always(bool, "True if a human can be asked."),
  variables: always(map(string, string), "Environment variables that were given to the event."),
}));

const tool = record("tool", () => ({
  name: always(named(toolTable), "Canonical tool name."),
  host_name: always(string, "The host's own name of the tool."),
  server: maybe(string, "Server of an MCP tool."),
}));

const definition = record("definition", () => ({
  pinned: maybe(bool, "True if the tool's definition was pinned."),
  changed: maybe(bool, "True if it differs from the pinned one."),
}));

const result = record("result", () => ({
  text: { ...always(string, "All text parts, joined by line breaks."), lower: { as: "root", name: "result.text" } },
  content: always(list(dyn), "Content parts as the host gave them."),
  details: maybe(dyn, "Details, in the tool's own shape."),
  structured: maybe(dyn, "Structured content."),
  is_error: always(bool, "True if the tool failed."),
}));

const input = record("input", () => ({
  text: always(string, "Text that the user typed."),
  source: always(string, "Where it came from."),
  images: always(list(dyn), "Images beside the text."),
}));

const text = record("text_facts", () => ({
  invisible: always(count, "Number of characters that show nothing: zero-width ones, fillers, stray selectors."),
  bidi: always(count, "Number of characters that change the direction of text."),
  ansi: always(count, "Number of characters that begin a terminal control sequence."),
  tags: always(count, "Number of tag characters, which spell text that nobody sees; those of flags do not count."),
  controls: always(count, "Number of other control characters and of halves of surrogate pairs."),
  overwrites: always(count, "Number of carriage returns that let a terminal write over what stood before."),
  mixed_scripts: always(bool, "True if a word mixes scripts that look alike."),
  places: always(list(textPlace), "The first 32 places, in the order of the text."),
}));

const factList = (name: string, type: Type, doc: string): Field => ({
  ...always(type, doc),
  lower: { as: "root", name },
});

const shell = record("shell", () => ({
  commands: factList("shell.commands", list(command), "Simple commands, wrappers peeled, in source order."),
  pipelines: factList("shell.pipelines", list(list(command)), "Pipelines, each a list of its commands."),
}));

const effectDocs: Readonly<Record<string, string>> = {
  reads: "Reads, each with its path.",
  writes: "Writes and creations, each with its path.",
  deletes: "Deletions, each with its path.",
  runs: "Programs and scripts that are run.",
  network: "Traffic. Packages that a manager fetches are in `installs`.",
  installs: "Packages that are installed.",
  pushes: "Refs that are pushed.",
  config: "Settings that are changed.",
  kills: "Processes, services and containers that are ended, also where they start again (`docker restart`).",
};

const effects = record("effects", () =>
  Object.fromEntries(
    Object.entries(effectTypes).map(([kind, type]) => [
      kind,
      factList(`effects.${kind}`, list(type), effectDocs[kind] ?? ""),
    ]),
  ),
);

/** Every root but `args` and `event`, whose types depend on the rule. */
const fixed: readonly Root[] = [
  {
    name: "host",
    events: undefined,
    type: named(hostTable),
    doc: "Host that runs the agent; other names of it, such as `gemini` for `gemini-cli`, fold.",
  },
  { name: "agent", events: undefined, type: agent, doc: "The agent that acts." },
  { name: "environment", events: undefined, type: environment, doc: "Surroundings of the event." },
  { name: "now", events: undefined, type: timestamp, doc: "Event time." },
  { name: "session", events: undefined, type: session, doc: "The session so far." },
  { name: "paths", events: undefined, type: paths, doc: "Labels of files." },
  {
    name: "tool",
    events: [...having("tool"), "user_bash", "user_python"],
    type: tool,
    doc: "The tool that is called.",
  },
  { name: "definition", events: calls, type: definition, doc: "Definition of the tool, as far as the host gives it." },
  { name: "args_raw", events: having("args"), type: dyn, doc: "Arguments in the host's own shape." },
  { name: "result", events: having("result"), type: result, doc: "Result of the tool." },
  { name: "messages", events: having("messages"), type: list(message), doc: "Messages that the event is about." },
  { name: "prompt", events: ["before_agent_start"], type: string, doc: "The user's prompt." },
  { name: "system_prompt", events: ["before_agent_start"], type: string, doc: "The system prompt." },
  { name: "input", events: ["input"], type: input, doc: "The user's message." },
  { name: "command", events: having("command"), type: string, doc: "Command that the user typed." },
  { name: "code", events: having("code"), type: string, doc: "Code that the user typed." },
  { name: "shell", events: acting, type: shell, doc: "Commands of a shell text." },
  { name: "effects", events: acting, type: effects, doc: "Effects of the call, in one form for all tools." },
  {
    name: "secrets",
    events: undefined,
    type: list(secret),
    doc: "Secrets that detectors found in the text of the event.",
  },
  { name: "text", events: undefined, type: text, doc: "Oddities of the event's text." },
];

/** All roots as a rule on these events and tools sees them, also those that its events do not have. */
export function rootsOf(events: readonly EventName[], tools: readonly string[]): readonly Root[] {
  return [
    {
      name: "event",
      events: undefined,
      type: named(eventTable(events.length > 0 ? events : eventNames)),
      doc: "Name of the event.",
    },
    ...fixed,
    {
      name: "args",
      events: having("args"),
      type: argumentsOf(tools),
      doc: "Arguments of the call, in canonical names. In a rule for several tools, each is judged as the tool of the event takes it: a path is resolved, text is text; of a tool that nobody knows, what restricts asks for either.",
    },
    {
      name: "fields",
      events: undefined,
      type: fieldsOf(events),
      doc: "Further fields of the event's payload ([events](events.md)).",
    },
  ];
}

const fieldTypes: Readonly<Record<FieldType, Type>> = {
  string,
  text: dyn,
  path,
  int,
  bool,
  object: dyn,
  result: dyn,
  message,
  "list(message)": list(message),
  "list(string)": list(string),
  "list(dyn)": list(dyn),
  dyn,
};

/** Returns the payload fields that all the events have; a field with different types is dyn. */
function fieldsOf(events: readonly EventName[]): RecordType {
  const [first, ...others] = events.map(ownFields);
  const fields: Record<string, Field> = {};
  for (const [name, field] of Object.entries(first ?? {})) {
    const all = [field, ...others.map((shape) => (Object.hasOwn(shape, name) ? shape[name] : undefined))];
    if (all.every((given) => given !== undefined)) fields[name] = payloadField(all);
  }
  return record("fields", () => fields);
}

function payloadField(all: readonly PayloadField[]): Field {
  const [{ type, doc }] = all as readonly [PayloadField];
  const required = all.every((field) => field.required === true || field.default !== undefined);
  if (!all.every((field) => field.type === type)) return { type: dyn, required, doc };
  const values = all.flatMap((field) => field.values ?? []);
  if (all.every((field) => field.values)) return { type: oneOf(...new Set(values)), required, doc };
  const usual = usualTexts(all);
  const plain: Field = { type: usual ? usually(usual) : fieldTypes[type], required, doc };
  return type === "path" ? { ...plain, lower: { as: "convert", fn: "path.of" } } : plain;
}

/** The texts that hosts give for a field on any of some events; undefined where nothing is known on one of them. */
function usualTexts(all: readonly PayloadField[]): UsualTexts | undefined {
  const tables = all.flatMap(({ usual }) => usual ?? []);
  if (tables.length < all.length) return undefined;
  const texts = [...new Set(tables.flatMap((table) => table.texts))];
  const others = Object.assign({}, ...tables.map((table) => table.others ?? {})) as Record<string, string>;
  return { texts, others, whole: tables.every(({ more }) => more !== true) };
}

const argumentTypes: Readonly<Record<ArgumentType, Type>> = {
  string,
  int,
  bool,
  // The event decides the type of an element when it is read, as for arguments where the rule leaves the tool open.
  "list(path)": list(dyn),
  "list(dyn)": list(dyn),
  dyn,
  path,
  url,
};

/** Arguments of the tools, which may be absent where a tool has none; dyn unless all are canonical tools by their exact name. */
function argumentsOf(tools: readonly string[]): Type {
  const tables = tools.map((name) => toolArguments(name)).filter((table) => table !== undefined);
  if (tables.length === 0 || tables.length < tools.length) return dyn;
  const fields: Record<string, Field> = {};
  for (const name of new Set(tables.flatMap((table) => Object.keys(table)))) {
    const given = tables.flatMap((table) => (Object.hasOwn(table, name) ? (table[name] ?? []) : []));
    const [first] = given;
    if (!first) continue;
    const same = given.every(({ type }) => type === first.type);
    const always = given.length === tables.length && given.every(({ required }) => required === true);
    fields[name] = argumentField(name, same ? first.type : "dyn", always);
  }
  return argumentRecord(fields);
}

function argumentField(name: string, type: ArgumentType, required: boolean): Field {
  const doc = `Argument \`${name}\`.`;
  const field: Field = { type: argumentTypes[type], required, doc };
  return type === "path" || type === "url" ? { ...field, lower: { as: "convert", fn: `${type}.of` } } : field;
}

function argumentRecord(fields: Readonly<Record<string, Field>>): RecordType {
  return record("args", () => fields);
}

/** True for a tool whose arguments conditions know. */
export function isCanonicalTool(name: string): boolean {
  return (canonicalTools as readonly string[]).includes(name);
}
