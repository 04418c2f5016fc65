import { Collector } from "./findings.ts";
import type { Language, Names } from "./language.ts";
import type { Token } from "./tokens.ts";
import { textValue, unknown, type Value } from "./values.ts";

/** A variable: the place of its only value, or nothing where it has several, or none in the code. */
export interface Variable {
  readonly tokens: readonly Token[];
  readonly at: number;
  /** `each`: the value is each item of a list; `member`: a field of the value, under `member`. */
  readonly kind: "once" | "each" | "member" | "many";
  readonly member: string;
  value: Value | undefined;
}

/** The last two parts of a name: `path.join` of `os.path.join`. */
function lastTwo(name: string): string {
  const last = name.lastIndexOf(".");
  return last <= 0 ? name : name.slice(name.lastIndexOf(".", last - 1) + 1);
}

/** Everything that is known while one code is scanned, nested codes included. */
export class Context implements Names {
  readonly language: Language;
  readonly to = new Collector();
  readonly variables = new Map<string, Variable>();
  readonly defined = new Set<string>();
  readonly argv: readonly Value[];
  /** Expressions being evaluated inside each other. */
  depth = 0;
  /** Codes inside codes. */
  nesting = 0;
  private readonly aliases = new Map<string, string>();
  private readonly stars: string[] = [];
  private readonly loaded = new Set<string>();

  constructor(language: Language, argv: readonly Value[]) {
    this.language = language;
    this.argv = argv;
  }

  alias(alias: string, name: string): void {
    this.aliases.set(alias, this.canonical(name));
    this.variables.delete(alias);
  }

  star(module: string): void {
    if (this.stars.length < 32) this.stars.push(this.canonical(module));
  }

  load(module: string): void {
    const name = this.canonical(module);
    this.loaded.add(name.split(".")[0] as string);
    const { modules } = this.language;
    if (modules.has(name) || modules.has(name.split(/[./]/)[0] as string)) return;
    this.to.load(textValue(module));
    this.to.doubt(`it loads \`${name.slice(0, 60)}\``);
  }

  canonical(name: string): string {
    return this.language.canonical?.(name) ?? name;
  }

  /** Resolves a name that is not a variable: a constant, the thing it was imported as, or the name itself. */
  named(name: string): Value {
    const full = this.aliases.get(name) ?? this.canonical(name);
    return this.language.constants.get(full) ?? { kind: "name", name: full };
  }

  /** A member of a module. */
  member(name: string, member: string): Value {
    // No name of the tables is as long; names that grow without end would cost more than linear time.
    if (name.length > 200) return unknown;
    const full = this.canonical(`${name}.${member}`);
    return this.language.constants.get(full) ?? { kind: "name", name: full };
  }

  /** Finds the table entry of a name: by the whole name, by its last two parts, or in a module imported as a whole. */
  find<T>(table: ReadonlyMap<string, T>, name: string): T | undefined {
    const found = table.get(name) ?? table.get(lastTwo(name));
    if (found !== undefined || name.includes(".")) return found;
    for (const star of this.stars) {
      const starred = table.get(`${star}.${name}`);
      if (starred !== undefined) return starred;
    }
    return undefined;
  }

  isPure(name: string): boolean {
    const { pure } = this.language;
    if (pure.has(name)) return true;
    const first = name.indexOf(".");
    if (first < 0) return this.stars.some((star) => pure.has(`${star}.${name}`) || pure.has(`${star}.*`));
    if (pure.has(lastTwo(name)) || pure.has(`${name.slice(0, first)}.*`)) return true;
    const second = name.indexOf(".", first + 1);
    return second >= 0 && pure.has(`${name.slice(0, second)}.*`);
  }

  /** True for a name below a module, so that its methods are not those of a plain value. */
  isModule(name: string): boolean {
    const root = name.split(".")[0] as string;
    return this.loaded.has(root) || this.language.modules.has(root);
  }

  /** Binds a parameter to a value. */
  bind(name: string, value: Value): void {
    this.variables.set(name, { tokens: [], at: 0, kind: "many", member: "", value });
  }

  /** Marks the value of a name as unknown. */
  forget(name: string): void {
    this.bind(name, unknown);
  }
}
