import { basename } from "node:path";

/** Programs that run the one that their first word of no option names. */
const launchers: ReadonlySet<string> = new Set(
  "npx npm pnpm yarn node bun bunx deno tsx uv uvx pipx python python3 py docker podman env".split(" "),
);

/** First words of launchers that say what to do and not with what. */
const verbs: ReadonlySet<string> = new Set(["exec", "run", "dlx", "x", "tool"]);

/**
 * The name that rules know a server by, in `mcp__<server>__<tool>`: of what its command runs, without version, scope, folder
 * and ending. What the server says of itself is no name, for it could choose one that no rule is for.
 */
export function serverName(command: readonly string[]): string {
  const [program = "", ...rest] = command;
  const name = plainName(program);
  if (!launchers.has(name)) return ruleName(name);
  const word = rest.find((argument) => !argument.startsWith("-") && !verbs.has(argument));
  return ruleName(word === undefined ? name : plainName(word));
}

/** A name as it may stand in a tool's: two underscores end a server's. */
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
