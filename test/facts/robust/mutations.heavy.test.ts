import { describe, expect, it } from "vitest";
import { commands } from "../../corpus/commands.ts";
import { Random } from "../../properties/language/random.ts";
import { seed } from "../../properties/seed.ts";
import { faulty } from "./answers.ts";

/** Commands of the corpus with a few of their bytes changed: nearly right, which random bytes never are. */

const corpus = commands(3_000, seed);
const inserted = [
  "$",
  "${",
  "$(",
  ")",
  "}",
  "`",
  "'",
  '"',
  "\\",
  "\n",
  ";",
  "&",
  "|",
  "<<E\n",
  "<",
  ">",
  "{",
  "(",
  "#",
  "\u0000",
  "\ud800",
  "é",
];

type Mutation = (text: string, random: Random) => string;

/** Two cuts in order. */
function range(text: string, random: Random): readonly [number, number] {
  const from = random.below(text.length + 1);
  return [from, Math.min(text.length, from + random.below(random.chance(0.8) ? 12 : text.length + 1))];
}

const mutations: Readonly<Record<string, Mutation>> = {
  "something inserted": (text, random) => {
    const at = random.below(text.length + 1);
    const piece = random.chance(0.7) ? random.pick(inserted) : String.fromCharCode(random.below(256));
    return text.slice(0, at) + piece + text.slice(at);
  },
  "something deleted": (text, random) => {
    const [from, to] = range(text, random);
    return text.slice(0, from) + text.slice(Math.max(to, from + 1));
  },
  "something doubled": (text, random) => {
    const [from, to] = range(text, random);
    return text.slice(0, to) + text.slice(from, to).repeat(1 + random.below(4)) + text.slice(to);
  },
  "two pieces swapped": (text, random) => {
    const [a, b] = range(text, random);
    const [c, d] = range(text.slice(b), random);
    const rest = text.slice(b);
    return text.slice(0, a) + rest.slice(c, d) + rest.slice(0, c) + text.slice(a, b) + rest.slice(d);
  },
  "two commands spliced": (text, random) => {
    const other = random.pick(corpus);
    return text.slice(0, random.below(text.length + 1)) + other.slice(random.below(other.length + 1));
  },
};

const cases = 100_000;
const names = Object.keys(mutations);
const each = Math.ceil(cases / names.length);

/** A command with the named mutation, and now and then with more of any kind. */
function* mutated(name: string, random: Random): Iterable<string> {
  for (let i = 0; i < each; i++) {
    let text = (mutations[name] as Mutation)(random.pick(corpus), random);
    while (random.chance(0.4)) text = (mutations[random.pick(names)] as Mutation)(text, random);
    yield text;
  }
}

describe(`facts of ${cases} mutated commands keep their promises (seed ${seed})`, () => {
  it.each(names)("%s", (name) => {
    expect(faulty(mutated(name, new Random(seed + names.indexOf(name))))).toEqual([]);
  });

  it("unchanged ones do as well", () => {
    expect(faulty(corpus)).toEqual([]);
  });
});
