/**
 * Other names for the fields of our records (path, package, command, …), with the text to write instead. The names come
 * from hosts' payloads, from Cedar, OPA, Sigma and osquery, and from everyday speech.
 */

type Words = Readonly<Record<string, string>>;

const file: Words = {
  path: "file files filename file_name filepath file_path folder dir directory location target dest destination",
  "path.name": "name basename base_name",
  "path.ext": "ext extension suffix",
  command: "cmd program",
};

/** By record and field, the words of others. */
export const fieldWords: Readonly<Record<string, Words>> = {
  effects: {
    config:
      "sql database databases db kubernetes k8s cluster cloud docker containers git settings changes config_changes",
    kills: "processes process services service stops stopped kill",
    runs: "executes exec executions scripts code run",
    network: "http https requests request traffic connections urls net uploads downloads sends",
    installs: "packages package dependencies install",
    pushes: "push",
    reads: "read opens",
    writes: "write creates edits modifies changes_files created",
    deletes: "delete removes removed",
  },
  command: {
    program: "name cmd command executable exe binary bin image process tool",
    operands: "args arguments argument arg params parameters positional targets",
    words: "argv tokens",
    subcommand: "sub verb action sub_command",
    text: "line raw commandline command_line cmdline full",
    "{ has_option: … }": "option flag flags opts opt switches has_flag has_option",
    wrappers: "sudo elevated privileged parent prefix",
    env: "environment variables vars",
    cwd: "dir directory workdir pwd",
  },
  read: file,
  write: file,
  delete: file,
  network_access: {
    "url.host": "host hostname domain destination dest target address server",
    "url.port": "port",
    "url.scheme": "scheme protocol",
    direction: "method verb type kind outbound inbound",
    url: "uri link href",
  },
  install: {
    name: "package pkg module dependency",
    manager: "ecosystem tool",
    source: "registry index from",
  },
  push: {
    "target.branch": "branch ref refs to destination",
    remote: "repo repository origin upstream url",
    forced: "force is_forced force_with_lease overwrite",
    delete: "deleted deletes remove",
  },
  config_change: { target: "setting key name value path" },
  kill: { target: "process pid name signal service" },
  run: { target: "script program file path code name", source: "from origin" },
  path: {
    name: "basename base_name file filename file_name",
    ext: "extension suffix type filetype",
    parent: "dir dirname directory folder",
    lexical: "absolute abs full path",
    real: "resolved realpath canonical",
  },
  url: {
    host: "hostname domain server address",
    query: "params search querystring",
    userinfo: "user username password auth",
  },
  secret: { detector: "type kind rule id name", confidence: "severity level sure score" },
  message: { role: "type author from sender", text: "body message" },
  environment: {
    cwd: "dir directory pwd workdir",
    os: "platform system operating_system",
    variables: "env vars",
    workspace: "project repo root",
  },
  session: { labels: "tags taints marks label", turn: "turns step" },
  agent: { type: "name kind role", depth: "level nesting" },
  result: { text: "output stdout content_text body", is_error: "error failed success exit_code" },
  input: { text: "prompt message content" },
};

const byWord: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(fieldWords).map(([record, own]) => [
    record,
    new Map(
      Object.entries(own).flatMap(([field, others]) => others.split(" ").map((other) => [other, field] as const)),
    ),
  ]),
);

/** Returns the replacement for a field that a record does not have; undefined if it is no known other name of one of its fields. */
export function otherField(record: string, name: string): string | undefined {
  return byWord.get(record)?.get(name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase());
}

const argumentWords: Words = {
  command: "cmd commandline command_line script shell cmdline",
  path: "file filename file_name filepath file_path target folder dir directory",
  content: "contents text body data",
  url: "uri link href address",
  pattern: "regex regexp search glob query",
  query: "q search text question",
  description: "title prompt_text summary",
};

/** Returns the name that a rule's tools have for an argument known by another name; undefined where they have no such argument. */
export function otherArgument(name: string, own: ReadonlyMap<string, unknown>): string | undefined {
  const word = name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
  return Object.keys(argumentWords).find((key) => own.has(key) && argumentWords[key]?.split(" ").includes(word));
}
