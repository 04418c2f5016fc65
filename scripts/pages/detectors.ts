import { detectors } from "../../facts/secrets/table.ts";
import { textDetectors } from "../../facts/text/detectors.ts";
import { type TextExample, textExamples } from "../../facts/text/examples.ts";
import { hasKeyedToken } from "../../rules/actions/redact-tokens.ts";
import { limits } from "../../schema/limits.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

const wall =
  "What `text/*` finds is made visible or harmless to look at. It is a limit, not a wall: a text that says openly what to do\n" +
  "is still there, what a style sheet or a script hides is not seen, and secrets in reversed or joined-up literals are not\n" +
  "found. Put a label on a session that reads such text, and let later rules ask.";

const units = (count: number): string => count.toLocaleString("en");

const work =
  "Detectors decide by form and by what stands beside a value. In ten megabytes of random base64 in lines there is now and then\n" +
  "a string with the prefix and the length of some key, such as `pa-` and 43 characters of `secrets/voyage-key`.\n\n" +
  "Reading has a bound. A text is withheld as a whole (`HW507`; for conditions it is a finding `secrets/unscanned`) when it has\n" +
  `more than ${units(limits.scanLength)} characters, when patterns would read more than ${units(limits.scanRead)} characters and\n` +
  `${limits.scanReadPerUnit} more for each of the text, as in a list of all keywords over and over, or when more than\n` +
  `${units(limits.scanMatched)} characters and half of the text are matches.`;

const encoded =
  "Text in base64, base64url and hexadecimal (also of UTF-16, also in lines), in percent escapes, JSON escapes and `\\u`, `\\x`\n" +
  "is decoded and read too, up to three deep, and so is a text without the colours of a terminal and invisible characters that\n" +
  "stand in a key. Numbers of eight digits or more are read as text. Data of images, sound, fonts and packed files is not.\n\n" +
  "Private keys, and base64 and hexadecimal in lines, are found behind what programs put before each line: its number, the name\n" +
  "of its file, an author, a time, a mark of a diff, a frame. Of a key that is cut off, only the part with its first line is\n" +
  "found, and it ends where the lines begin in another way.";

const tokens =
  "In place of a secret stands a token. Without an install key it names the kind: `[REDACTED:github-token]`. With one, random\n" +
  "values get ten hex digits more, `[REDACTED:github-token:0123456789]`: the same for the same secret all through a session,\n" +
  "others in the next. Nothing is remembered, so nothing can be restored from a token. What could be guessed keeps the kind\n" +
  "alone. A token with digits that this session did not make gets a backslash, `[\\REDACTED:…]`.";

/** Every detector that `redact` knows, by family, with what it finds. */
export const page: Page = {
  path: "docs/reference/detectors.md",
  render() {
    const families = [...new Set(detectors.map(({ id }) => family(id)))];
    return `${[
      generatedFrom("facts/secrets/, facts/text/detectors.ts and facts/text/examples.ts"),
      "# Detectors\n",
      "The `detectors` of [`redact`](actions.md#redact) are ids of this page, or globs such as `secrets/*`.\n",
      `${tokens}\n`,
      `${encoded}\n`,
      `${work}\n`,
      ...families.map(scanned),
      `## ${code("text/*")}\n\n${wall}\n`,
      ...textDetectors.map(untrusted),
    ].join("\n")}`;
  },
};

function family(id: string): string {
  return id.slice(0, id.indexOf("/"));
}

function scanned(name: string): string {
  const rows = detectors
    .filter(({ id }) => family(id) === name)
    .map(({ id, title, confidence }) => [code(id), title, confidence, hasKeyedToken(id) ? "kind and digits" : "kind"]);
  return `## ${code(`${name}/*`)}\n\n${table(["detector", "finds", "sure", "token"], rows)}\n`;
}

function untrusted({ id, doc }: (typeof textDetectors)[number]): string {
  const { changed, kept } = textExamples[id];
  const rows = changed.map((each) => [shown(each.text), shown(each.strip), marked(each)]);
  const left = kept.map((text) => `- ${shown(text)}`).join("\n");
  return `### ${code(id)}\n\n${doc}\n\n${table(["text", "becomes", "with `mark`"], rows)}\n\nLeft alone:\n\n${left}\n`;
}

function marked({ strip, mark }: TextExample): string {
  return mark === undefined || mark === strip ? "the same" : shown(mark);
}

/** A text as code, with all but printable ASCII and the signs of marks as escapes. */
function shown(text: string): string {
  const json = JSON.stringify(text).replace(/[^\x20-\x7e⟨⟩×…]/g, escaped);
  return json.includes("`") ? `\`\` ${json} \`\`` : code(json);
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
