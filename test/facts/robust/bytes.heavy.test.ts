import { describe, expect, it } from "vitest";
import { Random } from "../../properties/language/random.ts";
import { seed } from "../../properties/seed.ts";
import { faulty } from "./answers.ts";

/** Random texts: each alphabet passes another part of the reader. `FC_SEED` repeats a run. */

const marks = "$${}()[]<>|&;'\"`\\\n\t *?~!#=-+%@^,.:/0123abcX_".split("");
const words =
  "if then else fi for in do done while case esac function select time coproc cd rm find xargs sh eval".split(" ");

function lengthOf(random: Random): number {
  const scale = random.next();
  if (scale < 0.7) return random.below(80);
  return random.below(scale < 0.97 ? 400 : 3_000);
}

const alphabets: Readonly<Record<string, (random: Random) => string>> = {
  "bytes read as Latin-1": (random) =>
    Buffer.from(random.times(lengthOf(random), () => random.below(256))).toString("latin1"),
  "bytes read as UTF-8": (random) =>
    Buffer.from(random.times(lengthOf(random), () => random.below(256))).toString("utf8"),
  "UTF-16 units with lone surrogates": (random) =>
    String.fromCharCode(
      ...random.times(lengthOf(random), () => (random.chance(0.3) ? 0xd800 : 32) + random.below(2_048)),
    ),
  "printable bytes": (random) => String.fromCharCode(...random.times(lengthOf(random), () => 32 + random.below(95))),
  "the shell's own marks": (random) => random.times(lengthOf(random), () => random.pick(marks)).join(""),
  "marks and reserved words": (random) =>
    random
      .times(lengthOf(random) >> 1, () => (random.chance(0.4) ? ` ${random.pick(words)} ` : random.pick(marks)))
      .join(""),
};

const cases = 100_000;
const each = Math.ceil(cases / Object.keys(alphabets).length);

function* texts(make: (random: Random) => string, random: Random): Iterable<string> {
  for (let i = 0; i < each; i++) yield make(random);
}

describe(`facts of ${cases} random texts keep their promises (seed ${seed})`, () => {
  it.each(Object.entries(alphabets))("%s", (name, make) => {
    expect(faulty(texts(make, new Random(seed + name.length)))).toEqual([]);
  });
});
