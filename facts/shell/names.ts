import { spend } from "../meter.ts";

/** Returns the last component of a program path after `.` and `..` are resolved, without `.exe` and zsh's leading `=`. */
export function programName(text: string): string {
  if (text === ".") return text;
  // Most programs are plain names.
  if (!text.includes("/")) return text === ".." ? "" : bareName(text, true);
  spend(1 + (text.length >> 4));
  const parts: string[] = [];
  for (const part of text.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const base = parts.at(-1) ?? "";
  return bareName(base, parts.length === 1);
}

function bareName(base: string, alone: boolean): string {
  const bare = alone && base.length > 1 && base[0] === "=" ? base.slice(1) : base;
  return bare.at(-4) === "." && bare.toLowerCase().endsWith(".exe") ? bare.slice(0, -4) : bare;
}

const families: readonly (readonly [RegExp, string])[] = [
  [/^python\d*(?:\.\d+)*[a-z]?$/, "python"],
  [/^pypy\d*(?:\.\d+)*$/, "python"],
  [/^pip\d+(?:\.\d+)*$/, "pip"],
  [/^perl\d+(?:\.\d+)*$/, "perl"],
  [/^ruby\d+(?:\.\d+)*$/, "ruby"],
  [/^php\d+(?:\.\d+)*$/, "php"],
  [/^mkfs\..+$/s, "mkfs"],
  [/^ld-(?:linux|musl).*\.so/s, "ld.so"],
];

/**
 * Returns the name that facts use for a program: interpreters and their package managers without a version, because a rule about
 * `python` also covers `python3.11`. Variants with other behaviour keep their names.
 */
export function withoutVersion(program: string): string {
  if (!/\d/.test(program)) return program;
  return /^(python|pypy|pip|perl|ruby|php)\d+(?:\.\d+)*$/.exec(program)?.[1] ?? program;
}

/** The program that was asked for last: each command's is asked for by one table after the other. */
let asked = { program: "", family: "" };

/** The table name under which a program is described: versioned interpreters and variants share one row. */
export function familyOf(program: string): string {
  if (program !== asked.program) asked = { program, family: family(program) };
  return asked.family;
}

function family(program: string): string {
  if (program === "ld.so" || !/[\d.]/.test(program)) return program;
  return families.find(([pattern]) => pattern.test(program))?.[1] ?? program;
}
