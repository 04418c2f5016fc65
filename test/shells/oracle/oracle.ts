import { gradePath } from "../../../facts/paths/grade-path.ts";
import { compiled, glob } from "../../../facts/paths/match.ts";
import type { EffectBase, FactSet, PathValue, Redirect } from "../../../schema/facts.ts";
import { start, type Touch, type Trace } from "./strace.ts";

/**
 * The two rules that facts are held to.
 *
 * **Rule 1, nothing is missed.** Whatever the script touched is covered: a file that it made, changed, removed or read in its
 * scratch folder, or an address that it connected to, is what some listed effect of that kind may be. An effect may be it if its path is
 * it, or is known in part and some value of it is it, or if it takes the folder above whole. The effect need not be certain. Code that nobody
 * saw covers everything, and so does a call that is not understood. What a policy reads is what counts, so that an effect of another kind
 * is no cover (a listed read of what is written is none), and so is a look at names and dates by `test` or `ls`.
 *
 * **Rule 2, what is certain happens.** `certain: true` says: by the text alone, and provided that each command which runs does its work,
 * this is done, at this very place. So a certain effect whose path is known must be among what was touched. An attempt is enough (a folder
 * that is there already, a file without permission): the command ran and failed. So is a program of that name that ended with a status
 * other than 0: that command failed as well, and so did one of which a redirection failed. No excuse is that *another* command failed: `cd
 * nope; touch a` that is certainly at `nope/a` is wrong, and so is what stands behind `exit`, in a branch that is not taken, or in a
 * function that nobody calls. A script that the shell refuses for its grammar, and one that was ended for its time, are held to rule 1
 * alone.
 *
 * *Early* faults of rule 2 are counted apart: a command failed, and a shell ended with a status other than 0, as under `set -e` and in
 * `cd nope || exit 1; touch a`. There nothing happened instead of what is certain, so that whether to call it certain is for
 * the analysis to choose.
 */
export interface Fault {
  readonly rule: "uncovered" | "false certain" | "early";
  readonly kind: string;
  /** The place, relative to where the script began where it lies there. */
  readonly place: string;
  /** The program that a certain effect is of. */
  readonly via?: string;
}

/** Notes on the run of the script. */
export interface Run {
  readonly trace: Trace;
  /** The shell refused its grammar, or it was ended for its time. */
  readonly unfinished: boolean;
  /** Its error output. */
  readonly errors: string;
  /** Its shell's program, which subshells have too. */
  readonly shell: string;
  /** Something in it may end a shell before its last command: `exit`, `set -e` and the like. */
  readonly stops: boolean;
}

/** True for a text with something that ends a shell before its last command. */
export function mayStop(text: string): boolean {
  return /\b(?:exit|logout|errexit|nounset|exec)\b|\bset -\w*[eu]|\$\{\w+:?\?/.test(text);
}

/** The breaches of a script, each kind and place once. */
export function faultsOf(facts: FactSet, run: Run): readonly Fault[] {
  if (facts.understanding === "unknown") return [];
  const found = new Map<string, Fault>();
  const add = (fault: Fault): void => {
    const key = `${fault.rule} ${fault.kind} ${fault.place}`;
    if (!found.has(key)) found.set(key, fault);
  };
  if (facts.unseen === undefined) for (const touch of run.trace.touches) uncovered(facts, touch, run, add);
  if (!run.unfinished) falselyCertain(facts, run, add);
  return [...found.values()];
}

type Add = (fault: Fault) => void;

/** Files that programs make beside what they replace, and that are gone in the end. `sed` of busybox keeps the name before. */
const passing = /\/(?:sed|Cu)[A-Za-z0-9]{6}$/;
const passingOfBusybox = /^(.*[^/])[A-Za-z0-9]{6}$/;

function isPassing({ path }: Touch, { shell, trace }: Run): boolean {
  const kept = shell === "busybox" ? passingOfBusybox.exec(path)?.[1] : undefined;
  return passing.test(path) || (kept !== undefined && trace.touches.some((other) => other.path === kept));
}

/** True for a folder that is opened like a file, as `mkdir -p` does with the current one. */
function opensFolder({ kind, path }: Touch, { trace }: Run): boolean {
  return kind === "read" && (path === start || trace.touches.some((other) => other.path.startsWith(`${path}/`)));
}

function uncovered({ effects }: FactSet, touch: Touch, run: Run, add: Add): void {
  if (!touch.done || touch.kind === "list" || isPassing(touch, run) || opensFolder(touch, run)) return;
  const lists = {
    read: [effects?.reads ?? [], effects?.runs ?? []],
    write: [effects?.writes ?? []],
    delete: [effects?.deletes ?? []],
    run: [effects?.reads ?? [], effects?.runs ?? []],
    connect: [effects?.network ?? []],
  }[touch.kind] as readonly (readonly EffectBase[])[];
  if (touch.kind === "connect") {
    if (lists[0]?.length === 0) add({ rule: "uncovered", kind: "connect", place: touch.path });
    return;
  }
  const places = touch.real === touch.path ? [touch.path] : [touch.path, touch.real];
  const covered = lists.some((list) => list.some((effect) => places.some((place) => mayBe(effect, place))));
  if (!covered) add({ rule: "uncovered", kind: touch.kind, place: shown(touch.path) });
}

/** Programs whose reads of names and dates open no file. Others, such as a quiet `grep`, open it and show little of it. */
const looking: ReadonlySet<string> = new Set(["test", "[", "ls", "shell"]);

/** True if the effect may be at that very place. */
function mayBe(
  effect: EffectBase & { readonly path?: PathValue; readonly metadata_only?: boolean },
  place: string,
): boolean {
  if (!effect.path || (effect.metadata_only === true && looking.has(effect.via))) return false;
  // A pattern that fits nothing is its own text.
  if (effect.path.pattern && effect.path.lexical === place) return true;
  const pattern = place.replace(/[*?[\]{}\\!]/g, "\\$&");
  const test = {
    holds: (path: PathValue, forms: "any" | "all") => glob(path, pattern, { forms, home: "" }),
    names: compiled(pattern, "", false) ?? [],
    floats: false,
  };
  return gradePath(effect.path, test, "any") !== false;
}

function falselyCertain(facts: FactSet, run: Run, add: Add): void {
  const { effects } = facts;
  if (!effects) return;
  const { touches, ended } = run.trace;
  const stopped = run.stops && ended.some(({ program, status }) => program === run.shell && status !== 0);
  // In shells that keep to POSIX a special builtin whose redirection fails ends the shell.
  const refused = run.shell !== "bash" && notOpened.test(run.errors);
  const left = refused && ended.some(({ program, status }) => program === run.shell && status !== 0);
  const early =
    left ||
    (stopped &&
      (/not found|Is a directory|No such file|unbound variable|parameter (?:is )?not set/.test(run.errors) ||
        ended.some(({ program, status }) => program !== run.shell && status !== 0)));
  const wrong = (kind: string, place: string, via: string): void =>
    add({ rule: early ? "early" : "false certain", kind, place, via });
  const excused = ({ via, command }: EffectBase): boolean =>
    ended.some(({ program, status }) => program === via && status !== 0) ||
    (run.shell === "busybox" &&
      run.errors.split("\n").some((line) => line.startsWith(`${via}: `) || line.startsWith(`Usage: ${via}`))) ||
    /ambiguous redirect/.test(run.errors) ||
    failedRedirection(facts.shell?.commands[command]?.redirects ?? [], run);
  const check = (kind: string, list: readonly Placed[], kinds?: ReadonlySet<string>): void => {
    for (const effect of list) {
      const { path, certain, metadata_only, via } = effect;
      if (!certain || metadata_only || path.partly || path.pattern || !path.lexical.startsWith("/w/")) continue;
      const happened = touches.some(
        (touch) =>
          (!kinds || kinds.has(touch.kind)) &&
          [touch.path, touch.real].some((place) => isAt(place, path.lexical) || isAt(place, path.real)),
      );
      if (!happened && !excused(effect)) wrong(kind, shown(path.lexical), via);
    }
  };
  check("write", effects.writes, changes);
  check("delete", effects.deletes, removals);
  check("read", effects.reads);
  for (const effect of effects.network)
    if (effect.certain && !effect.url.partly && !touches.some(({ kind }) => kind === "connect") && !excused(effect))
      wrong("connect", effect.url.host, effect.via);
}

/** Messages of shells about a file that they cannot open. */
const notOpened = /can(?:not|'t) (?:create|open)|: create: /;

/** True if a redirection of the command failed: an attempt at its place did, or at one that is not known. */
function failedRedirection(redirects: readonly Redirect[], { trace, errors }: Run): boolean {
  const attempts = trace.touches.filter(({ done, kind }) => !done && (kind === "read" || kind === "write"));
  return redirects.some(({ path }) =>
    path && !path.partly && !path.pattern
      ? attempts.some((touch) => touch.path === path.lexical || touch.path === path.real)
      : attempts.length > 0 || /Permission denied|Read-only|Text file busy/.test(errors) || notOpened.test(errors),
  );
}

interface Placed extends EffectBase {
  readonly path: PathValue;
  readonly metadata_only?: boolean;
}

const changes: ReadonlySet<string> = new Set(["write", "delete"]);
const removals: ReadonlySet<string> = new Set(["delete"]);

/** A place is a path, or lies beneath it where the path is a folder that is taken whole. */
function isAt(place: string, path: string): boolean {
  return place === path || place.startsWith(`${path}/`);
}

function shown(path: string): string {
  return path === start ? "." : path.startsWith(`${start}/`) ? path.slice(start.length + 1) : path;
}
