import { describe, expect, it } from "vitest";
import { evaluateRule } from "../../../engine/evaluate-rule.ts";
import type { Ir } from "../../../engine/plan.ts";
import { partlyKnown } from "../../../facts/paths/partly.ts";
import { resolvePath } from "../../../facts/paths/resolve.ts";
import { type Hole, type Pieces, shownText } from "../../../schema/approximation.ts";
import type { PathValue } from "../../../schema/facts.ts";
import { limits } from "../../../schema/limits.ts";
import type { Value } from "../../../schema/ports.ts";
import { interpret, type World } from "../../reference/interpret.ts";
import { seed } from "../seed.ts";
import { Compared, files, gradeOf, rounds, ruleOn, worldOf } from "./graded-world.ts";
import { Random } from "./random.ts";

const base = { cwd: "/a/b", home: "/a", fold: false };

const surroundings = { cwd: "/a/b", workspace: "/a/b", home: "/a" };

const exactly = (text: string): PathValue => resolvePath(text, base, files);

/** What a hole may be. A tail between known parts of one name stays in it; `climbing` values lead elsewhere, where a test loosens. */
function fillings(
  pieces: Pieces,
  i: number,
): { readonly beneath: readonly string[]; readonly climbing: readonly string[] } {
  const [before = "", after = ""] = [pieces[i - 1], pieces[i + 1]].map((piece) =>
    typeof piece === "string" ? piece : "",
  );
  const inName = !/(?:^|\/)$/.test(before) && !/^(?:\/|$)/.test(after);
  const hole = pieces[i] as Hole;
  if (hole.hole === "name") return { beneath: ["a", "b", "ab", "c.d"], climbing: [] };
  if (inName) return { beneath: ["", "a", "c.d"], climbing: ["/..", "/../..", "a/b"] };
  const start = i === 0 ? ["/", "/a", "/b/a", "a", "ab"] : ["a", "b", "c.d", "a/b"];
  return {
    beneath: ["", ...start, ...(i === 0 ? [] : ["/a", "b/"])],
    climbing: ["..", "../..", "/../../b", "a/../../.."],
  };
}

/** Every text that fits, of which those that climb apart. */
function valuesOf(pieces: Pieces): { readonly beneath: readonly string[]; readonly climbing: readonly string[] } {
  let beneath = [""];
  let climbing: string[] = [];
  pieces.forEach((piece, i) => {
    const fill = typeof piece === "string" ? { beneath: [piece], climbing: [] } : fillings(pieces, i);
    const more = (heads: readonly string[], tails: readonly string[]) =>
      heads.flatMap((head) => tails.map((end) => head + end));
    climbing = [...more(climbing, fill.beneath), ...more(climbing, fill.climbing), ...more(beneath, fill.climbing)];
    beneath = more(beneath, fill.beneath);
  });
  return { beneath, climbing };
}

function randomPieces(random: Random): Pieces {
  const hole = (): Hole => ({ hole: random.pick(["name", "tail"] as const), of: "$X" });
  const end = (): string => random.pick(["", "/", ".d", "b", "/a", "/b.d", "/a/", "/a/.."]);
  return random.pick<() => Pieces>([
    () => [random.pick(["/", "/a/", "/a/b", "b", "./", "a/", "/b/c"]), hole(), end()],
    () => [{ hole: "tail", of: "$X" }, random.pick(["/a", "/b/a", ".d", "", "/", "/a/.."])],
    () => [random.pick(["/a/", "/b"]), hole(), random.pick(["/", ".", "/b/"]), hole(), end()],
  ])();
}

function randomCondition(random: Random, depth: number): string {
  const path = (): string => JSON.stringify(random.pick(["/", "/a", "/a/b", "/a/b/a", "/b", "/a/b/c.d", "/b/a"]));
  const glob = (): string =>
    JSON.stringify(
      random.pick(["**/a", "/a/**", "/a/b/*", "*.d", "/b/c*", "**/b/**", "{a,b}", "/a/*/a", "b/**", "**/c.d"]),
    );
  if (depth === 0 || random.chance(0.3))
    return random.pick([
      () => `d.path == ${path()}`,
      () => `d.path in [${path()}, ${path()}]`,
      () => `d.path.glob(${glob()})`,
      () => `d.path.glob([${glob()}, ${glob()}])`,
      () => `d.path.within(${path()})`,
      () => `d.path.within([${path()}, ${path()}])`,
      () => `d.path.startsWith(${path()})`,
      () => `d.path.endsWith(${JSON.stringify(random.pick(["/a", ".d", "b", "/c.d"]))})`,
      () => `d.path.contains(${JSON.stringify(random.pick(["/a/", "a", "b/c", "."]))})`,
      () => `d.path.name == ${JSON.stringify(random.pick(["a", "b", "c.d", ""]))}`,
      () => `d.path.ext == ${JSON.stringify(random.pick(["d", ""]))}`,
      () => `d.path.parent == ${path()}`,
      () =>
        `d.path.is(${JSON.stringify(random.pick(["protected_root", "secret", "workspace", "home", "temp", "system"]))})`,
    ])();
  const inner = (): string => `(${randomCondition(random, depth - 1)})`;
  return random.pick([
    () => `${inner()} && ${inner()}`,
    () => `${inner()} || ${inner()}`,
    () => `!${inner()}`,
    () => `(${inner()} ? ${inner()} : ${inner()})`,
    // What decides both ways, in which a `no` counts for as much as a `yes`.
    () => `${inner()} == ${inner()}`,
    () => `${inner()} != ${random.pick(["true", inner()])}`,
    () => `[${inner()}, ${inner()}].exists_one(b, b)`,
    () => `[${inner()}, ${inner()}].filter(b, ${random.pick(["b", "!b"])}).size() == ${random.pick(["0", "1", "2"])}`,
    () => `${random.pick(["true", "false"])} in [${inner()}, ${inner()}]`,
  ])();
}

describe(`graded conditions on paths (seed ${seed})`, () => {
  it("are never no where some path passes, nor yes where some path fails", () => {
    const random = new Random(seed);
    const compared = new Compared();
    for (let i = 0; i < rounds(220); i++) {
      const condition = randomCondition(random, 2);
      const made = ruleOn("d: effects.deletes", condition);
      if (!made) continue;
      const { rule, conditions } = made;
      for (let n = 0; n < 10; n++) {
        const pieces = randomPieces(random);
        const partly = partlyKnown(pieces, { cwd: base.cwd, windows: false, resolve: exactly });
        const effect = { recursive: false, via: "rm", certain: true, command: -1 };
        const guess = { ...exactly("/guess"), partly };
        const world = (path: PathValue, kinds: readonly "deletes"[]): World =>
          worldOf({ deletes: [{ ...effect, path }] }, conditions, kinds, surroundings);
        const grade = gradeOf(evaluateRule(rule, world(guess, ["deletes"])));
        const answer = (text: string): unknown => {
          const path = exactly(text);
          const bound = new Map([[rule.rule.each?.slot ?? 0, { ...effect, path } as unknown as Value]]);
          return interpret(rule.rule.when as Ir, world(path, []), bound, { left: limits.steps });
        };
        const { beneath, climbing } = valuesOf(pieces);
        compared.add(grade, beneath.length + climbing.length);
        const said = `${condition} of ${shownText(partly.lexical)}: ${grade}`;
        expect(grade, said).not.toBe("error");
        if (grade === "no") for (const text of beneath) expect(answer(text), `${said}, ${text}`).toBe(false);
        if (grade === "yes")
          for (const text of [...beneath, ...climbing]) expect(answer(text), `${said}, ${text}`).toBe(true);
      }
    }
    compared.expectAll("no", "open", "telling", "yes");
  });
});
