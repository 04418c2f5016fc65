import { createRequire } from "node:module";
import { isSecret } from "../../facts/secrets/checks.ts";
import { createScanner, type Scanner, unscannedId } from "../../facts/secrets/scan.ts";
import { detectors } from "../../facts/secrets/table.ts";
import { redact } from "../../rules/actions/redact.ts";
import { EvaluationError, type RegexEngine } from "../../schema/ports.ts";
import { context } from "../rules/actions/context.ts";

/** Found in a text that is withheld as a whole. */
export const withheld = -1;

/** One way to look for secrets. `scan` gives how many it found, or `withheld`. */
export interface ScanSubject {
  readonly name: string;
  /** Longest text that it is given; what is slow by design would hold up the whole bench. */
  readonly longest: number;
  /** Texts of other kinds than `clean` are left out: some of them could take a backtracking engine for ever. */
  readonly cleanOnly?: boolean;
  scan(text: string): number | Promise<number>;
}

/** The scanner with all detectors. */
export function allDetectors(regex: RegexEngine): Scanner {
  const scanner = createScanner(regex, ["secrets/*"]);
  if (scanner.kind === "unknown_detectors") throw new Error("there are no detectors");
  return scanner;
}

/** The scanner itself: findings with exact places. */
export function scannerSubject(regex: RegexEngine): ScanSubject {
  const scanner = allDetectors(regex);
  return {
    name: "hookwarden",
    longest: Number.POSITIVE_INFINITY,
    scan: (text) => {
      const found = scanner.find(text);
      return found[0]?.detector === unscannedId ? withheld : found.length;
    },
  };
}

/** The whole action, as an engine runs it on a tool result: walk, decode, scan, replace. */
export function actionSubject(regex: RegexEngine): ScanSubject {
  const parameters = { detectors: ["secrets/*"] };
  const surroundings = context({ regex });
  return {
    name: "hookwarden, action `redact`",
    longest: Number.POSITIVE_INFINITY,
    scan: (text) => {
      const given = { content: [{ type: "text", text }] };
      const after = redact.transform?.(given, parameters, surroundings);
      if (after === given) return 0;
      if (after instanceof EvaluationError && after.code === "HW507") return withheld;
      if (after === undefined || after instanceof EvaluationError) throw new Error(after?.message ?? "no transform");
      const written = tokens(((after.content as typeof given.content)[0] as { text: string }).text);
      return Math.max(0, written - tokens(text));
    },
  };
}

function tokens(text: string): number {
  return text.split("[REDACTED:").length - 1;
}

/** Every pattern over every text, one after the other, as one would write it first. */
export function plainLoop(regex: RegexEngine): ScanSubject {
  const compiled = detectors.map((detector) => ({ detector, pattern: regex.compile(detector.pattern) }));
  return {
    name: `plain loop, ${regex.name}`,
    longest: 1_000_000,
    scan: (text) => {
      let found = 0;
      for (const { detector, pattern } of compiled) {
        if ("kind" in pattern) continue;
        for (const { groups } of pattern.matches(text)) {
          const secret = groups[1] ?? groups[0] ?? "";
          if (secret !== "" && isSecret(detector, secret, (groups[2] ?? "") !== "")) found += 1;
        }
      }
      return found;
    },
  };
}

/** The same loop with the platform's own engine, for those patterns that it can read. */
export function nativeLoop(): ScanSubject {
  const compiled = detectors.flatMap((detector) => {
    const pattern = native(detector.pattern);
    return pattern ? [{ detector, pattern }] : [];
  });
  return {
    name: `plain loop, native RegExp (${compiled.length} of ${detectors.length})`,
    longest: 1_000_000,
    cleanOnly: true,
    scan: (text) => {
      let found = 0;
      for (const { detector, pattern } of compiled) {
        for (const groups of text.matchAll(pattern)) {
          const secret = groups[1] ?? groups[0];
          if (secret !== "" && isSecret(detector, secret, (groups[2] ?? "") !== "")) found += 1;
        }
      }
      return found;
    },
  };
}

/** A leading `(?i)` is a flag there; flags elsewhere it cannot read. */
function native(pattern: string): RegExp | undefined {
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  try {
    return new RegExp(pattern.slice(flags?.[0].length ?? 0), `g${flags?.[1] ?? ""}`);
  } catch {
    return undefined;
  }
}

interface Secretlint {
  lintSource(request: object): Promise<{ readonly messages: readonly unknown[] }>;
}

const packages = ["@secretlint/core", "@secretlint/secretlint-rule-preset-recommend"] as const;

/** secretlint with its recommended preset; undefined where it is not installed. */
export async function secretlintSubject(): Promise<ScanSubject | undefined> {
  const id = packages[1];
  let loaded: readonly [Secretlint, { readonly creator: unknown }, { readonly version: string }];
  try {
    loaded = [
      (await import(packages[0] as string)) as Secretlint,
      (await import(id as string)) as { readonly creator: unknown },
      createRequire(import.meta.url)(`${packages[0]}/package.json`) as { readonly version: string },
    ];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
  const [core, preset, manifest] = loaded;
  const options = { config: { rules: [{ id, rule: preset.creator, options: {}, rules: [] }] }, noPhysicFilePath: true };
  return {
    name: `secretlint ${manifest.version}, recommended preset`,
    longest: Number.POSITIVE_INFINITY,
    scan: async (text) => {
      const source = { content: text, filePath: "text.log", ext: ".log", contentType: "text" };
      return (await core.lintSource({ source, options })).messages.length;
    },
  };
}
