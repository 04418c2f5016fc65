import { basename } from "node:path";

/** Programs that run another program, named by their first word that is no option. */
const launchers: ReadonlySet<string> = new Set(
  "npx npm pnpm yarn node bun bunx deno tsx uv uvx pipx python python3 py docker podman env".split(" "),
);

/** First words of launchers that are subcommands, not names of programs. */
const verbs: ReadonlySet<string> = new Set(["exec", "run", "dlx", "x", "tool"]);

/**
 * Returns the server's name for rules, in `mcp__<server>__<tool>`: the program that its command runs, without version,
 * scope, folder and ending. The server's own name does not count, since it could pick one that no rule covers.
 */
export function serverName(command: readonly string[]): string {
  const [program = "", ...rest] = command;
  const name = plainName(program);
  if (!launchers.has(name)) return ruleName(name);
  const word = rest.find((argument) => !argument.startsWith("-") && !verbs.has(argument));
  return ruleName(word === undefined ? name : plainName(word));
}

/** Returns a name in the form allowed in a tool's name: two underscores would end the server's part. */
export function ruleName(given: string): string {
  return (
    given
      .replace(/[^A-Za-z0-9_.-]+/g, "-")
      .replace(/_{2,}/g, "_")
      .replace(/^_+|_+$/g, "") || "server"
  );
}

function plainName(word: string): string {
  const last = basename(word.replaceAll("\\", "/"));
  const at = last.lastIndexOf("@");
  return (at > 0 ? last.slice(0, at) : last).replace(/\.(?:exe|cmd|bat|[cm]?[jt]s|py|sh)$/i, "");
}
