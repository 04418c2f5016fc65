import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectors } from "../../facts/secrets/table.ts";
import { seed } from "./seed.ts";
import { twoScans } from "./two-scans.ts";

/**
 * What a scan leaves out before a pattern runs is nothing that the pattern would match: texts are made from the patterns
 * themselves, so that every way to write a match comes up, and changed where a pattern and what stands before it may
 * read a character differently.
 */
const engines = (["re2", "re2js"] as const).map((name) => ({ name, ...twoScans(name) }));

const kelvin = "\u212a";
const longS = "\u017f";
const random = "Zk3vT9xQ2mW7";

/** Paths behind a name, so far apart that each is inside the value of the one before where that is a match. */
const chain = (length: number, gap: number): string =>
  `${`pwd=/${"b".repeat(gap - 5)}`.repeat(length)}password=${random}`;

const chains = [200, 205, 250, 295, 300, 304, 305, 320].flatMap((gap) =>
  [1, 2, 3, 4, 5, 6].map((length): [string, string] => [
    `${length} paths, one each ${gap} characters`,
    chain(length, gap),
  ]),
);

describe.each(engines)("windows round keywords with $name", ({ windowed, full }) => {
  it.each([
    ["a path", "pwd = /home/dev1"],
    ["a path before a value", `pwd = /home/dev1 password=${random}`],
    ["a path that goes on as a value", `pwd = /srv/x1password=${random}`],
    ["a path that goes on as a value, in quotes", `"pwd": "/srv/x1 password=${random}"`],
    ["a path behind a line break", `pwd=\n /srv/x1password=${random}`],
    ...chains,
    ["a name with the sign of Kelvin", `api_${kelvin}ey=${random}`],
    ["a name with a long s", `pa${longS}${longS}word=${random}`],
    ["a name that goes on with a long s", `api_key${longS}=${random}`],
    ["a name of an issuer with both", "\u017fny\u212a=b76adbad-723e-900a-7c2c-d132c1a6c1d0"],
    ["letters of two kinds in a token of one", `g${longS}k_${random} ghp_${random}${kelvin}`],
    ["a line break before an assignment", `Server=db;password\n=${random}`],
    ["a form feed before an assignment", "datadog_api_key\f=f845e7d1e857abdf87bbbafe7cec6e20"],
    ["a return before a colon", "x-api-key\r:f845e7d1e857abdf87bbbafe7cec6e20"],
    ["control characters in a URL", "redis://u\u0001:a\u0000b\u000bcd7\u001fe@host"],
    ["a head before the head of a key", "-----BEGIN-----BEGIN PRIVATE KEY-----yuZu9dTH4m+1u+KZmLk+yLwV"],
    ["a keyword that one row did not name", "hcxmk_542sk0ph1c0vo11tg264"],
  ])("find what the patterns find: %s", (_, text) => {
    for (const given of [text, `x ${text}\n`, `${" y".repeat(900)}${text}${" z".repeat(900)}`]) {
      expect({ given, found: windowed(given) }).toEqual({ given, found: full(given) });
    }
  });

  it("find what the patterns find in texts made from them", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(windowed(given)).toEqual(full(given));
      }),
      { seed, numRuns: 250 },
    );
  });
});

/** A text that a pattern matches, but for what is nothing to be written: flags and the edges of words. */
const made = detectors.map(({ pattern }) =>
  fc.stringMatching(
    new RegExp(
      pattern
        .replace(/\(\?[ims]+\)/g, "")
        .replace(/\(\?[ims]+:/g, "(?:")
        .replaceAll("\\b", ""),
    ),
  ),
);

const paths = [
  "pwd = /home/dev1",
  "PWD=/home/",
  "token: '/srv/",
  "db_pass=/",
  "credentials=/srv/k-1/",
  "secret=\n /srv/",
];
const run = fc
  .tuple(fc.constantFrom("a", "x9", "kQ7", "/", " ", "é"), fc.nat(320))
  .map(([unit, count]) => unit.repeat(count));
const odd = fc.constantFrom(
  ...'\0|\u0001|\t|\n|\u000b|\f|\r|\u007f|\u00a0|\u2028|é|🔑|\ud83d|/|=|:| |\\|"|-----BEGIN '.split("|"),
);

const piece = fc.oneof(
  { arbitrary: fc.oneof(...made), weight: 6 },
  { arbitrary: fc.constantFrom(...paths), weight: 3 },
  { arbitrary: fc.constantFrom(...detectors.flatMap(({ keywords }) => keywords)), weight: 1 },
  { arbitrary: run, weight: 1 },
);

/** Up to two characters of a text put in or replaced by others. */
const changed = fc
  .tuple(piece, fc.array(fc.tuple(fc.nat(2_000), odd, fc.nat(2)), { maxLength: 2 }))
  .map(([given, changes]) =>
    changes.reduce((text, [at, other, taken]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + other + text.slice(place + taken);
    }, given),
  );

const ways: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => text.toLowerCase(),
  (text) => text.replace(/s/gi, longS),
  (text) => text.replace(/k/gi, kelvin),
];

const text = fc
  .array(
    fc
      .tuple(changed, fc.constantFrom(...ways), fc.constantFrom("", "", "\n", " ", "=", ": ", '"', "a", "/"))
      .map(([given, way, behind]) => way(given) + behind),
    { minLength: 1, maxLength: 5 },
  )
  .map((parts) => parts.join(""));
