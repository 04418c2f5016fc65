import { createRegexEngine, requiredLiterals } from "../../runtime.ts";
import type { Regex, RegexEngine } from "../../schema/ports.ts";
import type { RegexIdentity } from "../../store/pinned-plan.ts";

/** An engine for regular expressions that is loaded when a pattern is first looked for. */
export interface LateRegexEngine extends RegexEngine {
  /** From here on patterns are compiled at once: their text may come from events, and what is wrong with it is a value. */
  linked(): void;
}

/**
 * Loading the engine and compiling every pattern of a plan takes a hook longer than judging its one event, which asks for
 * few of them. So patterns that a plan is linked with, which its compiler has compiled before, are compiled when they are
 * first asked for; one that is refused then throws, which the runtime answers closed (HW506). A text that holds none of
 * the texts which every match of a pattern holds one of has no match, whatever the engine, and asks for none; nor does a text
 * in ASCII that is asked for more. `known` is the
 * engine that the session began with: an event that asks for no pattern has it on record, any other the one that it was judged by.
 */
export function lateRegexEngine(known: RegexIdentity, make: () => RegexEngine = createRegexEngine): LateRegexEngine {
  let made: RegexEngine | undefined;
  let late = true;
  const engine = (): RegexEngine => {
    made ??= make();
    return made;
  };
  return {
    get name() {
      return (made ?? known).name;
    },
    get version() {
      return (made ?? known).version;
    },
    compile: (pattern, flags) => {
      const plain = flags?.ignoreCase !== true;
      if (!late && !(plain && beyondAscii.has(pattern))) return engine().compile(pattern, flags);
      return lateRegex(pattern, plain, () => usable(engine().compile(pattern, flags)));
    },
    linked: () => {
      late = false;
    },
  };
}

function usable(compiled: ReturnType<RegexEngine["compile"]>): Regex {
  if ("kind" in compiled) throw new Error(`a pattern of the plan is refused: ${compiled.message}`);
  return compiled;
}

/** Patterns for a character beyond ASCII, as rules write them; every engine takes them. */
const beyondAscii: ReadonlySet<string> = new Set(["[^\u0000-\u007f]", "[^\\x00-\\x7f]", "[^\\x00-\\x7F]"]);

/** False of a text in which a pattern, read with regard to case, matches nothing. */
function looksFor(pattern: string): (text: string) => boolean {
  if (beyondAscii.has(pattern)) return (text) => Buffer.byteLength(text) !== text.length;
  const required = requiredLiterals(pattern);
  return required ? (text) => required.some((literal) => text.includes(literal)) : anything;
}

const anything = (): boolean => true;

function lateRegex(pattern: string, plain: boolean, compile: () => Regex): Regex {
  let made: Regex | undefined;
  let mayMatch: ((text: string) => boolean) | undefined;
  /** The pattern compiled; undefined for a text in which it matches nothing. */
  const regexFor = (text: string): Regex | undefined => {
    if (made) return made;
    mayMatch ??= plain ? looksFor(pattern) : anything;
    if (!mayMatch(text)) return undefined;
    made = compile();
    return made;
  };
  return {
    pattern,
    test: (text) => regexFor(text)?.test(text) ?? false,
    exec: (text, from) => regexFor(text)?.exec(text, from),
    matches: (text, onMatch) => regexFor(text)?.matches(text, onMatch) ?? [],
  };
}
