/** Type of one argument of a canonical tool, as conditions see it. */
export type ArgumentType = "string" | "int" | "bool" | "list(path)" | "list(dyn)" | "dyn" | "path" | "url";

interface Argument {
  readonly type: ArgumentType;
  readonly required?: boolean;
  /** Names under which hosts pass the argument. */
  readonly aliases?: readonly string[];
}

interface ToolEntry {
  /** Host names of the tool, compared exactly. */
  readonly aliases: readonly string[];
  readonly arguments: Readonly<Record<string, Argument>>;
}

const path: Argument = {
  type: "path",
  aliases: ["file_path", "filePath", "absolute_path", "filepath", "notebook_path"],
};
const pathNeeded: Argument = { ...path, required: true };
const directory: Argument = { type: "path", aliases: ["dir_path", "directory", "dir"] };
const shell: Readonly<Record<string, Argument>> = {
  command: { type: "string", required: true, aliases: ["cmd", "script"] },
  timeout: { type: "int", aliases: ["timeout_ms", "timeoutMs"] },
  cwd: { type: "path", aliases: ["workdir", "working_directory", "workingDirectory", "dir_path"] },
  env: { type: "dyn" },
  background: { type: "bool", aliases: ["run_in_background", "is_background", "async"] },
  description: { type: "string" },
};

/** Canonical tools with their arguments, and what hosts call both. Source: language section 4, hosts pages. */
export const tools = {
  bash: {
    aliases: [
      "Bash",
      "shell",
      "Shell",
      "run_shell_command",
      "local_shell",
      "exec_command",
      "run_command",
      "run_terminal_cmd",
      "runInTerminal",
      "execute_command",
      "runTerminalCommand",
      "developer__shell",
    ],
    arguments: shell,
  },
  powershell: { aliases: ["PowerShell", "pwsh"], arguments: shell },
  read: {
    aliases: ["Read", "read_file", "view", "View", "ReadFile", "read_many_files", "readFile"],
    arguments: {
      path: pathNeeded,
      offset: { type: "int", aliases: ["start_line"] },
      limit: { type: "int", aliases: ["end_line"] },
    },
  },
  write: {
    aliases: [
      "Write",
      "write_file",
      "create",
      "create_file",
      "WriteFile",
      "createFile",
      "write_to_file",
      "developer__write",
    ],
    arguments: { path: pathNeeded, content: { type: "string", aliases: ["file_text", "contents", "text"] } },
  },
  edit: {
    aliases: [
      "Edit",
      "MultiEdit",
      "multi_edit",
      "edit_file",
      "replace",
      "str_replace",
      "str_replace_editor",
      "apply_patch",
      "NotebookEdit",
      "patch",
      "replace_in_file",
      "multiedit",
      "replace_string_in_file",
      "editFiles",
      "developer__edit",
    ],
    arguments: {
      path,
      paths: { type: "list(path)" },
      edits: { type: "list(dyn)" },
      old_text: { type: "string", aliases: ["oldText", "old_string", "old_str", "oldString", "before"] },
      new_text: { type: "string", aliases: ["newText", "new_string", "new_str", "newString", "after"] },
      patch: { type: "string", aliases: ["input", "patchText", "diff"] },
    },
  },
  list: {
    aliases: ["LS", "ls", "list_directory", "list_dir", "List", "listDirectory"],
    arguments: { path: directory },
  },
  glob: {
    aliases: ["Glob", "find", "file_search", "glob_search"],
    arguments: { pattern: { type: "string" }, path: directory },
  },
  grep: {
    aliases: ["Grep", "search_file_content", "grep_search", "search_files", "rg"],
    arguments: {
      pattern: { type: "string", aliases: ["query", "regex"] },
      path: directory,
      glob: { type: "string", aliases: ["include"] },
    },
  },
  fetch: {
    aliases: ["WebFetch", "web_fetch", "webfetch", "fetch_url", "url_fetch"],
    arguments: { url: { type: "url", aliases: ["uri"] }, prompt: { type: "string" } },
  },
  search: {
    aliases: ["WebSearch", "web_search", "google_web_search", "websearch"],
    arguments: { query: { type: "string" } },
  },
  task: {
    aliases: ["Task", "Agent", "agent", "subagent", "delegate"],
    arguments: { prompt: { type: "string", aliases: ["task", "instructions"] }, description: { type: "string" } },
  },
  eval: {
    aliases: ["python", "codemode", "execute_code", "js_repl", "notebook_run"],
    arguments: { code: { type: "string", aliases: ["source", "input"] }, language: { type: "string" } },
  },
} as const satisfies Record<string, ToolEntry>;

/** Name of a tool that policies know by its own name. */
export type CanonicalTool = keyof typeof tools;

/** Every canonical tool name, in the order of the table. */
export const canonicalTools = Object.keys(tools) as CanonicalTool[];

const byAlias: ReadonlyMap<string, CanonicalTool> = new Map(
  canonicalTools.flatMap((name) => [[name, name] as const, ...tools[name].aliases.map((a) => [a, name] as const)]),
);

/** The canonical name of a host's tool: a canonical tool, `mcp__server__tool` as it is, or the name unchanged. */
export function canonicalTool(name: string): string {
  return byAlias.get(name) ?? byAlias.get(name.toLowerCase()) ?? name;
}

/** The arguments of a tool if it is canonical. */
export function toolArguments(name: string): Readonly<Record<string, Argument>> | undefined {
  return Object.hasOwn(tools, name) ? tools[name as CanonicalTool].arguments : undefined;
}

/** Every name of one argument, the canonical one first; only its own for a tool that is not canonical. */
export function argumentNames(tool: string | undefined, name: string): readonly string[] {
  const shape = tool === undefined ? undefined : toolArguments(tool);
  if (!shape) return [name];
  const found = Object.entries(shape).find(([own, { aliases }]) => own === name || aliases?.includes(name));
  return found ? [found[0], ...(found[1].aliases ?? [])] : [name];
}

/** What a value must be to stand in an argument of a canonical tool, in words; undefined where it fits, or nobody knows. */
export function argumentMisfit(tool: string | undefined, name: string, value: unknown): string | undefined {
  const shape = tool === undefined ? undefined : toolArguments(tool);
  const [canonical = name] = argumentNames(tool, name);
  const type = shape && Object.hasOwn(shape, canonical) ? shape[canonical]?.type : undefined;
  return type === undefined || fits[type](value) ? undefined : words[type];
}

const isText = (value: unknown): boolean => typeof value === "string";

const fits: Readonly<Record<ArgumentType, (value: unknown) => boolean>> = {
  string: isText,
  path: isText,
  url: isText,
  int: Number.isSafeInteger,
  bool: (value) => typeof value === "boolean",
  "list(path)": (value) => Array.isArray(value) && value.every(isText),
  "list(dyn)": Array.isArray,
  dyn: () => true,
};

const words: Readonly<Record<ArgumentType, string>> = {
  string: "text",
  path: "text",
  url: "text",
  int: "a whole number",
  bool: "true or false",
  "list(path)": "a list of texts",
  "list(dyn)": "a list",
  dyn: "anything",
};

/** Server and tool of an MCP tool name, or undefined. */
export function mcpName(name: string): { server: string; tool: string } | undefined {
  const match = /^mcp__(.+?)__(.+)$/s.exec(name);
  return match ? { server: match[1] as string, tool: match[2] as string } : undefined;
}
