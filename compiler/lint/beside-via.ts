import type { Ir } from "../../engine/plan.ts";
import { managersOf, targetLike } from "./causes.ts";
import { type Claim, textValues } from "./claims.ts";
import { irKey } from "./guards.ts";
import type { Finding } from "./lint.ts";

/**
 * Finds tests of one effect that exclude each other because of the program that `via` names: a manager that the program never
 * installs with, or a target as the program's own words have it, in place of the name that facts give it.
 */
export function besideVia(terms: readonly Ir[], claimOf: (ir: Ir) => Claim | undefined): Finding | undefined {
  const claims = terms.flatMap((term) => claimOf(term) ?? []).filter(isWhole);
  for (const via of claims) {
    if (!via.field?.endsWith(".via") || via.subject.k !== "field") continue;
    const programs = textValues(via).map(({ text }) => text);
    const effect = irKey(via.subject.of);
    for (const other of claims) {
      if (other.subject.k !== "field" || irKey(other.subject.of) !== effect) continue;
      const found = clashOf(programs, other);
      if (found) return { span: other.span, ...found };
    }
  }
  return undefined;
}

const isWhole = ({ operator, values }: Claim): boolean =>
  (operator === "equals" || operator === "in") && values !== undefined && values.length > 0;

function clashOf(programs: readonly string[], claim: Claim): Pick<Finding, "message" | "help"> | undefined {
  const texts = textValues(claim).map(({ text }) => text);
  if (claim.field === "install.manager") {
    const managers = programs.map(managersOf);
    const all = [...new Set(managers.flatMap((some) => some ?? []))];
    if (managers.includes(undefined) || texts.some((text) => all.includes(text))) return undefined;
    return {
      message: `\`${claim.path}\` cannot be this together with \`via\`: facts have other managers for ${quoted(programs)}`,
      help: `write ${quoted(all)}, or name another program in \`via\``,
    };
  }
  const list = claim.field === "kill.target" ? "kills" : claim.field === "config_change.target" ? "config" : undefined;
  if (!list || programs.length > 8 || texts.length > 8) return undefined;
  const like = texts.map((text) => programs.map((program) => targetLike(text, program, list)));
  if (like.some((ways) => ways.includes(undefined))) return undefined;
  const [first = ""] = like.flat() as string[];
  return {
    message: `\`${claim.path}\` is never \`${texts[0]}\` where ${quoted(programs)} causes it: facts have \`${first}\``,
    help: `write \`${first}\``,
  };
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
