import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { beneath, homeWiring, isAboveHome, projectWiring, wiringFile, wiringIn } from "../../../facts/paths/wiring.ts";

const policy = parse(readFileSync(join(import.meta.dirname, "../../../policies/self-protection/policy.yaml"), "utf8"));
const globs = policy.lists.host_wiring as readonly string[];

/** The places of a glob of the policy, without braces and what lies in a folder. */
function placesOf(glob: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(glob);
  if (braces) return (braces[1] ?? "").split(",").flatMap((one) => placesOf(glob.replace(braces[0], one)));
  return [glob.replace(/^\*\*\//, "").replace(/\/(?:\*\*|\*\.json)$/, "")];
}

describe("the table of what wires hosts", () => {
  const rows = new Set([...projectWiring, ...homeWiring]);

  it("has every place that the policy has, below a home folder or a project", () => {
    const wanted = globs.filter((glob) => glob.startsWith("**/") && !glob.includes("/*/")).flatMap(placesOf);
    expect(wanted.length).toBeGreaterThan(25);
    expect(wanted.filter((place) => !rows.has(place))).toEqual([]);
  });

  it("has nothing that the policy does not know", () => {
    const known = new Set(globs.flatMap(placesOf));
    expect([...rows].filter((row) => !known.has(row) && !row.includes("hookwarden"))).toEqual([]);
  });

  it.each([
    ["/home/dev/.claude", "/home/dev"],
    ["/srv/app/.pi/agent", "/srv/app"],
    ["/home/dev/.config/opencode", "/home/dev"],
    ["/x/.github/hooks", "/x"],
    ["/home/dev/.CLAUDE", "/home/dev"],
  ])("knows the folder %s, and whose it is", (folder, base) => expect(wiringIn(folder)?.base).toBe(base));

  it.each(["/home/dev/.config", "/srv/.github", "/x/claude", "/x/.claude/skills", "/x/.local/state", "/"])(
    "does not take %s for a folder of a host",
    (folder) => expect(wiringIn(folder)).toBeUndefined(),
  );

  it("knows files in any folder, and what lies in a folder of the table", () => {
    for (const path of ["/a/.claude/settings.json", "/a/.pi/extensions/x/y.ts", "/h/.config/opencode/opencode.json"])
      expect(wiringFile(path), path).toBe(true);
    for (const path of ["/a/settings.json", "/a/.claude/skills/settings.json", "/a/.config/x.json", "/"])
      expect(wiringFile(path), path).toBe(false);
  });

  it("knows what lies above a home folder, and in it above the guard's own", () => {
    for (const path of ["/", "/home", "/home/dev", "/home/dev/.config", "/home/dev/.local/state"])
      expect(isAboveHome(path, "/home/dev"), path).toBe(true);
    for (const path of ["/home/dev/x", "/home/dev/.config/x", "/srv"])
      expect(isAboveHome(path, "/home/dev"), path).toBe(false);
    expect(isAboveHome("/", "")).toBe(false);
  });

  it("says where a path lies below a folder", () => {
    expect([beneath("/a/b", "/a"), beneath("/a", "/a"), beneath("/ab", "/a"), beneath("/a", "/")]).toEqual([
      "b",
      "",
      undefined,
      "a",
    ]);
  });
});
