/** Keys and texts that count as commands in a YAML file. */
export interface YamlCommands {
  /** Matches a key whose value is a command, or a list of commands. */
  readonly keys: RegExp;
  /** Matches a key whose members each hold a command, or a list of commands. */
  readonly sections?: RegExp;
}

/** The other entries of a value's mapping. */
export interface YamlGroup {
  /** Value of `shell`: the interpreter of a text. */
  shell?: string;
  /** Words of `args`. */
  args?: string[];
}

/** Adds a word of `args` to what stands beside a value. */
export function addArgument(group: YamlGroup, word: string): void {
  group.args ??= [];
  group.args.push(word);
}

/** One text of a key. */
export interface YamlValue {
  readonly key: string;
  readonly text: string;
  readonly group: YamlGroup;
  /** Words of the list in brackets that the text is the first of. */
  readonly list: readonly string[] | undefined;
}

/** True for a key whose value is a command. */
export function isCommandKey(key: string, parent: string, { keys, sections }: YamlCommands): boolean {
  return key.length <= 256 && (keys.test(key) || (parent.length <= 256 && sections?.test(parent) === true));
}

/** Returns a plain text without the comment behind it. */
export function plainOf(text: string): string {
  const comment = text.search(/(?:^|\s)#/);
  return (comment < 0 ? text : text.slice(0, comment)).trim();
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "",
  a: "",
  b: "",
  e: "",
  f: " ",
  v: " ",
  N: "\n",
  L: "\n",
  P: "\n",
  _: " ",
};

/** Returns what the inside of a text in double quotes means, in YAML, JSON and TOML alike. */
export function doubleQuoted(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (_, two?: string, four?: string, eight?: string, sign?: string) => {
      const code = two ?? four ?? eight;
      if (code === undefined)
        return Object.hasOwn(escapes, sign as string) ? (escapes[sign as string] as string) : (sign as string);
      const point = Number.parseInt(code, 16);
      return point > 0x10ffff ? "" : String.fromCodePoint(point);
    },
  );
}
