import { existsSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { engineVersion } from "../schema/version.ts";
import { guardBundle, guardFaults, guardHosts, placeFaults } from "../scripts/build/bundles.ts";
import { spawnSync } from "./bounded-process.ts";
import { checks } from "./tidy/checks.ts";
import { readTree } from "./tidy/tree.ts";
import { readmeLines } from "./tidy/words.ts";

const root = join(import.meta.dirname, "..");

describe("the repository", () => {
  const tree = readTree(root);
  it.each(checks.map((check) => [check.name, check] as const))("%s", (_, check) => {
    expect(check.run(tree)).toEqual([]);
  });

  it("tells the very lines that .ci/run runs", () => {
    const lines = readmeLines(tree.get("README.md") ?? "");
    const { stdout } = spawnSync("bash", [join(root, ".ci/run"), "--lines"], { encoding: "utf8" });
    expect(typeof lines === "string" ? lines : `${lines.run}\n${lines.test}`).toBe(stdout.trim());
  });

  it("calls the engine by the package's version", () => {
    expect(JSON.parse(tree.get("package.json") ?? "{}").version).toBe(engineVersion);
    expect(JSON.parse(tree.get("package-lock.json") ?? "{}").version).toBe(engineVersion);
  });

  it("names only exports, commands and folders that a build makes", () => {
    const manifest = JSON.parse(tree.get("package.json") ?? "{}");
    const targets = Object.values(manifest.exports as Record<string, string | { default: string }>)
      .map((target) => (typeof target === "string" ? target : target.default))
      .filter((target) => target.startsWith("./dist/") && target.endsWith(".js"));
    const sources = [...targets, ...manifest.pi.extensions].map((t) =>
      t.replace("./dist/", "").replace(/\.js$/, ".ts"),
    );
    expect(sources.filter((source: string) => !existsSync(join(root, source)))).toEqual([]);
  });
});

describe("the guard", () => {
  it.each(guardHosts)("of %s carries the hook path only and loads nothing but node builtins", async (host) => {
    const { metafile, outputFiles } = await build({ ...guardBundle(root, host), metafile: true, write: false });
    expect(guardFaults(metafile)).toEqual([]);
    expect(placeFaults(outputFiles[0]?.text ?? "")).toEqual([]);
  });
});
