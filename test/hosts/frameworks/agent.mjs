import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What a program of these tests is started with. */
export const given = JSON.parse(process.argv[2]);

/** A module of ours, as built. */
export const ours = (path) => import(pathToFileURL(join(given.dist, path)).href);

/** A module of the framework under test. */
export const theirs = (path) => import(pathToFileURL(join(given.modules, path)).href);

/** The engine of the test policy. */
export async function engine() {
  const { compile, createEngine } = await ours("index.js");
  const bytes = readFileSync(given.policy);
  const { plan } = compile({ files: [{ name: given.policy, path: given.policy, bytes }] });
  // Applications are not handed this one; it is taken from the programs that the package is made of.
  const { createPrograms } = createRequire(import.meta.url)(join(given.dist, "bin/hookwarden-modules.cjs")).module(
    "hook",
    "adapters/programs.ts",
  );
  const made = createEngine(plan, { programs: createPrograms({ workspace: given.project }) });
  if (!given.throws) return made;
  // The policies are what the adapter asks for; that it asks about calls is what breaks.
  const broken = () => {
    throw new Error("the engine is broken");
  };
  return { ...made, decide: broken, judge: broken, answer: broken };
}

/** Stand-ins for tools: no shell is started, and only these commands are known. */
export function bash({ command }) {
  if (command === "touch FORBIDDEN" || command === "touch ASKED" || command === "touch HARMLESS") {
    writeFileSync(join(given.project, command.slice("touch ".length)), "");
    return "made";
  }
  if (command === "echo rewrite-me") return "rewrite-me";
  throw new Error(`not a stand-in: ${command}`);
}

export function read({ path }) {
  if (path !== "notes.txt") throw new Error(`not a stand-in: ${path}`);
  return readFileSync(join(given.project, path), "utf8");
}

export const made = (name) => existsSync(join(given.project, name));
