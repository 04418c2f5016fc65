import { describe, expect, it } from "vitest";
import { type VariationName, variationNames, weaker } from "../../../authoring/thorough/variation.ts";
import type { FactSet } from "../../../schema/facts.ts";
import { Random } from "../../properties/language/random.ts";
import { isOwnSeed, seed } from "../../properties/seed.ts";
import { factsOf, variationsOf } from "./variations-of.ts";

/** Property: an example that is written otherwise does the same. `FC_SEED=<seed>` repeats a run. */
const cases = isOwnSeed ? 2_000 : 250;

const paths = [
  ...[
    "a",
    "src/a.ts",
    "./b",
    "../other/c",
    "/etc/hosts",
    "/srv/www/x y",
    "'it'\\''s'",
    '"two words"',
    "~/notes/a",
    "~",
  ],
  ...["*.md", "src/*/b", "a\\ b", "$'t\\tb'", "out/", "-- d", '"$D/e"', "x=y", "[ab].c", "h#i"],
];
const commands: readonly ((path: () => string) => string)[] = [
  (path) => `rm -r ${path()}`,
  (path) => `cat ${path()} ${path()}`,
  (path) => `cp -r ${path()} ${path()}`,
  (path) => `mv ${path()} ${path()}`,
  (path) => `grep -rn --include='*.ts' todo ${path()}`,
  (path) => `touch ${path()} > ${path()} 2>&1`,
  (path) => `sed -i s/a/b/ ${path()}`,
  (path) => `A=1 chmod -R u+x ${path()}`,
  (path) => `find ${path()} -name '*.tmp' -delete`,
  (path) => `sudo -u dev tee -a ${path()}`,
  (path) => `bash -c 'wc -l a' && ls ${path()}`,
  (path) => `cat <<E > ${path()}\n$HOME\nE`,
  () => "git push --force origin HEAD:main",
  () => "curl -sSf -o out https://example.com/a?b=c",
  () => "npm install left-pad@1.3.0 --registry=https://registry.example.com",
  () => "docker run --rm -v /srv:/data alpine ls /data",
  () => "psql -h db.example.com -c 'drop table a'",
  () => "kubectl delete pod web --namespace=prod",
  () => "export B=2; make test",
];
const joins = [" && ", "; ", " | ", " || ", " &\n", "\n"];

function command(random: Random): string {
  const one = (): string => random.pick(commands)(() => random.pick(paths));
  const many = Array.from({ length: 1 + random.below(3) }, one);
  const text = many.reduce((before, next) => `${before}${/\nE$/.test(before) ? "\n" : random.pick(joins)}${next}`);
  return random.chance(0.15) ? `for f in 1 2; do ${text}\ndone` : text;
}

/**
 * What a call does, without how it is told. A path that is reached otherwise has another text, and one through a link another lexical
 * form, so that places are compared by the real one. What a wrapper is, changes no effect.
 */
function doing({ understanding, effects }: FactSet): readonly string[] {
  const told = Object.entries(effects ?? {}).flatMap(([kind, list]: [string, readonly object[]]) =>
    list.map((effect) => {
      const { path, command: _, via: __, ...rest } = effect as Record<string, unknown>;
      return `${kind} ${JSON.stringify({ ...rest, ...(path !== undefined && { at: placeOf(path as Place) }) })}`;
    }),
  );
  return [understanding, ...new Set(told)].sort();
}

interface Place {
  readonly real: string;
  readonly pattern: boolean;
  readonly partly?: object;
}

function placeOf({ real, pattern, partly }: Place): object {
  if (!partly) return { real, pattern };
  // Of what is not known the author's own word is kept, for people.
  return JSON.parse(JSON.stringify(partly, (key, value: unknown) => (key === "of" ? undefined : value))) as object;
}

/** Ways by which a call does more than before: what else it does must be just this. */
const more: Partial<Record<VariationName, RegExp>> = {
  "sudo sh -c": /^config .*sudo/,
  "env prefix": /^$/,
};

describe("every way that is the same call", () => {
  it(`does the same, for ${cases} commands from the seed ${seed}`, () => {
    const random = new Random(seed);
    const seen = new Set<string>();
    for (let i = 0; i < cases; i++) {
      const text = command(random);
      const before = doing(factsOf(text));
      for (const { name, text: written, files } of variationsOf(text)) {
        if (weaker.has(name)) continue;
        seen.add(name);
        const base = files ? doing(factsOf(text, files)) : before;
        const after = doing(factsOf(written, files)).filter((told) => base.includes(told) || !more[name]?.test(told));
        expect(after, `${name} of ${JSON.stringify(text)}: ${JSON.stringify(written)}`).toEqual(base);
      }
    }
    const shell = variationNames.filter((name) => !weaker.has(name) && name !== "other form" && name !== "dots");
    expect(shell.filter((name) => !seen.has(name))).toEqual([]);
  });
});
