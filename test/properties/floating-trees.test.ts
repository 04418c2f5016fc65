import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import { policyFile } from "../literate/policies.ts";
import { rounds } from "./seed.ts";

/**
 * Invariant 3 of the reach page: where the disk is not known a larger tree is stopped at least by a question, and where it is known a
 * larger tree, or a disk with more on it, never turns a restriction off. Seeds are printed on failure.
 */
const app = "/home/dev/app";
const strictness = { allow: 0, ask: 1, block: 2 } as const;
type Outcome = keyof typeof strictness;

const name = fc.constantFrom("a", "b", "lib", "migrations", ".env", "x.sql", ".cfg", "key.pem");
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
const disk = fc.array(path, { maxLength: 8 });
const glob = fc.constantFrom(
  ...[
    "**/.env",
    "**/migrations/**",
    "*.sql",
    "**/lib/*.pem",
    "**/.cfg/**",
    "lib/**",
    "**/{a,b}/.env",
    "/home/*/app/**/x.sql",
  ],
);
const kinds = [
  { list: "reads", one: (at: string) => `cat ${at}`, tree: (at: string) => `tar czf /tmp/x.tgz ${at}` },
  { list: "reads", one: (at: string) => `cat ${at}`, tree: (at: string) => `grep -r x ${at}` },
  { list: "deletes", one: (at: string) => `rm ${at}`, tree: (at: string) => `rm -rf ${at}` },
] as const;
const kind = fc.constantFrom(...kinds);
const globs = fc.uniqueArray(glob, { minLength: 1, maxLength: 3 });
const waiver = fc.option(fc.constantFrom("**/a/**", "b/**", "**/*.sql"), { nil: undefined });

interface Rule {
  readonly list: string;
  readonly globs: readonly string[];
  readonly waiver?: string | undefined;
}

function engineOf({ list, globs: given, waiver: unless }: Rule) {
  const rule = [
    "- id: r",
    "event: tool_call",
    `each: { e: effects.${list} }`,
    `when: { e.path: { glob: ${JSON.stringify(given)} } }`,
    ...(unless === undefined ? [] : [`unless: { e.path: { glob: "${unless}" } }`]),
    "action: block",
    "reason: r",
  ];
  const { plan, diagnostics } = compile({
    files: [policyFile(`version: 1\npolicy: p\nrules:\n  ${rule.join("\n    ")}\n`)],
  });
  if (!plan) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const engine = createEngine(plan);
  return (command: string, paths?: readonly string[]): Outcome => {
    const files = paths && { files: Object.fromEntries(paths.map((one) => [`${app}/${one}`, {}])) };
    const environment = { cwd: app, workspace: app, home: "/home/dev", interactive: true, ...files };
    return engine.decide({ event: "tool_call", tool: "bash", args: { command }, environment }).decision.outcome;
  };
}

/** Files of a disk: no path of it lies in another. */
const filesOf = (paths: readonly string[]): readonly string[] =>
  [...new Set(paths)].filter((one) => !paths.some((other) => other.startsWith(`${one}/`)));
const folders = (at: string): string[] => {
  const names = at.split("/");
  return [".", ...names.slice(0, -1).map((_, i) => names.slice(0, i + 1).join("/"))];
};

describe("a tree", () => {
  it("is stopped wherever a file beneath it would be, by a disk that is known, and asked about by one that is not", () => {
    fc.assert(
      fc.property(kind, globs, waiver, disk, ({ list, one, tree }, given, unless, paths) => {
        const judge = engineOf({ list, globs: given, waiver: unless });
        const files = filesOf(paths);
        for (const file of files)
          for (const folder of folders(file)) {
            if (judge(one(file), files) === "allow" || judge(tree(folder), []) === "block") continue;
            // Whoever waives the folder waives all that lies in it.
            const waived = unless !== undefined && judge(tree(folder), files) === "allow";
            if (!waived) expect(judge(tree(folder), files), `${tree(folder)} on ${files}`).toBe("block");
            if (!waived) expect(judge(tree(folder)), `${tree(folder)} on an unknown disk`).not.toBe("allow");
          }
      }),
      { numRuns: rounds(60) },
    );
  });

  it("that is larger never turns a restriction off", () => {
    fc.assert(
      fc.property(kind, globs, disk, ({ list, tree }, given, paths) => {
        const judge = engineOf({ list, globs: given });
        const files = filesOf(paths);
        for (const file of files) {
          const around = folders(file);
          for (const known of [files, undefined]) {
            const outcomes = around.map((folder) => strictness[judge(tree(folder), known)]);
            for (let i = 1; i < outcomes.length; i++)
              expect(outcomes[i - 1], `${tree(around[i - 1] as string)} on ${known}`).toBeGreaterThanOrEqual(
                // Where nobody knows the disk a name that is told blocks, and a folder around it asks.
                known ? (outcomes[i] as number) : Math.min(1, outcomes[i] as number),
              );
          }
        }
      }),
      { numRuns: rounds(60) },
    );
  });

  it("on a disk with more on it is stopped as well, and on one that is not known at least by a question", () => {
    fc.assert(
      fc.property(kind, globs, waiver, disk, disk, path, ({ list, tree }, given, unless, paths, more, at) => {
        const judge = engineOf({ list, globs: given, waiver: unless });
        const files = filesOf([...paths, ...more]);
        const fewer = files.filter((one) => paths.includes(one));
        for (const folder of folders(at)) {
          const [less, all, unknown] = [judge(tree(folder), fewer), judge(tree(folder), files), judge(tree(folder))];
          expect(strictness[all]).toBeGreaterThanOrEqual(strictness[less]);
          if (all !== "allow") expect(unknown, `${tree(folder)} on ${files}`).not.toBe("allow");
        }
      }),
      { numRuns: rounds(60) },
    );
  });

  it("is stopped by nothing that no file beneath it names", () => {
    fc.assert(
      fc.property(
        kind,
        fc.uniqueArray(fc.constantFrom("**/.env", "**/*.pem", "*.sql"), { minLength: 1 }),
        disk,
        (how, given, paths) => {
          const judge = engineOf({ list: how.list, globs: given });
          const files = filesOf(paths);
          const named = files.filter((file) =>
            file.split("/").some((part) => /^(?:\.env|.*\.pem|.*\.sql)$/.test(part)),
          );
          const stopped = (folder: string): boolean => judge(how.tree(folder), files) !== "allow";
          for (const folder of new Set(files.flatMap(folders)))
            if (stopped(folder))
              expect(named.some((file) => folder === "." || file.startsWith(`${folder}/`))).toBe(true);
        },
      ),
      { numRuns: rounds(60) },
    );
  });
});
