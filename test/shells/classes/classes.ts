import { Random } from "../../properties/language/random.ts";
import { refusal } from "../sandbox/safe.ts";
import type { ShellName } from "../sandbox/shells.ts";
import { assign, define, run, subshell, when } from "../tree/build.ts";
import { printScript } from "../tree/print.ts";
import type { Script } from "../tree/tree.ts";
import { attributes } from "./attributes.ts";
import { builtinPieces } from "./builtins.ts";
import { compounds, redirections } from "./compounds.ts";
import { expansions } from "./expansions.ts";
import { flow, flowOfBash } from "./flow.ts";
import { launches } from "./launches.ts";
import { alone, mentions, otherNames, reads } from "./mentions.ts";
import { setPieces, shoptPieces } from "./options.ts";
import { type Maker, name, type Piece, place, sinkOf, test } from "./pieces.ts";
import { scope, scopeOfBash } from "./scope.ts";
import { shapes, shapesOfBash } from "./shapes.ts";

/** The further counts of classes that never write the marked file. */
export type Negative = "mention" | "other name" | "read";

/** Scripts of one kind. */
export interface ScriptClass {
  /** `builtin: cd`, `flow`, `flow + scope`. */
  readonly id: string;
  readonly shell: ShellName;
  /** The number of scripts of the full run. */
  readonly quota: number;
  readonly negative?: Negative;
  make(random: Random): Script;
}

/** Pieces of the groups that are put together in pairs. */
const groups: Readonly<Record<string, readonly Piece[]>> = {
  flow: [...flow, ...flowOfBash],
  scope: [...scope, ...scopeOfBash],
  attributes,
  expansion: Object.values(expansions),
  builtin: Object.values(builtinPieces),
  set: Object.values(setPieces),
  shopt: Object.values(shoptPieces),
  compound: Object.values(compounds),
  redirection: Object.values(redirections),
  shape: [...shapes, ...shapesOfBash],
};

/** How many scripts of the full run each single construct has, and each pair of groups. */
const perConstruct = 50;
const perPair = 20;
/** The classes whose errors were the most: values and where they hold. */
const perGroup = 2_000;

/** Expansions that every shell of POSIX has. */
const ofPosix =
  /^(?:\$\{x(?::?[-=+?]|##?|%%?)\}|plain|length|all arguments|substitution.*|arithmetic|tilde.*|file names.*|splitting.*|quotes)$/;

/** Every class. Their quotas together are the full run. */
export const classes: readonly ScriptClass[] = [
  ...named("builtin", builtinPieces),
  ...named("set", setPieces),
  ...named("shopt", shoptPieces),
  ...named("compound", compounds),
  ...named("redirection", redirections),
  ...named("expansion", expansions),
  ...named("launch", launches),
  whole("flow", groups["flow"] ?? [], perGroup),
  whole("scope", groups["scope"] ?? [], perGroup),
  whole("attributes", groups["attributes"] ?? [], perGroup),
  whole("shape", groups["shape"] ?? [], 600),
  {
    id: "program",
    shell: "bash",
    quota: 600,
    make: (random) => program({ random, posix: false }, Object.values(groups).flat(), 3),
  },
  ...pairs(),
  ...(["dash", "zsh", "ksh", "mksh", "busybox"] as const).map(portable),
  ...negatives(),
];

function named(group: string, pieces: Readonly<Record<string, Piece>>): ScriptClass[] {
  return Object.entries(pieces).map(([construct, piece]) => ({
    id: `${group}: ${construct}`,
    shell: "bash",
    quota: perConstruct,
    make: (random) => framed({ random, posix: false }, [piece]),
  }));
}

function whole(id: string, pieces: readonly Piece[], quota: number): ScriptClass {
  return { id, shell: "bash", quota, make: (random) => program({ random, posix: false }, pieces, 2) };
}

function pairs(): ScriptClass[] {
  const names = Object.keys(groups);
  return names.flatMap((one, i) =>
    names.slice(i + 1).map((other) => ({
      id: `${one} + ${other}`,
      shell: "bash" as const,
      quota: perPair,
      make: (random: Random) => {
        const both = [random.pick(groups[one] ?? []), random.pick(groups[other] ?? [])];
        return framed({ random, posix: false }, random.chance(0.5) ? both : both.reverse());
      },
    })),
  );
}

/** Constructs that every POSIX shell has, run by a shell other than bash. */
function portable(shell: ShellName): ScriptClass {
  const own = Object.entries(expansions)
    .filter(([id]) => ofPosix.test(id))
    .map(([, piece]) => piece);
  const pieces = [...flow, ...scope, ...shapes, ...own, builtinPieces.echo, builtinPieces.printf];
  return { id: `shell: ${shell}`, shell, quota: 250, make: (random) => program({ random, posix: true }, pieces, 2) };
}

function negatives(): ScriptClass[] {
  const made = (negative: Negative, pieces: readonly Piece[]): ScriptClass => ({
    id: negative,
    shell: "bash",
    quota: 120,
    negative,
    make: (random) => alone(pieces)({ random, posix: true }),
  });
  return [made("mention", mentions), made("other name", otherNames), made("read", reads)];
}

/** Pieces one behind another, perhaps within a function, a subshell or a branch; values before, writes behind. */
function framed(maker: Maker, pieces: readonly Piece[]): Script {
  const { random } = maker;
  const before = random.chance(0.8) ? [name(maker, "x")] : [];
  const more = random.chance(0.3) ? [assign("y", place(maker))] : [];
  const body = pieces.flatMap((piece) => [...wrapped(maker, piece(maker))]);
  const behind = random.chance(0.5) ? [sinkOf(maker, random.chance(0.7) ? "x" : "y")] : [];
  return [...before, ...more, ...body, ...behind];
}

function wrapped(maker: Maker, body: Script): Script {
  const chance = maker.random.next();
  if (chance < 0.88) return body;
  if (chance < 0.92) return [define("h", ...body), run("h")];
  if (chance < 0.96) return [subshell(...body)];
  return [when(test(maker), body)];
}

/** Some pieces, up to a number. */
function program(maker: Maker, pieces: readonly Piece[], most: number): Script {
  const count = 1 + maker.random.below(most);
  return framed(
    maker,
    maker.random.times(count, () => maker.random.pick(pieces)),
  );
}

/** A generated script with its class. */
export interface Generated {
  readonly class: ScriptClass;
  readonly script: Script;
}

/** The scripts of a run: every class by its share, each script by its own seed, so that one class can be run alone. */
export function generate(seed: number, cases: number, only: (one: ScriptClass) => boolean): readonly Generated[] {
  const full = classes.reduce((sum, { quota }) => sum + quota, 0);
  return classes.filter(only).flatMap((one) => {
    const random = new Random(seed ^ hashed(one.id));
    const count = Math.max(1, Math.round((one.quota * cases) / full));
    return random.times(count, () => ({ class: one, script: allowed(one, random) }));
  });
}

/** A script that the second check lets pass: now and then pieces that climb out of a folder come together with a loop. */
function allowed(one: ScriptClass, random: Random): Script {
  for (let i = 0; ; i++) {
    const script = one.make(random.fork());
    const why = refusal(printScript(script));
    if (why === undefined) return script;
    if (!/climb/.test(why) || i > 20)
      throw new Error(`the generator made a script of \`${one.id}\` that is refused: ${why}`);
  }
}

/** How many scripts the full run has. */
export const fullRun = classes.reduce((sum, { quota }) => sum + quota, 0);

function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (const one of text) hash = Math.imul(hash ^ (one.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}
