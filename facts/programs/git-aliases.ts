import { spend } from "../meter.ts";
import type { Draft } from "../shell/draft.ts";
import { type Atom, type Field, literalField, withText } from "../shell/fields.ts";
import { describe } from "./describe.ts";
import { git } from "./git.ts";
import { gitGlobals } from "./git-globals.ts";
import { givenSettings } from "./git-settings.ts";
import { readArguments } from "./grammar.ts";
import { splitQuoted } from "./split.ts";
import type { Inner, Unwrapped } from "./wrapper.ts";

/** Subcommands of git: no alias has the name of one. */
const known: ReadonlySet<string> = new Set(git.subcommands?.flatMap(({ names }) => names));
/** An alias may name another; git refuses circles. */
const mostAliases = 4;
/** Most settings of one name that are followed. */
const mostValues = 4;

/** A git command with what may set its aliases. */
interface Run {
  /** The program and its words. */
  readonly fields: readonly Field[];
  readonly env: ReadonlyMap<string, Atom>;
  readonly wrappers: readonly string[];
}

/**
 * Adds to what a git command runs the meaning of its alias, which `-c`, a variable, or an earlier command of the text
 * (`git config alias.x '…'`) sets. Source: git-config(1), "alias.*".
 */
export function withAlias(unwrapped: Unwrapped | undefined, run: Run, before: readonly Draft[]): Unwrapped | undefined {
  const [program, ...args] = run.fields;
  const [verb, ...rest] = readArguments(gitGlobals, args).operands;
  if (!program || verb?.kind !== "literal" || known.has(verb.text)) return unwrapped;
  if (run.wrappers.filter((name) => name === "git").length >= mostAliases) return unwrapped;
  const name = verb.text.toLowerCase();
  const given = givenAliases(args, run.env, program).filter(([key]) => key === name);
  const set = given.length > 0 ? given : earlierAliases(before).filter(([key]) => key === name);
  // An alias that names itself is refused by git.
  const isItself = (value: Field): boolean => /^\S*/.exec(value.text)?.[0].toLowerCase() === name;
  const values = set.slice(-mostValues).flatMap(([, value]) => (isItself(value) ? [] : [value]));
  const globals = args.slice(0, args.indexOf(verb));
  const inner = values.map((value, i): Inner => {
    const certain = i === values.length - 1 && value.kind === "literal";
    if (value.text.startsWith("!")) return { kind: "text", text: called(value), positional: rest, certain };
    const words = value.kind === "literal" ? splitQuoted(value.text, "env") : [];
    const meant = value.kind === "literal" ? words.map((text) => literalField(text, value.place)) : [value];
    return { kind: "words", fields: [program, ...globals, ...meant, ...rest], certain, external: true };
  });
  if (inner.length === 0) return unwrapped;
  return { ...unwrapped, self: true, inner: [...(unwrapped?.inner ?? []), ...inner] };
}

/** The shell text behind `!`; git adds the words behind the alias. */
function called(value: Field): Field {
  const text = value.text.slice(1);
  return value.kind === "literal" ? { ...withText(value, `${text} "$@"`), verbatim: -1 } : withText(value, text);
}

/** Aliases that `-c` and variables set for this one run. */
function givenAliases(
  args: readonly Field[],
  env: ReadonlyMap<string, Atom>,
  { place }: Field,
): readonly (readonly [string, Field])[] {
  const settings: Field[] = [];
  for (const { names, value } of readArguments(gitGlobals, args).options)
    if (names.includes("-c") && value) settings.push(value);
  if (env.size > 0) settings.push(...givenSettings(args, env, place));
  return settings.flatMap((setting) => {
    const found = /^alias\.([^=]+)=/i.exec(setting.text);
    return found ? [[(found[1] as string).toLowerCase(), withText(setting, setting.text.slice(found[0].length))]] : [];
  });
}

/** Aliases that earlier commands of the text set by `git config`, in their order. */
function earlierAliases(before: readonly Draft[]): readonly (readonly [string, Field])[] {
  spend(before.length);
  return before.flatMap((draft) => {
    if (draft.program !== "git") return [];
    const { subcommand, args } = describe("git", draft.args);
    const [first, ...more] = args.operands;
    if (subcommand !== "config" || !first) return [];
    const [key, value] = first.text === "set" ? more : [first, ...more];
    const name = /^alias\.(.+)$/i.exec(key?.text ?? "")?.[1];
    return name !== undefined && value ? [[name.toLowerCase(), value] as const] : [];
  });
}
