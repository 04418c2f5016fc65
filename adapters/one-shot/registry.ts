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
 * Every host whose hooks are processes, by the name that `hookwarden hook` takes. A hook looks at the one that it is of, so
 * that the others are only looked up when they are asked for.
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

/** The dialect of a name. */
export function dialectOf(name: string): Dialect | undefined {
  return Object.hasOwn(dialects, name) ? dialects[name] : undefined;
}

/** The name of a dialect for `hookwarden hook`. */
export function nameOf({ host }: Dialect): string {
  return Object.hasOwn(dialects, host) ? host : (hookHosts.find((name) => dialects[name]?.host === host) ?? host);
}

/**
 * The dialect of the host that really called: the named one, unless the payload can only be another's, which reads the
 * named one's files. Two that claim one payload prove nothing, and the named one stands; nor is it ever a host whose refusals
 * say nothing to others.
 */
export function callerOf(named: Dialect, payload: Payload, variables: Variables): Dialect {
  if (named.claims(payload, variables)) return named;
  const claiming = Object.values(dialects).filter((dialect) => !dialect.alone && dialect.claims(payload, variables));
  return claiming.length === 1 ? (claiming[0] as Dialect) : named;
}
