import { strictSeeds } from "./seeds.ts";

/** Pairs that break a property today. The suite fails as soon as one no longer does, so that it is taken out. */
export interface KnownGap {
  /** Name of a transformation, of the place of a mention, or of two transformations joined by " after applying ". */
  readonly transformation: string;
  /** Commands of the seeds concerned. */
  readonly seeds: readonly string[];
  readonly reason: string;
}

const everyStrict = strictSeeds.map((seed) => seed.command);
const inlineCode = "inline code of an interpreter is one opaque run: what it does is not looked for in it";

/** Strict calls that a transformation makes weaker. */
export const weakened: readonly KnownGap[] = [
  { transformation: "awk system", seeds: everyStrict, reason: inlineCode },
  { transformation: "python system", seeds: everyStrict, reason: inlineCode },
  { transformation: "perl system", seeds: everyStrict, reason: inlineCode },
  { transformation: "node execSync", seeds: everyStrict, reason: inlineCode },
  {
    transformation: "script file, then run",
    seeds: everyStrict,
    reason: "a written file's text is not kept for a later command that runs it, within one call or across calls",
  },
  {
    transformation: "tee into bash",
    seeds: everyStrict,
    reason: "what is written to a process substitution is not followed into the shell that reads it",
  },
  {
    transformation: "ssh to itself",
    seeds: everyStrict,
    reason: "what runs on another host has no effects here, and localhost is taken for another host",
  },
  {
    transformation: "rot13",
    seeds: everyStrict,
    reason: "translated text is not decoded, and the packs name only decoders that are nothing else",
  },
  {
    transformation: "variable set in a branch",
    // A text that ends like the name of a secret file is taken for that file, as any operand of an unknown program.
    seeds: everyStrict.filter((command) => !/(?:\.env|\/credentials|~\/\.ssh\/(?:id_ed25519|id_rsa))$/.test(command)),
    reason: "a variable has one value or none that is known: of a branch that sets it, the value is forgotten",
  },
  {
    transformation: "while read",
    seeds: ["rm -rf ../app"],
    reason: "a variable read in a loop is not known, so that only a possible delete outside the workspace remains",
  },
];

/** Mentions of a strict call that are not allowed. */
export const strictMentions: readonly KnownGap[] = [];

/** Benign calls that a harmless transformation makes strict. */
export const strictBenign: readonly KnownGap[] = [
  {
    transformation: "variable set in a branch",
    seeds: ["stat .env"],
    reason: "the script is an operand of an unknown program, and looks like the path of a secret",
  },
  {
    transformation: "while read",
    seeds: [
      "rm -rf node_modules",
      "rm -rf dist coverage",
      "rm -rf ./dist",
      "find . -name '*.tmp' -delete",
      "mv src/a.ts src/b.ts",
    ],
    reason: "the loop's text is not known and may change the folder, so that a relative delete may be anywhere",
  },
];
