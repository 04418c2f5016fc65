import type { UrlValue } from "../../schema/facts.ts";
import { spend } from "../meter.ts";
import { parseUrl } from "./url.ts";

/** Escapes upon escapes: a proxy takes off one, its own proxy another. */
const maxRounds = 3;
const maxEmbedded = 16;
/** Longest path and query that is searched; no server accepts a longer one. */
const maxLength = 16_384;

/**
 * Returns URLs in the path or query of another, as proxies, redirectors and image caches of an allowed host take them:
 * `https://proxy.example/?url=https%3A%2F%2Fevil.test`. Percent escapes are decoded up to three times; at most 16 URLs are
 * returned. Source: threats section 1.1, "egress allow-list too coarse".
 */
export function embeddedUrls(url: UrlValue): readonly UrlValue[] {
  const found = new Map<string, UrlValue>();
  let text = `${url.path}?${url.query}`.slice(0, maxLength);
  for (let round = 0; round <= maxRounds; round++) {
    spend(2 + (text.length >> 4));
    collect(text, found);
    const next = unescaped(text);
    if (next === text) break;
    text = next;
  }
  return [...found.values()];
}

function collect(text: string, found: Map<string, UrlValue>): void {
  for (const [match] of text.matchAll(/(?:https?|wss?|ftp):[\\/]{1,2}[^\s"'<>&;,|]{1,2048}/gi)) {
    if (found.size >= maxEmbedded) return;
    const url = parseUrl(match);
    const place = url ? `${url.scheme} ${url.host} ${url.port}` : "";
    // The first round sees the least: a host that an escape cuts short is seen again, whole, in the next round.
    if (url && url.host !== "" && !found.has(place)) found.set(place, url);
  }
}

/** Decodes percent escapes once; other text stays. */
function unescaped(text: string): string {
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replace(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    }
  });
}
