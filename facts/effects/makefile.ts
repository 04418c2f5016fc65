import { spend, spendText } from "../meter.ts";
import { unknownVariable } from "../shell/fields.ts";
import { quotedWord, type Runner, runnerOf } from "./shell-words.ts";

/** One logical line of a makefile that is no recipe line. */
interface Statement {
  readonly kind: "rule" | "set" | "other";
  /** Variable that it sets, and its new value. */
  readonly name?: string;
  readonly value?: string;
  /** How a variable is set: `!=` runs the value. */
  readonly operator?: string;
  /** Recipe behind the semicolon of a rule. */
  readonly recipe?: string;
}

const unknown = `\${${unknownVariable}}`;
// A value that was too long to be known. It ends in a space, as no other value does, and stays unknown where text is added to it.
const tooLong = `${unknown} `;
// Calls of make's functions that are open at once; deeper ones are not told apart.
const callDepth = 64;
// Values of one variable that are told apart, and the longest that is known.
const valueCount = 4;
const valueLength = 4_096;
// The longest value that is known through other variables, which may each be a little longer than the one before.
const expandedLength = 1_024;

/**
 * Returns the shell texts of a makefile: recipes on their own lines and behind the semicolon of a rule, the commands of `$(shell …)`
 * at any place and of `!=`, and definitions that a recipe consists of. Variables are their constants where those are known. Each line
 * of a recipe is a text of its own, unless `.ONESHELL` joins them. Source: GNU make's manual, chapters 3, 5, 6 and 8.
 */
export function makefileTexts(text: string): string[] {
  spend(8 + (text.length >> 3));
  const reader = new Makefile();
  // A line that ends in a backslash goes on in the next.
  for (const line of text.replace(/\\\r?\n/g, " ").split(/\r?\n/)) reader.line(line);
  return reader.texts();
}

class Makefile {
  /** Recipes, each with its lines. */
  readonly #recipes: string[][] = [];
  readonly #shellCalls: string[] = [];
  readonly #chosen: string[] = [];
  /** Values that each variable may have as a shell gets them; conditionals and targets may each set another. */
  readonly #values = new Map<string, readonly string[]>([
    ["SHELL", ["/bin/sh"]],
    ["MAKE", ["make"]],
    ["RM", ["rm -f"]],
  ]);
  readonly #definitions = new Map<string, string[]>();
  #prefix = "\t";
  #isOneShell = false;
  #definition: string[] | undefined;

  line(line: string): void {
    spend(2);
    if (this.#defines(line)) return;
    const isRecipe = line.startsWith(this.#prefix);
    // `eval` expands a definition a second time.
    const read = this.#definition ? line.replaceAll("$$", "$") : line;
    for (const call of shellCalls(isRecipe ? read : withoutComment(read))) this.#shellCalls.push(call);
    if (isRecipe) this.#recipe().push(line.slice(1));
    else if (/^\s*\.ONESHELL\s*:/.test(line)) this.#isOneShell = true;
    else if (!/^\s*(?:#|$)/.test(line)) this.#statement(statementOf(line));
  }

  texts(): string[] {
    const recipes = [...this.#recipes, ...this.#used()].map((lines) => (this.#isOneShell ? [lines.join("\n")] : lines));
    const made = [...recipes.flat(), ...this.#shellCalls].flatMap((text) => this.#made(text));
    const runners = this.#runners();
    return [...made, ...this.#chosen.flatMap((text) => this.#expanded(text, valueCount) ?? [])]
      .filter((text) => text.trim() !== "")
      .flatMap((text) => [text, ...runners.map((run) => run(text)).filter((other) => other !== text)]);
  }

  /** True for a line that begins or ends a definition. */
  #defines(line: string): boolean {
    const start = /^ *(?:override +|export +)*define\s+([^\s:?+!=]+)[\s:?+!=]*$/.exec(line);
    if (start && !this.#definition) {
      this.#definition = [];
      this.#definitions.set(start[1] as string, this.#definition);
      this.#recipes.push([]);
      return true;
    }
    if (!this.#definition) return false;
    if (/^ *endef\b/.test(line)) {
      this.#definition = undefined;
      this.#recipes.push([]);
      return true;
    }
    this.#definition.push(line.replace(/^\t/, ""));
    return false;
  }

  #statement({ kind, name = "", value = "", operator = "", recipe }: Statement): void {
    if (kind === "rule") this.#recipes.push(recipe === undefined ? [] : [recipe]);
    if (kind !== "set") return;
    if (name === ".RECIPEPREFIX") this.#prefix = value[0] ?? "\t";
    if (operator === "!") this.#shellCalls.push(value);
    else this.#set(name, operator, value);
  }

  #set(name: string, operator: string, value: string): void {
    const known = this.#values.get(name) ?? [];
    const made = this.#valueOf(value);
    const next = operator === "+" && known.length > 0 ? known.map((one) => added(one, made)) : [...known, made];
    const most = value.includes("$") ? expandedLength : valueLength;
    const bounded = next.map((one) => (one.length > most ? tooLong : one));
    // A shell that was set first is still that of the calls before.
    this.#values.set(name, [...new Set(bounded)].slice(-valueCount));
  }

  /** Returns a value as a shell gets it; unknown as a whole where it calls a function. */
  #valueOf(value: string): string {
    if (!value.includes("$")) return value;
    return value.replace(reference, "").includes("$") ? unknown : (this.#expanded(value, valueCount) as string);
  }

  #recipe(): string[] {
    const last = this.#recipes.at(-1);
    if (last) return last;
    const first: string[] = [];
    this.#recipes.push(first);
    return first;
  }

  /** Definitions whose text is commands of a recipe: `$(name)` at the beginning of a command. */
  #used(): readonly (readonly string[])[] {
    const used = new Set<string>();
    const lines: string[] = [...this.#recipes.flat(), ...this.#shellCalls];
    for (let line = lines.pop(); line !== undefined; line = lines.pop())
      for (const [, name = ""] of line.matchAll(consists)) {
        const body = this.#definitions.get(name);
        if (!body || used.has(name)) continue;
        used.add(name);
        for (const one of body) lines.push(one);
      }
    return [...used].map((name) => this.#definitions.get(name) ?? []);
  }

  /** Returns a line as its shell may get it: once for each value of its variables. */
  #made(line: string): readonly string[] {
    spend(2 + (line.length >> 3));
    // At the beginning of a command, the result of a choice or a loop is a command.
    for (const choice of choicesIn(line)) this.#chosen.push(choice);
    const bare = this.#isOneShell ? line.replace(/^[\t ]*[@+-]+/gm, "") : line.replace(/^[\t ]*[@+-]*/, "");
    const ways = new Set<string>();
    for (let way = 0; way < valueCount; way++) {
      const made = this.#expanded(bare, way);
      if (made === undefined) break;
      ways.add(made.replace(/\$[({]shell\s/g, "$("));
    }
    return [...ways];
  }

  /** Replaces variables by one of their values, the last where they have fewer; undefined where all have fewer. */
  #expanded(text: string, way: number): string | undefined {
    let isOther = way === 0 || way === valueCount;
    const made = text.replace(reference, (found, round?: string, curly?: string) => {
      if (found === "$$") return "$";
      const name = round ?? curly ?? "";
      const values = this.#values.get(name);
      if (values && way < values.length) isOther = true;
      const value = values?.[Math.min(way, values.length - 1)];
      spendText(value?.length ?? 0);
      return value ?? (name === "HOME" ? "$HOME" : unknown);
    });
    return isOther ? made : undefined;
  }

  /** Returns how the interpreters that the makefile sets run a text. Their lines are read once, not for each text. */
  #runners(): readonly Runner[] {
    const flags = this.#values.get(".SHELLFLAGS")?.at(-1) ?? "";
    const shells = this.#values.get("SHELL") ?? [];
    const hasFlags = /^-[\w-]+$/.test(flags);
    return shells.map((shell) => {
      const run = runnerOf(shell);
      return (text) => {
        const other = run(text);
        return other === text || !hasFlags ? other : `${shell} ${flags} ${quotedWord(text)}`;
      };
    });
  }
}

/** Returns a value with text behind it. */
function added(value: string, text: string): string {
  return value === tooLong || text === tooLong ? tooLong : `${value} ${text}`;
}

const reference = /\$(?:\$|\(([\w.-]+)\)|\{([\w.-]+)\}|[@<^*?+|])/g;
const consists = /(?:^|[;&|])[\s@+-]*\$[({](?:call\s+)?([^\s(){},$]{1,256})[,)}]/g;

const chooses = /(?:^|[;&|])[\s@+-]*\$[({](?:if|foreach|or|and|strip)\s/g;

/** Returns the arguments of calls that choose a command. A call inside of another is split with it, so that each is read once. */
function choicesIn(line: string): readonly string[] {
  const texts: string[] = [];
  let to = 0;
  for (const found of line.matchAll(chooses)) {
    if (found.index < to) continue;
    const from = found.index + found[0].length;
    let depth = 1;
    for (to = from; to < line.length && depth > 0; to++) {
      const sign = line[to] as string;
      if (sign === "(" || sign === "{") depth += 1;
      else if (sign === ")" || sign === "}") depth -= 1;
    }
    spendText(4 * (to - from));
    for (const text of line.slice(from, depth === 0 ? to - 1 : to).split(",")) texts.push(matched(text));
  }
  return texts;
}

/** Returns a text up to the first bracket that closes none of its own. */
function matched(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] as string;
    if (sign === "(" || sign === "{") depth += 1;
    else if ((sign === ")" || sign === "}") && --depth < 0) return text.slice(0, i);
  }
  return text;
}

const assignment = /^\s*(?:(?:override|export|private|unexport)\s+)*([^\s:#=?+!$(){}]+)\s*(:{1,3}|[?+!])?=\s*(.*)$/s;

/** Tells what a line outside of recipes says. */
function statementOf(line: string): Statement {
  const set = assignment.exec(withoutComment(line));
  if (set) return setting(set);
  const colon = signAt(line, 0, ":;#=");
  if (line[colon] !== ":") return { kind: "other" };
  const behind = /^[:&]*/.exec(line.slice(colon))?.[0].length ?? 1;
  const rest = line.slice(colon + behind);
  const own = assignment.exec(withoutComment(rest));
  if (own) return setting(own);
  const sign = signAt(rest, 0, ";#");
  return { kind: "rule", ...(rest[sign] === ";" ? { recipe: rest.slice(sign + 1).trim() } : {}) };
}

function setting([, name = "", operator = "", value = ""]: RegExpExecArray): Statement {
  return { kind: "set", name, operator, value: value.trim() };
}

function withoutComment(line: string): string {
  const at = signAt(line, 0, "#");
  return at < 0 ? line : line.slice(0, at);
}

/** Returns the first place of one of some signs that no backslash and no call of a function covers; -1 if there is none. */
function signAt(line: string, from: number, signs: string): number {
  let depth = 0;
  for (let i = from; i < line.length; i++) {
    const sign = line[i] as string;
    if (sign === "\\") i += 1;
    else if (sign === "$") {
      if (line[i + 1] === "$") i += 1;
      else if (line[i + 1] === "(" || line[i + 1] === "{") {
        depth += 1;
        i += 1;
      }
    } else if (depth > 0) {
      if (sign === "(" || sign === "{") depth += 1;
      else if (sign === ")" || sign === "}") depth -= 1;
    } else if (signs.includes(sign)) return i;
  }
  return -1;
}

/** Returns the commands of the calls of `shell` in a line; `$$(shell …)` is no call. */
function shellCalls(line: string): string[] {
  if (!line.includes("shell")) return [];
  const texts: string[] = [];
  /** Places behind `shell` of the calls that are open; -1 for brackets of anything else. */
  const open: number[] = [];
  for (let i = 0; i < line.length; i++) {
    const sign = line[i] as string;
    if (sign === "$" && line[i + 1] === "$") i += 1;
    else if (sign === "$" && (line[i + 1] === "(" || line[i + 1] === "{")) {
      const isShell = /^shell\s/.test(line.slice(i + 2, i + 8));
      open.push(isShell && open.length < callDepth ? i + 8 : -1);
      i += 1;
    } else if (sign === "(" || sign === "{") open.push(-1);
    else if (sign === ")" || sign === "}") {
      const from = open.pop() ?? -1;
      if (from >= 0) texts.push(line.slice(from, i));
    }
  }
  // A call that does not end on the line of a part goes on to the end of what is known.
  for (const from of open) if (from >= 0) texts.push(line.slice(from));
  spendText(texts.reduce((sum, one) => sum + one.length, 0));
  return texts;
}
