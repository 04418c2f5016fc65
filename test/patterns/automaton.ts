import type { Pattern, Read } from "./syntax.ts";

/** Sample characters: any two classes of our patterns differ in one of them. */
const signs: readonly string[] = [
  ...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)),
  ..."\n\t\r\u0001\u001bé\u3000\u200b\ud83d",
];

/** A maximum of this many repeats counts as unbounded. */
const many = 65;
/** Copies that represent a bounded repeat. */
const copies = 3;
const tooMany = 6_000;

/** Ambiguous text: a prefix and a repeated part. */
export interface Pump {
  readonly head: string;
  readonly again: string;
}

interface Edge {
  readonly to: number;
  readonly of: ReadonlySet<number>;
}

/** The states between signs in which a search may be, without conditions on what stands around. */
class Automaton {
  readonly #edges: Edge[][] = [];
  readonly #free: number[][] = [];
  readonly #read: Read;
  readonly #scans: boolean;
  readonly looks: Pattern[] = [];
  readonly start: number;

  /** Where `scans` is true, a search begins anywhere, else at the start of the text. */
  constructor(read: Read, pattern: Pattern, scans: boolean) {
    this.#read = read;
    this.#scans = scans;
    this.start = this.#state();
    if (scans) this.#sign(this.start, this.start, () => true);
    this.#build(pattern, this.start);
  }

  #state(): number {
    if (this.#edges.length > tooMany) throw new Error("the pattern has too many states");
    this.#edges.push([]);
    return this.#free.push([]) - 1;
  }

  #sign(from: number, to: number, has: (sign: string) => boolean): void {
    const of = new Set(signs.flatMap((sign, i) => (has(sign) ? [i] : [])));
    (this.#edges[from] as Edge[]).push({ to, of });
  }

  #pass(from: number, to: number): void {
    (this.#free[from] as number[]).push(to);
  }

  /** Adds a part behind a state and returns the state behind it. */
  #build(pattern: Pattern, from: number): number {
    if (pattern.kind === "sequence") return pattern.parts.reduce((at, part) => this.#build(part, at), from);
    if (pattern.kind === "group") return this.#build(pattern.part, from);
    if (pattern.kind === "repeat") return this.#repeat(pattern, from);
    if (pattern.kind === "look") this.looks.push(pattern.part);
    const to = this.#state();
    if (pattern.kind === "set") this.#sign(from, to, pattern.has);
    else if (pattern.kind === "choice") for (const part of pattern.parts) this.#pass(this.#build(part, from), to);
    // A backreference matches any earlier text.
    else if (pattern.kind === "again") {
      this.#pass(from, to);
      this.#sign(to, to, () => true);
    } else if (pattern.kind === "start" && this.#scans) {
      if (this.#read.flags.includes("m")) this.#sign(from, to, (sign) => sign === "\n");
    } else this.#pass(from, to);
    return to;
  }

  #repeat({ part, least, most }: Extract<Pattern, { kind: "repeat" }>, from: number): number {
    let at = from;
    for (let i = 0; i < Math.min(least, copies); i++) at = this.#build(part, at);
    const end = this.#state();
    this.#pass(at, end);
    if (most >= many) {
      const head = this.#state();
      this.#pass(at, head);
      const tail = this.#build(part, head);
      this.#pass(tail, head);
      this.#pass(tail, end);
    } else
      for (let i = least; i < Math.min(most, least + copies); i++) {
        at = this.#build(part, at);
        this.#pass(at, end);
      }
    return end;
  }

  /** From each state the edges that a sign takes. */
  steps(): readonly (readonly Edge[])[] {
    return this.#free.map((_, state) => [...closure(this.#free, state)].flatMap((one) => this.#edges[one] as Edge[]));
  }
}

function closure(free: readonly (readonly number[])[], state: number): ReadonlySet<number> {
  const seen = new Set([state]);
  for (const one of seen) for (const next of free[one] as readonly number[]) seen.add(next);
  return seen;
}

type Steps = readonly (readonly Edge[])[];

function reached(steps: Steps, from: number): ReadonlySet<number> {
  const seen = new Set([from]);
  for (const one of seen) for (const edge of steps[one] as readonly Edge[]) seen.add(edge.to);
  return seen;
}

/**
 * Returns texts that a search may read in as many ways as they are long: a text that leads from one loop into itself, into a
 * later one, and from the later one into itself (Weber and Seidl, "On the degree of ambiguity of finite automata"). Whether
 * the search tries all of the ways is for the caller to count.
 */
export function pumpsOf(read: Read, pattern: Pattern = read.pattern): readonly Pump[] {
  const found = new Map<string, Pump>();
  const looks = new Set<Pattern>();
  // A global pattern that is sticky begins behind each match: a reader steps over the text with it.
  for (const scans of read.flags.includes("y") && !read.flags.includes("g") ? [false] : [false, true]) {
    const automaton = new Automaton(read, pattern, scans);
    for (const look of automaton.looks) looks.add(look);
    for (const pump of ambiguous(automaton.steps(), automaton.start)) {
      const known = found.get(pump.again);
      if (!known || known.head.length > pump.head.length) found.set(pump.again, pump);
    }
  }
  return [...found.values(), ...[...looks].flatMap((look) => pumpsOf(read, look))];
}

function ambiguous(steps: Steps, start: number): Pump[] {
  const all = [...reached(steps, start)];
  const from = new Map(all.map((state) => [state, reached(steps, state)]));
  const leads = (a: number, b: number): boolean => from.get(a)?.has(b) === true;
  const loops = all.filter((state) => (steps[state] as readonly Edge[]).some(({ to }) => leads(to, state)));
  return loops.flatMap((first) =>
    loops.flatMap((last): Pump[] => {
      if (first === last || !leads(first, last)) return [];
      const again = shared(steps, leads, first, last);
      return again === undefined ? [] : [{ head: pathTo(steps, start, first), again }];
    }),
  );
}

/** A text that leads from `first` to itself, from `first` to `last`, and from `last` to itself. */
function shared(
  steps: Steps,
  leads: (a: number, b: number) => boolean,
  first: number,
  last: number,
): string | undefined {
  const texts = new Map([[[first, first, last].join(), ""]]);
  const goal = [first, last, last].join();
  for (const [key, text] of texts) {
    if (texts.size > tooMany) return undefined;
    const [a, b, c] = key.split(",").map((state) => steps[Number(state)] as readonly Edge[]) as [
      Steps[0],
      Steps[0],
      Steps[0],
    ];
    for (const x of a)
      if (leads(x.to, first))
        for (const z of c)
          if (leads(z.to, last))
            for (const y of b) {
              const next = [x.to, y.to, z.to].join();
              if (!leads(y.to, last) || texts.has(next)) continue;
              const sign = [...x.of].find((one) => y.of.has(one) && z.of.has(one));
              if (sign === undefined) continue;
              if (next === goal) return text + (signs[sign] as string);
              texts.set(next, text + (signs[sign] as string));
            }
  }
  return undefined;
}

/** A shortest text that leads to a state. */
function pathTo(steps: Steps, start: number, goal: number): string {
  const texts = new Map([[start, ""]]);
  for (const [state, text] of texts) {
    if (state === goal) return text;
    for (const { to, of } of steps[state] as readonly Edge[]) {
      const sign = of.has(65) ? 65 : [...of][0];
      if (!texts.has(to) && sign !== undefined) texts.set(to, text + (signs[sign] as string));
    }
  }
  return "";
}
