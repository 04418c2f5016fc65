import { parseShell } from "../../facts/shell/parse.ts";
import type { Node, Sequence, Simple, Word } from "../../facts/shell/syntax.ts";

/** A parsed shell text, with its simple commands. Those inside substitutions are not among them. */
export interface ShellText {
  readonly text: string;
  readonly tree: Sequence;
  readonly commands: readonly Simple[];
  /** Names of functions that the text defines. */
  readonly functions: ReadonlySet<string>;
}

/** Reads a shell text; undefined if the parser rejects it, or if it runs nothing. */
export function readShellText(text: string): ShellText | undefined {
  const tree = parseShell(text);
  if (tree.kind === "problem") return undefined;
  const commands: Simple[] = [];
  const functions = new Set<string>();
  const open: Node[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === "simple") commands.push(node);
    if (node.kind === "function") functions.add(node.name);
    open.push(...partsOf(node));
  }
  commands.sort((a, b) => a.start - b.start);
  return commands.length === 0 ? undefined : { text, tree, commands, functions };
}

function partsOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "sequence":
    case "pipeline":
    case "logical":
      return node.items;
    case "subshell":
    case "redirected":
    case "function":
      return [node.body];
    case "if":
      return [...node.tests, ...node.bodies, ...(node.otherwise ? [node.otherwise] : [])];
    case "loop":
      return [...node.head, node.body];
    case "for":
      return [node.body];
    case "case":
      return node.items.map(({ body }) => body);
    default:
      return [];
  }
}

/** Returns the text as one simple command with nothing around it, or undefined. */
export function onlyCommand({ tree, commands }: ShellText): Simple | undefined {
  const [only] = tree.items;
  return tree.items.length === 1 && only?.kind === "simple" ? commands[0] : undefined;
}

/** Returns the meaning of a word in which nothing expands; undefined for every other word. */
export function literalOf(word: Word): string | undefined {
  if (word.braces || isTilde(word)) return undefined;
  let text = "";
  for (const part of word.parts) {
    if (part.kind !== "text") return undefined;
    text += part.value;
  }
  return text;
}

/** True for a word that begins with a tilde which the shell expands, and in which nothing else expands. */
export function isTilde(word: Word): boolean {
  const [first] = word.parts;
  const plain = word.parts.every((part) => part.kind === "text" && !part.quoted);
  return plain && !word.braces && first?.kind === "text" && first.value.startsWith("~") && word.raw.startsWith("~");
}

/** Returns the program word of a simple command, if nothing expands in it. */
export function programOf({ words }: Simple): { readonly word: Word; readonly name: string } | undefined {
  const [word] = words;
  const name = word?.kind === "word" ? literalOf(word) : undefined;
  return word?.kind === "word" && name !== undefined && name !== "" ? { word, name } : undefined;
}

/** Quotes a text as one literal word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quotes a text as one word in double quotes, without expansion. */
export function doubleQuoted(text: string): string {
  return `"${text.replace(/["\\$`]/g, "\\$&")}"`;
}

/** Returns a text as one word, in quotes only if it needs them. */
export function asWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : quoted(text);
}

/** Returns the text so that an operator may follow it: a comment or a here-document would swallow that on the same line. */
export function closed(text: string): string {
  return /[\n#;&\\]/.test(text) ? `${text}\n` : text;
}

/** Returns the text as one command of a list: unchanged if it is one simple command, else as a group. */
export function grouped(shell: ShellText): string {
  const { text } = shell;
  if (onlyCommand(shell) && !/[\n#;&\\]/.test(text)) return text.trim();
  return `{ ${text}\n}`;
}

/** Builtins that act on the shell itself, so that no other program can run them. Source: bash manual, "Builtins". */
const builtins: ReadonlySet<string> = new Set(
  [
    ": . alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown enable eval exec exit",
    "export fc fg getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return set shift shopt",
    "source suspend times trap type typeset ulimit umask unalias unset wait",
  ].flatMap((names) => names.split(" ")),
);

/** True for a command whose program is a separate file, found by its name. With `-v` only the shell's own `printf` sets a variable. */
export function isExternal(command: Simple, { functions }: ShellText): boolean {
  const name = programOf(command)?.name;
  if (name === "printf" && command.words.some((word) => word.kind === "word" && word.raw === "-v")) return false;
  return name !== undefined && !builtins.has(name) && !functions.has(name) && /^[\w.+/-]+$/.test(name);
}

/** True if the text needs bash or a similar shell, and a plain `sh` may misread it. */
export function needsBash({ text, commands }: ShellText): boolean {
  if (
    /<\(|>\(|<<<|&>|\|&|\$'|\[\[|\(\(|\$\{[^}]*[/^,@]|\bfunction\b|\bsource\b|=\(|\bselect\b|\bcoproc\b|\+=/.test(text)
  )
    return true;
  return commands.some(({ words }) => words.some((word) => word.kind === "word" && word.braces));
}

/** Returns names of variables that the text does not use: `X`, `X2`, `X3`, or `X_` and so on if it uses one of those. */
export function freeNames(text: string, wanted: string): (index: number) => string {
  let name = wanted;
  while (new RegExp(`\\b${name}\\d*\\b`).test(text)) name += "_";
  return (index) => (index === 0 ? name : `${name}${index + 1}`);
}

/** True for a text that reads positional parameters, which a new shell would not have. */
export function readsParameters({ text }: ShellText): boolean {
  return /\$(?:[@*#0-9]|\{[@*#0-9])/.test(text);
}
