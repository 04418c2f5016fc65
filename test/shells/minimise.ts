import type { Case, Result } from "./harness.ts";
import type { Fault } from "./oracle/oracle.ts";
import { refusal } from "./sandbox/safe.ts";
import { printScript } from "./tree/print.ts";
import type { Script, Statement } from "./tree/tree.ts";

/** Runs cases: the harness, or a stand-in of a test. */
export type Runner = (cases: readonly Case[]) => Promise<readonly Result[]>;

/** Rounds after which a script is small enough, whatever could still go. */
const mostRounds = 24;
/** Edits of one script that are tried in one round. */
const mostEdits = 14;

/** Makes failing scripts as small as they get while the first fault of each stays of its kind. All are made smaller side by side. */
export async function minimise(failing: readonly Result[], run: Runner): Promise<readonly Result[]> {
  const small = [...failing];
  let open = small.map((_, i) => i);
  for (let round = 0; round < mostRounds && open.length > 0; round++) {
    const tried = open.flatMap((i) => candidates(small[i] as Result).map((candidate) => ({ i, candidate })));
    const results = await run(tried.map(({ candidate }) => candidate));
    const found = new Map<Case, Result>(results.map((result) => [result.case, result]));
    const smaller = new Set<number>();
    for (const { i, candidate } of tried) {
      const result = found.get(candidate);
      const best = small[i] as Result;
      if (!result || result.text.length >= best.text.length || !isAlike(result, failing[i] as Result)) continue;
      small[i] = result;
      smaller.add(i);
    }
    open = [...smaller];
  }
  return small;
}

/** True if a result has a fault of the same rule and kind as the first of the other. */
function isAlike({ faults }: Result, { faults: [first] }: Result): boolean {
  return first !== undefined && faults.some(({ rule, kind }: Fault) => rule === first.rule && kind === first.kind);
}

function candidates({ case: own, text }: Result): Case[] {
  const made = new Map<string, Case>();
  for (const script of edits(own.script)) {
    const shorter = printScript(script);
    if (shorter.length < text.length && refusal(shorter) === undefined) made.set(shorter, { ...own, script });
  }
  // Of many edits some of every size: what takes most away saves most rounds, and mostly takes the fault away too.
  const sorted = [...made].sort(([a], [b]) => a.length - b.length).map(([, one]) => one);
  const step = Math.max(1, sorted.length / mostEdits);
  return Array.from({ length: Math.min(sorted.length, mostEdits) }, (_, i) => sorted[Math.floor(i * step)] as Case);
}

/** Every script that is one step smaller: without an element of some list, or with a statement replaced by what it holds. */
export function edits(script: Script): Script[] {
  return editsOf(script) as Script[];
}

/** Parts that a node may lose. */
const optional = new Set(["elif", "otherwise", "operator", "index", "first", "second", "append", "fd"]);

function editsOf(node: unknown): unknown[] {
  if (Array.isArray(node)) return listEdits(node);
  if (typeof node !== "object" || node === null) return [];
  const made: unknown[] = [];
  for (const [key, value] of Object.entries(node)) {
    for (const edited of editsOf(value)) made.push({ ...node, [key]: edited });
    if (optional.has(key) && isLoosable(node, key)) {
      const { [key]: _, ...rest } = node as Record<string, unknown>;
      made.push(rest);
    }
  }
  return made;
}

/** The operator and operands of an expansion may go; those of a test or a redirection are what it is. */
function isLoosable(node: object, key: string): boolean {
  if (key === "operator" || key === "first" || key === "second") return "name" in node;
  return true;
}

function listEdits(list: readonly unknown[]): unknown[] {
  const made: unknown[] = [];
  for (const [i, element] of list.entries()) {
    const before = list.slice(0, i);
    const behind = list.slice(i + 1);
    made.push([...before, ...behind]);
    for (const inner of innerOf(element)) made.push([...before, ...inner, ...behind]);
    for (const edited of editsOf(element)) made.push([...before, edited, ...behind]);
  }
  return made;
}

/** Lists the parts of a statement or a word that may stand in its place. */
function innerOf(element: unknown): readonly (readonly unknown[])[] {
  if (typeof element !== "object" || element === null) return [];
  if ("kind" in element) return statementsOf(element as Statement);
  return "part" in element && "parts" in element ? [(element as { parts: readonly unknown[] }).parts] : [];
}

function statementsOf(statement: Statement): readonly Script[] {
  switch (statement.kind) {
    case "logical":
      return [[statement.left], [statement.right], [statement.left, statement.right]];
    case "pipeline":
      return [statement.stages];
    case "not":
    case "timed":
    case "background":
      return [[statement.of]];
    case "if":
      return [statement.then, statement.otherwise ?? [], [...statement.test, ...statement.then]];
    case "while":
    case "until":
    case "for":
    case "count":
    case "select":
    case "group":
    case "subshell":
    case "function":
    case "coproc":
      return [statement.body];
    case "case":
      return statement.ways.map(({ body }) => body);
    default:
      return [];
  }
}
