import { describe, expect, it } from "vitest";
import { evaluateRule } from "../../../engine/evaluate-rule.ts";
import type { Ir } from "../../../engine/plan.ts";
import { partlyKnownUrl } from "../../../facts/network/partly.ts";
import { parseTarget } from "../../../facts/network/url.ts";
import { type Hole, type Pieces, shownText } from "../../../schema/approximation.ts";
import type { UrlValue } from "../../../schema/facts.ts";
import { limits } from "../../../schema/limits.ts";
import type { Value } from "../../../schema/ports.ts";
import { interpret, type World } from "../../reference/interpret.ts";
import { seed } from "../seed.ts";
import { Compared, gradeOf, rounds, ruleOn, worldOf } from "./graded-world.ts";
import { Random } from "./random.ts";

/** What a hole may be: values that stay in the place where it stands, and those that lead elsewhere. */
function fillings(
  hole: Hole,
  before: string,
): { readonly within: readonly string[]; readonly beyond: readonly string[] } {
  if (hole.number) return { within: ["0", "7", "12"], beyond: [] };
  const inPath = /^(?:[a-z]+:\/\/[^/]+|[^/:]+)\//.test(before) || /^[^@/:]+@[^@/:]+:/.test(before);
  if (before === "") return { within: ["https://a.b", "a.b", "b.test", "http://a.b/p"], beyond: ["x://b.test/"] };
  if (inPath) return { within: ["", "p", "q.r", "p/q", "p?k=1"], beyond: ["../a", "..", "#p"] };
  return { within: ["a", "b", "a-b", "a.b"], beyond: ["a/p", "b.test/", "u@b.test/", "?p", ".test:1/"] };
}

/** Lists every text that fits some pieces, and apart from them those that lead elsewhere. */
function valuesOf(pieces: Pieces): { readonly within: readonly string[]; readonly beyond: readonly string[] } {
  let within = [""];
  let beyond: string[] = [];
  let before = "";
  for (const piece of pieces) {
    const fill = typeof piece === "string" ? { within: [piece], beyond: [] } : fillings(piece, before);
    const more = (heads: readonly string[], ends: readonly string[]): string[] =>
      heads.flatMap((head) => ends.map((end) => head + end));
    beyond = [...more(beyond, fill.within), ...more(beyond, fill.beyond), ...more(within, fill.beyond)];
    within = more(within, fill.within);
    before += typeof piece === "string" ? piece : "x";
  }
  return { within, beyond };
}

function randomPieces(random: Random): Pieces {
  const hole = (): Hole => ({
    hole: "tail",
    of: "$X",
    ...(random.chance(0.3) ? { hole: "name" as const, number: true as const } : {}),
  });
  const end = (): string => random.pick(["", "/", "/p", "/p?k=1", ":8080/p"]);
  return random.pick<() => Pieces>([
    () => ["https://", hole(), random.pick([".b.test", ".test", "-a.b", ""]), end()],
    () => ["https://", random.pick(["a.", "a-", "b.test", "10.0.", "10.0.0.", "a"]), hole(), end()],
    () => ["https://a", hole(), ".b", hole(), ".test", end()],
    () => [random.pick(["https://b.test/", "http://10.0.0.1/p/", "b.test/p/", "https://a.b.test:81/"]), hole(), end()],
    () => [random.pick(["git@b.test:", "git@a.b:p/"]), hole(), random.pick([".git", ""])],
    () => ["https://b.test:", hole(), random.pick(["/", "/p", ""])],
    () => [{ hole: "tail", of: "$X" }, random.pick(["", "/p", ".test/p"])],
    () => ["https://b.test/p?k=", hole(), random.pick(["", "&j=2"])],
  ])();
}

function randomCondition(random: Random, depth: number): string {
  const host = (): string => JSON.stringify(random.pick(["b.test", "a.b.test", "test", "a.b", "10.0.0.7", "a-b", "b"]));
  const text = (part: string, texts: readonly string[]): string => {
    const operand = JSON.stringify(random.pick(texts));
    return random.pick([
      `${part} == ${operand}`,
      `${part} != ${operand}`,
      `${part}.startsWith(${operand})`,
      `${part}.endsWith(${operand})`,
      `${part}.contains(${operand})`,
      `${part} in [${operand}, ""]`,
    ]);
  };
  if (depth === 0 || random.chance(0.3))
    return random.pick([
      () => `n.url.host.hostIn(${host()})`,
      () => `n.url.hostIn([${host()}, ${host()}])`,
      () => `n.url.host == ${host()}`,
      () => `n.url.host in [${host()}, ${host()}]`,
      () => `n.url.host.endsWith(${JSON.stringify(random.pick([".test", ".b.test", "b", "t"]))})`,
      () => `n.url.host.glob(${JSON.stringify(random.pick(["*.test", "a*", "a-*.b*", "**", "{a,b}.test"]))})`,
      () => `n.url.is(${JSON.stringify(random.pick(["private", "loopback", "metadata", "address", "lookalike"]))})`,
      () => `n.url.cidr(${JSON.stringify(random.pick(["10.0.0.0/8", "10.0.0.0/24", "192.168.0.0/16"]))})`,
      () => text("n.url.path", ["/", "/p", "/p/", "p", ""]),
      () => text("n.url.query", ["k=1", "k=", "k", ""]),
      () => text("n.url.scheme", ["https", "http", "ssh"]),
      () => text("n.url.port", ["8080", "81", ""]),
      () => text("n.url.userinfo", ["git", "u", ""]),
      () => text("string(n.url)", ["https://", "b.test", "/p"]),
      () => `n.url.lookalikeOf([${host()}])`,
      () => `n.url.embedded.exists(u, u.host == ${host()})`,
    ])();
  const inner = (): string => `(${randomCondition(random, depth - 1)})`;
  return random.pick([
    () => `${inner()} && ${inner()}`,
    () => `${inner()} || ${inner()}`,
    () => `!${inner()}`,
    () => `(${inner()} ? ${inner()} : ${inner()})`,
    () => `${inner()} == ${inner()}`,
  ])();
}

const guess: UrlValue = {
  kind: "url",
  text: "guess",
  scheme: "",
  host: "",
  port: "",
  path: "",
  query: "",
  userinfo: "",
};

describe(`graded conditions on addresses (seed ${seed})`, () => {
  it("are never no where some address passes, nor yes where some address fails", () => {
    const random = new Random(seed);
    const compared = new Compared();
    for (let i = 0; i < rounds(400); i++) {
      const condition = randomCondition(random, 2);
      const made = ruleOn("n: effects.network", condition);
      if (!made) continue;
      const { rule, conditions } = made;
      for (let n = 0; n < 12; n++) {
        const pieces = randomPieces(random);
        const partly = partlyKnownUrl(pieces, "https");
        const cause = { direction: "download", via: "curl", certain: true, command: -1 } as const;
        const world = (url: UrlValue, kinds: readonly "network"[]): World =>
          worldOf({ network: [{ ...cause, url }] }, conditions, kinds);
        const grade = gradeOf(evaluateRule(rule, world({ ...guess, partly }, ["network"])));
        const answer = (text: string): unknown => {
          const url = parseTarget(text) ?? { ...guess, text };
          const bound = new Map([[rule.rule.each?.slot ?? 0, { ...cause, url } as unknown as Value]]);
          return interpret(rule.rule.when as Ir, world(url, []), bound, { left: limits.steps });
        };
        const values = valuesOf(pieces);
        // What is no address reaches no host.
        const [within, beyond] = [values.within, values.beyond].map((list) => list.filter((text) => parseTarget(text)));
        compared.add(grade, (within?.length ?? 0) + (beyond?.length ?? 0));
        const said = `${condition} of ${shownText(partly.text)}: ${grade}`;
        expect(grade, said).not.toBe("error");
        if (grade === "no") for (const text of within ?? []) expect(answer(text), `${said}, ${text}`).toBe(false);
        if (grade === "yes")
          for (const text of [...(within ?? []), ...(beyond ?? [])])
            expect(answer(text), `${said}, ${text}`).toBe(true);
      }
    }
    compared.expectAll("no", "open", "telling", "yes");
  });
});
