import { createHash } from "node:crypto";
import { type Diagnostic, diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import type { Source } from "../diagnostics/source.ts";
import { didYouMean } from "../diagnostics/suggest.ts";
import type { Json, Mode, Scope, Severity } from "../engine/plan.ts";
import { limits } from "../schema/limits.ts";
import { type Allowance, allowances } from "./allowance.ts";
import type { PolicyOutline } from "./outline.ts";
import { type PolicyResult, parsePolicy } from "./parse/policy.ts";
import type { ImportDraft, PolicyDraft, PolicyFile } from "./policy-draft.ts";
import { readYaml } from "./read.ts";
import { type Given, settleParameters } from "./resolve-parameters.ts";
import { validate } from "./validate.ts";
import type { YamlMap } from "./yaml-node.ts";

/** Returns the SHA-256 of a policy file's bytes, `sha256:<hex>`: humans trust files by it, and the plan names its sources by it. */
export function sourceDigest(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** Policy files to compile, with their settings. */
export interface CompileRequest {
  readonly files: readonly PolicyFile[];
  /** Scope of files that do not name one; user by default. */
  readonly scope?: Scope;
  /** Parameter values as text, e.g. from `--set`; lists are separated by commas. */
  readonly set?: Readonly<Record<string, string>>;
  /** Digests (`sourceDigest`) of policy files of the project scope that a human has trusted; none by default. */
  readonly trusted?: ReadonlySet<string>;
  /** Finds an imported file or pack; undefined if there is none. */
  resolveImport?(
    reference: { readonly pack?: string; readonly file?: string },
    from: PolicyFile,
  ): PolicyFile | undefined;
  /** Why an import that was not found cannot be used, in a few words. */
  importProblem?(reference: { readonly pack?: string; readonly file?: string }, from: PolicyFile): string | undefined;
}

/** Returns the allowance for compiling a policy file. Shipped files, and files imported from these, count as work only. */
export type Budgets = (file: PolicyFile, scope: Scope) => Allowance;

/** Changes that imports make to one rule. */
export interface RuleOverride {
  readonly severity: Severity | undefined;
  readonly mode: Mode | undefined;
  readonly enabled: boolean | undefined;
}

/** A policy with everything that importers and the command line decide about it. */
export interface ResolvedPolicy {
  readonly draft: PolicyDraft;
  /** The document as it was read, for lints. */
  readonly root: YamlMap;
  readonly scope: Scope;
  readonly mode: Mode;
  readonly parameters: ReadonlyMap<string, Json>;
  /** Where an importer gives a parameter its value, by the name of the parameter. */
  readonly given: ReadonlyMap<string, Given>;
  readonly overrides: ReadonlyMap<string, RuleOverride>;
  /** False for a policy of the project scope until a human trusts its bytes and those of its importers. */
  readonly trusted: boolean;
  /** True for a shipped pack, and for a file beside one. */
  readonly shipped: boolean;
}

/** Result of reading all files: usable policies, every source by its file's name for rendering, and diagnostics. */
export interface Resolved {
  readonly policies: readonly ResolvedPolicy[];
  readonly sources: ReadonlyMap<string, Source>;
  readonly diagnostics: readonly Diagnostic[];
}

interface Loaded {
  readonly draft: PolicyDraft;
  readonly root: YamlMap;
  readonly scope: Scope;
  imported: ImportDraft[];
  importers: Loaded[];
  /** A shipped pack, or a file beside one. */
  shipped: boolean;
  /** True if it is given directly, not only imported. */
  given: boolean;
}

/**
 * Reads, validates and parses the given files and everything they import, each once, and settles parameters, modes and
 * overrides. Total: a file that could not be used is a diagnostic; the order of imports changes nothing.
 */
export function resolvePolicies(
  request: CompileRequest,
  budgets: Budgets = defaultBudgets(),
  base: readonly PolicyOutline[] = [],
): Resolved {
  return new Resolver(request, budgets, base).run();
}

function defaultBudgets(): Budgets {
  const { others } = allowances();
  return () => others;
}

class Resolver {
  readonly #request: CompileRequest;
  readonly #loaded = new Map<string, Loaded>();
  readonly #sources = new Map<string, Source>();
  readonly #unusable = new Set<string>();
  readonly #diagnostics: Diagnostic[] = [];
  readonly #budgets: Budgets;
  readonly #base: readonly PolicyOutline[];

  constructor(request: CompileRequest, budgets: Budgets, base: readonly PolicyOutline[]) {
    this.#request = request;
    this.#budgets = budgets;
    this.#base = base;
  }

  run(): Resolved {
    for (const file of this.#request.files) {
      const loaded = this.#load(file, file.scope ?? this.#request.scope ?? "user", false);
      if (loaded) loaded.given = true;
    }
    const usable = [...this.#loaded.values()];
    for (const loaded of usable) this.#dropUntrustedImporters(loaded);
    this.#reportSharedIds(usable);
    this.#reportUnusedSettings(usable);
    const policies = usable.map((loaded) => this.#settle(loaded));
    return { policies, sources: this.#sources, diagnostics: this.#diagnostics };
  }

  /** Loads a file once for each scope, by path. A file with errors has diagnostics but no draft. */
  #load(file: PolicyFile, scope: Scope, shipped: boolean): Loaded | undefined {
    const key = `${scope} ${file.path}`;
    const known = this.#loaded.get(key);
    if (known) known.shipped &&= shipped;
    if (known || this.#unusable.has(key)) return known;
    this.#unusable.add(key);
    const read = this.#read(file, scope, shipped);
    if (!read) return undefined;
    const { root, parsed } = read;
    const loaded: Loaded = {
      draft: parsed.draft,
      root,
      scope,
      imported: [],
      importers: [],
      shipped,
      given: false,
    };
    this.#unusable.delete(key);
    this.#loaded.set(key, loaded);
    if (!hasErrors(parsed.diagnostics)) for (const reference of parsed.draft.imports) this.#import(loaded, reference);
    return loaded;
  }

  #read(file: PolicyFile, scope: Scope, shipped: boolean): { root: YamlMap; parsed: PolicyResult } | undefined {
    const budget = this.#budgets(file, scope);
    if (!shipped) budget.file(file);
    return budget.run(file.name, () => {
      const { source, root, diagnostics } = readYaml(file.name, file.bytes);
      this.#sources.set(file.name, source);
      this.#diagnostics.push(...diagnostics);
      if (!root) return undefined;
      const shape = validate("policy", source, root);
      this.#diagnostics.push(...shape);
      if (shape.length > 0 || root.kind !== "map") return undefined;
      const parsed = parsePolicy(file, source, root);
      this.#diagnostics.push(...parsed.diagnostics);
      if (!shipped) budget.draft(parsed.draft);
      return { root, parsed };
    });
  }

  #import(from: Loaded, reference: ImportDraft): void {
    const { draft } = from;
    const named = reference.pack ?? reference.file ?? "";
    const refuse = (message: string, help: string): void =>
      void this.#diagnostics.push(diagnostic("HW405", draft.source, reference.span, message, help));
    if ([...this.#loaded.values()].filter(({ scope }) => scope === from.scope).length > limits.imports)
      return refuse(`more than ${limits.imports} policies are imported`, "import fewer, or join small ones");
    const wanted = {
      ...(reference.pack !== undefined && { pack: reference.pack }),
      ...(reference.file !== undefined && { file: reference.file }),
    };
    const file = this.#request.resolveImport?.(wanted, draft.file);
    if (!file) {
      const problem = this.#request.importProblem?.(wanted, draft.file) ?? "it cannot be found";
      const help =
        reference.pack === undefined ? "the path is resolved beside the importing file" : "check the name of the pack";
      return refuse(`import of \`${named}\`: ${problem}`, help);
    }
    const loaded = this.#load(file, from.scope, reference.pack !== undefined || from.shipped);
    if (!loaded) return refuse(`\`${named}\` cannot be used`, "mend the errors reported for it");
    loaded.imported.push(reference);
    loaded.importers.push(from);
  }

  #reportSharedIds(all: readonly Loaded[]): void {
    const first = new Map<string, Loaded>();
    for (const loaded of all) {
      const key = `${loaded.scope}/${loaded.draft.id}`;
      const other = first.get(key);
      if (!other) {
        first.set(key, loaded);
        continue;
      }
      const related = [{ message: "also defined here", source: other.draft.source.name, span: other.draft.span }];
      this.#diagnostics.push(
        diagnostic(
          "HW401",
          loaded.draft.source,
          loaded.draft.span,
          `policy id \`${loaded.draft.id}\` is used by two files`,
          "give each policy of a scope its own id",
          related,
        ),
      );
    }
  }

  #reportUnusedSettings(all: readonly Loaded[]): void {
    const known = [
      ...this.#base.flatMap(({ parameters }) => parameters),
      ...all.flatMap((loaded) => [...loaded.draft.parameters.keys()]),
    ];
    const [first] = all;
    for (const name of Object.keys(this.#request.set ?? {})) {
      if (known.includes(name) || !first) continue;
      this.#diagnostics.push(
        diagnostic(
          "HW404",
          first.draft.source,
          { start: 0, end: 0 },
          `no policy has the parameter \`${name}\` that was set`,
          didYouMean(name, known),
        ),
      );
    }
  }

  #settle(loaded: Loaded): ResolvedPolicy {
    const { draft } = loaded;
    const importedMode =
      !loaded.given && loaded.imported.length > 0 && loaded.imported.every((i) => i.mode === "monitor")
        ? "monitor"
        : undefined;
    const { parameters, given } = settleParameters(loaded, this.#request.set ?? {}, (found) =>
      this.#diagnostics.push(found),
    );
    return {
      draft,
      root: loaded.root,
      scope: loaded.scope,
      mode: importedMode ?? draft.mode,
      parameters,
      given,
      overrides: this.#overrides(loaded),
      shipped: loaded.shipped,
      trusted: loaded.scope !== "project" || this.#isTrusted(loaded, new Set()),
    };
  }

  /** True if a file and all files that import it are trusted; a circle of imports ends where it began. */
  #isTrusted(loaded: Loaded, seen: Set<Loaded>): boolean {
    if (seen.has(loaded)) return true;
    seen.add(loaded);
    return this.#isOwnTrusted(loaded) && loaded.importers.every((importer) => this.#isTrusted(importer, seen));
  }

  #isOwnTrusted({ shipped, draft }: Loaded): boolean {
    return shipped || this.#request.trusted?.has(sourceDigest(draft.file.bytes)) === true;
  }

  /**
   * Drops untrusted importers of a file that is trusted without them, because it is given or by other importers. They give it
   * neither parameters nor a mode, and do not make it untrusted.
   */
  #dropUntrustedImporters(loaded: Loaded): void {
    if (loaded.scope !== "project" || loaded.importers.length === 0 || !this.#isOwnTrusted(loaded)) return;
    const kept = loaded.importers.flatMap((importer, i) => (this.#isTrusted(importer, new Set([loaded])) ? [i] : []));
    if (kept.length === loaded.importers.length || (kept.length === 0 && (!loaded.given || loaded.shipped))) return;
    const [imported, importers] = [loaded.imported, loaded.importers];
    loaded.imported = kept.map((i) => imported[i] as ImportDraft);
    loaded.importers = kept.map((i) => importers[i] as Loaded);
  }

  #overrides(loaded: Loaded): Map<string, RuleOverride> {
    const overrides = new Map<string, RuleOverride>();
    const known = loaded.draft.rules.map((rule) => rule.id);
    for (const [i, reference] of loaded.imported.entries()) {
      for (const { rule, span, severity, mode, enabled } of reference.overrides) {
        const importer = (loaded.importers[i] as Loaded).draft;
        if (!known.includes(rule))
          this.#diagnostics.push(
            diagnostic("HW404", importer.source, span, `import has no rule \`${rule}\``, didYouMean(rule, known)),
          );
        // A policy that is also given directly keeps its own strictness: an import elsewhere cannot loosen it.
        else if (!loaded.given) overrides.set(rule, strictest(overrides.get(rule), { severity, mode, enabled }, i > 0));
      }
    }
    return overrides;
  }
}

/** Joins the overrides of one rule by several importers to the stricter side: enforced and enabled unless all say otherwise. */
function strictest(one: RuleOverride | undefined, other: RuleOverride, isLater: boolean): RuleOverride {
  if (!one) return isLater ? { ...other, mode: undefined, enabled: undefined } : other;
  return {
    severity: one.severity ?? other.severity,
    mode:
      one.mode === "monitor" && other.mode === "monitor"
        ? "monitor"
        : one.mode === undefined && other.mode === undefined
          ? undefined
          : "enforce",
    enabled: one.enabled === false && other.enabled === false ? false : undefined,
  };
}
