import * as act from "./actions.ts";
import type { Collector } from "./findings.ts";
import { actions, type Language } from "./language.ts";
import { type Lexicon, lineEnds, words } from "./lexicon.ts";
import type { Value } from "./values.ts";

const lexicon: Lexicon = {
  lineEnd: lineEnds.feed,
  lineComments: ["#"],
  blockComments: [],
  quotes: [{ open: '"', close: '"', escapes: "c" }],
  newlines: true,
  regex: true,
  nameStart: /[A-Za-z_$]/,
  namePart: /\w/,
  keywords: words(
    "BEGIN END BEGINFILE ENDFILE function func if else while for do in return next nextfile exit break continue delete print printf switch case default getline",
  ),
  members: new Set(),
  joins: new Set(),
  adjacent: "all",
  bareCalls: "never",
  braces: "block",
  pairs: new Set(),
};

/** `cmd | getline`, `print | cmd`, `getline < file`, `print > file`. */
function output(operator: string, value: Value, to: Collector): void {
  const inet = value.kind === "text" && /^\/inet[46]?\/(?:tcp|udp)\/[^/]*\/([^/]*)\/([^/]*)$/.exec(value.text);
  if (inet) to.network({ kind: "text", text: `tcp://${inet[1]}:${inet[2]}` }, "both");
  else if (operator === "|") to.add({ kind: "text", text: value });
  else if (operator === "<") to.read(value);
  else to.write(value);
}

/** awk, gawk and mawk. Source: POSIX awk, gawk manual. */
export const awk: Language = {
  name: "awk",
  lexicon,
  calls: actions([["system", act.shell()]]),
  folds: new Map(),
  methods: new Map(),
  pure: words(
    "length substr index split sub gsub gensub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper close fflush strftime mktime systime asort asorti patsplit strtonum and or xor lshift rshift compl isarray typeof bindtextdomain dcgettext dcngettext",
  ),
  pureMethods: new Set(),
  modules: new Set(),
  constants: new Map(),
  argv: [],
  output,
};
