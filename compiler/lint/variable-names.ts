import { shown } from "../../diagnostics/suggest.ts";
import type { Ir } from "../../engine/plan.ts";
import { nodesIn } from "./label-uses.ts";
import type { Finding } from "./lint.ts";
import type { LintedRule } from "./policy.ts";
import { writtenPath } from "./typing.ts";

/** Why no variable has a name, and the name that is meant with its value, where the text has one. */
interface WrongName {
  readonly why: string;
  readonly name: string;
  readonly value?: string;
}

/** Returns the fault of a text as the name of a variable; undefined for a name that some variable may have. */
export function wrongVariable(text: string): WrongName | undefined {
  if (text.length > 4_096) return undefined;
  const told = /^(?:export|set|declare -x) ([A-Za-z_]\w*)(?:=.*)?$/s.exec(text)?.[1];
  if (told !== undefined) return { why: "the word of the shell is no part of the name", name: told };
  const [, assigned, value] = /^\$?\{?([A-Za-z_]\w*)\}?=(.*)$/s.exec(text) ?? [];
  if (assigned !== undefined) return { why: "its value is no part of the name", name: assigned, value: value ?? "" };
  const marked = /^\s*(?:\$\{?(?:env:)?([A-Za-z_]\w*)\}?|%([A-Za-z_]\w*)%|\$\(([A-Za-z_]\w*)\))\s*$/.exec(text);
  const name = marked?.[1] ?? marked?.[2] ?? marked?.[3];
  if (name !== undefined) return { why: "the signs round a variable are no part of its name", name };
  const bare = text.trim();
  return bare !== text && /^[A-Za-z_]\w*$/.test(bare)
    ? { why: "no name has a blank at its edge", name: bare }
    : undefined;
}

/** True for the map of variables of a command or of the environment. */
export function holdsVariables(map: string): boolean {
  return /^(?:environment\.variables|.+\.env)$/.test(map);
}

/** Findings about keys of variables in the conditions of a rule. */
export function wrongVariables(rule: LintedRule): readonly Finding[] {
  const { typed } = rule;
  if (!typed) return [];
  const conditions = [
    ...[typed.when, typed.unless],
    ...typed.exceptions.map(({ when }) => when),
    ...typed.actions.flatMap(({ conditions: own }) => Object.values(own ?? {})),
  ];
  return conditions.flatMap((ir) => (ir ? keysIn(ir).flatMap(findingOf) : []));
}

interface Key {
  readonly map: string;
  readonly text: string;
  readonly at: readonly [number, number] | undefined;
}

function findingOf({ map, text, at }: Key): Finding[] {
  const wrong = wrongVariable(text);
  if (!wrong || !at) return [];
  const { why, name, value } = wrong;
  const help =
    value === undefined
      ? `write \`"${name}" in ${map}\`, or \`${map}[?"${name}"].orValue("") == "…"\` for its value`
      : `write \`${map}[?"${name}"].orValue("") == "${shown(value)}"\``;
  const span = { start: at[0], end: at[1] };
  return [{ span, message: `no variable is called \`${shown(text)}\`: ${why}`, help }];
}

/** Lists the keys that a condition looks up in maps of variables. */
function keysIn(condition: Ir): readonly Key[] {
  return nodesIn(condition).flatMap((ir) => {
    if (ir.k === "index") return keyOf(ir.of, ir.index, ir.at);
    const [key, map] = ir.k === "call" && /\.?in$/.test(ir.fn) ? ir.args : [];
    return key && map ? keyOf(map, key, ir.at) : [];
  });
}

function keyOf(of: Ir, key: Ir, at: Ir["at"]): readonly Key[] {
  if (key.k !== "const" || typeof key.value !== "string") return [];
  const map = writtenPath(of);
  return holdsVariables(map) ? [{ map, text: key.value, at: key.at ?? at }] : [];
}
