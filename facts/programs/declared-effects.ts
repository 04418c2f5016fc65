import type { Text } from "../../schema/approximation.ts";
import type { DeclaredEffect, DeclaredHole, DeclaredText, ProgramClaim } from "../../schema/declarations.ts";
import { limits } from "../../schema/limits.ts";
import { spend } from "../meter.ts";
import { type Field, textOfField } from "../shell/fields.ts";
import { joinFields, missingField } from "./declared-texts.ts";
import { branchOfRefspec } from "./git-push.ts";
import type { Call, Effects, Reporter } from "./program.ts";

/** Words that may fill a hole of a declared text in one call. Unless `sure`, each of them is only a possible one. */
interface Filling {
  readonly words: readonly Field[];
  readonly sure: boolean;
}

/** Returns the words that fill a hole. */
export type Fill = (hole: DeclaredHole) => Filling;

/** Reports the run of a program, and the read of its file if it is called by a path. */
export const runsItself: Effects = ({ draft, program, to }) => {
  to.run(program);
  if (draft.name.kind === "literal" && draft.name.text.includes("/")) to.read(draft.name);
};

/** The effects that a policy declares of a program. */
export function claimedEffects(claim: ProgramClaim): Effects {
  return (call) => {
    const fill = fillFrom(call, claim);
    for (const effect of claim.effects ?? []) reportClaim(effect, fill, call.to);
  };
}

/** Reports one declared effect, or several where several words fill a hole of its texts. */
export function reportClaim(effect: DeclaredEffect, fill: Fill, to: Reporter): void {
  const of = (text: DeclaredText): Texts => textsOf(text, fill);
  switch (effect.kind) {
    case "reads":
    case "writes":
    case "deletes": {
      const { fields, sure } = of(effect.path);
      for (const field of fields) reportPath(effect, field, sure, to);
      return;
    }
    case "network": {
      const { fields, sure } = of(effect.url);
      for (const field of fields) to.network(field, effect.direction, sure);
      return;
    }
    case "runs":
    case "config":
    case "kills": {
      const { fields, sure } = of(effect.target);
      const report = { runs: to.run, config: to.config, kills: to.kill }[effect.kind];
      for (const field of fields) report.call(to, textOfField(field), sure && field.kind === "literal");
      return;
    }
    case "installs": {
      const [manager, source, name] = [of(effect.manager), of(effect.source), of(effect.name)];
      const whole = [manager, source, name].every(({ fields, sure }) => sure && fields.every(isKnown));
      if (!whole) to.doubt("what is installed is not known");
      for (const field of name.fields) to.install(managerOf(manager), textOf(source), textOfField(field));
      return;
    }
    case "pushes":
      return reportPush(effect, of, to);
  }
}

function reportPath(
  effect: Extract<DeclaredEffect, { kind: "reads" | "writes" | "deletes" }>,
  field: Field,
  sure: boolean,
  to: Reporter,
): void {
  const recursive = effect.recursive === true;
  if (effect.kind === "reads") to.read(field, { recursive, metadata: effect.metadata_only === true, certain: sure });
  else if (effect.kind === "deletes") to.delete(field, recursive, sure);
  else {
    to.write(field, sure);
    if (recursive) to.tree(field, "replaced");
  }
}

function reportPush(
  { remote, branch, forced, mirror, delete: removes }: Extract<DeclaredEffect, { kind: "pushes" }>,
  of: (text: DeclaredText) => Texts,
  to: Reporter,
): void {
  const where = of(remote);
  const branches = branch && of(branch);
  for (const field of branches?.fields ?? [undefined])
    to.push({
      remote: textOf(where),
      branch: field && branchOfRefspec(field),
      forced: forced === true,
      mirror: mirror === true,
      delete: removes === true,
      certain: where.sure && where.fields.every(isKnown) && branches?.sure !== false,
    });
}

interface Texts {
  readonly fields: readonly Field[];
  readonly sure: boolean;
}

function isKnown({ kind }: Field): boolean {
  return kind === "literal";
}

function textOf({ fields: [first] }: Texts): Text {
  return first ? textOfField(first) : "";
}

function managerOf({ fields: [first] }: Texts): string {
  return first && isKnown(first) ? first.text : "";
}

/** Returns every text that a declared text expands to. Over a bound the words of a hole count as unknown. */
function textsOf(text: DeclaredText, fill: Fill): Texts {
  let made: (string | Field)[][] = [[]];
  let sure = true;
  for (const part of text) {
    if (typeof part === "string") {
      for (const one of made) one.push(part);
      continue;
    }
    const filling = fill(part);
    spend(1 + filling.words.length * made.length);
    sure = sure && filling.sure;
    // Each of many operands is an effect like any; each with each of others would be their square.
    const most = made.length === 1 ? limits.effects : limits.declaredTexts;
    const isMany = filling.words.length * made.length > most;
    const words = isMany ? [missingField(nameOf(part))] : filling.words;
    made = words.flatMap((word) => made.map((one) => [...one, word]));
  }
  return { fields: made.map(joinFields), sure };
}

/** A hole as its author writes it. */
export function nameOf(hole: DeclaredHole): string {
  if ("operand" in hole) return `operand(${hole.operand})`;
  if ("option" in hole) return `option('${hole.option}')`;
  return "args" in hole ? ["args", ...hole.args].join(".") : "operands";
}

/**
 * Returns the words that fill a declaration's holes in a command. An undeclared option may take the word behind it; then no
 * operand is sure.
 */
function fillFrom(call: Call, claim: ProgramClaim): Fill {
  const declared = new Set(claim.options.flatMap((line) => line.replace(/=$/, "").split(" ")));
  const strange = call.args.options.find(({ names }) => !names.some((name) => declared.has(name)));
  if (strange) call.to.doubt(`the option \`${(strange.names[0] ?? "").slice(0, 80)}\` is not declared`);
  const isLoose = call.words.some(({ open, kind }) => open || kind === "pattern");
  return (hole) => {
    const lost = missingField(nameOf(hole));
    if ("option" in hole) {
      const values = call.values(hole.option);
      const found = values.length > 0 ? values : [lost];
      return isLoose ? { words: [...found, lost], sure: false } : { words: found, sure: true };
    }
    if ("operands" in hole) return { words: call.operands, sure: !strange && !isLoose };
    if (!("operand" in hole)) return { words: [lost], sure: true };
    const word = call.operands[hole.operand];
    if (!strange && !isLoose) return { words: [word ?? lost], sure: true };
    return { words: isLoose || !word ? [...call.operands, lost] : call.operands, sure: false };
  };
}
