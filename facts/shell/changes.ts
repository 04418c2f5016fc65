import { assignedIn } from "./arithmetic.ts";
import { isWordList } from "./fold.ts";
import type { Assignment, Node } from "./syntax.ts";

/** What a variable may become: one of a few constants, or anything. */
export type ChangeOf = readonly string[] | "anything";

/** What a piece of the text may change in the shell that runs it. */
export interface Changes {
  readonly names: Map<string, ChangeOf>;
  directory: boolean;
}

const directoryBuiltins: ReadonlySet<string> = new Set(["cd", "pushd", "popd", "eval", "source", "."]);
const declaring: ReadonlySet<string> = new Set(["read", "mapfile", "readarray", "unset", "getopts", "printf", "let"]);

/**
 * Variables that a loop body sets and whether it moves, so that the first round is not taken for all rounds.
 * Subshells keep their changes; function bodies are not looked into.
 */
export function changesIn(node: Node, into: Changes = { names: new Map(), directory: false }): Changes {
  switch (node.kind) {
    case "simple":
      for (const item of [...node.assignments, ...node.words])
        if (item.kind === "assignment") change(into, item.name, constantOf(item));
      byBuiltin(
        node.words.map((word) => (word.kind === "word" ? word.raw : "")),
        into,
      );
      return into;
    case "sequence":
    case "logical":
      for (const item of node.items) changesIn(item, into);
      return into;
    case "redirected":
      return changesIn(node.body, into);
    case "if":
      for (const part of [...node.tests, ...node.bodies]) changesIn(part, into);
      return node.otherwise ? changesIn(node.otherwise, into) : into;
    case "loop":
      for (const part of node.head) changesIn(part, into);
      return changesIn(node.body, into);
    case "for":
      change(into, node.name, undefined);
      return changesIn(node.body, into);
    case "case":
      for (const item of node.items) changesIn(item.body, into);
      return into;
    case "evaluation":
      for (const name of assignedIn(node.raw)) change(into, name, undefined);
      return into;
    default:
      return into;
  }
}

function change(into: Changes, name: string, constant: string | undefined): void {
  const before = into.names.get(name) ?? [];
  into.names.set(
    name,
    constant === undefined || before === "anything" ? "anything" : [...before, constant].slice(0, 16),
  );
}

function constantOf(item: Assignment): string | undefined {
  if (item.append || item.index || isWordList(item.value)) return undefined;
  const { parts, raw } = item.value;
  if (raw.startsWith("~") || !parts.every((part) => part.kind === "text")) return undefined;
  return parts.map((part) => (part.kind === "text" ? part.value : "")).join("");
}

function byBuiltin(words: readonly string[], into: Changes): void {
  const program = words[0] ?? "";
  if (directoryBuiltins.has(program)) into.directory = true;
  if (declaring.has(program))
    for (const word of words.slice(1)) if (/^[A-Za-z_]\w*$/.test(word)) change(into, word, undefined);
}
