import { createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import type { Pseudonym } from "../schema/ports.ts";
import { boundaryDigits, sealId } from "../schema/pseudonym.ts";

/**
 * Names for values that hold for one session: HMAC-SHA-256 under HKDF-SHA-256(install key, salt: session id). The key is derived
 * at first use. Without an install key there are no names, because anybody could compute them. Source: semantics section 5,
 * "Redaction token".
 */
export function pseudonymOf(installKey: string, session: string): Pseudonym {
  if (installKey === "") return () => undefined;
  let known: SessionKey | undefined;
  return (value) => {
    known ??= sessionKeys.get(installKey, session);
    // Only names of the engine's own values are kept: it asks for them at every event. Values of events have a kind and NUL in them.
    const kept = !value.includes("\0");
    const found = kept ? known.names.get(value) : undefined;
    if (found !== undefined) return found;
    const made = createHmac("sha256", known.key).update(value).digest("hex");
    if (kept && known.names.size < rememberedNames) known.names.set(value, made);
    return made;
  };
}

interface SessionKey {
  /** A key object, since some versions of Node check raw bytes at length at each use. */
  readonly key: KeyObject;
  /** Names under the key, by the value that they name. */
  readonly names: Map<string, string>;
}

const rememberedNames = 16;

/** Keys of sessions, which speak many times. */
class SessionKeys {
  readonly #keys = new Map<string, SessionKey>();

  get(installKey: string, session: string): SessionKey {
    const name = `${installKey}\0${session}`;
    const known = this.#keys.get(name);
    if (known) return known;
    const key = derived(installKey, session, "hookwarden redaction");
    const made: SessionKey = { key, names: new Map() };
    if (this.#keys.size >= rememberedKeys) this.#keys.clear();
    this.#keys.set(name, made);
    return made;
  }
}

const rememberedKeys = 16;
const sessionKeys = new SessionKeys();

/**
 * Names values for one installation, the same in all sessions: HMAC-SHA-256 under a separate key. Equal values have equal names,
 * so that an auditor can follow one through the trail. Guesses cannot be tried without the install key, and without one there are
 * no names. Source: threats section 3.2, item 10.
 */
export function valueDigestOf(installKey: string): Pseudonym {
  if (installKey === "") return () => undefined;
  return (value) => {
    if (valueKey?.of !== installKey)
      valueKey = { of: installKey, key: derived(installKey, "", "hookwarden audit values") };
    return createHmac("sha256", valueKey.key).update(value).digest("hex");
  };
}

/** The last derived key of values; each installation has one. */
let valueKey: { readonly of: string; readonly key: KeyObject } | undefined;

function derived(installKey: string, salt: string, use: string): KeyObject {
  return createSecretKey(new Uint8Array(hkdfSync("sha256", installKey, salt, use, 32)));
}

/**
 * Returns the boundary of texts injected on one event, 16 hex digits. With an install key it carries a proof, so that a later
 * event can tell a genuine note from one that content made up. Source: semantics section 5 (observations).
 */
export function boundaryOf(event: string, pseudonym: Pseudonym): string {
  const { all, proof } = boundaryDigits;
  const id = pseudonym(`event\0${event}`)?.slice(0, all - proof);
  const sealed = id === undefined ? undefined : sealId("boundary", id, proof, pseudonym);
  return sealed ?? createHmac("sha256", "").update(event).digest("hex").slice(0, all);
}
