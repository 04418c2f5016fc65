import type { Json } from "../../engine/plan.ts";
import { globPattern } from "../../rules/functions/pattern.ts";
import type { RegexEngine } from "../../schema/ports.ts";
import { globFault } from "../../schema/tool-matcher.ts";
import type { Claim } from "../lint/claims.ts";

/** A test of a text by its letters, and whether it stands under a negation. */
export interface TurnedClaim {
  readonly claim: Claim;
  readonly turned: boolean;
}

/** Returns whether a test of letters holds for a text; undefined for tests of another kind. */
export function holdsFor({ operator, values }: Claim, text: string, regex: RegexEngine): boolean | undefined {
  const texts = values?.filter((value): value is string & Json => typeof value === "string");
  if (!texts || texts.length === 0 || texts.length !== values?.length) return undefined;
  const found = (pattern: string, options?: { readonly dotAll: boolean }): boolean => {
    const made = regex.compile(pattern, options);
    return "kind" in made || made.test(text);
  };
  switch (operator) {
    case "equals":
    case "in":
      return texts.includes(text);
    case "starts_with":
      return texts.some((one) => text.startsWith(one));
    case "ends_with":
      return texts.some((one) => text.endsWith(one));
    case "contains":
    case "contains_any":
      return texts.some((one) => text.includes(one));
    case "contains_all":
      return texts.every((one) => text.includes(one));
    case "glob":
      return texts.some((one) => found(globPattern(one), { dotAll: true }));
    case "matches":
      return texts.some((one) => found(one));
    default:
      return undefined;
  }
}

/** How every text that a test leaves ends: one of these, or these very texts where `whole` is set. */
export interface Ending {
  readonly text: string;
  readonly whole: boolean;
}

/** Returns the endings that a test of letters leaves; undefined where it leaves any. */
export function endingsOf({ operator, values }: Claim): readonly Ending[] | undefined {
  if (!values || values.length === 0 || !values.every((value): value is string => typeof value === "string"))
    return undefined;
  if (operator === "equals" || operator === "in") return values.map((text) => ({ text, whole: true }));
  if (operator === "ends_with") return values.map((text) => ({ text, whole: false }));
  if (operator !== "glob") return undefined;
  const made = values.map(endingsOfGlob);
  return made.includes(undefined) ? undefined : made.flatMap((endings) => endings ?? []);
}

function endingsOfGlob(glob: string): readonly Ending[] | undefined {
  if (/[\\[\]]/.test(glob) || globFault(glob) !== undefined) return undefined;
  return alternatives(glob)?.map((one) => {
    const last = Math.max(one.lastIndexOf("*"), one.lastIndexOf("?"));
    // `**/` may stand for nothing, so that the slash behind it may be missing.
    const behind = one.slice(last + 1);
    return { text: one[last - 1] === "*" && behind.startsWith("/") ? behind.slice(1) : behind, whole: last < 0 };
  });
}

/** Returns a glob without its braces; undefined for nested ones and for very many alternatives. */
export function alternatives(glob: string): readonly string[] | undefined {
  const [braces, inner = ""] = /\{([^{}]*)\}/.exec(glob) ?? [];
  if (braces === undefined) return /[{}]/.test(glob) ? undefined : [glob];
  const made = inner.split(",").map((one) => alternatives(glob.replace(braces, () => one)));
  if (made.includes(undefined)) return undefined;
  const all = made.flatMap((list) => list ?? []);
  return all.length > 64 ? undefined : all;
}
