import type { Random } from "./random.ts";
import * as pool from "./words.ts";

/** A wire event as JSON. */
export type Wire = Readonly<Record<string, unknown>>;

/** Fields that conditions over arguments of unknown tools ask for; events give them values of any kind. */
export const looseFields = ["path", "count", "items", "flag", "meta", "url", "name"] as const;

/** An event of the kinds that guards decide: mostly tool calls, with absent fields and odd values now and then. */
export function randomEvent(random: Random): Wire {
  const kind = random.next();
  const base =
    kind < 0.78 ? toolCall(random) : kind < 0.9 ? userBash(random) : kind < 0.97 ? input(random) : odd(random);
  return { ...base, ...surroundings(random) };
}

function userBash(random: Random): Wire {
  return { event: "user_bash", command: pool.commandText(random) };
}

function input(random: Random): Wire {
  return {
    event: "input",
    text: random.pick([...pool.words, ...pool.patterns]),
    source: random.pick(["user", "paste"]),
  };
}

/** Events that do not fit, or that no rule names. */
function odd(random: Random): Wire {
  return random.pick<Wire>([
    { event: "tool_call", tool: 7 },
    { event: "no_such_event" },
    { event: "stop" },
    { event: "tool_call", args: { command: "ls" } },
    { event: "session_start" },
    { event: "tool_call", tool: "bash", time: "yesterday" },
  ]);
}

function toolCall(random: Random): Wire {
  const tool = random.pick([
    "bash",
    "bash",
    "bash",
    "Bash",
    "read",
    "write",
    "edit",
    "fetch",
    "task",
    "grep",
    "mcp__fs__read_file",
    "mcp__fs__delete_file",
    "mcp__t__run",
    "unheard_of",
  ]);
  return { event: "tool_call", tool, args: argumentsFor(tool, random) };
}

function argumentsFor(tool: string, random: Random): Wire {
  const args: Record<string, unknown> = {};
  const put = (name: string, value: () => unknown, present = 0.85): void => {
    if (random.chance(present)) args[name] = random.chance(0.04) ? anything(random, 2) : value();
  };
  const path = (): string => random.pick(pool.paths);
  const word = (): string => random.pick(pool.words);
  switch (tool.toLowerCase()) {
    case "bash":
      put(random.chance(0.1) ? "cmd" : "command", () => pool.commandText(random), 0.97);
      put("timeout", () => random.below(100), 0.3);
      put("background", () => random.chance(0.5), 0.3);
      put("cwd", path, 0.15);
      break;
    case "read":
      put(random.chance(0.2) ? "file_path" : "path", path);
      put("offset", () => random.below(10), 0.4);
      put("limit", () => random.below(100), 0.4);
      break;
    case "write":
    case "edit":
    case "grep":
      put("path", path);
      put("content", word, 0.5);
      put("pattern", word, 0.5);
      put("edits", () => random.times(random.below(3), () => anything(random, 1)), 0.4);
      put("paths", () => random.times(random.below(3), path), 0.3);
      // Keys of one argument that disagree give several readings of the call.
      if (random.chance(0.1)) args["file_path"] = path();
      break;
    case "fetch":
      put("url", () => random.pick(pool.urls));
      put("prompt", word, 0.5);
      break;
    case "task":
      put("prompt", word);
      put("description", word, 0.5);
      break;
    default:
      for (const name of looseFields) put(name, () => looseValue(name, random), 0.6);
  }
  return args;
}

function looseValue(name: (typeof looseFields)[number], random: Random): unknown {
  switch (name) {
    case "path":
      return random.pick(pool.paths);
    case "count":
      return random.pick([0, 1, 2, 3, 7, 1.5, -1, 9007199254740991, "3", null]);
    case "items":
      return random.times(random.below(5), () => (random.chance(0.7) ? random.pick(pool.words) : anything(random, 1)));
    case "flag":
      return random.chance(0.9) ? random.chance(0.5) : "yes";
    case "meta":
      return anything(random, 2);
    case "url":
      return random.pick(pool.urls);
    case "name":
      return random.pick(pool.words);
  }
}

/** Any JSON value. */
export function anything(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 9 : 6);
  switch (kind) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick([0, 1, -1, 2.5, 1e300, 9007199254740991, 3]);
    case 3:
      return random.pick(pool.paths);
    case 4:
    case 5:
      return random.pick(pool.words);
    case 6:
      return random.times(random.below(4), () => anything(random, depth - 1));
    default:
      return Object.fromEntries(
        random.times(random.below(4), () => [
          random.pick([...looseFields, "kind", "certain", "__proto__"]),
          anything(random, depth - 1),
        ]),
      );
  }
}

function surroundings(random: Random): Wire {
  const environment: Record<string, unknown> = { cwd: "/home/dev/app", home: "/home/dev" };
  if (random.chance(0.6)) environment["user"] = random.pick(pool.names);
  if (random.chance(0.5)) environment["branch"] = random.pick(["main", "release/1", "dev"]);
  if (random.chance(0.3)) environment["interactive"] = random.chance(0.5);
  if (random.chance(0.2)) environment["variables"] = { USER: "dev", A: random.pick(pool.words) };
  if (random.chance(0.1)) environment["files"] = { "/home/dev/app/a.txt": { symlink: random.pick(pool.paths) } };
  return {
    environment,
    ...(random.chance(0.5) && { time: random.pick(pool.times) }),
    ...(random.chance(0.3) && { host: random.pick(["pi", "claude-code"]) }),
    ...(random.chance(0.3) && { labels: random.pick([["secret"], ["secret", "untrusted"], []]) }),
    ...(random.chance(0.3) && { session: { id: random.pick(["s1", "s2"]), turn: random.below(4) } }),
    ...(random.chance(0.1) && { definition: { digest: "a", pinned_digest: random.pick(["a", "b"]) } }),
  };
}
