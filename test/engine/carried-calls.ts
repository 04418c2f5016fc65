/** A call that does what a command says, in a way that its tool's name does not tell. */
export interface CarriedCase {
  readonly tool: string;
  readonly about: string;
  args(command: string): Readonly<Record<string, unknown>>;
}

const words = (command: string): readonly string[] => command.split(" ");
const letters = (command: string): readonly string[] => [...command].map((key) => (key === " " ? "Space" : key));
const row = (tool: string, about: string, args: CarriedCase["args"]): CarriedCase => ({ tool, about, args });

/** Calls inside calls. */
export const callsInCalls: readonly CarriedCase[] = [
  row("multi_tool_use.parallel", "a list of tools", (cmd) => ({
    tool_uses: [{ recipient_name: "functions.exec_command", parameters: { cmd } }],
  })),
  row("multi_tool_use.parallel", "the second of a list", (command) => ({
    tool_uses: [
      { recipient_name: "functions.read", parameters: { path: "a" } },
      { recipient_name: "functions.bash", parameters: { command } },
    ],
  })),
  row("batch", "a batch", (command) => ({ tool_calls: [{ tool: "bash", parameters: { command } }] })),
  row("batch", "a batch in a batch", (command) => ({
    tool_calls: [{ tool: "batch", parameters: { tool_calls: [{ tool: "bash", parameters: { command } }] } }],
  })),
  row("call", "a tool with its arguments", (command) => ({ tool: "Bash", arguments: { command } })),
  row("mcp__x__call", "the same by a server", (command) => ({ tool: "Bash", arguments: { command } })),
  row("mcp__x__call_tool", "a name with arguments", (command) => ({ name: "bash", arguments: { command } })),
  row("mcp__hub__invoke", "arguments as a JSON text", (command) => ({
    name: "bash",
    arguments: JSON.stringify({ command }),
  })),
  row("use_mcp_tool", "a server's tool", (command) => ({
    server_name: "shell",
    tool_name: "exec",
    arguments: JSON.stringify({ command }),
  })),
  row("dispatch", "a function of a model", (command) => ({
    function: { name: "shell", arguments: JSON.stringify({ command }) },
  })),
  row("relay", "a block of a message", (command) => ({
    message: { content: [{ type: "tool_use", name: "Bash", input: { command } }] },
  })),
  row("batch", "tool and argument side by side", (command) => ({ calls: [{ tool: "bash", command }] })),
  row("plan", "calls by name", (command) => ({ calls: { first: { tool: "Bash", args: { command } } } })),
  row("batch", "a shell's words inside", (command) => ({
    tool_calls: [{ tool: "bash", parameters: { command: words(command)[0], args: words(command).slice(1) } }],
  })),
  row("batch", "two names of one argument inside", (command) => ({
    tool_calls: [{ tool: "bash", parameters: { command: "true", cmd: command } }],
  })),
];

/** Commands of a shell that do not stand where its command stands. */
export const shellForms: readonly CarriedCase[] = [
  row("Bash", "words beside the program", (command) => ({
    command: words(command)[0],
    args: words(command).slice(1),
  })),
  row("Bash", "words beside the program, as a text", (command) => ({
    command: words(command)[0],
    arguments: words(command).slice(1).join(" "),
  })),
  row("Bash", "what a shell reads", (command) => ({ command: "bash", stdin: command })),
  row("shell", "what a shell reads, as input", (input) => ({ command: "sh -s", input })),
  row("Bash", "a second command", (command) => ({ command: "true", shell_command: command })),
  row("Bash", "a list of commands beside it", (command) => ({ command: "true", commands: ["true", command] })),
  row("run_commands", "a list of commands", (command) => ({ command: "true", commands: ["echo \\", command] })),
  row("run_commands", "a list of programs with their words", (command) => ({
    command: "true",
    commands: [{ command: words(command)[0], args: words(command).slice(1) }],
  })),
  row("mcp__sh__exec", "a program with its words", (command) => ({
    program: words(command)[0],
    args: words(command).slice(1),
  })),
  row("mcp__sh__exec", "words as a list", (command) => ({ cmd: words(command) })),
  row("mcp__sh__spawn", "words as a list of another name", (command) => ({ argv: words(command) })),
  row("Monitor", "a command that is watched", (command) => ({ command, description: "x" })),
  row("zsh", "another shell", (command) => ({ command })),
  row("container.exec", "words in a container", (command) => ({ cmd: words(command) })),
  row("Bash", "lines that a shell reads", (command) => ({ command: "bash -s", stdin: ["true", command] })),
  row("Bash", "one object that a shell reads", (text) => ({ command: "bash -s", stdin: { text } })),
  row("Bash", "lines in an object that a shell reads", (command) => ({
    command: "sh",
    stdin: { type: "text", lines: ["true", command] },
  })),
  row("Bash", "lines of input", (command) => ({ command: "bash", input: ["true", command] })),
  row("Bash", "lines under a name of their own", (command) => ({ command: "bash -s", stdin_lines: ["true", command] })),
  row("mcp__sh__exec", "lines that a shell reads", (command) => ({ command: "bash -s", stdin: ["cd .", command] })),
  row("Bash", "a name in capitals", (command) => ({ COMMAND: command })),
  row("Bash", "two names that differ in case", (command) => ({ command: "true", Command: command })),
  row("Bash", "two names of which one is another spelling", (command) => ({ cmd: "true", CMD: command })),
];

/** Texts that are typed, or that some tool is told. */
export const toldTexts: readonly CarriedCase[] = [
  row("write_stdin", "keystrokes into a process", (command) => ({ session_id: 1, chars: `${command}\n` })),
  row("write_bash", "input of a shell that runs", (command) => ({ sessionId: "1", input: command })),
  row("hub", "a text to a process", (command) => ({ op: "send", name: "sh", text: `cd /w; ${command}` })),
  row("send_keys", "keys", (command) => ({ target: "0", keys: command })),
  row("mcp__tmux__send_keys", "keys of a terminal", (keys) => ({ pane: "1", keys })),
  row("computer", "keys of a screen", (command) => ({ action: "type", text: command })),
  row("mcp__browser_terminal__type", "a text of a terminal", (text) => ({ text })),
  row("SuperShell", "a shell that nobody knows", (command) => ({ command })),
  row("mcp__x__y", "an argument of no telling name", (command) => ({ payload: `cd /w && ${command}` })),
  row("mcp__x__y", "an argument deep inside", (command) => ({ data: { lines: [{ line: `true; ${command}` }] } })),
  row("write_stdin", "a line that is begun anew", (command) => ({ chars: `true \u0015${command}\n` })),
  row("write_stdin", "a line that is given up", (command) => ({ chars: `true x\u0003${command}\n` })),
  row("write_stdin", "a word that is taken back", (command) => ({ chars: `true\u0017${command}\n` })),
  row("write_stdin", "a pasted text", (command) => ({ chars: `\u001b[200~${command}\u001b[201~\r` })),
  row("write_stdin", "a letter that is taken back", (command) => ({
    chars: `${command.slice(0, -2)}xx\u007f\b${command.slice(-2)}\n`,
  })),
  row("write_stdin", "colours between letters", (command) => ({ chars: `\u001b[0m${command}\u001b[1;2m\n` })),
  row("mcp__tmux__send_keys", "keys one by one", (command) => ({ keys: [...letters(command), "Enter"] })),
  row("mcp__tmux__send_keys", "keys one by one, behind a line that is given up", (command) => ({
    keys: ["x", "C-u", ...letters(command), "Enter"],
  })),
  row("mcp__tmux__send_keys", "keys one by one in a text", (command) => ({ keys: letters(command).join(" ") })),
  row("mcp__x__y", "a script argument", (script) => ({ options: { script } })),
];
