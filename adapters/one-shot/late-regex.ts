import { createRegexEngine, requiredLiterals } from "../../runtime.ts";
import type { Regex, RegexEngine } from "../../schema/ports.ts";
import type { RegexIdentity } from "../../store/pinned-plan.ts";

/** A regular-expression engine that is loaded when a pattern is first used. */
export interface LateRegexEngine extends RegexEngine {
  /** Call after linking: from then on patterns are compiled at once, since they may come from events, and errors are returned. */
  linked(): void;
}

/**
 * Makes an engine that compiles patterns late. Loading the engine and compiling all patterns of a plan takes longer than
 * judging one event, which uses few of them. The policy compiler has compiled the patterns of a linked plan before, so each
 * is compiled on first use. If the engine refuses one then, it throws, and the runtime answers closed (HW506). A text
 * without any of a pattern's required literals cannot match and loads no engine. Nor does an ASCII text for a pattern that
 * matches only characters beyond ASCII. `known` is the engine that the session began with. An event that uses no pattern
 * records it, any other records the engine that judged it.
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

/** Patterns that rules use for a character beyond ASCII; every engine accepts them. */
const beyondAscii: ReadonlySet<string> = new Set(["[^\u0000-\u007f]", "[^\\x00-\\x7f]", "[^\\x00-\\x7F]"]);

/** Makes a check that is false for texts in which a case-sensitive pattern cannot match. */
function looksFor(pattern: string): (text: string) => boolean {
  if (beyondAscii.has(pattern)) return (text) => Buffer.byteLength(text) !== text.length;
  const required = requiredLiterals(pattern);
  return required ? (text) => required.some((literal) => text.includes(literal)) : anything;
}

const anything = (): boolean => true;

function lateRegex(pattern: string, plain: boolean, compile: () => Regex): Regex {
  let made: Regex | undefined;
  let mayMatch: ((text: string) => boolean) | undefined;
  /** Returns the compiled pattern; undefined for a text in which it cannot match. */
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
