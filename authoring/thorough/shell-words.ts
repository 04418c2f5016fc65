import type { Simple, Word } from "../../facts/shell/syntax.ts";
import type { Text } from "../../schema/approximation.ts";
import type { Effects, FactSet, PathValue, ShellCommand } from "../../schema/facts.ts";
import { isTilde, literalOf, type ShellText } from "./shell-text.ts";

/** The part that a word plays in its command. `text` is a text that the command runs or passes on, or of unknown use. */
export type Role = "path" | "operand" | "value" | "subcommand" | "option" | "text";

/** A word after the program of a simple command, with its facts. */
export interface RoleWord {
  readonly word: Word;
  readonly command: Simple;
  readonly role: Role;
  /** Its literal value; undefined if something expands in it. */
  readonly literal: string | undefined;
  /** Effects on the path in the word. */
  readonly uses: readonly PathUse[];
}

/** One effect on a path. */
export interface PathUse {
  readonly kind: keyof Effects;
  readonly path: PathValue;
  readonly recursive: boolean;
}

/** Returns the words of all commands in the order of the text, except program words and assignments. */
export function roleWords(shell: ShellText, facts: FactSet, home: string): readonly RoleWord[] {
  const uses = usesByCommand(facts);
  const read = (facts.shell?.commands ?? []).map((command, i) => new ReadCommand(command, uses.get(i) ?? []));
  return shell.commands.flatMap((command) => {
    const own = read.filter(({ start }) => start >= command.start && start < command.end);
    return command.words.flatMap((word, i) =>
      i === 0 || word.kind !== "word" ? [] : [roleOf(word, command, own, home)],
    );
  });
}

/** Facts of a simple command, or of the command that it wraps, indexed for many words. */
class ReadCommand {
  readonly start: number;
  readonly subcommand: string | undefined;
  readonly operands: ReadonlySet<string>;
  readonly values: ReadonlySet<string | undefined>;
  readonly #uses = new Map<string, PathUse[]>();

  constructor({ span, subcommand, operands, options }: ShellCommand, uses: readonly PathUse[]) {
    this.start = span.start;
    this.subcommand = isKnown(subcommand) ? subcommand : undefined;
    this.operands = new Set(operands.filter(isKnown));
    this.values = new Set(options.map(({ value }) => value).filter(isKnown));
    for (const use of uses) {
      const { text } = use.path;
      const known = this.#uses.get(text);
      if (known) known.push(use);
      else this.#uses.set(text, [use]);
    }
  }

  /** Returns the effects on a path by its text. A recursive change of rights has a second effect, on everything beneath. */
  usesOf(text: string): readonly PathUse[] {
    const found = this.#uses.get(text) ?? [];
    return this.#uses.has(`${text}/**`) ? found.map((use) => ({ ...use, recursive: true })) : found;
  }
}

function isKnown(text: Text | undefined): text is string {
  return typeof text === "string";
}

function usesByCommand({ effects }: FactSet): ReadonlyMap<number, readonly PathUse[]> {
  const found = new Map<number, PathUse[]>();
  for (const [kind, list] of Object.entries(effects ?? {}) as [keyof Effects, Effects[keyof Effects]][])
    for (const effect of list) {
      if (!("path" in effect) || effect.path.partly) continue;
      const use = { kind, path: effect.path, recursive: "recursive" in effect && effect.recursive };
      const known = found.get(effect.command);
      if (known) known.push(use);
      else found.set(effect.command, [use]);
    }
  return found;
}

function roleOf(word: Word, command: Simple, read: readonly ReadCommand[], home: string): RoleWord {
  const literal = literalOf(word);
  // Only the calling user's home folder has a known place.
  const tilde = literal === undefined && isTilde(word) && /^~(?:\/|$)/.test(word.raw);
  const text = literal ?? (tilde ? `${home}${tailOf(word)}` : word.raw);
  const found = read.flatMap((one) => one.usesOf(text));
  const uses = literal !== undefined || tilde ? found : found.filter(({ path }) => path.pattern);
  return { word, command, literal, uses, role: uses.length > 0 ? "path" : plainRole(text, read) };
}

/** Returns the text after the tilde. */
function tailOf({ parts }: Word): string {
  return parts
    .map((part) => (part.kind === "text" ? part.value : ""))
    .join("")
    .slice(1);
}

function plainRole(text: string, read: readonly ReadCommand[]): Role {
  if (text.startsWith("-")) return "option";
  if (read.some(({ subcommand }) => subcommand === text)) return "subcommand";
  if (read.some(({ operands }) => operands.has(text))) return "operand";
  return read.some(({ values }) => values.has(text)) ? "value" : "text";
}
