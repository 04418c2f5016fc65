import type { Node } from "./syntax.ts";

/** What a piece of the text may change in the shell that runs it. */
export interface Changes {
  readonly names: Set<string>;
  directory: boolean;
}

const directoryBuiltins: ReadonlySet<string> = new Set(["cd", "pushd", "popd", "eval", "source", "."]);
const declaring: ReadonlySet<string> = new Set(["read", "mapfile", "readarray", "unset", "getopts", "printf", "let"]);

/**
 * Variables that a loop body sets and whether it moves, so that the first round is not taken for all rounds.
 * Subshells keep their changes; function bodies are not looked into.
 */
export function changesIn(node: Node, into: Changes = { names: new Set(), directory: false }): Changes {
  switch (node.kind) {
    case "simple":
      for (const item of [...node.assignments, ...node.words])
        if (item.kind === "assignment") into.names.add(item.name);
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
      into.names.add(node.name);
      return changesIn(node.body, into);
    case "case":
      for (const item of node.items) changesIn(item.body, into);
      return into;
    default:
      return into;
  }
}

function byBuiltin(words: readonly string[], into: Changes): void {
  const program = words[0] ?? "";
  if (directoryBuiltins.has(program)) into.directory = true;
  if (declaring.has(program)) for (const word of words.slice(1)) if (/^[A-Za-z_]\w*$/.test(word)) into.names.add(word);
}
