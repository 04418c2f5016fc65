import { fileURLToPath, pathToFileURL } from "node:url";
import type { Jiti } from "jiti";
import { limits } from "../../schema/limits.ts";
import { readRegularFile } from "../regular-file.ts";

/** Names that one file imports from another module and uses as values. */
export interface ImportedNames {
  readonly specifier: string;
  readonly names: readonly string[];
}

/** A file compiled to the body of a function, which loads its imports through `jitiImport` or `require`. */
export interface ModuleCode {
  readonly code: string;
  readonly imports: readonly ImportedNames[];
}

/** Compiler that turns ES modules and TypeScript into function bodies, and resolves imports to files. */
export interface ModuleCompiler {
  /** Compiles a file. Throws a SyntaxError with file, line and column. `waits` is true if the function may await its imports. */
  compile(file: string, source: string, waits: boolean): ModuleCode;
  /** Returns the path of the imported file, or undefined when there is none. */
  resolve(specifier: string, from: string, condition: "import" | "require"): string | undefined;
}

/** Settings of jiti. All are given, because environment variables can set the ones left out. */
const settings = {
  fsCache: false,
  rebuildFsCache: false,
  moduleCache: false,
  debug: false,
  sourceMaps: false,
  interopDefault: false,
  extensions: [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json"],
  alias: {},
  nativeModules: [],
  transformModules: [],
  tryNative: false,
  esmEvalTempFile: false,
  jsx: false,
  tsconfigPaths: false,
};

/** Loads the compiler from the package `jiti` on first use; pi loads its own extensions with it (decision 16). */
export async function moduleCompiler(): Promise<ModuleCompiler> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(import.meta.url, settings);
  return {
    compile: (file, source, waits) => compiled(jiti, file, source, waits),
    resolve: (specifier, from, condition) => resolved(jiti, specifier, from, condition),
  };
}

/** Start of the output that jiti gives for a file that it could not parse. */
const failure = "exports.__JITI_ERROR__ = ";

function compiled(jiti: Jiti, filename: string, source: string, waits: boolean): ModuleCode {
  const imports: ImportedNames[] = [];
  const code = jiti.transform({
    source,
    filename,
    ts: /\.[cm]?ts$/.test(filename),
    async: waits,
    interopDefault: false,
    babel: { plugins: [() => ({ visitor: { Program: { enter: (program: Program) => collect(program, imports) } } })] },
  });
  if (code.startsWith(failure)) throw syntaxError(filename, code.slice(failure.length));
  // A first line `#!` is no part of a function.
  return { code: code.startsWith("#!") ? `//${code}` : code, imports };
}

function syntaxError(file: string, json: string): SyntaxError {
  const { message, line, column } = JSON.parse(json) as { message?: string; line: number; column: number };
  // After the first line Babel gives advice on its own configuration, which is of no use to the author.
  const [first = ""] = (message ?? "").trim().split("\n");
  return new SyntaxError(`${first || "it cannot be parsed"} (${file}:${line}:${column + 1})`);
}

function resolved(jiti: Jiti, specifier: string, from: string, condition: string): string | undefined {
  const parentURL = pathToFileURL(from).href;
  const found = jiti.esmResolve(specifier, { parentURL, conditions: ["node", condition], try: true });
  if (found === undefined) return undefined;
  return found.startsWith("file:") ? fileURLToPath(found) : found;
}

/** The part of Babel's tree that `collect` reads. */
interface Program {
  readonly scope: { getBinding(name: string): Binding | undefined };
  get(key: "body"): readonly Statement[];
}
interface Statement {
  readonly node: {
    readonly source?: { readonly value: string };
    readonly specifiers?: readonly Specifier[];
  };
  isImportDeclaration(): boolean;
}
interface Specifier {
  readonly type: string;
  readonly imported?: { readonly name?: string; readonly value?: string };
  readonly local: { readonly name: string };
}
interface Binding {
  readonly referencePaths: readonly { readonly parentPath: { isExportSpecifier(): boolean } }[];
}

/**
 * Collects the names that a file imports and uses as values. Type imports are gone by then. A name that is only re-exported
 * is left out: it may be a type, and only the other file could tell.
 */
function collect(program: Program, found: ImportedNames[]): void {
  for (const statement of program.get("body")) {
    if (!statement.isImportDeclaration()) continue;
    const { source, specifiers = [] } = statement.node;
    const used = specifiers.filter(({ type, local }) => {
      const references = program.scope.getBinding(local.name)?.referencePaths ?? [];
      return (
        type !== "ImportNamespaceSpecifier" && references.some(({ parentPath }) => !parentPath.isExportSpecifier())
      );
    });
    const names = used.map(({ imported }) => imported?.name ?? imported?.value ?? "default");
    if (source !== undefined && names.length > 0) found.push({ specifier: source.value, names });
  }
}

/** Reads the source of a file. Throws with the reason in words; never waits for a writer. */
export function sourceOf(file: string): string {
  const read = readRegularFile(file, limits.hookModuleBytes);
  if (typeof read === "object" && "bytes" in read) return Buffer.from(read.bytes).toString("utf8");
  if (read === "absent") throw new Error(`\`${file}\` is not there`);
  if (read === "too large") throw new Error(`\`${file}\` has more than ${limits.hookModuleBytes} bytes`);
  if (read === "no file") throw new Error(`\`${file}\` is a folder or no file that can be read to its end`);
  throw new Error(`\`${file}\` cannot be read (${read.system})`);
}
