import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { createEngine } from "../../runtime.ts";
import { exampleEnvironment } from "../../schema/example-environment.ts";
import { discoverPolicies, resolveImport } from "../../store/discover.ts";
import { callSets, readCalls } from "./calls.ts";

/** How often everyday calls are stopped by eight rules as authors write them, beside `recommended`. */
const root = join(import.meta.dirname, "..", "..");
const name = "natural-rules.yaml";

function engine() {
  const { files } = discoverPolicies(["pack:recommended"], root);
  const own = { name, path: `/policies/${name}`, bytes: readFileSync(join(import.meta.dirname, name)) };
  return createEngine(compile({ files: [...files, own], resolveImport }).plan);
}

/** An everyday project, which has nothing of what the rules name: who stops a call there stops it for nothing. */
const project = [
  ...["README.md", "package.json", "package-lock.json", "Dockerfile", ".gitignore", "tsconfig.json", "main.tf"],
  ...["src/a.ts", "src/app.ts", "src/index.ts", "src/lib/util.ts", "src/assets/logo.svg", "test/a.test.ts"],
  ...["docs/guide.md", "scripts/build.sh", "dist/app.js", "build/main.o", "coverage/lcov.info", "public/index.html"],
  ...["node_modules/left-pad/index.js", ".next/server/app.js", "packages/api/dist/index.js", "target/debug/app"],
];
const files = Object.fromEntries(project.map((path) => [`${exampleEnvironment.workspace}/${path}`, {}]));

interface Shares {
  readonly calls: number;
  readonly asked: number;
  readonly unsure: number;
  readonly blocked: number;
}

function shares(disk: object): Shares {
  const judge = engine();
  let [calls, asked, unsure, blocked] = [0, 0, 0, 0];
  for (const set of callSets)
    for (const [i, call] of readCalls(set.folder).entries()) {
      if (call.expect !== "allow") continue;
      calls += 1;
      const decisions = call.events.map((event) => {
        const environment = { ...disk, ...(event["environment"] as object) };
        return judge.decide({ ...event, environment, session: { id: `${set.name}-${i}` } }).decision;
      });
      const decision = decisions.at(-1);
      if (decision?.outcome === "block") blocked += 1;
      if (decision?.outcome !== "ask") continue;
      asked += 1;
      if (decision.matched.some(({ rule, grade }) => rule === decision.rule && grade === "open")) unsure += 1;
    }
  return { calls, asked: asked / calls, unsure: unsure / calls, blocked: blocked / calls };
}

describe("eight natural rules beside `recommended`, on everyday calls", () => {
  it("ask of at most 5 % and block at most 0.5 % where the disk is known", () => {
    const { calls, asked, unsure, blocked } = shares({ files });
    expect(calls).toBeGreaterThan(2_500);
    expect(asked).toBeLessThanOrEqual(0.05);
    expect(unsure).toBeLessThanOrEqual(0.02);
    expect(blocked).toBeLessThanOrEqual(0.005);
  });

  // Every event of an adapter knows its disk; `eval` without files does not. There what may hold asks, and no bar is reached.
  it("ask more where nobody knows the disk, and block less than before it was asked", () => {
    const { asked, blocked } = shares({});
    expect(asked).toBeLessThanOrEqual(0.09);
    // Among them are eight calls that do read a file which a rule names, such as `node --env-file=.env`.
    expect(blocked).toBeLessThanOrEqual(0.0215);
  });
});
