import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { importedModules } from "../../scripts/build/programs.ts";
import { type Packed, pack, root } from "./packed.ts";

/** The tarball holds what its users need, and is no larger than this. */
const mostUnpacked = 8_000_000;
const mostPacked = 2_800_000;
const mostFiles = 270;

let packed: Packed;
let paths: readonly string[] = [];
beforeAll(() => {
  packed = pack(["--dry-run"]);
  paths = packed.files.map(({ path }) => path);
}, 180_000);

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const packs = readdirSync(join(root, "policies"));
const suites = packs.flatMap((pack) =>
  readdirSync(join(root, "policies", pack)).flatMap((name) => (name.endsWith(".md") ? [] : [`${pack}/${name}`])),
);
const schemas = readdirSync(join(root, "schema")).filter((name) => name.endsWith(".schema.json"));

/** All that is in it but declarations; a digest in a name stands as `*`. */
const wanted = [
  ...["LICENSE", "NOTICE", "README.md", "package.json", "dist/THIRD_PARTY_NOTICES.txt"],
  ...["docs/audit-verifier/verify.mjs", "dist/guard/guards.json.br"],
  ...["agent.mjs", "auto-lint.sh", "auto-test.sh", "block-rm.sh", "config-v4.json", "config.json", "judge.mjs"].map(
    (name) => `examples/opta/${name}`,
  ),
  ...[
    ...["hookwarden.js", "hookwarden.*.program", "hookwarden.program.cjs.LEGAL.txt", "hookwarden-hosts.*.program"],
    ...["hookwarden-hook.cjs", "hookwarden-hook.*.program", "hookwarden-hook.program.cjs.LEGAL.txt"],
    ...["hookwarden-hook.sh", "hookwarden-client.sh", "hookwarden-modules.cjs", "hookwarden-execa.mjs"],
    ...["hookwarden-judge.cjs", "hookwarden-daemon-judge.cjs"],
  ].map((name) => `dist/bin/${name}`),
  ...["adapters/install/probe.js", "adapters/install/canary-server.js"].map((name) => `dist/${name}`),
  ...["authoring/test/worker.js", "cli/replay-worker.js"].map((name) => `dist/${name}`),
  ...importedModules.map((source) => `dist/${source.replace(/\.ts$/, ".js")}`),
  ...schemas.map((name) => `dist/schema/${name}`),
  ...suites.map((name) => `dist/policies/${name}`),
];

describe("the tarball", () => {
  it(`is at most ${mostPacked} bytes, ${mostUnpacked} when unpacked, in ${mostFiles} files`, () => {
    const { size, unpackedSize, files } = packed;
    const largest = [...files].sort((a, b) => b.size - a.size).slice(0, 10);
    const shown = largest.map((file) => `${file.size} ${file.path}`).join("\n");
    expect(size, shown).toBeLessThanOrEqual(mostPacked);
    expect(unpackedSize, shown).toBeLessThanOrEqual(mostUnpacked);
    expect(files.length).toBeLessThanOrEqual(mostFiles);
  });

  it("holds these files and declarations, and nothing else", () => {
    const found = paths
      .filter((path) => !path.endsWith(".d.ts"))
      .map((path) => path.replace(/\.[0-9a-f]{16}\./, ".*."));
    expect([...found].sort()).toEqual([...wanted].sort());
  });

  it("has every file that `package.json` names", () => {
    const named = [
      ...Object.values(manifest.bin as Record<string, string>),
      ...Object.values(manifest.exports as Record<string, string | Record<string, string>>).flatMap((target) =>
        typeof target === "string" ? [target] : Object.values(target),
      ),
      ...manifest.pi.extensions,
      ...manifest.omp.extensions,
      manifest.types,
    ].map((path: string) => path.replace("./", ""));
    const missing = named.filter((path) =>
      path.includes("*") ? !paths.some((one) => one.startsWith(path.split("*")[0] as string)) : !paths.includes(path),
    );
    expect(missing).toEqual([]);
    expect(named.length).toBeGreaterThan(20);
  });

  it("has the declarations that its own lead to, and no other, and none that needs a package", () => {
    const entries = importedModules.map((source) => `dist/${source.replace(/\.ts$/, ".d.ts")}`);
    const reached = new Set<string>();
    const packages = new Set<string>();
    const waiting = [...entries];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (reached.has(path)) continue;
      reached.add(path);
      const text = readFileSync(join(root, path), "utf8");
      for (const [, to = ""] of text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g))
        if (to.startsWith(".")) waiting.push(posix.join(posix.dirname(path), to.replace(/\.[cm]?[jt]s$/, ".d.ts")));
        else if (!to.startsWith("node:")) packages.add(`${to} (${path})`);
    }
    expect([...packages]).toEqual([]);
    expect(paths.filter((path) => path.endsWith(".d.ts")).sort()).toEqual([...reached].sort());
  });

  it("says in its manifest what a release needs, and installs nothing but what the programs do not carry", () => {
    const { name, version, description, license, author, engines, files, type } = manifest;
    expect([name, license, type, engines]).toEqual(["hookwarden", "Apache-2.0", "module", { node: ">=20.19" }]);
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    for (const text of [description, author]) expect(text).toMatch(/\w{3}/);
    for (const path of files.filter((one: string) => !one.startsWith("!")))
      expect(existsSync(join(root, path)), path).toBe(true);
    expect(Object.keys(manifest.dependencies)).toEqual(["jiti"]);
    expect(Object.keys(manifest.optionalDependencies)).toEqual(["re2"]);
    expect(Object.keys(manifest.scripts).filter((one) => /^(?:pre|post)?install$|^prepare$/.test(one))).toEqual([]);
  });
});
