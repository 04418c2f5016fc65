import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { installKey } from "./install-key.ts";
import { readSealed, writeSealed } from "./sealed-file.ts";

/** Commands that change the guard, so that a human is asked. */
export const guardVerbs = [
  "install",
  "uninstall",
  "trust",
  "reload",
  "approve",
  "forget",
  "audit-init",
  "audit-prune",
] as const;

/** One of them. */
export type GuardVerb = (typeof guardVerbs)[number];

/** True for one of these verbs. */
export function isGuardVerb(name: string): name is GuardVerb {
  return (guardVerbs as readonly string[]).includes(name);
}

/** Permissions that a human gives to the holder of a token. */
export interface TokenGrant {
  readonly verbs: readonly GuardVerb[];
  /** Time of expiry, in milliseconds since the epoch. */
  readonly until: number;
  /** True if it is also valid inside an agent. */
  readonly anywhere: boolean;
}

/** How often and how long a token may be used, at most. */
export const tokenBounds = { uses: 16, minutes: 1_440 } as const;

/** A grant as it is kept: by the digest of the secret, which is kept nowhere. */
interface KeptGrant extends TokenGrant {
  readonly digest: string;
}

const kind = "token";
const form = /^hookwarden-token-([A-Za-z0-9_-]{43})\s*$/;

/** Makes a token for so many uses and gives its text. Throws when it cannot be written. */
export function makeToken(state: string, grant: TokenGrant, uses: number): string {
  if (uses < 1 || uses > tokenBounds.uses) throw new Error(`a token has 1 to ${tokenBounds.uses} uses`);
  const secret = randomBytes(32).toString("base64url");
  const digest = digestOf(secret);
  // One file for each use, so that processes that ask at once each take their own.
  for (let use = 1; use <= uses; use++)
    writeSealed(
      fileOf(state, `${digest}.${use}`),
      kind,
      { ...grant, verbs: [...grant.verbs], digest },
      installKey(state),
    );
  return `hookwarden-token-${secret}\n`;
}

/** Result of presenting a token: taken, with the number of uses left; or why it is worthless. */
export type TakenToken = { readonly anywhere: boolean; readonly left: number } | { readonly why: string };

/** Returns the permissions of a token without spending a use of it, or why it is worthless. */
export function grantOf(
  state: string,
  text: string,
  verb: GuardVerb,
  now: number,
): TokenGrant | { readonly why: string } {
  const secret = form.exec(text)?.[1];
  if (secret === undefined) return { why: "it is no token" };
  const digest = digestOf(secret);
  const [name] = usesOf(state, digest);
  if (name === undefined) return { why: "it was not made here, or is used up" };
  const grant = grantIn(state, fileOf(state, name), digest);
  if (!grant) return { why: "what was kept of it was altered" };
  if (now >= grant.until) return { why: "its time is over" };
  if (!grant.verbs.includes(verb)) return { why: `it is for ${grant.verbs.join(", ")}, not for ${verb}` };
  return grant;
}

/** Takes one use of a token. Never throws. */
export function takeToken(state: string, text: string, verb: GuardVerb, now: number): TakenToken {
  const granted = grantOf(state, text, verb, now);
  if ("why" in granted) return granted;
  const digest = digestOf(form.exec(text)?.[1] ?? "");
  for (const name of usesOf(state, digest)) {
    const taken = `${fileOf(state, name)}.${randomBytes(6).toString("hex")}.used`;
    try {
      renameSync(fileOf(state, name), taken);
    } catch {
      continue;
    }
    const grant = grantIn(state, taken, digest);
    rmSync(taken, { force: true });
    if (grant?.verbs.includes(verb) && now < grant.until)
      return { anywhere: grant.anywhere, left: usesOf(state, digest).length };
  }
  return { why: "it is used up" };
}

/** Takes away what is kept of every token, or of those whose time is over. Gives how many uses that were. */
export function dropTokens(state: string, over?: number): number {
  const names = usesOf(state, "").filter((name) => {
    const digest = name.slice(0, name.indexOf("."));
    return over === undefined || (grantIn(state, fileOf(state, name), digest)?.until ?? 0) <= over;
  });
  for (const name of names) rmSync(fileOf(state, name), { force: true });
  return names.length;
}

/** Returns the text of a token's file, which must belong to this user alone. Throws with the reason if it does not. */
export function readTokenFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error("it is no regular file");
    if (process.platform !== "win32") {
      if (stat.uid !== process.getuid?.()) throw new Error(`it belongs to user ${stat.uid}`);
      if ((stat.mode & 0o077) !== 0)
        throw new Error(`its mode ${(stat.mode & 0o777).toString(8)} lets others read it; set it to 600`);
    }
    const bytes = Buffer.alloc(256);
    return bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

function digestOf(secret: string): string {
  return createHash("sha256").update("hookwarden token\n").update(secret).digest("hex");
}

function fileOf(state: string, name: string): string {
  return join(state, "tokens", `${name}.json`);
}

/** Uses that are left, by the names of their files. */
function usesOf(state: string, digest: string): readonly string[] {
  try {
    return readdirSync(join(state, "tokens"))
      .filter((name) => name.startsWith(digest) && /^[0-9a-f]{64}\.\d+\.json$/.test(name))
      .map((name) => name.slice(0, -".json".length));
  } catch {
    return [];
  }
}

function grantIn(state: string, path: string, digest: string): KeptGrant | undefined {
  try {
    // Only writers make a key, never readers.
    if (!existsSync(path)) return undefined;
    const found = readSealed(path, kind, installKey(state));
    const grant = "value" in found ? (found.value as KeptGrant) : undefined;
    return grant?.digest === digest && Array.isArray(grant.verbs) && typeof grant.until === "number"
      ? grant
      : undefined;
  } catch {
    return undefined;
  }
}
