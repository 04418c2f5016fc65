/**
 * Verdict on a name of a program, subcommand or option. Tables of these can never be complete: a name that no table has may
 * be right, so that a lint only says which name it resembles, or how facts would spell it.
 */
export type Verdict =
  | { readonly kind: "known" }
  /** No fact ever has this text. */
  | { readonly kind: "dead"; readonly why: string; readonly help: string; readonly instead?: string }
  /** One slip away from a name that a table has; `why` and `help` where it is the very name of something beside what was meant. */
  | { readonly kind: "near"; readonly near: string; readonly why?: string; readonly help?: string }
  /** `why` and `help` where more is known than that no table has it. */
  | { readonly kind: "unlisted"; readonly why?: string; readonly help?: string };

/** Verdict on a name that a table has, or that no table is about. */
export const known: Verdict = { kind: "known" };

/** Verdict on a name that no table has. */
export const unlisted: Verdict = { kind: "unlisted" };
