import { spend, spendText } from "../meter.ts";
import type { Draft } from "../shell/draft.ts";
import type { Field } from "../shell/fields.ts";
import { keyed, keysTyped, typedLine } from "./typed-line.ts";

/** Texts that a command types into a terminal or a program, as it was told. */
type Typed = (draft: Draft) => readonly string[];

// Longest typed text of one call that is read, and longest code that is searched.
const typedLength = 65_536;

const text = (word: Field): string => (word.kind === "unknown" ? "" : word.text);

/** Words behind one of these, without options; `values` are options that take the next word. */
function behind(verb: RegExp, values: RegExp, read: (texts: readonly string[]) => string): Typed {
  return (draft) => {
    const at = draft.args.findIndex((word) => verb.test(word.text));
    if (at < 0) return [];
    const texts: string[] = [];
    for (let i = at + 1; i < draft.args.length; i++) {
      const word = text(draft.args[i] as Field);
      if (values.test(word)) i += 1;
      else if (!/^-{1,2}[A-Za-z]/.test(word) && word !== "--") texts.push(word);
    }
    return [read(texts)];
  };
}

const asText = (texts: readonly string[]): string => texts.join(" ");
const nothing = /^$/;

/** `xdotool type a key Return`: chains of its commands, each with words of its own. */
const chained: Typed = (draft) => {
  let how = "";
  let typed = "";
  for (let i = 0; i < draft.args.length; i++) {
    const word = text(draft.args[i] as Field);
    if (/^--(?:delay|window|args|file|terminator|repeat|key-delay|key-hold)$/.test(word)) i += 1;
    else if (/^(?:type|key|keydown|keyup|sleep|search|windowactivate|windowfocus|mousemove|click|stuff)$/.test(word))
      how = word;
    else if (word.startsWith("--")) continue;
    else if (how === "type") typed += word;
    else if (how === "key") typed += word.length === 1 ? word : keyed(word) === word ? "" : keyed(word);
  }
  return [typed];
};

/** Delimiters of a text, as regular expressions. */
interface Quoting {
  readonly open: string;
  readonly close: string;
}

const inQuotes: Quoting = { open: String.raw`(["'])((?:\\[\s\S]|(?!\1)[^\\]){0,2048})`, close: String.raw`\1` };
const inBraces: Quoting = { open: String.raw`(\{)([^{}]{0,2048})`, close: String.raw`\}` };

/** Texts behind `send`, `keystroke` and their like in code that is given as a word or on the input. */
function inCode(head: string, quoting: Quoting, flags = "", only?: RegExp): (code: string) => readonly string[] {
  const loose = new RegExp(`${head}${quoting.open}(${quoting.close})?`, `g${flags}`);
  const strict = new RegExp(`${head}${quoting.open}${quoting.close}`, `y${flags}`);
  return (code) => {
    spendText(2 * code.length);
    if (only?.test(code) === false) return [];
    const texts: string[] = [];
    loose.lastIndex = 0;
    for (let one = loose.exec(code); one; one = loose.exec(code)) {
      let found: RegExpExecArray | null = one;
      if (one[3] === undefined) {
        // The text is unclosed: the search repeats after its opening, which is charged.
        spend(4 + (one[0].length >> 3));
        strict.lastIndex = one.index;
        found = strict.exec(code);
        loose.lastIndex = found ? strict.lastIndex : one.index + 1;
      }
      if (found) texts.push(plain(found[2] ?? ""));
    }
    return texts.length === 0 ? [] : [texts.join("")];
  };
}

/** Reads the code of a command, which is put together once, in each of some ways; these are made when they are first needed. */
function ofEach(made: () => readonly ReturnType<typeof inCode>[]): Typed {
  let ways: ReturnType<typeof made> | undefined;
  return (draft) => {
    ways ??= made();
    const input = draft.input?.atom?.kind === "literal" ? draft.input.atom.text : "";
    const code = [...draft.args.map(text), input].join("\n").slice(0, typedLength);
    return ways.flatMap((way) => way(code));
  };
}

/** Returns a quoted text without a language's backslashes; `\r` becomes the key that ends a line. */
function plain(quoted: string): string {
  return quoted.replace(/\\(n|r|t|x0[ad]|015|012|.)/gs, (_, sign: string) =>
    /^(?:n|r|x0[ad]|015|012)$/.test(sign) ? "\n" : sign === "t" ? "\t" : sign,
  );
}

const ofTcl = ofEach(() => [
  inCode(String.raw`\b(?:exp_)?send(?:_user|_tty)?\s+(?:-\w+\s+\S+\s+|--\s+)?`, inQuotes),
  inCode(String.raw`\b(?:exp_)?send\s+(?:--\s+)?`, inBraces),
]);
const ofApple = ofEach(() => [inCode(String.raw`\b(?:keystroke|do\s+script|write\s+text)\s+`, inQuotes, "i")]);
/** Languages that open a terminal of their own and write into it; `TIOCSTI` types every text that the code holds. */
const ofCode = ofEach(() => [
  inCode(
    String.raw`\b(?:send(?:line)?|sendline|write|syswrite|puts|print|send_slow|writeln)\b[\s(]{0,3}(?:[\w.$\]['"]{1,40}\s*,\s*)?[bru]{0,2}`,
    inQuotes,
    "",
    /\b(?:pty|pexpect|ptyprocess|wexpect|Expect|IO::Pty|PTY|node-pty|openpty|forkpty)\b/,
  ),
  inCode("", inQuotes, "", /TIOCSTI/),
]);

const table: Readonly<Record<string, Typed>> = {
  screen: (draft) => [
    ...behind(/^(?:stuff|paste)$/, /^-[pSt]$/, (texts) => unscreened(texts.join(" ")))(draft),
    ...behind(/^exec$/, nothing, asText)(draft),
    ...behind(/^eval$/, nothing, (texts) =>
      texts.map((one) => unscreened(one.replace(/^\s*stuff\s+["']?|["']$/g, ""))).join(""),
    )(draft),
  ],
  tmux: (draft) => [
    ...behind(/^(?:send-keys|send|send-prefix)$/, /^-[tNc]$/, keysTyped)(draft),
    ...behind(/^(?:set-buffer|setb)$/, /^-[btn]$/, asText)(draft),
  ],
  xdotool: chained,
  ydotool: chained,
  wtype: (draft) => [
    asText(
      draft.args.map(text).filter((word, i, all) => !word.startsWith("-") && !/^-[kKMmPpsd]$/.test(all[i - 1] ?? "")),
    ),
  ],
  xvkbd: behind(/^-text$/, nothing, asText),
  xte: (draft) => [draft.args.map((word) => /^str\s+(.*)$/s.exec(text(word))?.[1] ?? "").join("")],
  cliclick: (draft) => [draft.args.map((word) => /^t:(.*)$/s.exec(text(word))?.[1] ?? "").join("")],
  kitty: behind(/^send-text$/, /^-[mt]$|^--(?:match|match-tab|from-file)$/, (texts) => plain(asText(texts))),
  kitten: behind(/^send-text$/, /^-[mt]$|^--(?:match|match-tab|from-file)$/, (texts) => plain(asText(texts))),
  wezterm: behind(/^send-text$/, /^--pane-id$/, asText),
  zellij: behind(/^write-chars$/, nothing, asText),
  empty: (draft) => (draft.args.some((word) => word.text === "-s") ? [asText(draft.args.map(text).slice(-1))] : []),
  dtach: (draft) => {
    const input = draft.input?.atom?.kind === "literal" ? draft.input.atom.text : "";
    return draft.args.some((word) => word.text === "-p") ? [input.slice(0, typedLength)] : [];
  },
  qdbus: behind(/(?:sendText|runCommand)$/, nothing, asText),
  ttyecho: (draft) => [
    asText(
      draft.args
        .slice(1)
        .map(text)
        .filter((word) => !/^-n$|^\/dev\//.test(word)),
    ),
  ],
  vim: behind(/^--remote-send$/, nothing, (texts) =>
    asText(texts)
      .replace(/^.*?:!/s, "")
      .replace(/<CR>/gi, "\n"),
  ),
  nvim: behind(/^--remote-send$/, nothing, (texts) =>
    asText(texts)
      .replace(/^.*?:!/s, "")
      .replace(/<CR>/gi, "\n"),
  ),
  dotool: (draft) => [
    (draft.input?.atom?.kind === "literal" ? draft.input.atom.text : "")
      .slice(0, typedLength)
      .split("\n")
      .map((line) => /^type\s+(.*)$/s.exec(line)?.[1] ?? (/^key\s+(?:enter|return)/i.test(line) ? "\n" : ""))
      .join(""),
  ],
  expect: ofTcl,
  autoexpect: ofTcl,
  tclsh: ofTcl,
  osascript: ofApple,
  python: ofCode,
  python3: ofCode,
  node: ofCode,
  perl: ofCode,
  ruby: ofCode,
};

/** `^M` and `\015` of screen, which end a line. */
function unscreened(typed: string): string {
  return plain(typed.replace(/\^[MJ]|\\015|\\012/g, "\n"));
}

/** Keys that the commands of one text type, for the shell or program that may wait for them. */
export class TypedKeys {
  readonly #texts: string[] = [];
  readonly #all = new Map<string, string[]>();

  see(draft: Draft): void {
    spend(1);
    const typed = Object.hasOwn(table, draft.program) ? table[draft.program] : undefined;
    if (!typed) return;
    spend(2 * draft.args.length);
    const texts = typed(draft).map((one) => one.slice(0, typedLength));
    for (const one of new Set(texts.flatMap((given) => [given, typedLine(given.replace(/\r\n?/g, "\n"))]))) {
      if (one.trim() === "" && !one.includes("\n")) continue;
      const list = this.#all.get(draft.program) ?? [];
      this.#all.set(draft.program, list);
      if (list.length < 64) list.push(one);
      this.#texts.push(one);
    }
  }

  /** Returns every text, and the joined texts of each program, because a shell reads them in sequence. */
  get texts(): readonly string[] {
    if (this.#texts.length === 0) return this.#texts;
    const joined = [...this.#all.values()]
      .filter((list) => list.length > 1)
      .map((list) => list.join("").slice(0, typedLength));
    return [...new Set([...this.#texts, ...joined])].slice(0, 64);
  }
}
