import { isPayload, type Payload } from "./dialect.ts";

/**
 * Converts the arguments of a Cline tool to the names that policies use. Cline's tools accept lists, bare texts and single
 * objects. Undefined for input that no tool accepts. Source: `@cline/core` 0.0.86, tool schemas.
 */
export function clineArguments(tool: string, input: unknown): Payload | undefined {
  const shaped = Object.hasOwn(shapes, tool) ? shapes[tool] : undefined;
  if (shaped) return shaped(input);
  if (isPayload(input)) return input;
  return typeof input === "string" || Array.isArray(input) ? { input } : undefined;
}

/** Converts rewritten arguments to the host's own names; undefined if they cannot be converted back. */
export function hostInput(tool: string, args: Payload): Payload | undefined {
  if (!Object.hasOwn(shapes, tool)) return args;
  if (tool !== "run_commands" || Object.hasOwn(args, "commands")) return undefined;
  const { command, ...rest } = args;
  return { ...rest, commands: [command] };
}

/** Converts arguments to the older form, each as text. */
export function olderParameters(input: unknown): Payload {
  if (typeof input !== "object" || input === null) return {};
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

const shapes: Readonly<Record<string, (input: unknown) => Payload | undefined>> = {
  run_commands: commandsOf,
  read_files: (input) => {
    const paths = textsOf(input, ["files", "file_paths", "paths"], ["path", "file_path", "filePath"]);
    return paths && (paths.length === 1 ? { path: paths[0] } : { paths });
  },
  fetch_web_content: (input) => {
    const urls = textsOf(input, ["requests"], ["url"]);
    return urls && { url: urls.length === 1 ? urls[0] : urls };
  },
  search_codebase: (input) => {
    const queries = textsOf(input, ["queries"], ["query"]);
    return queries && { pattern: queries.join("|") };
  },
};

/** Reads the commands separately, because each runs in a shell of its own. */
function commandsOf(input: unknown): Payload | undefined {
  const given = isPayload(input) ? (input["commands"] ?? input["cmd"] ?? input) : input;
  const texts: string[] = [];
  for (const one of Array.isArray(given) ? given : [given]) {
    const text = typeof one === "string" ? one : isPayload(one) ? structured(one) : undefined;
    if (text === undefined) return undefined;
    texts.push(text);
  }
  const [command] = texts;
  return command === undefined ? undefined : { command, ...(texts.length > 1 && { commands: texts }) };
}

/** Makes one command line of a program and its arguments, quoted so that no shell expands a word or reads a keyword. */
function structured({ command, args }: Payload): string | undefined {
  if (typeof command !== "string") return undefined;
  if (args === undefined || args === null) return command;
  if (!Array.isArray(args) || !args.every((word) => typeof word === "string")) return undefined;
  return [quoted(command), ...args.map((word) => (/^[\w./:@%+-]+$/.test(word) ? word : quoted(word)))].join(" ");
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns the texts of a list, of one text, or of objects that hold a text under one of the names. */
function textsOf(input: unknown, lists: readonly string[], names: readonly string[]): string[] | undefined {
  const holder = isPayload(input) ? lists.find((name) => Object.hasOwn(input, name)) : undefined;
  const given = isPayload(input) && holder !== undefined ? input[holder] : input;
  const texts = (Array.isArray(given) ? given : [given]).map((one: unknown) =>
    isPayload(one) ? names.map((name) => one[name]).find((value) => typeof value === "string") : one,
  );
  return texts.length > 0 && texts.every((text) => typeof text === "string") ? (texts as string[]) : undefined;
}
