import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import type { Dialect, Payload, Variables } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { goose } from "./goose.ts";
import { opta } from "./opta.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";

/**
 * All hosts whose hooks are processes, by their names for `hookwarden hook`. A hook uses only its own host, so the dialects
 * are getters, looked up on use.
 */
export const dialects: Readonly<Record<string, Dialect>> = {
  get "claude-code"() {
    return claudeCode;
  },
  get codex() {
    return codex;
  },
  get gemini() {
    return gemini;
  },
  get copilot() {
    return copilot;
  },
  get vscode() {
    return vscode;
  },
  get cursor() {
    return cursor;
  },
  get windsurf() {
    return windsurf;
  },
  get cline() {
    return cline;
  },
  get goose() {
    return goose;
  },
  get opta() {
    return opta;
  },
};

/** Names for `hookwarden hook`, in the order of the table. */
export const hookHosts: readonly string[] = Object.keys(dialects);

/** Returns the dialect with a name; undefined if there is none. */
export function dialectOf(name: string): Dialect | undefined {
  return Object.hasOwn(dialects, name) ? dialects[name] : undefined;
}

/** Returns the name of a dialect for `hookwarden hook`. */
export function nameOf({ host }: Dialect): string {
  return Object.hasOwn(dialects, host) ? host : (hookHosts.find((name) => dialects[name]?.host === host) ?? host);
}

/**
 * Returns the dialect of the host that really called: the named one, unless the payload can only come from another host,
 * which then reads the named host's files. If several hosts claim the payload, the named one stays. A host whose refusals
 * mean nothing to other hosts (`alone`) is chosen only if it is named.
 */
export function callerOf(named: Dialect, payload: Payload, variables: Variables): Dialect {
  if (named.claims(payload, variables)) return named;
  const claiming = Object.values(dialects).filter((dialect) => !dialect.alone && dialect.claims(payload, variables));
  return claiming.length === 1 ? (claiming[0] as Dialect) : named;
}
