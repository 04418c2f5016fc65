import { resolve } from "node:path";
import { canonicalJson } from "../../engine/canonical.ts";
import type { Plan } from "../../engine/plan.ts";
import { OutputRefused, writeAtomically } from "../../store/output-file.ts";
import { packageVersion } from "../../store/packs.ts";
import { fileDiagnostic } from "../../store/policy-file.ts";
import { buildGuard, isGuard } from "../guard.ts";
import { exit, type Io } from "../io.ts";
import { loadPolicies, type PolicyOptions } from "../load.ts";
import { count, prettyDiagnostics } from "../report/pretty.ts";
import { whyUnwritten } from "../unwritten.ts";

/** Options of `compile`. */
export interface CompileOptions extends PolicyOptions {
  readonly out: string;
  readonly target: "plan" | "pi" | "omp" | "opencode";
  readonly audit?: string;
  readonly force?: boolean;
}

/** `compile`: writes one file, or nothing at all. 2 if a policy has an error or the file cannot be written. */
export async function compilePolicies(options: CompileOptions, io: Io): Promise<number> {
  const loaded = loadPolicies(options, io);
  io.err(prettyDiagnostics(loaded.diagnostics, loaded.sources, false));
  if (!loaded.plan) return exit.unusable;
  const audit = options.audit === undefined ? undefined : resolve(io.cwd, options.audit);
  const made =
    options.target === "plan"
      ? { text: `${canonicalJson(loaded.plan)}\n` }
      : buildGuard(loaded.plan, audit, packageVersion(), options.target);
  if ("problem" in made) return refuse(io, options.out, made.problem, made.help);
  if (options.out === "-") {
    await io.out(made.text);
    return exit.fine;
  }
  try {
    writeAtomically(resolve(io.cwd, options.out), made.text, options.force ? undefined : isOurs);
  } catch (error) {
    const taken = error instanceof OutputRefused;
    const why = taken ? error.message : whyUnwritten(error);
    return refuse(
      io,
      options.out,
      `\`${options.out}\` cannot be written: ${why}`,
      taken
        ? "choose another name, or overwrite it with `--force`"
        : "name a file in a folder that is there and that you may write to",
    );
  }
  io.err(`wrote ${options.out}: ${counted(loaded.plan)}, ${loaded.plan.digest}\n`);
  io.err(`next: ${next[options.target](options.out)}\n`);
  return exit.fine;
}

/** Next step for each target: how a host or a program loads the written file. */
const next: Readonly<Record<CompileOptions["target"], (out: string) => string>> = {
  plan: () => "your own agent gives it to `createEngine`; a host needs `hookwarden install <host>` instead",
  pi: (out) => `load it with \`pi -e ${out.includes("/") ? out : `./${out}`}\`, or put it into \`.pi/extensions/\``,
  omp: () => "omp loads it from `.omp/extensions/`",
  opencode: () => "opencode loads it from `.opencode/plugins/`",
};

/** Counts policies and rules of the plan, without the built-in ones, which every plan has. */
function counted({ policies, rules }: Plan): string {
  const own = (index: number): boolean => policies[index]?.scope !== "builtin";
  const ownPolicies = policies.filter((_, i) => own(i)).length;
  return `${count(ownPolicies, "policy")}, ${count(rules.filter((rule) => own(rule.policy)).length, "rule")}`;
}

function refuse(io: Io, file: string, message: string, help: string): number {
  io.err(prettyDiagnostics([fileDiagnostic("HW702", file, message, help)], new Map(), false));
  return exit.unusable;
}

/** True for text of an earlier `compile`, or an empty file. */
function isOurs(text: string): boolean {
  return text.trim() === "" || isGuard(text) || isPlan(text);
}

function isPlan(text: string): boolean {
  try {
    const { format, digest, policies, rules } = JSON.parse(text) as Partial<Plan>;
    return format === 1 && typeof digest === "string" && Array.isArray(policies) && Array.isArray(rules);
  } catch {
    return false;
  }
}
