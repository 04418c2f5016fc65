import { hostMarks } from "../../schema/hosts/marks.ts";
import type { SeenProcess, Surroundings } from "./surroundings.ts";

const variableOf = new Map(
  Object.entries(hostMarks).flatMap(([host, { variables = [] }]) => variables.map((name) => [name, host])),
);
const programOf = new Map(
  Object.entries(hostMarks).flatMap(([host, { programs = [] }]) => programs.map((name) => [name, host])),
);
const packageOf = Object.entries(hostMarks).flatMap(([host, { packages = [] }]) =>
  // A scope belongs to one owner; a plain name is a package's only beside other packages.
  packages.map((name) => [name.startsWith("@") ? `/${name}/` : `/node_modules/${name}/`, host] as const),
);

/** Matches a folder where programs keep their versions side by side: `share/claude/versions/2.1.139`. */
const versions = /\/([\w-]+)\/versions\/[^/]/;

/** Programs that run another program, named by their next words. */
const runners = /^(?:node(?:js)?|bun|deno|tsx|python[\d.]*|pypy[\d.]*|uv|ruby|perl|(?:ba|da|z|k|a)?sh|env)$/;

/** Number of a process's words in which its program is searched. */
const wordsLookedAt = 6;

/**
 * Returns why a process seems to run inside an agent; undefined if nothing shows it. Checks its own variables, the processes
 * above it, those of its session and group, and those that hold its terminal. It is no wall: whoever runs as the same user
 * can leave all of these; self-protection judges an agent's attempts.
 */
export function agentAround(
  env: Readonly<Record<string, string | undefined>>,
  around: Surroundings,
): string | undefined {
  const own = [...variableOf].find(([name]) => env[name] !== undefined);
  if (own) return `\`${own[0]}\` is set, as ${own[1]} sets it for what it runs`;
  return (
    firstIn(around.ancestors, "above this process") ??
    first(around.leaders, (chain) => firstIn(chain, "in this session")) ??
    first(around.holders, (chain) => firstIn(chain, "behind this terminal"))
  );
}

function first<T>(list: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of list) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstIn(chain: readonly SeenProcess[], where: string): string | undefined {
  return first(chain, (process) => {
    const host = hostOf(process);
    if (host !== undefined) return `process ${process.pid} ${where} is ${host}`;
    const variable = process.variables.find((name) => variableOf.has(name));
    return variable === undefined
      ? undefined
      : `process ${process.pid} ${where} was started with \`${variable}\`, as ${variableOf.get(variable)} sets it`;
  });
}

/** Returns the host of a process, by its name, its program, or the package of its program. */
export function hostOf({ name, words }: Pick<SeenProcess, "name" | "words">): string | undefined {
  const known = programOf.get(plain(name)) ?? programOf.get(plain(words[0] ?? ""));
  if (known !== undefined) return known;
  const kept = versions.exec(words[0]?.replaceAll("\\", "/") ?? "")?.[1];
  const versioned = kept === undefined ? undefined : programOf.get(kept.toLowerCase());
  if (versioned !== undefined) return versioned;
  const looked = words.slice(0, wordsLookedAt);
  const path = looked.map((word) => `${word.replaceAll("\\", "/")}/`);
  for (const [folder, host] of packageOf) if (path.some((word) => word.includes(folder))) return host;
  if (!runners.test(plain(words[0] ?? ""))) return undefined;
  // `node --flag /usr/bin/claude`, `python -m aider`: the first word that is no option is what runs.
  const run = looked.slice(1).find((word) => !word.startsWith("-"));
  return run === undefined ? undefined : programOf.get(plain(run));
}

/** Returns a program's name without its folder and its ending. */
function plain(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  return name.replace(/^-/, "").replace(/\.(?:exe|cmd|[cm]?js|py|sh)$/, "");
}
