import { describe, expect, it } from "vitest";
import { labelPath, labelsOfPath, type PathLabels } from "../../../engine/session/paths.ts";
import { limits } from "../../../schema/limits.ts";

function labelled(...entries: readonly (readonly [string, readonly string[]])[]): PathLabels {
  const paths: PathLabels = new Map();
  for (const [path, labels] of entries) labelPath(paths, path, labels);
  return paths;
}

describe("labels of paths", () => {
  it.each<[string, PathLabels, string, string[]]>([
    ["of the file itself", labelled(["/a/b", ["x"]]), "/a/b", ["x"]],
    ["of the folders above it", labelled(["/a", ["x"]], ["/a/b", ["y"]]), "/a/b/c", ["y", "x"]],
    ["of the root", labelled(["/", ["x"]]), "/a/b", ["x"]],
    ["of a folder written with a slash at its end", labelled(["/a/", ["x"]]), "/a/b", ["x"]],
    ["not of a file beside it", labelled(["/a/b", ["x"]]), "/a/c", []],
    ["not of a name that only begins alike", labelled(["/a/b", ["x"]]), "/a/bc", []],
    ["of odd names", labelled(["/__proto__", ["x"]]), "/__proto__/constructor", ["x"]],
    ["of none", labelled(), "/__proto__", []],
    ["of a path without a folder", labelled(["C:", ["x"]]), "C:", ["x"]],
  ])("%s", (_, paths, path, wanted) => {
    expect(labelsOfPath(paths, path)).toEqual(wanted);
  });

  it("of tens of thousands of files are bounded, and none is lost", () => {
    const paths: PathLabels = new Map();
    for (let i = 0; i < 30_000; i++) labelPath(paths, `/data/${i % 100}/${i}`, [i % 2 === 0 ? "even" : "odd"]);
    expect(paths.size).toBeLessThanOrEqual(limits.labelledPaths);
    for (let i = 0; i < 30_000; i += 997)
      expect(labelsOfPath(paths, `/data/${i % 100}/${i}`)).toContain(i % 2 === 0 ? "even" : "odd");
  });

  it("of a path too long to be kept hold for its folder", () => {
    const paths = labelled([`/a/${"b".repeat(5_000)}`, ["x"]]);
    expect([...paths.keys()]).toEqual(["/a"]);
    expect(labelsOfPath(paths, `/a/${"b".repeat(5_000)}`)).toEqual(["x"]);
  });

  it("of one path are bounded", () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `l${i}`);
    expect(labelsOfPath(labelled(["/a", many]), "/a")).toHaveLength(limits.labels);
  });
});
