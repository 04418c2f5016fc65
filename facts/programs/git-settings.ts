import { spend } from "../meter.ts";
import { type Atom, type Field, literalField, mayHoldMore, rewritten, together, withText } from "../shell/fields.ts";
import type { Place } from "../shell/syntax.ts";

/** Settings whose value is a shell text that git runs. A hooks folder is not one. */
const running =
  /^(?:core\.(?:fsmonitor|pager|editor|sshcommand|askpass|gitproxy|alternaterefscommand)|pager\.\w+|sequence\.editor|diff\.external|diff\.[^=]*\.(?:command|textconv)|difftool\.[^=]*\.cmd|mergetool\.[^=]*\.cmd|merge\.[^=]*\.driver|filter\.[^=]*\.(?:clean|smudge|process)|gpg\.(?:[^=]*\.)?program|interactive\.difffilter|trailer\.[^=]*\.(?:cmd|command)|sendemail\.(?:sendmailcmd|tocmd|cccmd|headercmd)|browser\.[^=]*\.cmd|credential\.(?:[^=]*\.)?helper|uploadpack\.packobjectshook|remote\.[^=]*\.(?:uploadpack|receivepack))=(.*)$/is;
/** Values of such settings that run nothing of note. */
const usual = /^(?:|true|false|cat|less)$/;
const longest = 64;

/**
 * Returns settings, as `key=value`, that variables and `--config-env` give to one run of git. An unknown value counts, and so
 * does an unknown key. Source: git-config(1).
 */
export function givenSettings(args: readonly Field[], env: ReadonlyMap<string, Atom>, place: Place): readonly Field[] {
  const found: Field[] = [];
  for (const [name, atom] of env) {
    spend(1);
    if (!name.startsWith("GIT_CONFIG_")) continue;
    const value = valueField(atom, place);
    if (name === "GIT_CONFIG_PARAMETERS") found.push(...parameters(value));
    const number = /^GIT_CONFIG_KEY_(\d+)$/.exec(name)?.[1];
    if (number !== undefined) found.push(setting(value, env.get(`GIT_CONFIG_VALUE_${number}`), place));
  }
  for (let i = 0; i < args.length && found.length < longest; i++) {
    const word = args[i] as Field;
    if (!/^-/.test(word.text)) break;
    if (word.text === "-c" || word.text === "-C") i += 1;
    const given = word.text === "--config-env" ? args[++i] : /^--config-env=/.test(word.text) ? behind(word, 13) : word;
    if (!given || given === word) continue;
    const equals = given.text.lastIndexOf("=");
    const name = given.kind === "literal" ? given.text.slice(equals + 1) : "";
    found.push(setting(equals < 0 ? given : withText(given, given.text.slice(0, equals)), env.get(name), place));
  }
  return found.slice(0, longest);
}

function behind(word: Field, cut: number): Field {
  return withText(word, word.text.slice(cut));
}

function valueField(atom: Atom, place: Place): Field {
  return { ...literalField(atom.text, place), ...atom };
}

function setting(key: Field, value: Atom | undefined, place: Place): Field {
  const unknown: Field = {
    ...literalField("", place),
    kind: "unknown",
    known: { pieces: [{ hole: "tail", of: "…" }], text: "" },
  };
  return together(
    rewritten(key, (text) => `${text}=`),
    value ? valueField(value, place) : unknown,
  );
}

/** The settings of `GIT_CONFIG_PARAMETERS`: `'key=value' 'key'='value'`. */
function parameters(value: Field): readonly Field[] {
  if (value.kind === "unknown") return [rewritten(value, (text) => text.replace(/^'([^'=]*)'?=?'?|'\s*$/g, "$1"))];
  return [...value.text.matchAll(/'((?:[^']|'\\'')*)'(?:='((?:[^']|'\\'')*)')?/g)].map(([, first = "", second]) => ({
    ...value,
    text: [first, second].flatMap((part) => (part === undefined ? [] : [part.replaceAll("'\\''", "'")])).join("="),
    verbatim: -1,
  }));
}

/** Returns the shell text that git runs for a setting `key=value`; a credential helper or an alias is one only after `!`. */
export function settingText(given: Field): Field | undefined {
  const raw = running.exec(given.text)?.[1];
  const alias = /^alias\.[^=]*=!(.*)$/s.exec(given.text)?.[1];
  if (alias !== undefined) return withText(given, alias);
  if (raw === undefined) return undefined;
  if (given.kind !== "unknown" && usual.test(raw)) return undefined;
  if (/^credential\./i.test(given.text) && !raw.startsWith("!")) return undefined;
  return withText(given, raw.replace(/^!/, ""));
}

/** Returns the text of a setting with an unknown key: git may run it. */
export function perhapsRun(given: Field): Field | undefined {
  const known = settingText(given);
  if (known || given.kind !== "unknown" || /^[\w.-]+=/.test(given.text)) return known;
  const value = given.text.slice(given.text.indexOf("=") + 1);
  return value === ""
    ? mayHoldMore(given)
      ? given
      : undefined
    : usual.test(value)
      ? undefined
      : withText(given, value);
}

/** Returns the address in a setting that makes git connect to a host other than the one in its words. */
export function settingAddress(given: Field): Field | undefined {
  const value = /^(?:https?\.(?:[^=]*\.)?proxy|remote\.[^=]*\.(?:url|pushurl|proxy))=/i.exec(given.text);
  if (value) return behind(given, value[0].length);
  const base = /^url\.(.+)\.(?:pushinsteadof|insteadof)=/is.exec(given.text)?.[1];
  return base === undefined ? undefined : { ...given, text: base, verbatim: -1 };
}
