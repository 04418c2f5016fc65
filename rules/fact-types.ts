import { textOddities } from "../schema/facts.ts";
import { detectorTable, eventTable, managerTable, programTable, sourceTable, toolTable } from "./name-tables.ts";
import type { Field, RecordType, Type } from "./types.ts";
import {
  bool,
  count,
  double,
  duration,
  dyn,
  int,
  list,
  map,
  named,
  oneOf,
  record,
  scalarType,
  string,
  timestamp,
} from "./types.ts";

/** The fact types that conditions see, field by field (language section 4). Names and shapes are those of `schema/facts.ts`. */

/** A field that is always there. */
export const always = (type: Type, doc: string): Field => ({ type, required: true, doc });
/** A field that may be absent. */
export const maybe = (type: Type, doc: string): Field => ({ type, required: false, doc });
/** Makes a field that an overload computes from the record. */
const computed = (type: Type, fn: string, doc: string): Field => ({
  type,
  required: true,
  doc,
  lower: { as: "compute", fn },
});
/** A command of the same shell text, kept as an index. */
const commandAt = (required: boolean, doc: string): Field => ({
  type: command,
  required,
  doc,
  lower: { as: "command" },
});

/** A path as a value, with both its forms. */
export const path: RecordType = record("path", () => ({
  text: always(string, "The path as it was written."),
  lexical: always(string, "Absolute path, cleaned without looking at the disk."),
  real: always(string, "Absolute path with symbolic links of every existing part followed."),
  pattern: always(bool, "True when the text holds a glob, so that it stands for all that it may match."),
  name: computed(string, "path.name", "Last component."),
  ext: computed(string, "path.ext", "Extension of the last component without the dot; empty when there is none."),
  parent: computed(path, "path.parent", "The folder that holds it."),
}));

/** A URL as a value. */
export const url: RecordType = record("url", () => ({
  text: always(string, "The URL as it was written."),
  scheme: always(string, "Scheme in lower case, without the colon."),
  host: always(string, "Host in lower case, without brackets or final dot."),
  port: always(string, "Port; empty when absent, and for the usual one of the protocol."),
  path: always(string, "Path."),
  query: always(string, "Query without the question mark."),
  userinfo: always(string, "User and password part; empty when absent."),
  host_skeleton: computed(
    string,
    "url.host_skeleton",
    "The host as it looks in ASCII: `xn--` labels decoded, letters that pass for others replaced.",
  ),
  mixed_scripts: computed(
    bool,
    "url.mixed_scripts",
    "A label of the host mixes scripts that are not written together.",
  ),
  embedded: computed(
    list(url),
    "url.embedded",
    "URLs that stand in path or query, as proxies and redirectors take them, also escaped.",
  ),
}));

/** One shell word. */
export const word: RecordType = record("word", () => ({
  text: always(string, "Text after expansion, or what is known of it."),
  kind: always(oneOf("literal", "pattern", "unknown"), "Whether the text is known, a glob, or not known."),
}));

/** One option of a command as given. */
export const option: RecordType = record("option", () => ({
  names: always(list(string), "Every spelling of the option; of a word that may be an option, what is known of it."),
  value: maybe(string, "Its value, or what is known of it, if it was given one."),
}));

/** One redirection of a command. */
export const redirect: RecordType = record("redirect", () => ({
  operator: always(string, "The redirection operator."),
  path: maybe(path, "The file, unless the target is a descriptor."),
  certain: always(bool, "False when the target is not known."),
}));

const span: RecordType = record("span", () => ({
  start: always(count, "Offset of the first character."),
  end: always(count, "Offset behind the last character."),
}));

/** One simple command of a shell text. */
export const command: RecordType = record("command", () => ({
  program: always(
    named(programTable),
    "Canonical program name, without folder and, of interpreters, without version (`python` for `/usr/bin/python3.11`); known in part where the call does not say it. In an allow, `unless` or exception it is empty where it is called from a folder that is not the system's; in an `unless` or exception also where a variable or option makes another run of it (`PATH=/tmp/x cat`) and the waiver does not name that.",
  ),
  path: maybe(
    path,
    "The program as a path, where the call names one: `./gradlew`, `node_modules/.bin/eslint`. Its folder is real, its name as it is called.",
  ),
  subcommand: maybe(
    string,
    "Words that select what the program does, as many as it has, as they are written: `push` of `git push`, `pr merge` of `gh pr merge`, `s3 rb` of `aws s3 rb`. None of them is among the operands. Absent for programs without such words.",
  ),
  words: always(list(word), "All words after the program. An unquoted word that is not known may be several, or none."),
  operands: always(
    list(string),
    "Words that are neither options nor their values nor the subcommand. A word in quotes that is not known is one operand; without quotes it may be several, an option, or none.",
  ),
  options: always(list(option), "Options as given."),
  env: always(map(string, string), "Variables assigned for this command, or what is known of their values."),
  wrappers: always(
    list(string),
    "Programs that forwarded to this one, outermost first: of `sudo ls` the program is `ls`. Only a wrapper that runs nothing else, such as `sudo -i`, is a program.",
  ),
  redirects: always(list(redirect), "Redirections."),
  piped_from: commandAt(false, "The command whose output this one reads."),
  piped_to: commandAt(false, "The command that reads this one's output."),
  cwd: always(string, "Working directory when it runs; empty when unknown."),
  span: always(span, "Where it stands in the shell text."),
  certain: always(bool, "False when the program or a word that matters is not known."),
  text: always(string, "The command as text after expansion."),
}));

const cause = (): Record<string, Field> => ({
  via: always(
    named(programTable),
    "Program or tool that causes it; `unseen code` for what code may do that the call runs and nobody saw.",
  ),
  certain: always(bool, "False when it may happen but need not."),
  command: commandAt(false, "The shell command that causes it, if one does."),
});

/** Effect records by effect list. */
export const effectTypes: Readonly<Record<string, RecordType>> = {
  reads: record("read", () => ({
    path: always(path, "The path that is read."),
    recursive: always(bool, "Everything beneath is read as well."),
    metadata_only: always(bool, "Only names, sizes and dates are read."),
    ...cause(),
  })),
  writes: record("write", () => ({
    path: always(path, "The path that is written or created."),
    recursive: always(bool, "A whole folder comes there: everything beneath may be written as well."),
    ...cause(),
  })),
  deletes: record("delete", () => ({
    path: always(path, "The path that is deleted."),
    recursive: always(bool, "Everything beneath is deleted as well."),
    ...cause(),
  })),
  runs: record("run", () => ({
    target: always(string, "Program or script that is run. May be known in part."),
    source: always(
      oneOf("text", "file", "network", "decoded", "input", ""),
      "Where the code comes from: text of the call, a file, downloaded in this call, printed by a decoder, other input. Empty for a program, or when not known.",
    ),
    ...cause(),
  })),
  network: record("network_access", () => ({
    url: always(url, "Where the traffic goes. Each part may be known in part."),
    direction: always(
      oneOf("upload", "download", "both"),
      "`upload` when data is sent or something is changed there, `download` when something is only asked for, `both` where it is interactive, not known, or asked for by a request that carries a file's content or a command's output.",
    ),
    ...cause(),
  })),
  installs: record("install", () => ({
    manager: always(
      named(managerTable),
      "Package manager; `pip3`, `apt-get` and the like fold to `pip` and `apt`, and so do programs with the packages of another: `uv` is `pip` here and `via` says which. `npx`, `yarn`, `pnpm`, `bun`, `deno`, `uvx`, `pipx` and `bundle` keep names of their own.",
    ),
    source: always(
      named(sourceTable),
      "Where the package comes from: `registry`, `git`, `url`, `file` or `lockfile`; a registry that the call names itself by its address or name. May be known in part.",
    ),
    name: always(string, "Package name. May be known in part."),
    pinned: always(
      bool,
      "False when a package is named without one exact version, as its manager writes it (`left-pad@1.3.0`, `requests==2.31`, `gem install rails -v 7.0.1`); a range, a tag and a wildcard are none. True where the project's files say which. Unknown where the name is.",
    ),
    ...cause(),
  })),
  pushes: record("push", () => ({
    remote: always(string, "Remote name or URL. May be known in part."),
    target: always(pushTarget, "The branch or tag that is pushed to."),
    forced: always(bool, "History may be overwritten."),
    mirror: always(bool, "All refs are mirrored."),
    delete: always(bool, "The ref is deleted."),
    ...cause(),
  })),
  config: record("config_change", () => ({
    target: always(
      string,
      "Key of the setting that is changed, or the name of the change where it is none: `docker grant privileged`, `git rewrite history`, `kubernetes delete pod/web`, `sql drop table orders`. May be known in part.",
    ),
    ...cause(),
  })),
  kills: record("kill", () => ({
    target: always(
      string,
      "The process or service that ends, by id or name: `container/<name>`, `service/<name>` of a compose project, `compose/*` and `compose/orphans`, `pod/<name>`, `deployment/<name>`; `every service`; `system` is the machine. A rule on one service does not name these. May be known in part.",
    ),
    ...cause(),
  })),
};

const pushTarget: RecordType = record("push_target", () => ({
  branch: always(string, "Branch or ref name. May be known in part."),
}));

/** One place where a detector found a secret. */
export const secret: RecordType = record("secret", () => ({
  detector: always(named(detectorTable), "Detector that found it."),
  where: always(string, "Dotted place in the payload."),
  confidence: always(oneOf("high", "medium", "low"), "How sure the detector is."),
}));

/** One place where text is odd. */
export const textPlace: RecordType = record("text_place", () => ({
  kind: always(oneOf(...textOddities), "Kind of oddity."),
  where: always(string, "Dotted place in the payload."),
  offset: always(count, "Offset into the text there, in UTF-16 units."),
  code: always(string, "The code point, e.g. `U+200B`."),
  name: always(string, "Name of the character, in words."),
}));

/** One message of the context. */
export const message: RecordType = record("message", () => ({
  role: always(string, "Role: user, assistant, tool_result, custom, …"),
  text: always(string, "All text parts, joined by line breaks."),
  content: maybe(dyn, "Content as the host gave it."),
  tool_name: maybe(string, "Tool of a tool result."),
  custom_type: maybe(string, "Type of a custom message."),
}));

/** One earlier call of the session. */
export const call: RecordType = record("call", () => ({
  tool: always(named(toolTable), "Canonical tool name."),
  event: always(named(eventTable(["tool_call", "user_bash", "user_python"])), "Event that judged it."),
  outcome: always(oneOf("allow", "ask", "block"), "Outcome of the decision."),
  executed: always(bool, "True when a result of it was seen."),
  agent: always(string, "Id of the agent that made it."),
  time: always(timestamp, "Event time."),
}));

/** The session so far: a fold over its audit records (semantics section 5). */
export const session: RecordType = record("session", () => ({
  id: always(string, "Id of the session."),
  labels: always(
    list(string),
    "Labels that the session has: what rules gave it, and `injected` where hookwarden handed the model text that no policy wrote.",
  ),
  turn: always(count, "Number of the turn."),
  asked: always(count, "Questions that were put to the human so far."),
}));

/** The labelled files of the session. */
export const paths: RecordType = record("paths", () => ({}));

/** Type of `match`, by which texts cite what a `matches` found: `match[n]` are its groups. */
export const match: Type = list(string);

const records: ReadonlyMap<string, Type> = new Map(
  [
    path,
    url,
    word,
    option,
    redirect,
    command,
    secret,
    textPlace,
    message,
    call,
    session,
    paths,
    ...Object.values(effectTypes),
  ].map((type) => [type.name, type]),
);

/** Returns the scalar or record type of a name; undefined if there is none. */
export function namedType(name: string): Type | undefined {
  return scalarType(name) ?? records.get(name);
}

/** Types that a policy parameter may declare, by their text; undefined for others. */
export function parameterType(text: string): Type | undefined {
  return parameterTypes.get(text.replaceAll(" ", ""));
}

const parameterTypes: ReadonlyMap<string, Type> = new Map(
  [bool, int, double, string, duration].flatMap((type) => [
    [type.kind, type] as const,
    [`list(${type.kind})`, list(type)] as const,
    [`map(string,${type.kind})`, map(string, type)] as const,
  ]),
);
