import { Random } from "../properties/language/random.ts";
import { composed } from "./composed.ts";
import { everyday } from "./everyday.ts";
import { lengthy } from "./lengthy.ts";
import { filled } from "./slots.ts";
import { strict } from "./strict.ts";

// Most of what an agent runs is one short line; the tail is scripts and generated files of up to 4 KB.
const everydayShare = 0.48;
const composedShare = 0.4;
const strictShare = 0.07;
const longest = 4096;

function one(random: Random): string {
  const kind = random.next();
  if (kind < everydayShare) return filled(random.pick(everyday), random);
  if (kind < everydayShare + composedShare) return filled(random.pick(composed), random);
  if (kind < everydayShare + composedShare + strictShare) return filled(random.pick(strict), random);
  return random.pick(lengthy)(random);
}

/**
 * So many different shell commands as agents give them, the same for the same seed: numbers and mutations are made on
 * them. They are data: nothing runs them. Throws when the templates cannot give as many.
 */
export function commands(count: number, seed = 1): readonly string[] {
  const random = new Random(seed);
  const found = new Set<string>();
  for (let tries = 0; found.size < count; tries++) {
    if (tries > 20 * count) throw new Error(`there are no ${count} different commands`);
    const command = one(random);
    if (command.length <= longest) found.add(command);
  }
  return [...found];
}
