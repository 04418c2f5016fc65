import type { Code } from "../../diagnostics/codes.ts";
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Span } from "../../diagnostics/source.ts";
import type { TomlDocument, TomlPath } from "./toml.ts";

/** A given field, with its place. `name` has the spelling of gitleaks' documentation. */
export interface Field {
  readonly name: string;
  readonly path: TomlPath;
  readonly value: unknown;
}

/** One `[[rules]]` of a gitleaks configuration, of the right types. */
export interface GitleaksRule {
  readonly id: string;
  readonly path: TomlPath;
  /** Fields by documented name; unknown ones are in `unknown`. */
  readonly fields: ReadonlyMap<string, Field>;
  readonly allowlists: readonly GitleaksAllowlist[];
  readonly unknown: readonly Field[];
}

/** One allow-list, of a rule or of all rules. */
export interface GitleaksAllowlist {
  readonly path: TomlPath;
  readonly fields: ReadonlyMap<string, Field>;
}

/** A gitleaks configuration, of the right types. */
export interface GitleaksConfig {
  readonly title: string | undefined;
  readonly extend: ReadonlyMap<string, Field>;
  readonly rules: readonly GitleaksRule[];
  readonly allowlists: readonly GitleaksAllowlist[];
  readonly unknown: readonly Field[];
}

type Kind = "text" | "texts" | "number" | "count" | "flag" | "table" | "tables";

const kinds: Readonly<Record<Kind, { readonly wanted: string; readonly fits: (value: unknown) => boolean }>> = {
  text: { wanted: "text", fits: (value) => typeof value === "string" },
  texts: {
    wanted: "a list of texts",
    fits: (value) =>
      typeof value === "string" || (Array.isArray(value) && value.every((item) => typeof item === "string")),
  },
  number: { wanted: "a number", fits: (value) => typeof value === "number" },
  count: { wanted: "a whole number from 0", fits: (value) => Number.isSafeInteger(value) && (value as number) >= 0 },
  flag: { wanted: "true or false", fits: (value) => typeof value === "boolean" },
  table: { wanted: "a table", fits: isTable },
  tables: { wanted: "a list of tables", fits: (value) => Array.isArray(value) && value.every(isTable) },
};

const topFields: Readonly<Record<string, Kind>> = {
  title: "text",
  description: "text",
  minVersion: "text",
  extend: "table",
  allowlist: "table",
  allowlists: "tables",
  rules: "tables",
};
const ruleFields: Readonly<Record<string, Kind>> = {
  id: "text",
  description: "text",
  regex: "text",
  secretGroup: "count",
  entropy: "number",
  path: "text",
  keywords: "texts",
  tags: "texts",
  allowlist: "table",
  allowlists: "tables",
  required: "tables",
  skipReport: "flag",
};
const allowlistFields: Readonly<Record<string, Kind>> = {
  description: "text",
  condition: "text",
  regexTarget: "text",
  regexes: "texts",
  paths: "texts",
  commits: "texts",
  stopwords: "texts",
  targetRules: "texts",
};
const extendFields: Readonly<Record<string, Kind>> = {
  useDefault: "flag",
  path: "text",
  url: "text",
  disabledRules: "texts",
};

/** True for a TOML table; its own properties are its keys. */
function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/**
 * Reads the rules and allow-lists of a gitleaks configuration. Keys may be in any case, as in gitleaks. A wrong type, a
 * missing id and a repeated id are errors with their place; then nothing of the file may be used.
 */
export function readGitleaksConfig(document: TomlDocument): {
  readonly config: GitleaksConfig;
  readonly diagnostics: readonly Diagnostic[];
} {
  const reader = new Reader(document);
  const config = reader.config();
  return { config, diagnostics: reader.diagnostics };
}

class Reader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #document: TomlDocument;

  constructor(document: TomlDocument) {
    this.#document = document;
  }

  config(): GitleaksConfig {
    const top = this.#fields(this.#document.root, [], topFields);
    const extend = top.known.get("extend");
    const title = top.known.get("title")?.value as string | undefined;
    return {
      title,
      extend: extend ? this.#fields(extend.value, extend.path, extendFields).known : new Map(),
      rules: this.#rules(top.known.get("rules")),
      allowlists: this.#allowlists(top.known),
      unknown: top.unknown,
    };
  }

  #rules(field: Field | undefined): readonly GitleaksRule[] {
    const list = Array.isArray(field?.value) ? field.value : [];
    const seen = new Map<string, Span>();
    return list.flatMap((table, index): GitleaksRule[] => {
      const path = [...(field as Field).path, index];
      const { known, unknown } = this.#fields(table, path, ruleFields);
      const allowlists = this.#allowlists(known);
      const id = (known.get("id")?.value ?? "") as string;
      if (id.trim() === "") {
        this.#report("HW103", this.#document.place(path), "a rule needs `id`", "give it a name of its own");
        return [];
      }
      const span = this.#document.place([...path, known.get("id")?.path.at(-1) ?? "id"]);
      this.#once(id, span, seen);
      return [{ id, path, fields: known, allowlists, unknown }];
    });
  }

  #once(id: string, span: Span, seen: Map<string, Span>): void {
    const first = seen.get(id);
    if (first === undefined) {
      seen.set(id, span);
      return;
    }
    const { source } = this.#document;
    const related = [{ message: "first given here", source: source.name, span: first }];
    const help = "gitleaks takes the last of them only; remove the other, or give it another id";
    this.diagnostics.push(
      diagnostic("HW401", source, span, `two rules are called \`${id.slice(0, 100)}\``, help, related),
    );
  }

  /** Reads `allowlists`, and the older single `allowlist`. */
  #allowlists(fields: ReadonlyMap<string, Field>): readonly GitleaksAllowlist[] {
    const one = fields.get("allowlist");
    const many = fields.get("allowlists");
    const single = one ? [{ path: one.path, value: one.value }] : [];
    const list = Array.isArray(many?.value) ? many.value : [];
    const all = [...single, ...list.map((value, index) => ({ path: [...(many as Field).path, index], value }))];
    return all.map(({ path, value }) => {
      const { known, unknown } = this.#fields(value, path, allowlistFields);
      return { path, fields: new Map([...known, ...unknown.map((field) => [field.name, field] as const)]) };
    });
  }

  /** Returns the fields of a table by documented name. A field of the wrong type is reported and left out. */
  #fields(
    table: unknown,
    path: TomlPath,
    expected: Readonly<Record<string, Kind>>,
  ): { readonly known: ReadonlyMap<string, Field>; readonly unknown: readonly Field[] } {
    const names = new Map(Object.keys(expected).map((name) => [name.toLowerCase(), name]));
    const known = new Map<string, Field>();
    const unknown: Field[] = [];
    for (const [key, value] of isTable(table) ? Object.entries(table) : []) {
      const name = names.get(key.toLowerCase());
      const field: Field = { name: name ?? key, path: [...path, key], value };
      if (name === undefined) unknown.push(field);
      else if (kinds[expected[name] as Kind].fits(value)) known.set(name, field);
      else this.#wrongType(field, expected[name] as Kind);
    }
    return { known, unknown };
  }

  #wrongType({ name, path }: Field, kind: Kind): void {
    const { wanted } = kinds[kind];
    const help = kind === "tables" ? `write \`[[${name}]]\`` : "see the documentation of gitleaks' configuration";
    this.#report("HW102", this.#document.place(path), `\`${name}\` must be ${wanted}`, help);
  }

  #report(code: Code, span: Span, message: string, help: string): void {
    this.diagnostics.push(diagnostic(code, this.#document.source, span, message, help));
  }
}
