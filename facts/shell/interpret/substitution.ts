import { withoutEnd } from "../../text/ends.ts";
import { type Atom, isChoice, unknownAtom } from "../fields.ts";
import type { Sequence } from "../syntax.ts";
import type { Machine, Substituted } from "./machine.ts";
import type { Store } from "./store.ts";

/** Runs a substitution, and keeps its status for the current command. */
export function substituted(machine: Machine, script: Sequence, store: Store): Substituted {
  const result = machine.substitute(script, store);
  machine.around.substituted = result.status;
  return result;
}

/** Returns the texts that a substitution may give, without trailing line ends unless it is read as a file. */
export function textsOf({ tape }: Substituted, isFile = false): readonly Atom[] {
  const found: Atom[] = [];
  const atoms = tape.flatMap((one): readonly Atom[] => {
    const atom = one?.atom ?? unknownAtom;
    return isChoice(atom) ? atom.choices : [atom];
  });
  for (const each of atoms) {
    const atom = each === unknownAtom || isFile ? each : trimmed(each);
    if (
      !found.some((other) => other.kind === atom.kind && other.text === atom.text && other.template === atom.template)
    )
      found.push(atom);
  }
  return found;
}

function trimmed(atom: Atom): Atom {
  const text = withoutEnd(atom.text, "\n");
  return atom.template === undefined ? { ...atom, text } : { ...atom, text, template: withoutEnd(atom.template, "\n") };
}
