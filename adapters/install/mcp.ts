import { isAbsolute, join } from "node:path";
import { ruleName } from "../mcp/server-name.ts";
import { optionWords } from "./command.ts";
import type { ObjectNode, ValueNode } from "./jsonc.ts";
import {
  addMember,
  dataOf,
  type JsoncText,
  type JsonValue,
  keyOf,
  memberOf,
  rangeOf,
  readJsonc,
  type TextFault,
  valueAt,
} from "./jsonc.ts";
import {
  type FileWiring,
  type HostInstaller,
  type Inspection,
  type InstallPlace,
  isFault,
  type Unwired,
  type Wired,
  type WiredBefore,
} from "./wiring.ts";

/** Keys under which clients keep their servers. */
const lists = ["mcpServers", "servers", "mcp"] as const;

/** A server in a client's configuration that is started by a command. */
interface Server {
  readonly node: ObjectNode;
  readonly command: readonly string[];
  /** True where `command` is one list, as OpenCode has it. */
  readonly joined: boolean;
  readonly variables: readonly string[];
}

function fault(message: string, at: number, help: string): TextFault {
  return { message, at, help: `${help}; nothing was written` };
}

function serverOf(json: JsoncText, name: string): Server | TextFault {
  const found = lists.map((list) => valueAt(json, [list, name])).find((node) => node !== undefined);
  if (!found) {
    const names = lists.flatMap((list) => membersOf(valueAt(json, [list])));
    const known = names.length === 0 ? "it has none" : `there are ${names.map((each) => `\`${each}\``).join(", ")}`;
    return fault(`it has no server \`${name}\``, 0, `name one with \`--server\`: ${known}`);
  }
  if (found.type !== "Object") return fault(`the server \`${name}\` is no object`, rangeOf(found)[0], "mend it");
  const command = memberOf(found, "command")?.value;
  const args = memberOf(found, "args")?.value;
  if (!command)
    return fault(
      `the server \`${name}\` is not started by a command`,
      rangeOf(found)[0],
      "only servers over standard input and output can be put behind the proxy",
    );
  const words = [...wordsOf(command), ...(args ? wordsOf(args) : [])];
  if (words.length === 0 || words.includes(undefined))
    return fault(`the command of \`${name}\` is no list of texts`, rangeOf(command)[0], "mend it");
  const variables = ["env", "environment"].flatMap((field) => membersOf(memberOf(found, field)?.value));
  return { node: found, command: words as string[], joined: command.type === "Array", variables };
}

function membersOf(node: ValueNode | undefined): readonly string[] {
  return node?.type === "Object" ? node.members.map(keyOf) : [];
}

function wordsOf(node: ValueNode): readonly (string | undefined)[] {
  const value = dataOf(node);
  if (typeof value === "string") return [value];
  return Array.isArray(value)
    ? value.map((word: unknown) => (typeof word === "string" ? word : undefined))
    : [undefined];
}

/** Returns the server's command line that our proxy was given, if the server is behind the proxy. */
function behind(command: readonly string[]): readonly string[] | undefined {
  const at = command.indexOf("--");
  return command[2] === "mcp" && /(^|[\\/])hookwarden\.js$/.test(command[1] ?? "") && at > 0
    ? command.slice(at + 1)
    : undefined;
}

function proxied(server: Server, name: string, { program, by }: InstallPlace): readonly string[] {
  const inner = behind(server.command) ?? server.command;
  const variables = server.variables.flatMap((variable) => ["--env", variable]);
  const ours = [program.node, program.command, "mcp", "--server", ruleName(name)];
  return [...ours, ...optionWords(by), ...variables, "--", ...inner];
}

/** Returns the text with another command for a server, in the same form as before. */
function withCommand(
  json: JsoncText,
  server: Server,
  words: readonly string[],
  texts: Readonly<Record<string, string | null>> = {},
): string | TextFault {
  const [program = "", ...rest] = words;
  const command = memberOf(server.node, "command")?.value as ValueNode;
  const args = memberOf(server.node, "args");
  const commandText = texts["command"] ?? JSON.stringify(server.joined ? words : program);
  const edits: [number, number, string][] = [[...rangeOf(command), commandText]];
  if (!server.joined && args) {
    const text = texts["args"];
    if (text === null) {
      const from = json.commas.findLast((at) => at < rangeOf(args)[0]) ?? rangeOf(args)[0];
      edits.push([from, rangeOf(args)[1], ""]);
    } else edits.push([...rangeOf(args.value), text ?? JSON.stringify(rest)]);
  }
  let { text } = json;
  for (const [from, to, made] of edits.sort(([a], [b]) => b - a)) text = text.slice(0, from) + made + text.slice(to);
  if (server.joined || args || rest.length === 0) return text;
  const again = readJsonc(text);
  if ("message" in again) return again;
  const path = pathOf(again, server.node);
  const added = addMember(again, path, "args", rest as JsonValue);
  return "message" in added ? added : added.text;
}

function pathOf(json: JsoncText, server: ObjectNode): string[] {
  for (const list of lists)
    for (const name of membersOf(valueAt(json, [list])))
      if (valueAt(json, [list, name])?.range?.[0] === server.range?.[0]) return [list, name];
  return [];
}

function serverFile(path: string, name: string, place: InstallPlace): FileWiring {
  const read = (text: string): { json: JsoncText; server: Server } | TextFault => {
    const json = readJsonc(text);
    if ("message" in json) return json;
    const server = serverOf(json, name);
    return isFault(server) ? server : { json, server };
  };
  return {
    path,
    own: false,
    wire(text): Wired | TextFault {
      if (text === undefined) return fault("it does not exist", 0, "name the client's configuration with `--config`");
      const found = read(text);
      if (isFault(found)) return found;
      const { json, server } = found;
      const words = proxied(server, name, place);
      if (words.join("\0") === server.command.join("\0")) return { text, made: [] };
      const made = withCommand(json, server, words);
      if (typeof made !== "string") return made;
      if (behind(server.command)) return { text: made, made: [] };
      const source = (field: string): string | null => {
        const value = memberOf(server.node, field)?.value;
        return value ? text.slice(...rangeOf(value)) : null;
      };
      return { text: made, made: [], kept: { command: source("command"), args: source("args") } };
    },
    unwire(text, before: WiredBefore | undefined): Unwired | TextFault {
      const found = read(text);
      if (isFault(found)) return found;
      const inner = behind(found.server.command);
      if (!inner) return { text, ours: 0, empty: false };
      const made = withCommand(found.json, found.server, inner, before?.kept);
      return typeof made === "string" ? { text: made, ours: 1, empty: false } : made;
    },
    inspect(text): Inspection | TextFault {
      const found = read(text);
      if (isFault(found)) return found;
      const { command } = found.server;
      const wired = behind(command) ? [name] : [];
      return {
        wired,
        missing: wired.length > 0 ? [] : [name],
        targets: wired.length > 0 ? command.slice(0, 2) : [],
        before: 0,
        after: 0,
      };
    },
  };
}

/** A server in the configuration of any MCP client, put behind the proxy. Source: hosts page others, section 4. */
export const mcp: HostInstaller = {
  name: "mcp",
  row: "mcp",
  files: (place) => {
    const { config, server, project } = place;
    if (config === undefined || server === undefined)
      return fault(
        "a server stands in the configuration of its client",
        0,
        "name both: `--config <file> --server <name>`",
      );
    return [serverFile(isAbsolute(config) ? config : join(project, config), server, place)];
  },
  steps: () => [
    "start the client anew: servers that run already are not behind the proxy",
    "the client's configuration can stand anywhere, so the built-in policy does not keep agents from changing it: have a rule do so",
  ],
};
