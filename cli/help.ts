import { Command } from "commander";

/** Groups of commands in `--help`; each appears where the first of its commands was added. */
const groups: Readonly<Record<string, readonly string[]>> = {
  "Start:": ["init", "check", "install", "doctor"],
  "Write:": ["new", "test", "fmt", "docs", "import"],
  "Look:": ["explain", "eval", "replay", "audit"],
  "Decide:": ["trust", "approve", "reload", "token"],
  "For hosts:": ["hook", "serve", "mcp", "compile", "uninstall"],
  "Shell:": ["completion"],
};

/** One call of each command that works unchanged in a folder where `hookwarden init` was run. */
export const helpExamples: Readonly<Record<string, string>> = {
  check: "hookwarden check .hookwarden --host claude-code",
  test: "hookwarden test --coverage",
  eval: "hookwarden eval -p pack:secrets --events events.jsonl",
  fmt: "hookwarden fmt --check",
  explain: `hookwarden explain -p pack:git-safety --tool bash --args '{"command": "git push --force"}'`,
  compile: "hookwarden compile -p .hookwarden --target pi -o guard.mjs",
  "import gitleaks": "hookwarden import gitleaks .gitleaks.toml -o redact.yaml",
  "import opta": "hookwarden import opta opta.json -o hooks.yaml",
  "import claude": "hookwarden import claude .claude/settings.json -o mine.yaml",
  "import hookify": "hookwarden import hookify .claude/hookify.no-sudo.local.md -o mine.yaml",
  "import sigma": "hookwarden import sigma rules/proc_creation.yml -o mine.yaml",
  replay: "hookwarden replay -p .hookwarden ~/.local/state/hookwarden/audit",
  init: "hookwarden init --packs recommended",
  "new policy": "hookwarden new policy no-deploys",
  "new rule": "hookwarden new rule ask-before-deploy --kind command",
  docs: "hookwarden docs -o .hookwarden/README.md",
  hook: "hookwarden hook claude-code -p pack:recommended < payload.json",
  serve: "hookwarden serve --idle 60",
  mcp: "hookwarden mcp -p pack:recommended -- node server.js",
  install: "hookwarden install claude-code -p pack:recommended --dry-run",
  uninstall: "hookwarden uninstall claude-code --dry-run",
  doctor: "hookwarden doctor claude-code",
  "audit init": "hookwarden audit init --copy-to /mnt/elsewhere/checkpoints.jsonl",
  "audit verify": "hookwarden audit verify --gaps",
  "audit show": "hookwarden audit show --outcome block --since 2h",
  "audit export": "hookwarden audit export --to csv -o decisions.csv",
  "audit prove": "hookwarden audit prove --session abc --record 3",
  "audit prune": "hookwarden audit prune --older-than 400 --dry-run",
  trust: "hookwarden trust .hookwarden",
  reload: "hookwarden reload",
  approve: "hookwarden approve",
  token: "hookwarden token trust --uses 1 --minutes 5 -o token.json",
  completion: "hookwarden completion bash > ~/.local/share/bash-completion/completions/hookwarden",
};

/** Sorts the commands of `--help` into groups, and gives each command its example. */
export function describeCommands(program: Command): void {
  for (const [group, names] of Object.entries(groups))
    for (const name of names) program.commands.find((command) => command.name() === name)?.helpGroup(group);
  const help = new Command("help").argument("[command]").description("print the help of a command");
  program.addHelpCommand(help.helpGroup("Shell:"));
  program.addHelpText("after", "\nA first hour:\n  hookwarden init, check, install <host>, doctor <host>");
  for (const [path, command] of commandPaths(program)) {
    const example = helpExamples[path];
    if (example !== undefined) command.addHelpText("after", `\nExample:\n  ${example}`);
  }
}

/** Returns every command with an action, by the words that call it: `audit show`. */
export function commandPaths(program: Command): ReadonlyMap<string, Command> {
  const found = new Map<string, Command>();
  const visit = (command: Command, path: string): void => {
    if (command.commands.length === 0) found.set(path, command);
    for (const inner of command.commands) visit(inner, path === "" ? inner.name() : `${path} ${inner.name()}`);
  };
  visit(program, "");
  return found;
}
