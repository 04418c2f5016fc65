/** A call that names a file in a way of its own. */
export interface PathForm {
  readonly tool: string;
  readonly about: string;
  args(file: string): Readonly<Record<string, unknown>>;
}

const row = (tool: string, about: string, args: PathForm["args"]): PathForm => ({ tool, about, args });
const holders = ["params", "parameters", "a", "options", "data", "request", "args", "arguments", "input", "payload"];
const writers = ["mcp__fs__write_file", "mcp__fs__edit_file", "mcp__x__put", "write_file", "edit_file", "Write"];

const command = (file: string): string => `touch ${file}`;

/** Every form in which a writing tool is told its file. */
export const pathForms: readonly PathForm[] = [
  ...writers.flatMap((tool) => [
    ...holders.flatMap((key) => [
      row(tool, `a path in \`${key}\``, (path) => ({ [key]: { path } })),
      row(tool, `a path in \`${key}\`, as a JSON text`, (path) => ({ [key]: JSON.stringify({ path }) })),
    ]),
    row(tool, "a path two objects deep", (path) => ({ request: { params: { path } } })),
    row(tool, "a path in a list", (path) => ({ params: [{ path }] })),
    row(tool, "a path beside another", (path) => ({ path: "a", options: { path } })),
    ...["target_file", "targetFile", "file", "filename", "fileName", "file_path", "filePath", "uri", "FILE_PATH"].map(
      (key) => row(tool, `\`${key}\``, (file) => ({ [key]: key === "uri" ? `file:///w/${file}` : file })),
    ),
    row(tool, "two names that differ in case", (file) => ({ file_path: "a", FILE_PATH: file })),
    row(tool, "a folder and a name", (name) => ({ dir: "/w", name })),
    row(tool, "a path and a name of a file", (filename) => ({ path: "sub", filename })),
    row(tool, "a folder and a name, deep inside", (name) => ({ params: { directory: "sub", name } })),
    row(tool, "files by their paths", (file) => ({ files: { [file]: "" } })),
    row(tool, "files by their paths, as a JSON text", (file) => ({ files: JSON.stringify({ [file]: "" }) })),
  ]),
  ...[...holders, "json"].flatMap((key) => [
    row("Bash", `a command in \`${key}\``, (file) => ({ [key]: { command: command(file) } })),
    row("Bash", `a command in \`${key}\`, as a JSON text`, (file) => ({
      [key]: JSON.stringify({ command: command(file) }),
    })),
    row("Bash", `a command in \`${key}\`, beside another`, (file) => ({
      command: "true",
      [key]: { cmd: command(file) },
    })),
  ]),
  row("Bash", "a text in place of arguments", (file) => ({ input: command(file) })),
  row("Bash", "keys of a terminal, one by one", (file) => ({
    command: `tmux send-keys ${[...command(file)].map((key) => (key === " " ? "Space" : key)).join(" ")} Enter`,
  })),
  row("Bash", "keys of a terminal, behind a line that is given up", (file) => ({
    command: `tmux send-keys true C-u '${command(file)}' Enter`,
  })),
  row("create_files", "files by their paths", (file) => ({ files: { [file]: "" } })),
  row("create_files", "files by their paths, deep inside", (file) => ({ input: { files: { [file]: { text: "x" } } } })),
  row("lsp", "changes by the address of a file", (file) => ({ edit: { changes: { [`file:///w/${file}`]: [] } } })),
  row("lsp", "changes of a document", (file) => ({
    edit: { documentChanges: [{ textDocument: { uri: `file:///w/${file}` }, edits: [] }] },
  })),
  row("mcp__fs__delete_file", "an address of a file", (file) => ({ uri: `file:///w/${file}` })),
  row("delete_file", "an address of a file", (file) => ({ uri: `file:///w/${file}` })),
  row("mcp__fs__extract_archive", "where an archive goes", (destination) => ({ archive: "a.zip", destination })),
  row("mcp__fs__copy_directory", "where a folder goes", (to) => ({ from: "a", to })),
  row("mcp__x__copy_directory", "where a folder goes, deep inside", (to) => ({ params: { from: "a", to } })),
  row("mcp__fs__move_file", "where a file goes", (to) => ({ from: "a", to })),
  row("mcp__x__read_file", "where what is read goes", (output) => ({ path: "a", output: `/w/${output}` })),
  row("mcp__x__search_replace", "a search that changes what it finds", (path) => ({ path })),
  row("mcp__x__get_file", "a file that is brought", (path) => ({ path })),
  row("mcp__fs__rename", "what a file is called then", (new_name) => ({ path: "a", new_name })),
];

/** Calls that only read the file, or only speak of it. */
export const harmlessForms: readonly PathForm[] = [
  row("batch", "a batch of reads", (path) => ({ tool_calls: [{ tool: "read", parameters: { path } }] })),
  row("batch", "a batch of searches", (path) => ({ calls: [{ tool: "Grep", args: { pattern: "x", path } }] })),
  row("multi_tool_use.parallel", "reads side by side", (path) => ({
    tool_uses: [
      { recipient_name: "functions.read", parameters: { path } },
      { recipient_name: "functions.list", parameters: { path } },
    ],
  })),
  row("batch", "a read whose arguments are a JSON text", (path) => ({
    tool_calls: [{ tool: "read", arguments: JSON.stringify({ path }) }],
  })),
  row("mcp__sh__exec", "a listing", (file) => ({ command: "ls", args: ["-la", `./${file}`] })),
  row("mcp__sh__exec", "a search", (file) => ({ command: "grep", args: ["-rn", "x", `./${file}`] })),
  row("mcp__x__grep", "a search by name", (path) => ({ pattern: "x", path })),
  row("mcp__ide__search_files", "a search in a folder", (directory) => ({ query: "x", directory })),
  row("mcp__x__readFile", "a file that is read", (path) => ({ path })),
  row("mcp__sh__run", "a command that reads", (file) => ({ command: `cat ./${file}` })),
  row("TodoWrite", "a task", (file) => ({
    todos: [{ content: `Fix ./${file} and run the tests`, status: "pending", activeForm: `Fixing ./${file} now` }],
  })),
  row("AskUserQuestion", "a question", (file) => ({
    questions: [{ question: `Shall I edit ./${file}?`, header: "Edit", options: [{ label: `Yes, ./${file}` }] }],
  })),
  row("ExitPlanMode", "a plan", (file) => ({ plan: `Change src/${file} and then the tests` })),
  row("update_plan", "steps", (file) => ({ plan: [{ step: `Change ./${file} first`, status: "pending" }] })),
  row("mcp__slack__post_message", "a message", (file) => ({ channel: "dev", text: `please look at ./${file} today` })),
  row("mcp__memory__create_entities", "observations", (file) => ({
    entities: [{ name: "app", entityType: "project", observations: [`the settings are in ./${file} since May`] }],
  })),
  row("mcp__thinking__sequentialthinking", "a thought", (file) => ({ thought: `I should read ./${file} first` })),
  row("mcp__x__y", "a sentence of no telling name", (file) => ({ remark: `the file ./${file} is not what it was` })),
];
