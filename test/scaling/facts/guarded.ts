import { command, type FactShape } from "./shape.ts";

const repeated = (length: number, piece: (i: number) => string, gap = " "): string => {
  const count = Math.max(1, Math.floor(length / piece(0).length));
  return Array.from({ length: count }, (_, i) => piece(i)).join(gap);
};
const written = (path: string, content: string) => ({ tool: "write", args: { path, content } });
const wired = { "/home/dev/app/.claude/settings.json": { text: "hookwarden" } };

/** Calls that go around the guard, with more and more of what is looked at. */
export const guarded: readonly FactShape[] = [
  { name: "guarded: folders removed", of: (n) => command(`rm -rf ${repeated(n, (i) => `.claude/a${i}`)}`) },
  {
    name: "guarded: repositories changed",
    of: (n) => ({ ...command(repeated(n, () => "git checkout x", "; ")), files: wired }),
  },
  {
    name: "guarded: globs removed",
    of: (n) => ({ ...command(`rm ${repeated(n, (i) => `**/a${i}*.json`)}`), files: wired }),
  },
  { name: "guarded: members unpacked", of: (n) => command(`tar xf a.tar ${repeated(n, (i) => `.a/b${i}`)}`) },
  { name: "agents: words", of: (n) => command(`claude -p ${repeated(n, (i) => `--model m${i}`)}`) },
  { name: "agents: started", of: (n) => command(repeated(n, () => "claude -p x", "; ")) },
  { name: "ended: patterns", of: (n) => command(`pkill ${repeated(n, (i) => `a.b${i}`)}`) },
  { name: "typed: pieces", of: (n) => command(repeated(n, () => "xdotool type 'echo a'", "; ")) },
  { name: "typed: one text", of: (n) => command(`xdotool type '${repeated(n, () => "echo a", ";")}'`) },
  {
    name: "later: a test's code",
    of: (n) =>
      written(
        "conftest.py",
        repeated(n, (i) => `x${i} = '.claude'`, "\n"),
      ),
  },
  { name: "tasks: members", of: (n) => written("deno.json", `{"tasks":{${repeated(n, (i) => `"a${i}":"ls"`, ",")}}}`) },
  { name: "tasks: lists", of: (n) => written(".vscode/tasks.json", `{"tasks":${"[".repeat(n >> 2)}"command":"ls"}`) },
  {
    name: "tasks: sections",
    of: (n) =>
      written(
        "pyproject.toml",
        repeated(n, (i) => `[tool.poe.tasks.a${i}]`, "\n"),
      ),
  },
  {
    name: "tasks: braces",
    of: (n) =>
      written(
        "deno.json",
        repeated(n, () => '"tasks":{', ""),
      ),
  },
  {
    name: "aliases",
    of: (n) =>
      written(
        "/home/dev/.zshrc",
        repeated(n, (i) => `alias a${i}='ls -l'`, "\n"),
      ),
  },
];
