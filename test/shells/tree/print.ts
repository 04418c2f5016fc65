import type {
  Arithmetic,
  Assignment,
  Condition,
  Parameter,
  Part,
  Redirection,
  Script,
  Statement,
  Word,
} from "./tree.ts";

/** The text of a tree. Every tree has one: an empty list of statements is `:`, an empty word is `''`. */
export function printScript(script: Script): string {
  return new Printer().list(script, "\n");
}

/** Prints a tree; here-documents that were begun wait for the end of their line. */
class Printer {
  /** Bodies of here-documents of the line that is being printed. */
  private waiting: string[] = [];
  private documents = 0;

  /** Statements one behind another, each ended. */
  list(script: Script, between: "\n" | " "): string {
    const own = script.length === 0 ? [empty] : script;
    let text = "";
    for (const statement of own) {
      const line = this.statement(statement, between);
      if (this.waiting.length > 0 || statement.kind === "comment")
        text += `${line}\n${this.waiting.splice(0).join("")}`;
      else if (between === "\n") text += `${line}\n`;
      else text += statement.kind === "background" ? `${line} ` : `${line}; `;
    }
    return text;
  }

  /** The body of a compound command that stands behind a word such as `then`. */
  private body(script: Script, between: "\n" | " "): string {
    return `${between}${this.list(script, between)}`;
  }

  private statement(statement: Statement, between: "\n" | " "): string {
    switch (statement.kind) {
      case "simple":
        return this.simple(statement);
      case "logical":
        return `${this.nested(statement.left, between)} ${statement.operator} ${this.nested(statement.right, between)}`;
      case "pipeline": {
        const stages = statement.stages.length === 0 ? [empty] : statement.stages;
        return stages.map((stage) => this.nested(stage, between)).join(statement.both ? " |& " : " | ");
      }
      case "not":
        return `! ${this.nested(statement.of, between)}`;
      case "timed":
        return `time ${this.nested(statement.of, between)}`;
      case "background":
        return `${this.nested(statement.of, between)} &`;
      case "coproc":
        return `coproc { ${this.list(statement.body, " ")}}`;
      case "condition":
        return `[[ ${this.condition(statement.of)} ]]`;
      case "arithmetic":
        return `((${this.arithmetic(statement.of)}))`;
      case "comment":
        return `# ${statement.texts.join(" ")}`;
      default:
        return this.compound(statement, between);
    }
  }

  /** A statement as an operand: whatever binds less than a command is grouped, and so is what ends with `&`. */
  private nested(statement: Statement, between: "\n" | " "): string {
    const loose = new Set(["logical", "pipeline", "background", "comment", "not", "timed"]);
    return loose.has(statement.kind) ? `{ ${this.list([statement], " ")}}` : this.statement(statement, between);
  }

  private compound(statement: Statement, between: "\n" | " "): string {
    switch (statement.kind) {
      case "if":
        return this.branches(statement, between);
      case "while":
      case "until":
        return `${statement.kind} ${this.list(statement.test, " ")}do${this.body(statement.body, between)}done${this.redirections(statement.redirections)}`;
      case "for": {
        const words = statement.words ? ` in${this.words(statement.words)}` : "";
        return `for ${statement.variable}${words}; do${this.body(statement.body, between)}done`;
      }
      case "count": {
        const { variable, to } = statement;
        return `for ((${variable}=0; ${variable}<${to}; ${variable}++)); do${this.body(statement.body, between)}done`;
      }
      case "select":
        return `select ${statement.variable} in${this.words(statement.words)}; do${this.body(statement.body, between)}done${this.redirections(statement.redirections)}`;
      case "case": {
        const ways = statement.ways.map(
          ({ patterns, body, end }) =>
            `(${patterns.map((word) => this.word(word)).join("|")})${this.body(body, between)}${end}${between}`,
        );
        return `case ${this.word(statement.word)} in${between}${ways.join("")}esac`;
      }
      case "group":
        return `{${this.body(statement.body, between)}}${this.redirections(statement.redirections)}`;
      case "subshell":
        return `(${this.body(statement.body, between)})${this.redirections(statement.redirections)}`;
      case "function": {
        const { name, body, own, style, redirections } = statement;
        const head = style === "word" ? `function ${name}` : `${name}()`;
        const [open, close] = own ? ["(", ")"] : ["{", "}"];
        return `${head} ${open}${this.body(body, between)}${close}${this.redirections(redirections)}`;
      }
      default:
        return ":";
    }
  }

  private branches({ test, then, elif, otherwise }: Extract<Statement, { kind: "if" }>, between: "\n" | " "): string {
    const more = elif ? `elif ${this.list(elif.test, " ")}then${this.body(elif.then, between)}` : "";
    const last = otherwise ? `else${this.body(otherwise, between)}` : "";
    return `if ${this.list(test, " ")}then${this.body(then, between)}${more}${last}fi`;
  }

  private simple({ assignments, words, redirections }: Extract<Statement, { kind: "simple" }>): string {
    const own = [
      ...assignments.map((assignment) => this.assignment(assignment)),
      ...words.map((word) => this.word(word)),
    ];
    const text = own.join(" ") + this.redirections(redirections);
    return text.trim() === "" ? ":" : text.trimStart();
  }

  private words(words: readonly Word[]): string {
    return words.map((word) => ` ${this.word(word)}`).join("");
  }

  private assignment({ name, append, index, value, items }: Assignment): string {
    const head = `${name}${index ? `[${this.parts(index)}]` : ""}${append ? "+=" : "="}`;
    if (!items) return head + (value ? this.parts(value) : "");
    const list = items.map((item) =>
      item.index ? `[${this.parts(item.index)}]=${this.word(item.value)}` : this.word(item.value),
    );
    return `${head}(${list.join(" ")})`;
  }

  private redirections(list: readonly Redirection[]): string {
    return list.map((one) => ` ${this.redirection(one)}`).join("");
  }

  private redirection(one: Redirection): string {
    if ("here" in one) {
      const end = `END${this.documents++}`;
      const lines = one.here.map((line) => `${one.tabs ? "\t" : ""}${this.parts(line)}\n`).join("");
      this.waiting.push(`${lines}${end}\n`);
      return `${one.fd ?? ""}<<${one.tabs ? "-" : ""}${one.quoted ? `'${end}'` : end}`;
    }
    const fd = one.fd === "fd" ? "{fd}" : (one.fd ?? "");
    return `${fd}${one.operator}${/^[<>]&$/.test(one.operator) ? "" : " "}${this.word(one.target)}`;
  }

  private condition(condition: Condition): string {
    if ("unary" in condition) return `${condition.unary} ${this.word(condition.word)}`;
    if ("binary" in condition) return `${this.word(condition.left)} ${condition.binary} ${this.word(condition.right)}`;
    if ("not" in condition) return `! (${this.condition(condition.not)})`;
    return `(${this.condition(condition.first)}) ${condition.join} (${this.condition(condition.second)})`;
  }

  private arithmetic(value: Arithmetic): string {
    if ("number" in value) return String(value.number);
    if ("variable" in value) return `${value.variable}${value.index ? `[${this.parts(value.index)}]` : ""}`;
    if ("word" in value) return this.parts(value.word);
    if ("step" in value) return `${value.step}${value.by}`;
    if ("set" in value) return `${value.set}${value.operator}${this.arithmetic(value.value)}`;
    return `(${this.arithmetic(value.left)}) ${value.operator} (${this.arithmetic(value.right)})`;
  }

  word(word: Word): string {
    const text = this.parts(word);
    return text === "" ? "''" : text;
  }

  private parts(word: Word): string {
    return word.map((part, i) => this.beside(this.part(part), word[i + 1])).join("");
  }

  /** `$x` in front of a letter is `${x}`. */
  private beside(text: string, next: Part | undefined): string {
    if (!next || !/^\$\w+$/.test(text)) return text;
    return /^[\w[]/.test(this.part(next)) ? `\${${text.slice(1)}}` : text;
  }

  private part(part: Part): string {
    switch (part.part) {
      case "literal":
        return /[\s*?!\\]|^#/.test(part.text) ? `'${part.text}'` : part.text;
      case "escaped":
        return part.text.replace(/[^\w]/g, "\\$&").replace(/^\w/, "\\$&");
      case "single":
        return `'${part.texts.join(" ").replaceAll("'", "'\\''")}'`;
      case "ansi":
        return `$'${part.text}'`;
      case "double":
        return `"${part.parts.map((one, i) => this.beside(this.quoted(one), part.parts[i + 1])).join("")}"`;
      case "parameter":
        return this.parameter(part.expansion);
      case "substitution":
        return part.ticks
          ? `\`${this.inner(part.body).replace(/[\\`$]/g, (one) => (one === "$" ? one : `\\${one}`))}\``
          : `$(${this.inner(part.body)})`;
      case "content":
        return `$(< ${this.word(part.file)})`;
      case "arithmetic":
        return part.old ? `$[${this.arithmetic(part.value)}]` : `$((${this.arithmetic(part.value)}))`;
      case "braces":
        return `{${part.items.map((item) => this.parts(item)).join(",")}}`;
      case "range":
        return `{${part.from}..${part.to}}`;
      case "glob":
        return part.glob;
      case "process":
        return `${part.direction}(${this.inner(part.body)})`;
      case "subscript":
        return `'a[$(${this.inner(part.body).replaceAll("'", "'\\''")})0]'`;
      case "code":
        return `'${this.inner(part.body).replaceAll("'", "'\\''")}'`;
    }
  }

  /** Statements within a word: on one line, but for here-documents, which are their own. */
  private inner(body: Script): string {
    return new Printer().list(body, " ").replace(/;? $/, "");
  }

  /** A part within double quotes: what is literal there has no quotes of its own. */
  private quoted(part: Part): string {
    switch (part.part) {
      case "literal":
        return part.text.replace(/["\\`$]/g, "\\$&");
      case "single":
        return part.texts.join(" ").replace(/["\\`$]/g, "\\$&");
      case "code":
        return `'${this.inner(part.body).replace(/["\\`$]/g, "\\$&")}'`;
      case "double":
        return part.parts.map((one, i) => this.beside(this.quoted(one), part.parts[i + 1])).join("");
      default:
        return this.part(part);
    }
  }

  private parameter({ name, bare, before, index, operator, first, second, names }: Parameter): string {
    if (bare) return `$${name}`;
    const subscript = index === undefined ? "" : typeof index === "string" ? `[${index}]` : `[${this.parts(index.at)}]`;
    const head = `${before ?? ""}${name}${names ?? ""}${subscript}`;
    if (!operator) return `\${${head}}`;
    const more = second ? `${operator === ":" ? ":" : "/"}${this.parts(second)}` : "";
    return `\${${head}${operator}${first ? this.parts(first) : ""}${more}}`;
  }
}

const empty: Statement = { kind: "simple", assignments: [], words: [], redirections: [] };
