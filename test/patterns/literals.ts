import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseAst } from "vitest/node";

/** Native regular expression in our code. */
export interface Literal {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

const root = join(import.meta.dirname, "../..");

/** Returns the regular expression literals in the code of a room. */
export function literalsIn(room: string): Literal[] {
  return readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(root, room, name))
    .flatMap((path) => {
      const file = relative(root, path);
      return patternsOf(parseAst(readFileSync(path, "utf8"), { lang: "ts" }, file)).map((one) => ({ file, ...one }));
    });
}

function patternsOf(node: unknown): { source: string; flags: string }[] {
  if (typeof node !== "object" || node === null) return [];
  if ("regex" in node && node.regex) {
    const { pattern, flags } = node.regex as { pattern: string; flags: string };
    return [{ source: pattern, flags }];
  }
  return Object.values(node).flatMap(patternsOf);
}

/** Returns the regular expressions that code constructs while `work` runs. */
export async function madeBy(file: string, work: () => Promise<unknown>): Promise<Literal[]> {
  const made: Literal[] = [];
  const own = RegExp;
  const watching = new Proxy(own, {
    construct(target, given, newTarget) {
      const pattern = Reflect.construct(target, given, newTarget) as RegExp;
      made.push({ file, source: pattern.source, flags: pattern.flags });
      return pattern;
    },
  });
  Object.defineProperty(globalThis, "RegExp", { value: watching, configurable: true, writable: true });
  try {
    await work();
  } finally {
    Object.defineProperty(globalThis, "RegExp", { value: own, configurable: true, writable: true });
  }
  return made;
}
