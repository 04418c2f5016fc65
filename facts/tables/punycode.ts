/** Version of the host decoder, for plans and audit records. */
export const idnaVersion = "rfc3492";

const base = 36;
const tMin = 1;
const tMax = 26;
const skew = 38;
const damp = 700;
/** DNS takes no label of more octets. */
const maxLabel = 63;

/** Decodes a label without its `xn--` (RFC 3492); undefined if it is invalid. */
export function decodePunycode(text: string): string | undefined {
  if (text.length > maxLabel || !/^[\x21-\x7e]*$/.test(text)) return undefined;
  const dash = text.lastIndexOf("-");
  const out: number[] = dash > 0 ? [...text.slice(0, dash)].map((c) => c.charCodeAt(0)) : [];
  let at = dash > 0 ? dash + 1 : 0;
  let code = 128;
  let index = 0;
  let bias = 72;
  while (at < text.length) {
    const before = index;
    let weight = 1;
    for (let k = base; ; k += base) {
      const digit = digitOf(text.charCodeAt(at++));
      if (digit === undefined) return undefined;
      index += digit * weight;
      const threshold = k <= bias ? tMin : k >= bias + tMax ? tMax : k - bias;
      if (index > 0x7fffffff) return undefined;
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const length = out.length + 1;
    bias = adapt(index - before, length, before === 0);
    code += Math.floor(index / length);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
    index %= length;
    out.splice(index, 0, code);
    index += 1;
  }
  return String.fromCodePoint(...out);
}

function digitOf(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 22;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? lower - 0x61 : undefined;
}

function adapt(delta: number, length: number, first: boolean): number {
  let rest = first ? Math.floor(delta / damp) : delta >> 1;
  rest += Math.floor(rest / length);
  let k = 0;
  while (rest > ((base - tMin) * tMax) >> 1) {
    rest = Math.floor(rest / (base - tMin));
    k += base;
  }
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew));
}

/**
 * Decodes the `xn--` labels of a host: `xn--bcher-kva.example` is `bücher.example`. A label that is invalid, or decodes to
 * plain ASCII, stays as it is written. Idempotent.
 */
export function decodeHost(host: string): string {
  if (!/(?:^|\.)xn--/i.test(host)) return host;
  return host.split(".").map(decodeLabel).join(".");
}

function decodeLabel(label: string): string {
  if (!/^xn--/i.test(label)) return label;
  const text = decodePunycode(label.slice(4));
  return text === undefined || /^[\x00-\x7f]*$/.test(text) || /[./\\@:?#\s]/.test(text) ? label : text;
}
