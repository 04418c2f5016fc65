import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { type DiscoveredFile, resolveImport } from "../store/discover.ts";
import type { CachedImport, KeptPlan, NoPlan } from "../store/plan-cache.ts";

/** The compiler, which most hooks never load. */
const compiler = () => import("../compiler/compile.ts");

type Compiler = Awaited<ReturnType<typeof compiler>>;
type CompileRequest = Parameters<Compiler["compile"]>[0];
type CompileResult = ReturnType<Compiler["compile"]>;
type PlanBase = Parameters<Compiler["addProject"]>[0];
type Finding = CompileResult["diagnostics"][number];

/** A hook's request to compile a plan. */
export interface PlanRequest {
  readonly files: readonly DiscoveredFile[];
  /** The reason why the project's own policies cannot be used. */
  readonly unreadable: string | undefined;
  readonly set: Readonly<Record<string, string>>;
  readonly trusted: ReadonlySet<string>;
}

/** Result of compiling: a plan, or why there is none, with the imports that affected it. */
export interface Made {
  readonly made: KeptPlan | NoPlan;
  readonly imports: readonly CachedImport[];
}

/** Compiles the plan of policies without a project's, with the data that a project's policies need about them. */
export async function compileAlone(request: PlanRequest): Promise<Made> {
  const { compile, outlinesOf } = await compiler();
  const imports = new Imports(request.trusted);
  const result = compile(requestOf(request, imports));
  return imports.with(result.plan ? { plan: result.plan, outline: outlinesOf(result) } : noPlanOf(result));
}

/**
 * Compiles the plan of policies with a project's, which are added to `base` if possible. The user's own policies are then
 * not compiled again, and the project's cost is bounded.
 */
export async function compileTogether(request: PlanRequest, base: PlanBase | undefined): Promise<Made> {
  const { addProject, compile } = await compiler();
  const imports = new Imports(request.trusted);
  const files = request.files.filter(({ scope }) => scope === "project");
  const added = base ? addProject(base, requestOf({ ...request, files }, imports)) : "together";
  const result = added === "together" ? compile(requestOf(request, imports)) : added;
  return imports.with(result.plan ? { plan: result.plan } : noPlanOf(result));
}

function requestOf({ files, unreadable, set, trusted }: PlanRequest, imports: Imports): CompileRequest {
  return {
    files,
    resolveImport: (reference, from) => imports.resolve(reference, from),
    trusted,
    // With a broken policy of the project, side effects need a human's approval; any other broken policy closes the session.
    brokenProject: "ask",
    ...(unreadable !== undefined && { unreadableProject: unreadable }),
    set: { ...set },
  };
}

function noPlanOf({ diagnostics }: CompileResult): NoPlan {
  const error = diagnostics.find(({ severity }) => severity === "error");
  return error ? unusable(error) : { message: "there is no policy", fix: "run `hookwarden check`" };
}

/** Returns a hook's message about a policy that does not load. */
export function unusable(finding: Finding): NoPlan {
  return {
    message: `the policy \`${finding.source}\` does not load (${finding.code}: ${finding.message})`,
    fix: finding.help,
  };
}

/** The imports of one compilation, in their state at that time. */
class Imports {
  readonly #found = new Map<string, CachedImport>();
  readonly #trusted: ReadonlySet<string>;

  constructor(trusted: ReadonlySet<string>) {
    this.#trusted = trusted;
  }

  resolve(
    wanted: { readonly pack?: string; readonly file?: string },
    from: DiscoveredFile,
  ): DiscoveredFile | undefined {
    const file = resolveImport(wanted, from);
    if (file) {
      const { path, pack, bytes } = file;
      this.#found.set(path, { path, ...(pack !== undefined && { pack }), ...standing(bytes, this.#trusted) });
    } else {
      const { name, path } = from;
      const missing = wanted.file === undefined ? path : join(dirname(path), wanted.file);
      this.#found.set(JSON.stringify([wanted, path]), { path: missing, wanted, from: { name, path } });
    }
    return file;
  }

  with(made: Made["made"]): Made {
    return { made, imports: [...this.#found.values()] };
  }
}

/** Returns the digest of a policy's bytes, and whether a human has trusted them. */
export function standing(bytes: Uint8Array, trusted: ReadonlySet<string>): { digest: string; trusted: boolean } {
  const digest = createHash("sha256").update(bytes).digest("hex");
  return { digest, trusted: trusted.has(`sha256:${digest}`) };
}
