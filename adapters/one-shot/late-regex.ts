import { createRegexEngine } from "../../runtime.ts";
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
 * first asked for; one that is refused then throws, which the runtime answers closed (HW506). `known` is the engine that
 * the session began with: an event that asks for no pattern has it on record, any other the one that it was judged by.
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
    compile: (pattern, flags) =>
      late ? lateRegex(pattern, () => usable(engine().compile(pattern, flags))) : engine().compile(pattern, flags),
    linked: () => {
      late = false;
    },
  };
}

function usable(compiled: ReturnType<RegexEngine["compile"]>): Regex {
  if ("kind" in compiled) throw new Error(`a pattern of the plan is refused: ${compiled.message}`);
  return compiled;
}

function lateRegex(pattern: string, compile: () => Regex): Regex {
  let made: Regex | undefined;
  const regex = (): Regex => {
    made ??= compile();
    return made;
  };
  return {
    pattern,
    test: (text) => regex().test(text),
    exec: (text, from) => regex().exec(text, from),
    matches: (text) => regex().matches(text),
  };
}
