import { spend } from "../meter.ts";
import type { Draft } from "../shell/draft.ts";
import { type Atom, type Field, literalField, rewritten, withText } from "../shell/fields.ts";
import { beginsOpen, mayNameHost } from "./addresses.ts";
import { hostRow, isManager, isProxy, isRegistry, variablesOf } from "./host-variables.ts";
import type { Reporter } from "./program.ts";

/** Values that name no host: sockets of this machine, and words for a way of connecting. */
const noHost = /^(?:$|\/|~|\.{0,2}\/|unix:|npipe:|ssh-agent|direct$|off$)/i;

/** Reports hosts that options and variables name, in addition to those of the program's row. */
export function reportNamedHosts(draft: Draft, connects: boolean, to: Reporter): void {
  const row = hostRow(draft.program);
  if (row) {
    spend(1 + draft.args.length * row.options.length);
    for (const value of optionValues(draft.args, row.options)) told(value, to);
  }
  if (draft.env.size === 0 && draft.moved.length === 0) return;
  spend(1 + draft.env.size + draft.moved.length);
  const takes = isManager(draft.program);
  const set: ReadonlyMap<string, Atom> = new Map([...draft.moved, ...draft.env]);
  for (const [name, atom] of set) {
    const value: Field = { ...literalField(atom.text, draft.place), ...atom };
    if (row && variablesOf(row, name)) told(value, to);
    else if (takes && isRegistry(name)) for (const one of listed(value)) toldAddress(one, to);
    else if (connects && isProxy(name)) told(value, to);
  }
}

/** True where a command names the host itself, so that it does not speak to the usual one. */
export function namesHost(draft: Draft): boolean {
  const row = hostRow(draft.program);
  if (!row) return false;
  return (
    optionValues(draft.args, row.options).length > 0 || [...draft.env.keys()].some((name) => variablesOf(row, name))
  );
}

function told(value: Field, to: Reporter): void {
  for (const one of listed(value)) if (one.kind === "unknown" || !noHost.test(one.text)) to.network(one, "both");
}

function toldAddress(value: Field, to: Reporter): void {
  if (mayNameHost(value)) to.network(value, "download");
}

/** Splits a list at commas; a partly known value stays whole. */
function listed(value: Field): readonly Field[] {
  if (value.kind === "unknown" || !value.text.includes(",")) return [value];
  return value.text.split(/[,|]/).map((part) => ({ ...value, text: part.trim(), verbatim: -1 }));
}

/** Values of options in any of their forms, `--name value` and `--name=value`, before a `--`. */
function optionValues(args: readonly Field[], options: readonly string[]): readonly Field[] {
  if (options.length === 0) return [];
  const values: Field[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as Field;
    if (word.text === "--" && word.kind === "literal") break;
    const next = args[i + 1];
    if (word.kind === "literal" && options.includes(word.text)) {
      if (next) values.push(next);
      i += 1;
      continue;
    }
    const name = options.find((option) => word.text.startsWith(`${option}=`));
    if (name !== undefined) values.push(withText(word, word.text.slice(name.length + 1)));
  }
  return values;
}

/** Returns the actual host of `curl --connect-to from:port:host:port` or `--resolve from:port:address`. */
export function redirected(value: Field, option: "--connect-to" | "--resolve"): Field | undefined {
  if (beginsOpen(value)) return value;
  const part = (text: string): string => {
    const found = /^[^:[]*(?:\[[^\]]*\])?:[^:]*:(.*)$/s.exec(text)?.[1] ?? "";
    if (option === "--resolve") return found.replace(/^\+?([^,]*).*$/s, "$1");
    return found.replace(/:[^:\]]*$/, "");
  };
  if (value.kind === "literal" && part(value.text) === "") return undefined;
  return rewritten(value, part);
}

/** Address that a setting of `name=value` form names: a proxy of wget, a jump host of ssh. */
export function settingHost(setting: Field, names: RegExp): Field | undefined {
  const found = names.exec(setting.text);
  if (!found) return undefined;
  const value = withText(setting, setting.text.slice(found[0].length));
  return value.kind !== "unknown" && (noHost.test(value.text) || value.text.toLowerCase() === "none")
    ? undefined
    : value;
}
