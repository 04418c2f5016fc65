import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { Source } from "../diagnostics/source.ts";
import type { Json } from "../engine/plan.ts";
import { metered, spend, unitsLeft } from "../facts/meter.ts";
import { prepare } from "../facts/regex-syntax.ts";
import { limits } from "../schema/limits.ts";
import type { RegexEngine } from "../schema/ports.ts";
import type { PolicyDraft, PolicyFile } from "./policy-draft.ts";

/** Bounds on policies taken together; `words` says each of them in a finding. */
interface Bounds {
  readonly files: number;
  readonly bytes: number;
  readonly rules: number;
  readonly conditions: number;
  readonly declarations: number;
  readonly patterns: number;
  readonly work: number;
}

const words: Readonly<Record<keyof Bounds, (bound: number) => string>> = {
  files: (bound) => `more than ${bound} files`,
  bytes: (bound) => `more than ${bound} bytes`,
  rules: (bound) => `more than ${bound} rules`,
  conditions: (bound) => `more than ${bound} named conditions`,
  declarations: (bound) => `more than ${bound} programs and tools`,
  patterns: (bound) => `patterns of more than ${bound} instructions`,
  work: (bound) => `more to compile than ${bound} units of work`,
};

/** Cost of a pattern besides its instructions, in units of work. */
const patternWork = 20;

/**
 * Allowance for the policies of one standing together: untrusted ones of the project, or all others. It counts work and reads
 * no clock, so that the same files exceed it on every machine or on none. Once a bound is exceeded, nothing more of that
 * standing is compiled.
 */
export class Allowance {
  /** The finding that names the bound and the file that went over it. */
  over: Diagnostic | undefined;
  readonly #bounds: Bounds;
  readonly #whose: string;
  readonly #help: string;
  readonly #left: { -readonly [What in keyof Bounds]: number };

  constructor(bounds: Bounds, whose: string, help: string) {
    this.#bounds = bounds;
    this.#whose = whose;
    this.#help = help;
    this.#left = { ...bounds };
  }

  /** Counts a file that an author wrote. */
  file({ name, bytes }: PolicyFile): void {
    this.#take("files", 1, name);
    this.#take("bytes", bytes.length, name);
  }

  /** Counts the rules, conditions and declarations of a file. */
  draft({ rules, conditions, programs, tools, file }: PolicyDraft): void {
    this.#take("rules", rules.length, file.name);
    this.#take("conditions", conditions.size, file.name);
    this.#take("declarations", programs.size + tools.size, file.name);
  }

  /** Runs a part of the work on a file; undefined if it exceeds the allowance, or if the allowance was already exceeded. */
  run<T>(file: string, work: () => T): T | undefined {
    if (this.over) return undefined;
    const before = this.#left.work;
    const done = metered(
      before,
      () => {
        const value = work();
        this.#left.work = unitsLeft();
        return { value };
      },
      () => undefined,
    );
    if (!done) this.#take("work", before + 1, file);
    return this.over ? undefined : done?.value;
  }

  /** Wraps a regex engine so that the patterns it compiles are counted. */
  counting(regex: RegexEngine, file: string): RegexEngine {
    return {
      name: regex.name,
      version: regex.version,
      compile: (pattern, flags) => {
        const prepared = pattern.length > limits.patternLength ? undefined : prepare(pattern, "");
        const size = prepared?.kind === "prepared" ? prepared.size : 0;
        this.#take("patterns", size, file);
        // Once over a bound, the current compilation is stopped by spending more than is left.
        spend(this.over ? unitsLeft() + 1 : patternWork + size);
        return regex.compile(pattern, flags);
      },
    };
  }

  #take(what: keyof Bounds, amount: number, name: string): void {
    this.#left[what] -= amount;
    if (this.#left[what] >= 0 || this.over) return;
    const message = `${this.#whose} have ${words[what](this.#bounds[what])} together, which \`${name}\` goes over`;
    this.over = diagnostic("HW013", new Source(name, ""), { start: 0, end: 0 }, message, this.#help);
  }
}

/** The allowances of one compilation. */
export interface Allowances {
  /** The project's policies that no human has trusted. */
  readonly untrusted: Allowance;
  readonly others: Allowance;
}

/** Makes new, unused allowances. */
export function allowances(): Allowances {
  const untrusted: Bounds = {
    files: limits.projectFiles,
    bytes: limits.projectBytes,
    rules: limits.projectRules,
    conditions: limits.projectConditions,
    declarations: limits.projectDeclarations,
    patterns: limits.projectPatterns,
    work: limits.projectWork,
  };
  const others: Bounds = {
    files: limits.policyFiles,
    bytes: limits.policiesBytes,
    rules: limits.policyRules,
    conditions: limits.policyConditions,
    declarations: limits.policyDeclarations,
    patterns: limits.policyPatterns,
    work: limits.policyWork,
  };
  return {
    untrusted: new Allowance(
      untrusted,
      "the policies of a project that nobody has trusted",
      "make them smaller, or look at them and run `hookwarden trust`",
    ),
    others: new Allowance(others, "policies", "make them fewer or smaller: a hook compiles them before it answers"),
  };
}

/** Returns the cost of a constant in each place where a plan holds it: a unit for each value, and for each eight characters. */
export function constantSize(value: Json): number {
  if (typeof value === "string") return 1 + (value.length >> 3);
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + constantSize(inner), 1);
}
