import { canaryForms } from "../../../adapters/install/canary-payloads.ts";
import type { Payload } from "../../../adapters/one-shot/dialect.ts";
import { type HostFields, hostFields } from "./envelope-fields.ts";
import { twoCalls } from "./envelope-two-calls.ts";

/** Hosts of the table. */
export const envelopeHosts: readonly string[] = Object.keys(hostFields);

/** One host's payload with one thing wrong, as the host would write it. */
export interface EnvelopeFault {
  readonly host: string;
  readonly fault: string;
  readonly text: string;
  /** The event of the wired line; the canary's own where absent, none where null. */
  readonly wired?: string | null;
  /** `refused` without being judged, or `judged` as a call. */
  readonly answer: "refused" | "judged";
}

const command = "touch CONTROL";

/** A payload of a call in which nothing is wrong. */
export function soundCall(host: string): Payload {
  const form = canaryForms[host];
  if (!form) throw new Error(`no payload of ${host}`);
  return form.payload(command, "/w");
}

const fieldsOf = (host: string): HostFields => hostFields[host] as HostFields;

/** The object that holds the parts of the call. */
const holderOf = (host: string): Payload => {
  const { inside } = fieldsOf(host);
  return inside === undefined ? soundCall(host) : (soundCall(host)[inside] as Payload);
};

/** The payload with more in the object that holds the parts of the call. */
function withInside(host: string, more: Payload): Payload {
  const { inside } = fieldsOf(host);
  const whole = soundCall(host);
  return inside === undefined ? { ...whole, ...more } : { ...whole, [inside]: { ...holderOf(host), ...more } };
}

/** A JSON text in which a key stands twice: once with another value, right before where it stood. */
function twice(whole: Payload, key: string, other: unknown, written = JSON.stringify(key)): string {
  const text = JSON.stringify(whole);
  const at = text.indexOf(`${JSON.stringify(key)}:`);
  if (at < 0) throw new Error(`no ${key}`);
  return `${text.slice(0, at)}${written}:${JSON.stringify(other)},${text.slice(at)}`;
}

/** A key with its first letter written as an escape. */
const escaped = (key: string): string => `"\\u${key.charCodeAt(0).toString(16).padStart(4, "0")}${key.slice(1)}"`;

const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Other spellings of a name: every one of them some host has, or a reader that folds case takes. */
function spellings(name: string): string[] {
  const kebab = snake(name).replaceAll("_", "-");
  const all = [camel(name), snake(name), name.toUpperCase(), kebab, name[0]?.toUpperCase() + name.slice(1)];
  return [...new Set(all)].filter((one) => one !== name);
}

const other: Readonly<Record<string, unknown>> = { args: { command: "touch OTHER" }, tool: "Read" };

/** One key twice in an object, wherever the object stands. */
function doubles(host: string): EnvelopeFault[] {
  if (host === "opta") {
    const args = '{"command":"touch OTHER","command":"touch CONTROL"}';
    const text = JSON.stringify({ ...soundCall(host), OPTA_TOOL_ARGS: args });
    return [{ host, fault: "a key twice in the arguments' text", text, answer: "refused" }];
  }
  const { event, tool, args, session } = fieldsOf(host);
  const whole = soundCall(host);
  const deep = withInside(host, { [args ?? "extra"]: { command, more: [{ k: 1 }] } });
  const keys = [event, tool, args, session].filter(
    (key) => key !== undefined && JSON.stringify(whole).includes(`"${key}":`),
  );
  const made = keys.flatMap((key = "") => {
    const value = key === args ? other["args"] : "Other";
    return [
      { host, fault: `\`${key}\` twice`, text: twice(whole, key, value), answer: "refused" as const },
      {
        host,
        fault: `\`${key}\` twice, once escaped`,
        text: twice(whole, key, value, escaped(key)),
        answer: "refused" as const,
      },
      {
        host,
        fault: `\`${key}\` twice alike`,
        text: twice(whole, key, holderOf(host)[key] ?? whole[key]),
        answer: "refused" as const,
      },
    ];
  });
  const inArgs: EnvelopeFault[] =
    tool === "command_line"
      ? []
      : [
          {
            host,
            fault: "`command` twice in the arguments",
            text: twice(whole, "command", "touch OTHER"),
            answer: "refused",
          },
        ];
  const text = JSON.stringify(deep).replace('{"k":1}', '{"k":1,"k":2}');
  const proto = `{"__proto__":{},"__proto__":1,${JSON.stringify(whole).slice(1)}`;
  return [
    ...made,
    ...inArgs,
    { host, fault: "a key twice deep in the arguments", text, answer: "refused" },
    { host, fault: "`__proto__` twice", text: proto, answer: "refused" },
  ];
}

/** Two spellings of one field: refused where they differ, judged where they are alike. */
function spelled(host: string): EnvelopeFault[] {
  const { event, tool, args, id, session, inside } = fieldsOf(host);
  const holder = holderOf(host);
  if (host === "opta") return [];
  const found: EnvelopeFault[] = [];
  for (const [part, name] of Object.entries({ tool, args, id })) {
    if (name === undefined || !Object.hasOwn(holder, name)) continue;
    for (const spelling of spellings(name)) {
      const differing = other[part] ?? "other";
      const add = (value: unknown): string => JSON.stringify(withInside(host, { [spelling]: value }));
      found.push({
        host,
        fault: `\`${spelling}\` beside \`${name}\`, and they differ`,
        text: add(differing),
        answer: "refused",
      });
      if (inside === undefined)
        found.push({
          host,
          fault: `\`${spelling}\` beside \`${name}\`, and they are alike`,
          text: add(holder[name]),
          answer: "judged",
        });
    }
  }
  for (const name of [event, session, "cwd"].filter((key) => Object.hasOwn(soundCall(host), key)))
    for (const spelling of spellings(name))
      found.push({
        host,
        fault: `\`${spelling}\` beside \`${name}\`, and they differ`,
        text: JSON.stringify({ ...soundCall(host), [spelling]: "Other" }),
        answer: "refused",
      });
  return found;
}

/** Fields of a result beside those of a call. */
function results(host: string): EnvelopeFault[] {
  const { results: fields } = fieldsOf(host);
  return fields.map(([field, value]) => ({
    host,
    fault: `\`${field}\` beside the call`,
    text: JSON.stringify(
      host === "windsurf" ? withInside(host, { [field]: value }) : { ...soundCall(host), [field]: value },
    ),
    answer: "refused",
  }));
}

/** Fields by which one host alone says what is called, or what came of it. */
const ownFields: Readonly<Record<string, Payload>> = {
  copilot: { toolArgs: { command: "touch OTHER" } },
  windsurf: { tool_info: { command_line: "touch OTHER" }, agent_action_name: "pre_run_command" },
  cline: {
    tool_call: { id: "x", name: "execute_command", input: { command: "touch OTHER" } },
    preToolUse: { toolName: "execute_command", parameters: { command: "touch OTHER" } },
    hookName: "tool_call",
  },
  goose: { event: "PreToolUse" },
  opta: { OPTA_TOOL_NAME: "run_command", OPTA_TOOL_ARGS: '{"command":"touch OTHER"}', OPTA_EVENT: "tool.pre" },
  claude: { tool_response: { stdout: "x" } },
  cursor: { tool_output: "x" },
};

/** Fields of another host's dialect. */
function foreign(host: string): EnvelopeFault[] {
  const own = soundCall(host);
  if (host === "opta") return [];
  return Object.entries(ownFields).flatMap(([of, fields]) =>
    of === host
      ? []
      : Object.entries(fields)
          .filter(([field]) => !Object.hasOwn(own, field) && !(host === "copilot" && field === "hookName"))
          .map(([field, value]) => ({
            host,
            fault: `\`${field}\` of ${of} beside the call`,
            text: JSON.stringify({ ...own, [field]: value }),
            answer: "refused" as const,
          })),
  );
}

/** Events that are not what the line was wired for, or that nobody knows. */
function events(host: string): EnvelopeFault[] {
  const { event, other: another } = fieldsOf(host);
  const own = soundCall(host);
  const named = (name: string): string => JSON.stringify({ ...own, [event]: name });
  const unknown = ["SomethingNew", "pretooluse ", "PermissionAsked", "__proto__", "constructor"];
  return [
    { host, fault: `\`${another}\` where the line is wired for a call`, text: named(another), answer: "refused" },
    ...unknown.map((name) => ({
      host,
      fault: `the unknown event \`${name}\` with the shape of a call`,
      text: named(name),
      answer: "judged" as const,
    })),
    ...unknown.map((name) => ({
      host,
      fault: `the unknown event \`${name}\` with the shape of a call, on a line without an event`,
      text: named(name),
      wired: null,
      answer: "judged" as const,
    })),
  ];
}

/** Arguments that come as a JSON text, on hosts that give them so. */
function texts(host: string): EnvelopeFault[] {
  if (host !== "copilot" && host !== "cursor") return [];
  const { args = "" } = fieldsOf(host);
  const text = '{"command":"touch OTHER","command":"touch CONTROL"}';
  return [
    {
      host,
      fault: "a key twice in arguments that are a JSON text",
      text: JSON.stringify({ ...soundCall(host), [args]: text }),
      answer: "refused",
    },
  ];
}

/** Two forms of one call in one payload, on the host that sends both. */
function bothForms(host: string): EnvelopeFault[] {
  if (host !== "cline") return [];
  const beside = (older: Payload): string => JSON.stringify({ ...soundCall(host), preToolUse: older });
  const toolName = "execute_command";
  return [
    {
      host,
      fault: "the older form as the host writes it",
      text: beside({ toolName, parameters: { command } }),
      answer: "judged",
    },
    {
      host,
      fault: "the older form with other arguments",
      text: beside({ toolName, parameters: { command: "touch OTHER" } }),
      answer: "refused",
    },
    {
      host,
      fault: "the older form with one more argument",
      text: beside({ toolName, parameters: { command, cwd: "/" } }),
      answer: "refused",
    },
    {
      host,
      fault: "the older form of another tool",
      text: beside({ toolName: "read_file", parameters: { command } }),
      answer: "refused",
    },
  ];
}

/** A call or a result under further names, in or beside the call. */
function further(host: string): EnvelopeFault[] {
  return twoCalls
    .filter((one) => one.host === host)
    .map(({ fault, made }) => ({ host, fault, text: JSON.stringify(made(soundCall(host))), answer: "refused" }));
}

/** Kinds of faults, each with what makes the payloads of a host that have it. */
const kinds: Readonly<Record<string, (host: string) => readonly EnvelopeFault[]>> = {
  "a key twice in one object": doubles,
  "two spellings of one field": spelled,
  "fields of a result beside those of a call": results,
  "fields of another host's payloads": foreign,
  "an event that nobody knows, or another than the line was wired for": events,
  "arguments as a JSON text": texts,
  "two forms of one call": bothForms,
  "another call, or a result, under further names": further,
};

/** Every host with every fault. */
export const envelopeFaults: readonly (EnvelopeFault & { readonly kind: string })[] = envelopeHosts.flatMap((host) =>
  Object.entries(kinds).flatMap(([kind, faults]) => faults(host).map((fault) => ({ ...fault, kind }))),
);
