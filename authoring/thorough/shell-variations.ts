import { posix } from "node:path";
import type { Simple, Word } from "../../facts/shell/syntax.ts";
import type { FactSet } from "../../schema/facts.ts";
import { applyEdits, type Edit } from "../fmt/edits.ts";
import { folderAbove, throughLink } from "./path-spellings.ts";
import {
  asWord,
  closed,
  doubleQuoted,
  freeNames,
  grouped,
  isExternal,
  isTilde,
  literalOf,
  needsBash,
  onlyCommand,
  programOf,
  quoted,
  readShellText,
  readsParameters,
  type ShellText,
} from "./shell-text.ts";
import { type RoleWord, roleWords } from "./shell-words.ts";
import type { Looks, ShellVariation, VariationName } from "./variation.ts";

/** Input of a variation. */
export interface ShellCall extends ShellText {
  readonly facts: FactSet;
  /** Words after the programs. */
  readonly words: readonly RoleWord[];
  /** Working folder of the call; empty if unknown. */
  readonly cwd: string;
  readonly looks: Looks;
}

type Make = (call: ShellCall) => readonly ShellVariation[];

/**
 * Returns the variations of a shell text. Each is the same call, or one that tells less or takes more (`weaker`). They are
 * made from the parsed text, so each is a correct spelling. Impossible ones are absent. Undefined if the text is no shell
 * text.
 */
export function shellVariations(
  text: string,
  facts: FactSet,
  { cwd, home }: { readonly cwd: string; readonly home: string },
  looks: Looks,
): readonly ShellVariation[] | undefined {
  const shell = readShellText(text);
  if (!shell) return undefined;
  const call: ShellCall = { ...shell, facts, words: roleWords(shell, facts, home), cwd, looks };
  return makers.flatMap((make) => make(call)).filter((made) => made.text !== text || made.files !== undefined);
}

/** Maximum words of one text that are varied one by one, or moved as paths with the folder of the call. */
const mostWords = 8;

function edited({ text }: ShellText, edits: readonly Edit[]): string {
  return applyEdits(text, edits);
}

function at({ start, end }: Word, text: string): Edit {
  return { span: { start, end }, text };
}

function before({ start }: Word, text: string): Edit {
  return { span: { start, end: start }, text };
}

/** Makes one variation that changes every command it fits; none if it fits no command. */
function eachCommand(name: VariationName, edit: (command: Simple, call: ShellCall) => readonly Edit[]): Make {
  return (call) => {
    const edits = call.commands.flatMap((command) => edit(command, call));
    return edits.length === 0 ? [] : [{ name, text: edited(call, edits) }];
  };
}

const quotes = eachCommand("quotes", ({ words }) =>
  words.flatMap((word, i) => {
    const literal = word.kind === "word" ? literalOf(word) : undefined;
    if (word.kind !== "word" || literal === undefined) return [];
    // The program in two pieces, and every other word in the other kind of quotes.
    if (i === 0) return literal === "" ? [] : [at(word, inPieces(literal))];
    return [at(word, word.raw.startsWith("'") ? doubleQuoted(literal) : quoted(literal))];
  }),
);

function inPieces(program: string): string {
  return `${quoted(program.slice(0, 1))}${program.length > 1 ? asWord(program.slice(1)) : ""}`;
}

const programPath = eachCommand("program path", (command, call) => {
  const program = programOf(command);
  if (!program || program.name.includes("/") || !isExternal(command, call)) return [];
  return [at(program.word, `/usr/bin/${program.name}`)];
});

const envPrefix = eachCommand("env prefix", (command, call) => {
  const program = programOf(command);
  return program && isExternal(command, call) ? [before(program.word, "env LC_ALL=C ")] : [];
});

const bashText: Make = (call) =>
  readsParameters(call) ? [] : [{ name: "bash -c", text: `bash -c ${quoted(call.text)}` }];

/** Puts the text behind `sudo`, unless it names the home folder or the user, which would differ there. */
const sudoText: Make = (call) => {
  if (readsParameters(call) || /(?:^|[\s=:"'(])~|\$\{?(?:HOME|USER|LOGNAME|UID|EUID)\b|\bwhoami\b/.test(call.text))
    return [];
  return [{ name: "sudo sh -c", text: `sudo ${needsBash(call) ? "bash" : "sh"} -c ${quoted(call.text)}` }];
};

const subshell: Make = ({ text }) => [
  { name: "subshell", text: `(${text.startsWith("(") ? " " : ""}${closed(text)})` },
];

const list: Make = (call) => [{ name: "list", text: `true && ${grouped(call)}` }];

const cdSame: Make = (call) => {
  const name = posix.basename(call.cwd);
  return name === "" ? [] : [{ name: "cd same", text: `cd ../${asWord(name)} && ${grouped(call)}` }];
};

/**
 * Puts words of known value into variables: all of them at once, since each is the same call. A tilde expands in an
 * assignment as in the word.
 */
const knownWords: Make = (call) => {
  const taken = new Map<string, string>();
  const names = freeNames(call.text, "V");
  const edits = call.words.flatMap(({ word, literal }) => {
    const value = literal !== undefined ? asWord(literal) : isTilde(word) ? word.raw : undefined;
    if (value === undefined || literal === "") return [];
    const name = taken.get(value) ?? names(taken.size);
    taken.set(value, name);
    return [at(word, `"$${name}"`)];
  });
  if (edits.length === 0 || readsArguments(call)) return [];
  const set = [...taken].map(([value, name]) => `${name}=${value}; `).join("");
  return [{ name: "known words", text: set + edited(call, edits) }];
};

/** True if a command reads a word before it expands, so it cannot be a variable: `eval`, `let`, `alias`. */
function readsArguments({ commands }: ShellText): boolean {
  return commands.some((command) => ["alias", "let", "trap"].includes(programOf(command)?.name ?? ""));
}

const knownProgram: Make = (call) => {
  const programs = new Map<string, string>();
  const names = freeNames(call.text, "P");
  const edits = call.commands.flatMap((command) => {
    const program = programOf(command);
    if (!program || !isExternal(command, call)) return [];
    const name = programs.get(program.name) ?? names(programs.size);
    programs.set(program.name, name);
    return [at(program.word, `"$${name}"`)];
  });
  if (edits.length === 0) return [];
  const set = [...programs].map(([value, name]) => `${name}=${asWord(value)}; `).join("");
  return [{ name: "known program", text: set + edited(call, edits) }];
};

/** Replaces each relevant word, one at a time, by a variable that nobody set. */
const unknownWords: Make = (call) => {
  if (!call.looks.means) return [];
  const name = freeNames(call.text, "X")(0);
  return oneByOne(call, (one) => {
    const kind = openedAs(one, call.looks);
    // A glob is several words, and so may be the unknown value in its place.
    const open = one.uses.some(({ path }) => path.pattern) ? `$${name}` : `"$${name}"`;
    if (kind !== undefined) return { name: kind, by: open };
    const value = one.role === "option" ? /^(--[\w-]+=)./.exec(one.literal ?? "")?.[1] : undefined;
    return value === undefined ? undefined : { name: "unknown value", by: `${value}"$${name}"` };
  });
};

/** Returns a variation for each replaceable word, up to the limit. */
function oneByOne(
  call: ShellCall,
  replace: (word: RoleWord) => { readonly name: VariationName; readonly by: string } | undefined,
): readonly ShellVariation[] {
  const made: ShellVariation[] = [];
  for (const one of call.words) {
    const replaced = made.length < mostWords ? replace(one) : undefined;
    if (replaced) made.push({ name: replaced.name, text: edited(call, [at(one.word, replaced.by)]) });
  }
  return made;
}

/**
 * Returns the variation in which a word is unknown. Effects of an unknown program are not listed, so only rules on programs
 * and subcommands see it.
 */
function openedAs({ role, literal, word }: RoleWord, { fields }: Looks): VariationName | undefined {
  // The `]` of a test is no operand.
  if (literal === "]") return undefined;
  if (role === "path") return word.raw.startsWith("-") ? undefined : "unknown path";
  if (literal === undefined) return undefined;
  if (role === "operand") return "unknown operand";
  if (role === "value") return "unknown value";
  return role === "subcommand" && fields.has("subcommand") ? "unknown subcommand" : undefined;
}

const unknownProgram: Make = (call) => {
  if (!call.looks.fields.has("program")) return [];
  const command = onlyCommand(call);
  const program = command && programOf(command);
  if (!program || !isExternal(command, call)) return [];
  return [{ name: "unknown program", text: edited(call, [at(program.word, `"$${freeNames(call.text, "X")(0)}"`)]) }];
};

/** Applies a recursive command to the parent of its argument. A copy into another folder fills another place, so targets stay. */
const fromAbove: Make = (call) => {
  const copies = call.words.some(isSource);
  return oneByOne(call, ({ uses, literal, word }) => {
    const tree = uses.find(({ kind, recursive }) => recursive && call.looks.kinds.has(kind));
    if (!tree || (tree.kind === "writes" && copies)) return undefined;
    const above = folderAbove(literal ?? word.raw, tree.path.lexical);
    if (above === undefined) return undefined;
    return { name: "from above", by: isTilde(word) && above.startsWith("~") ? above : asWord(above) };
  });
};

function isSource({ uses }: RoleWord): boolean {
  return uses.some(({ kind }) => kind === "reads" || kind === "deletes");
}

/** Returns the paths of a call that acts only by its paths, so it is the same call elsewhere; undefined for any other. */
function onlyPaths(call: ShellCall): readonly RoleWord[] | undefined {
  const command = onlyCommand(call);
  if (!command || command.redirects.length > 0 || command.assignments.length > 0 || call.cwd === "") return undefined;
  const paths = call.words.filter(({ role }) => role === "path");
  // A symlink holds the text of its target, which is relative to the link.
  if (programOf(command)?.name === "ln") return undefined;
  if (
    paths.length === 0 ||
    paths.length > mostWords ||
    paths.some(({ literal, word }) => literal === undefined && !isTilde(word))
  )
    return undefined;
  const others = call.words.filter(({ role }) => role !== "path");
  if (others.some(({ role, word }) => role === "text" || word.raw.includes("/"))) return undefined;
  const texts = paths.flatMap(({ uses }) => uses.map(({ path }) => path.text));
  const effects = Object.values(call.facts.effects ?? {}).flat();
  const isTold = (effect: (typeof effects)[number]): boolean =>
    "path" in effect && texts.some((text) => effect.path.text === text || effect.path.text.startsWith(`${text}/`));
  return effects.every(isTold) && programOf(command)?.name.includes("/") === false ? paths : undefined;
}

const cdThere: Make = (call) => {
  const paths = onlyPaths(call);
  const lexical = paths?.[0]?.uses[0]?.path.lexical;
  if (!paths || lexical === undefined || lexical === "/") return [];
  const beside = posix.dirname(lexical);
  // If the call already runs there, the spelling would not change.
  const folder = beside === call.cwd ? posix.dirname(call.cwd) : beside;
  const edits = paths.flatMap((one) => {
    const place = one.uses[0]?.path.lexical;
    const relative = place === undefined ? "" : posix.relative(folder, place);
    // `.` and `..` are surely folders, which a name need not be: a copy into one is another call.
    if (relative === "" || relative.endsWith("..")) return [];
    // `a/` and `a/.` mean the content of a folder to programs that copy.
    const end = /\/\.?$/.exec(one.literal ?? one.word.raw)?.[0] ?? "";
    return [at(one.word, asWord(`${relative}${end}`))];
  });
  if (edits.length < paths.length) return [];
  return [{ name: "cd there", text: `cd ${asWord(folder)} && ${edited(call, edits)}` }];
};

const link: Make = (call) => {
  const path = onlyPaths(call)?.[0];
  const use = path?.uses[0];
  if (!path || !use || use.recursive || use.path.pattern) return [];
  const through = throughLink(use.path.lexical, call.cwd);
  if (!through) return [];
  return [{ name: "link", text: edited(call, [at(path.word, asWord(through.path))]), files: through.files }];
};

const makers: readonly Make[] = [
  quotes,
  programPath,
  envPrefix,
  bashText,
  sudoText,
  subshell,
  list,
  cdSame,
  cdThere,
  link,
  knownProgram,
  knownWords,
  unknownWords,
  unknownProgram,
  fromAbove,
];
