import type { Random } from "./random.ts";

/** Programs and tools that commands and calls of the generators name, and no table has. */
const names = ["frobnicate", "wrapit", "shortly"] as const;

const texts = [
  "{operand(0)}",
  "{operand(1)}",
  "{operands}",
  "{option('--output')}",
  "/tmp/{operand(0)}",
  "/etc/{option('--output')}",
  "build/x",
  "~/{operand(0)}/notes.md",
];
const addresses = ["https://api.example.com/{operand(0)}", "https://{operand(0)}/x", "{option('--output')}"];
const told = ["/tmp/{args.name}", "{args.path}", "{args.items}", "{args.meta.path}"];

/** `programs` and `tools` of a policy: options, aliases, wrappers and effects of every kind. */
export function randomDeclarations(random: Random): Readonly<Record<string, unknown>> {
  const programs = Object.fromEntries(
    names.filter(() => random.chance(0.7)).map((name) => [name, randomProgram(random, name)]),
  );
  const tool = { name: "unheard_of", effects: random.times(random.below(3), () => randomEffect(random, told, told)) };
  return { programs, tools: [random.chance(0.6) ? tool : "unheard_of"] };
}

function randomProgram(random: Random, name: string): unknown {
  return {
    options: { "-o --output": "value", "-n": "flag", "--force": "flag" },
    ...(random.chance(0.4) && {
      aliases: random.pick([[`${name}-too`], [`./bin/${name}`], ["/tmp/env-of-ours"].map((path) => `${path}/${name}`)]),
    }),
    ...(random.chance(0.75) && {
      effects: random.times(random.below(4), () => randomEffect(random, texts, addresses)),
    }),
    ...((name === "wrapit" || random.chance(0.2)) && { wraps: "rest" }),
  };
}

function randomEffect(random: Random, paths: readonly string[], urls: readonly string[]): unknown {
  const path = random.pick(paths);
  return random.pick<unknown>([
    { reads: { path, recursive: random.chance(0.3), metadata_only: random.chance(0.3) } },
    { writes: path },
    { writes: { path, recursive: true } },
    { deletes: { path, recursive: random.chance(0.5) } },
    { network: { url: random.pick(urls), direction: random.pick(["upload", "download", "both"]) } },
    { runs: path },
    { installs: { name: path, manager: "npm", source: "registry" } },
    { pushes: { remote: "origin", branch: path, forced: random.chance(0.5) } },
    { pushes: "origin" },
    { config: "ours set" },
    { kills: path },
  ]);
}

/** A command of a declared program: as declared, otherwise, behind another, with words that are not known. */
export function declaredCommand(random: Random): string {
  const heads = ["frobnicate", "wrapit", "shortly", "frobnicate-too", "./bin/shortly", "wrapit git", "wrapit ls"];
  const words = ["main", "k1", "a.txt", '"$X"', "$X", "-o out.txt", "--output=/etc/x", "-n", "--odd", "*.ts", "--"];
  const one = (): string => [random.pick(heads), ...random.times(random.below(4), () => random.pick(words))].join(" ");
  const joint = random.pick([" ; ", " && ", " | "]);
  return random.times(1 + random.below(2), one).join(joint);
}
