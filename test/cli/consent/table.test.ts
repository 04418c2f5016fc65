import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HumanWorld } from "../../../cli/consent/human-world.ts";
import { nobody, type SeenProcess, type Surroundings } from "../../../cli/consent/surroundings.ts";
import { type GuardVerb, guardVerbs, makeToken, type TokenGrant, takeToken } from "../../../store/tokens.ts";
import { humanWho } from "../human.ts";
import { quietIo, runVerb, treeOf, type Verb, type VerbWorld, verbs, verbWorld } from "./verbs.ts";

/** Every verb that changes the guard, in every circumstance in which it may be started. */
let world: VerbWorld;
let said = "";
beforeEach(() => {
  world = verbWorld(realpathSync(mkdtempSync(join(tmpdir(), "hookwarden-consent-"))));
  said = "";
});
afterEach(() => rmSync(world.root, { recursive: true, force: true }));

/** Who owns the folders of tests, in the place of root. */
const owner = process.getuid?.() ?? 0;
const shell: SeenProcess = { pid: 40, name: "bash", words: ["-bash"], variables: ["HOME", "PATH"] };
const agent: SeenProcess = { pid: 41, name: "claude", words: ["claude"], variables: ["HOME"] };
const child: SeenProcess = { ...shell, pid: 42, variables: ["PATH", "CLAUDECODE"] };

/** How a verb is started. */
interface Circumstance {
  readonly title: string;
  /** The code of the refusal; absent where the guard is changed. */
  readonly refused?: string;
  readonly answer?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly around?: Partial<Surroundings>;
  /** Makes the token's file. */
  readonly token?: (verb: GuardVerb) => string;
  /** What root wrote down. */
  readonly leave?: (verb: GuardVerb, path: string) => void;
  readonly owner?: number;
}

let made = 0;

function tokenFile(text: string, mode = 0o600): string {
  const path = join(world.root, `given.${made++}`);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const hour = 3_600_000;
const grant = (verbs: readonly GuardVerb[], more: Partial<TokenGrant> = {}): TokenGrant => ({
  verbs,
  until: Date.now() + hour,
  anywhere: false,
  ...more,
});
const other = (verb: GuardVerb): GuardVerb => guardVerbs.find((one) => one !== verb) as GuardVerb;
const written =
  (text: string, mode = 0o644) =>
  (_: GuardVerb, path: string) => {
    writeFileSync(path, text);
    chmodSync(path, mode);
  };

const atTerminal: readonly Circumstance[] = [
  { title: "the right word", answer: "yes" },
  { title: "a wrong word", answer: "y", refused: "HW709" },
  { title: "the word of the question", answer: "type", refused: "HW709" },
  { title: "an empty line", answer: "", refused: "HW709" },
  { title: "no terminal", refused: "HW706" },
  {
    title: "a terminal whose user types to another program",
    answer: "yes",
    around: { foreground: false },
    refused: "HW706",
  },
  { title: "a variable of an agent", answer: "yes", env: { CLAUDECODE: "1" }, refused: "HW708" },
  { title: "an agent above", answer: "yes", around: { ancestors: [shell, agent] }, refused: "HW708" },
  {
    title: "a process above that an agent has started",
    answer: "yes",
    around: { ancestors: [shell, child] },
    refused: "HW708",
  },
  { title: "an agent that began the session", answer: "yes", around: { leaders: [[shell, agent]] }, refused: "HW708" },
  {
    title: "an agent that holds the terminal",
    answer: "yes",
    around: { holders: [[shell], [shell, agent]] },
    refused: "HW708",
  },
  {
    title: "humans all around",
    answer: "yes",
    around: { ancestors: [shell], leaders: [[shell]], holders: [[shell]], foreground: true },
  },
];

const tokens: readonly Circumstance[] = [
  { title: "a token", token: (verb) => tokenFile(makeToken(world.state, grant([verb]), 1)) },
  {
    title: "a token, inside an agent",
    around: { ancestors: [agent] },
    refused: "HW708",
    token: (verb) => tokenFile(makeToken(world.state, grant([verb]), 1)),
  },
  {
    title: "a token for agents too, inside one",
    env: { GEMINI_CLI: "1" },
    around: { ancestors: [agent] },
    token: (verb) => tokenFile(makeToken(world.state, grant([verb], { anywhere: true }), 1)),
  },
  {
    title: "a token for another verb",
    refused: "HW710",
    token: (verb) => tokenFile(makeToken(world.state, grant([other(verb)]), 1)),
  },
  {
    title: "a token whose time is over",
    refused: "HW710",
    token: (verb) => tokenFile(makeToken(world.state, grant([verb], { until: Date.now() - 1 }), 1)),
  },
  {
    title: "a token that is used up",
    refused: "HW710",
    token: (verb) => {
      const text = makeToken(world.state, grant([verb]), 1);
      expect(takeToken(world.state, text, verb, Date.now())).toEqual({ anywhere: false, left: 0 });
      return tokenFile(text);
    },
  },
  {
    title: "a token of another home",
    refused: "HW710",
    token: (verb) => tokenFile(makeToken(join(world.root, "elsewhere"), grant([verb]), 1)),
  },
  {
    title: "a token that others may read",
    refused: "HW710",
    token: (verb) => tokenFile(makeToken(world.state, grant([verb]), 1), 0o644),
  },
  {
    title: "a token behind a link",
    refused: "HW710",
    token: (verb) => {
      const path = tokenFile(makeToken(world.state, grant([verb]), 1));
      symlinkSync(path, `${path}.link`);
      return `${path}.link`;
    },
  },
  { title: "a file that is no token", refused: "HW710", token: () => tokenFile("hookwarden-token-x\n") },
  { title: "a token that is not there", refused: "HW710", token: () => join(world.root, "given.none") },
];

const leaves: readonly Circumstance[] = [
  { title: "root's file", leave: (verb, path) => written(`# an image\n${verb}\n`)(verb, path) },
  { title: "root's file until another day", leave: (verb, path) => written(`${verb} until 2999-01-01\n`)(verb, path) },
  {
    title: "root's file, whose day is over",
    refused: "HW706",
    leave: (verb, path) => written(`${verb} until 2001-01-01\n`)(verb, path),
  },
  {
    title: "root's file for another verb",
    refused: "HW706",
    leave: (verb, path) => written(`${other(verb)}\n`)(verb, path),
  },
  {
    title: "root's file, inside an agent",
    env: { PI_CODING_AGENT: "true" },
    refused: "HW708",
    leave: (verb, path) => written(`${verb}\n`)(verb, path),
  },
  {
    title: "a file of another owner",
    owner: owner + 1,
    refused: "HW711",
    leave: (verb, path) => written(`${verb}\n`)(verb, path),
  },
  {
    title: "a file that its group may write",
    refused: "HW711",
    leave: (verb, path) => written(`${verb}\n`, 0o664)(verb, path),
  },
  {
    title: "a file that all may write",
    refused: "HW711",
    leave: (verb, path) => written(`${verb}\n`, 0o666)(verb, path),
  },
  {
    title: "a link to a file of root",
    refused: "HW711",
    leave: (verb, path) => {
      written(`${verb}\n`)(verb, `${path}.real`);
      symlinkSync(`${path}.real`, path);
    },
  },
  {
    title: "a file with a line that is none",
    refused: "HW711",
    leave: (verb, path) => written(`${verb}\nall\n`)(verb, path),
  },
  {
    title: "a file in a folder that others may write to",
    refused: "HW711",
    leave: (verb, path) => {
      written(`${verb}\n`)(verb, path);
      chmodSync(world.root, 0o777);
    },
  },
];

function humanIn({ answer, around, owner: whose = owner }: Circumstance, unattended: string): HumanWorld {
  return {
    ...humanWho(answer, () => {}),
    surroundings: () => ({ ...nobody, ...around }),
    unattended: { path: unattended, owner: whose },
  };
}

async function started(verb: Verb, circumstance: Circumstance): Promise<{ code: number; changed: boolean }> {
  await verb.prepare?.(world);
  const unattended = join(world.root, "given.unattended");
  if (verb.verb !== "token") circumstance.leave?.(verb.verb, unattended);
  const token = verb.verb === "token" ? undefined : circumstance.token?.(verb.verb);
  const io = quietIo(world);
  const before = treeOf(world);
  const human = humanIn(circumstance, unattended);
  const code = await runVerb(
    verb,
    {
      ...io,
      env: { ...io.env, ...circumstance.env },
      err: (text) => {
        said += text;
      },
      human: async () => human,
    },
    token,
  );
  return { code, changed: JSON.stringify(treeOf(world)) !== JSON.stringify(before) };
}

const cases = verbs.flatMap((verb) =>
  [...atTerminal, ...(verb.verb === "token" ? [] : [...tokens, ...leaves])].map(
    (circumstance) => [verb.title, circumstance.title, verb, circumstance] as const,
  ),
);

describe("who may change the guard", () => {
  it("is asked of at least ten verbs, in thirty circumstances", () => {
    expect(verbs.length).toBeGreaterThanOrEqual(10);
    expect(new Set(verbs.map(({ verb }) => verb))).toEqual(new Set([...guardVerbs, "token"]));
    expect(atTerminal.length + tokens.length + leaves.length).toBeGreaterThanOrEqual(30);
  });

  it.each(cases)("%s: %s", async (_verb, _title, verb, circumstance) => {
    const { code, changed } = await started(verb, circumstance);
    if (circumstance.refused === undefined) expect([code, changed, said.includes("error[")]).toEqual([0, true, false]);
    else {
      // A token that cannot be used is a wrong input, and no answer of a human.
      expect([code, changed]).toEqual([circumstance.refused === "HW710" ? 2 : 1, false]);
      expect(said).toContain(`error[${circumstance.refused}]`);
    }
  });
});

describe("a token", () => {
  it("goes with its last use, and lasts for as many as it was made for", async () => {
    const [verb] = verbs.filter(({ title }) => title === "approve --once") as [Verb];
    const path = tokenFile(makeToken(world.state, grant(["approve"]), 3));
    for (const left of [true, true, false]) {
      expect(await runVerb(verb, { ...quietIo(world), human: async () => humanWho(undefined, () => {}) }, path)).toBe(
        0,
      );
      expect(existsSync(path)).toBe(left);
    }
  });

  it("is not used up by who may not use it", async () => {
    const [verb] = verbs.filter(({ title }) => title === "approve --once") as [Verb];
    const path = tokenFile(makeToken(world.state, grant(["approve"]), 1));
    const io = quietIo(world);
    const inside = { ...io, env: { ...io.env, CLAUDECODE: "1" } };
    expect(await runVerb(verb, inside, path)).toBe(1);
    expect(await runVerb(verb, io, path)).toBe(0);
  });

  it("is for one of all who use it at once", () => {
    const text = makeToken(world.state, grant(["trust"]), 4);
    const taken = Array.from({ length: 6 }, () => takeToken(world.state, text, "trust", Date.now()));
    expect(taken.map((one) => ("left" in one ? one.left : one.why))).toEqual([
      3,
      2,
      1,
      0,
      "it was not made here, or is used up",
      "it was not made here, or is used up",
    ]);
  });
});
