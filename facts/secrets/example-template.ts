/**
 * Examples of a detector, for its tests and the documentation; not part of the engine at run time. They are
 * templates, so that no text in this repository looks like a live credential: `{A36}` becomes 36 characters of a
 * class (`A` letters and digits, `U` upper case and digits, `L` lower case and digits, `h` hexadecimal, `d` digits, `B` Bech32,
 * `w` letters, digits, `_`, `-`, `b` base64).
 */
export interface DetectorExamples {
  readonly match: readonly string[];
  readonly noMatch: readonly string[];
}

const classes: Readonly<Record<string, string>> = {
  A: "kQ7ZbT2mXw9LrC4VnH6sJd1PfG8yKu3E",
  U: "Q7ZB2MW9LRC4VNH6SJD1PFG8YKU3EXTA",
  L: "q7zb2mw9lrc4vnh6sjd1pfg8yku3exta",
  h: "7b2c9e4d6f1a8305",
  d: "7294618305",
  w: "kQ7ZbT2m_Xw9LrC4V-nH6sJd1PfG8yKu3E",
  B: "Q7Z2MW9LRC4VNH6SJDPFG8YKU3EXTA0W",
  b: "kQ7ZbT2mXw9L/rC4VnH6sJd1+PfG8yKu3E",
};

/** The text of a template. The same template always gives the same text. */
export function expandExample(template: string): string {
  return template.replace(/\{([ABULhdwb])(\d{1,4})\}/g, (_, kind: string, count: string) => {
    const alphabet = classes[kind] as string;
    let text = "";
    for (let i = 0, at = kind.charCodeAt(0); i < Number(count); i++) {
      at = (at * 31 + 17 + i) % 9_973;
      text += alphabet[at % alphabet.length];
    }
    return text;
  });
}

/** Examples of a token known by its shape: it matches alone and in quotes; a shorter one, or one behind a letter, does not match. */
export function tokens(match: string, noMatch: string): DetectorExamples {
  return { match: [match, `value: "${match}", next`], noMatch: [noMatch, `x${match}`] };
}

/** Examples of a value known by the name before it: neither the value alone nor a reference to a variable matches. */
export function values(name: string, value: string): DetectorExamples {
  return {
    match: [`${name}=${value}`, `"${name}": "${value}",`],
    noMatch: [`id=${value}`, `${name}=\${VALUE}`, `${name}: the value is set elsewhere`],
  };
}
