import { Collector } from "./findings.ts";
import { type Lexicon, lineEnds, words } from "./lexicon.ts";
import { type Token, tokenize } from "./tokens.ts";
import { joined, textValue, unknown, type Value } from "./values.ts";

const lexicon: Lexicon = {
  lineEnd: lineEnds.javascript,
  lineComments: ["--", "#"],
  blockComments: [["(*", "*)"]],
  quotes: [{ open: '"', close: '"', escapes: "c" }],
  newlines: true,
  regex: false,
  nameStart: /[A-Za-z_]/,
  namePart: /\w/,
  keywords: new Set(),
  members: new Set(),
  joins: new Set(["&"]),
  adjacent: "none",
  bareCalls: "never",
  braces: "object",
  pairs: new Set(),
};

const harmless = words(
  "return display dialog alert notification say set get to the of it me as text string number integer current date with without title subtitle buttons default button icon note caution stop sound name volume output muted beep log if then else end repeat times tell my and or not is equal count item items list length try on error giving up after seconds true false version system info user path run property",
);

/**
 * Scans AppleScript: constants given to `do shell script` are findings, and harmless words are accepted. Any command to an
 * application is a doubt. Source: threats page, class 8.
 */
export function scanAppleScript(code: string): Collector {
  const to = new Collector();
  const { tokens, problem } = tokenize(code, lexicon);
  if (problem !== undefined) to.doubt(problem);
  const constants = new Map<string, Value>();
  const value = (from: number): Value => {
    let i = from;
    let all = operand(tokens[i], constants);
    while (tokens[i + 1]?.text === "&") {
      i += 2;
      all = joined(all, operand(tokens[i], constants));
    }
    return all;
  };
  tokens.forEach((token, i) => {
    if (token.kind === "hole") to.doubt("part of it is not known");
    if (token.kind !== "name") return;
    const word = token.text.toLowerCase();
    const name = tokens[i + 1];
    if (word === "set" && name?.kind === "name" && tokens[i + 2]?.text === "to") {
      constants.set(name.text, constants.has(name.text) ? unknown : value(i + 3));
    } else if (word === "do" && name?.text === "shell" && tokens[i + 2]?.text === "script") {
      to.add({ kind: "text", text: value(i + 3) });
    } else if (word === "script" || word === "shell" || constants.has(token.text) || tokens[i - 1]?.text === "set") {
      // Part of a text that was read already.
    } else if (!harmless.has(word)) to.doubt(`\`${token.text.slice(0, 60)}\` is not in the tables`);
  });
  return to;
}

function operand(token: Token | undefined, constants: ReadonlyMap<string, Value>): Value {
  if (token?.kind === "text")
    return textValue(token.pieces.map((piece) => (typeof piece === "string" ? piece : "")).join(""));
  return (token && constants.get(token.text)) ?? unknown;
}
