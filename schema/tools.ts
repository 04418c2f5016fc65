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
  aliases: [
    ...["file_path", "filePath", "absolute_path", "filepath", "notebook_path", "target_file", "file", "filename"],
    ...["relative_path", "uri"],
  ],
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

/** Canonical tools with their arguments, and hosts' names for both. Source: language section 4, hosts pages. */
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
      "run_commands",
      "run_in_terminal",
      "execute_bash",
      "launch_process",
      "Monitor",
      "sh",
      "zsh",
      "terminal",
    ],
    arguments: shell,
  },
  powershell: { aliases: ["PowerShell", "pwsh"], arguments: shell },
  read: {
    aliases: ["Read", "read_file", "view", "View", "ReadFile", "read_many_files", "read_files", "readFile"],
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
      "editor",
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
    aliases: ["Grep", "search_file_content", "grep_search", "search_files", "search_codebase", "rg"],
    arguments: {
      pattern: { type: "string", aliases: ["query", "regex"] },
      path: directory,
      glob: { type: "string", aliases: ["include"] },
    },
  },
  fetch: {
    aliases: ["WebFetch", "web_fetch", "webfetch", "fetch_url", "url_fetch", "fetch_web_content"],
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
    aliases: ["python", "codemode", "execute_code", "js_repl", "notebook_run", "REPL"],
    arguments: { code: { type: "string", aliases: ["source", "input"] }, language: { type: "string" } },
  },
} as const satisfies Record<string, ToolEntry>;

/** Name of a tool that policies know by its own name. */
export type CanonicalTool = keyof typeof tools;

/** Every canonical tool name, in the order of the table. */
export const canonicalTools = Object.keys(tools) as CanonicalTool[];

/**
 * Tools that hosts bring along and that have no canonical name, since only one family of hosts has them. Names of an
 * extension's tools (`extension__tool`) are the extension's own. Source: hosts pages; each host's public documentation.
 */
export const hostTools: readonly string[] = [
  ...["TodoWrite", "TodoRead", "ExitPlanMode", "EnterPlanMode", "BashOutput", "KillShell", "KillBash", "TaskOutput"],
  ...["TaskStop", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "Skill", "SlashCommand", "AskUserQuestion"],
  ...["NotebookRead", "ListMcpResourcesTool", "ReadMcpResourceTool", "EnterWorktree", "ExitWorktree", "ToolSearch"],
  ...["LSP", "CronCreate", "CronDelete", "CronList", "SendMessage", "TeamCreate", "TeamDelete", "Monitor"],
  ...["update_plan", "view_image", "write_stdin", "request_user_input", "list_mcp_resources", "read_mcp_resource"],
  ...["list_mcp_resource_templates", "spawn_agent", "send_input", "close_agent", "wait_agent", "image_generation"],
  ...["save_memory", "write_todos", "activate_skill", "ask_user", "invoke_agent", "enter_plan_mode", "exit_plan_mode"],
  ...["get_internal_docs", "complete_task", "todo", "hub", "lsp", "ask", "browser", "ssh", "calc", "ast_grep"],
  ...["ast_edit", "checkpoint", "rewind", "tool_search", "inspect_image", "generate_image", "question", "skill"],
  ...["todowrite", "todoread", "codesearch", "plan_exit", "batch", "report_intent", "store_memory", "update_todo"],
  ...["read_bash", "write_bash", "stop_bash", "list_bash", "get_errors", "semantic_search", "codebase_search"],
  ...["get_changed_files", "list_code_usages", "fetch_webpage", "manage_todo_list", "runSubagent", "runTask"],
  ...["get_terminal_output", "terminal_last_command", "run_task", "open_simple_browser", "delete_file", "todo_write"],
  ...["fetch_rules", "fetch_mcp_resource", "attempt_completion", "ask_followup_question", "browser_action"],
  ...[
    "use_mcp_tool",
    "access_mcp_resource",
    "list_code_definition_names",
    "plan_mode_respond",
    "new_task",
    "use_skill",
  ],
  ...["use_subagents", "condense", "load_mcp_documentation", "task_complete", "codeSearch", "computer"],
];

const byAlias: ReadonlyMap<string, CanonicalTool> = new Map(
  canonicalTools.flatMap((name) => [[name, name] as const, ...tools[name].aliases.map((a) => [a, name] as const)]),
);

/** Every other name of a canonical tool. */
export const toolAliases: readonly string[] = canonicalTools.flatMap((name) => [...tools[name].aliases]);

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

/** Returns a key without letter case, underscores and hyphens, in which spellings differ. */
export function folded(key: string): string {
  return key.toLowerCase().replace(/[_-]/g, "");
}

type Shape = Readonly<Record<string, Argument>>;

// Longer than every spelling of an argument's name.
const longestKey = 64;

/** Names of arguments by their folded spellings, by the table of the tool. */
const spellings = new WeakMap<Shape, ReadonlyMap<string, string>>();

/** Returns the canonical name of a tool's argument by a key in any spelling; undefined if the tool has none. */
export function argumentOf(shape: Shape, key: string): string | undefined {
  if (Object.hasOwn(shape, key)) return key;
  if (key.length > longestKey) return undefined;
  let known = spellings.get(shape);
  if (!known) {
    const names = Object.entries(shape).flatMap(([name, { aliases = [] }]) =>
      [name, ...aliases].map((one) => [folded(one), name] as const),
    );
    // An argument's own name takes precedence over an alias of another argument.
    known = new Map([...names, ...Object.keys(shape).map((name) => [folded(name), name] as const)]);
    spellings.set(shape, known);
  }
  return known.get(folded(key));
}

/** Groups keys of arguments by their canonical name; names in the tool's table come first, in the table's order. */
export function keysOfArguments(shape: Shape, args: object): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const key of Object.keys(args)) {
    const name = argumentOf(shape, key);
    if (name === undefined) continue;
    const keys = found.get(name);
    if (keys) keys.push(key);
    else found.set(name, [key]);
  }
  for (const [name, keys] of found) {
    const order = [name, ...(shape[name]?.aliases ?? [])];
    const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
    if (keys.length > 1) keys.sort((a, b) => rank(a) - rank(b));
  }
  return found;
}

/** Returns the expected type of a canonical tool's argument, in words; undefined if the value fits or the type is not known. */
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
