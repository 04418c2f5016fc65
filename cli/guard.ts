import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { canonicalJson } from "../engine/canonical.ts";
import type { Plan } from "../engine/plan.ts";
import { packageRoot } from "../store/packs.ts";

/** First words of every guard that `compile` writes, by which it recognizes its own files. */
const heading = "// hookwarden guard ";

/** The string literals in the built guard that `compile` fills. */
const planPlace = '"__HOOKWARDEN_PLAN__"';
const auditPlace = '"__HOOKWARDEN_AUDIT__"';

/** A host for which `compile` writes a guard. */
export type GuardHost = "pi" | "omp" | "opencode";

/** A guard to write, or the reason why there is none, with the remedy. */
export type Guard = { readonly text: string } | { readonly problem: string; readonly help: string };

/**
 * Builds one self-contained extension for a host: its built guard with this plan inside, as a string of JSON. The audit
 * path, if given, is absolute. `file` holds the guards of the build.
 */
export function buildGuard(
  plan: Plan,
  audit: string | undefined,
  version: string,
  host: GuardHost,
  file: string | undefined = guardsFile(),
): Guard {
  if (file === undefined || !existsSync(file)) {
    return {
      problem: "the guard has not been built in this installation",
      help: "run `npm run build`, or install the published package",
    };
  }
  const template = templateIn(file, host);
  if (template === undefined)
    return { problem: `the built guards in \`${file}\` cannot be read`, help: "run `npm run build` again" };
  const filled = fill(template, planPlace, canonicalJson(plan));
  if (filled === undefined)
    return { problem: "the built guard has no single place for a plan", help: "run `npm run build` again" };
  const text = audit === undefined ? filled : fill(filled, auditPlace, audit);
  if (text === undefined)
    return { problem: "the built guard has no single place for an audit path", help: "run `npm run build` again" };
  return {
    text: `${heading}${version}, policy ${plan.digest}. Written by \`hookwarden compile\`; changes are lost.\n${text}`,
  };
}

/** Returns the built guard of a host; the guard itself knows whether pi or omp loads it. */
function templateIn(file: string, host: GuardHost): string | undefined {
  try {
    const guards = JSON.parse(brotliDecompressSync(readFileSync(file)).toString("utf8")) as Record<string, unknown>;
    const text = guards[host === "opencode" ? host : "pi"];
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}

/** True for text that `buildGuard` made. */
export function isGuard(text: string): boolean {
  return text.startsWith(heading);
}

/** Replaces a string literal that occurs exactly once by text; nothing in the text is read as a pattern. */
function fill(template: string, place: string, text: string): string | undefined {
  const parts = template.split(place);
  return parts.length === 2 ? `${parts[0]}${JSON.stringify(text)}${parts[1]}` : undefined;
}

/** Returns the path of the file with the built guards: an object of texts by host, as JSON, compressed by Brotli. */
export function guardsFile(): string | undefined {
  const root = packageRoot();
  return root === undefined ? undefined : join(root, "dist/guard/guards.json.br");
}
