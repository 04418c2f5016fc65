import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import { resolvePath } from "../../../facts/paths/resolve.ts";

const base = { cwd: "/home/dev/app", home: "/home/dev", fold: false };
const empty = hermeticFiles(undefined);

describe("lexical form", () => {
  it.each([
    ["/", "/"],
    ["/etc/../usr//bin/./rm", "/usr/bin/rm"],
    ["src/../../.ssh/id_rsa", "/home/dev/.ssh/id_rsa"],
    [".", "/home/dev/app"],
    ["", "/home/dev/app"],
    ["../../../../..", "/"],
    ["a/b///", "/home/dev/app/a/b"],
    ["~", "/home/dev"],
    ["~/", "/home/dev"],
    ["~/.ssh", "/home/dev/.ssh"],
    ["~root/.ssh", "/root/.ssh"],
    ["~eve/x", "/home/eve/x"],
    ["~+/x", "/home/dev/app/x"],
    ["~-/x", "/?/x"],
    ["~$x", "/home/dev/app/~$x"],
    ["/proc/self/root/etc/shadow", "/etc/shadow"],
    ["/proc/1/root/etc", "/etc"],
    ["/proc/self/root/proc/self/root/etc", "/etc"],
    ["/proc/self/task/12/root/etc", "/etc"],
    ["/proc/thread-self/cwd/x", "/home/dev/app/x"],
    ["/proc/1/cwd/etc", "/etc"],
    ["/proc/self/fd/3", "/dev/fd/3"],
    ["/dev/stdin", "/dev/fd/0"],
    ["/dev/fd/3/etc/passwd", "/?/etc/passwd"],
    ["/proc/cpuinfo", "/proc/cpuinfo"],
    ["file:///etc/pass%77d", "/etc/passwd"],
    ["file://localhost/etc", "/etc"],
    ["FILE:/etc/x?y#z", "/etc/x"],
    ["C:\\Users\\dev\\x", "/C:/Users/dev/x"],
    ["c:/Windows", "/C:/Windows"],
    ["a\\b", "/home/dev/app/a\\b"],
  ])("%j is %s", (text, lexical) => {
    expect(resolvePath(text, base, empty)).toMatchObject({ text, lexical, real: lexical, pattern: false });
  });

  it.each([
    ["x", "/?/x"],
    ["..", "/?"],
    ["../../etc", "/?/etc"],
    ["/etc", "/etc"],
    ["~/x", "/?home/x"],
  ])("without cwd and home %j is %s", (text, lexical) => {
    expect(resolvePath(text, { cwd: "", home: "", fold: false }, empty).lexical).toBe(lexical);
  });

  it.each([
    ["\\Windows", "/C:/Windows"],
    ["x.txt. .", "/C:/Users/dev/x.txt"],
    ["x.txt::$DATA", "/C:/Users/dev/x.txt"],
    ["..\\eve\\x", "/C:/Users/eve/x"],
    ["d:\\x", "/D:/x"],
    ["\\\\server\\share\\x", "/UNC/server/share/x"],
    ["\\\\server\\share\\..\\..\\x", "/UNC/server/share/x"],
    ["\\\\server\\share\\a\\..\\..\\..\\x", "/UNC/server/share/x"],
    ["//server/..", "/UNC/server"],
    ["\\\\server\\share\\..\\..\\..\\Windows", "/UNC/server/share/Windows"],
    ["..\\..\\..\\..\\..\\Windows", "/C:/Windows"],
    ["/UNC", "/UNC"],
    ["/UNC/..", "/UNC"],
  ])("on a drive %j is %s", (text, lexical) => {
    expect(resolvePath(text, { cwd: "C:\\Users\\dev", home: "C:\\Users\\dev", fold: true }, empty).lexical).toBe(
      lexical,
    );
  });

  it.each([["a\0b"], [undefined], [42], [{ path: "/x" }]])("%j may be any path", (text) => {
    expect(resolvePath(text, base, empty)).toMatchObject({ lexical: "/**", real: "/**", pattern: true });
  });

  it("is a pattern only when the text holds a wildcard and the caller says that it expands", () => {
    expect(resolvePath("*.ts", { ...base, pattern: true }, empty).pattern).toBe(true);
    expect(resolvePath("a.ts", { ...base, pattern: true }, empty).pattern).toBe(false);
    expect(resolvePath("*.ts", base, empty).pattern).toBe(false);
  });
});

describe("real form", () => {
  const files = hermeticFiles({
    "/home/dev/app/docs/latest": { symlink: "/home/dev/.ssh/id_ed25519" },
    "/home/dev/app/up": { symlink: "../.." },
    "/home/dev/app/etc": { symlink: "/etc" },
    "/home/dev/app/chain": { symlink: "etc" },
    "/home/dev/app/loop": { symlink: "loop" },
    "/home/dev/app/a": { symlink: "b" },
    "/home/dev/app/b": { symlink: "a" },
    "/home/dev/app/deep": { symlink: "/srv/data/inner" },
    "/home/dev/app/key": { symlink: "/home/dev/.aws/credentials" },
    "/home/dev/app/self": { symlink: "/proc/self/root/etc" },
  });
  it.each([
    ["docs/latest", "/home/dev/.ssh/id_ed25519"],
    ["up/x", "/home/x"],
    ["etc/new/file", "/etc/new/file"],
    ["chain/shadow", "/etc/shadow"],
    ["self/shadow", "/etc/shadow"],
    ["absent/x", "/home/dev/app/absent/x"],
    ["absent/../etc/x", "/etc/x"],
    ["loop", "/home/dev/app/loop"],
    ["a/x", "/home/dev/app/a/x"],
    ["deep/../x", "/srv/data/x"],
  ])("%j is %s", (text, real) => {
    expect(resolvePath(text, base, files).real).toBe(real);
  });

  it("judges both files where `..` after a link names another one for tools that clean first", () => {
    expect(resolvePath("deep/../key", base, files)).toMatchObject({
      lexical: "/home/dev/.aws/credentials",
      real: "/srv/data/key",
    });
  });

  it("follows links before a wildcard and none after it", () => {
    expect(resolvePath("etc/*/x", { ...base, pattern: true }, files)).toMatchObject({
      lexical: "/home/dev/app/etc/*/x",
      real: "/etc/*/x",
    });
  });

  it("follows as many links as the system does and gives up after", () => {
    const links = (n: number) =>
      hermeticFiles(
        Object.fromEntries(
          Array.from({ length: n }, (_, i) => [`/l${i}`, { symlink: i + 1 < n ? `/l${i + 1}` : "/end" }]),
        ),
      );
    expect(resolvePath("/l0", base, links(40)).real).toBe("/end");
    expect(resolvePath("/l0", base, links(41)).real).toBe("/l0");
  });
});

describe("hermeticFiles", () => {
  const files = hermeticFiles({ "/a/b//c": { text: "hé" }, "/d": { directory: true }, "/e": 1 });
  it.each([
    ["/", "directory"],
    ["/a", "directory"],
    ["/a/b", "directory"],
    ["/a/b/c", "file"],
    ["/d", "directory"],
    ["/e", "file"],
    ["/x", "absent"],
    ["/__proto__", "absent"],
  ])("%s is %s", (path, kind) => {
    expect(files.lookup(path).kind).toBe(kind);
  });
  it("gives text within the bound only", () => {
    expect([
      files.readText("/a/b/c", 3),
      files.readText("/a/b/c", 2),
      files.readText("/e", 9),
      files.readText("/x", 9),
    ]).toEqual(["hé", undefined, undefined, undefined]);
  });
  it("is an empty world without a list", () => {
    expect(hermeticFiles(undefined).lookup("/").kind).toBe("absent");
  });
});

describe("a place that `/proc` has another name for", () => {
  const files = hermeticFiles({ "/home/dev/app/l": { symlink: "../.." }, "/home/dev/app/k": { symlink: "/etc/x" } });
  it.each([
    ["/proc/self/cwd/l", "/home"],
    ["/proc/self/cwd/k", "/etc/x"],
    ["/proc/1/root/home/dev/app/k", "/etc/x"],
    ["/proc/*/cwd/k", "/etc/x"],
    ["/proc/self/task/7/cwd/l/../x", "/x"],
  ])("is followed like a link, also where `/proc` itself is not there: %s", (text, real) => {
    expect(resolvePath(text, { ...base, pattern: true }, files).real).toBe(real);
  });
  it("is followed no further than links are", () => {
    const cwd = "/proc/self/cwd";
    expect(resolvePath("/proc/self/cwd/l", { ...base, cwd }, files).real).toMatch(/^\//);
  });
});

describe("any path", () => {
  const part = fc.constantFrom("..", ".", "", "a", "b", "~", "proc", "self", "root", "cwd", "*", "l");
  it("is absolute, clean and stable when resolved again", () => {
    const files = hermeticFiles({ "/home/dev/app/l": { symlink: "../.." }, "/a": { symlink: "/b" } });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.boolean(), (parts, absolute) => {
        const value = resolvePath((absolute ? "/" : "") + parts.join("/"), base, files);
        for (const form of [value.lexical, value.real]) {
          expect(form).toMatch(/^\/(?:[^/]+(?:\/[^/]+)*)?$/);
          expect(form.split("/")).not.toContain("..");
        }
        expect(resolvePath(value.real, base, files).real).toBe(value.real);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a link on a drive", () => {
  const place = { cwd: "C:\\Users\\dev", home: "C:\\Users\\dev", fold: true };
  it.each([
    ["..\\eve", "/C:/Users/eve/x"],
    ["D:\\b", "/D:/b/x"],
    ["\\Windows", "/C:/Windows/x"],
    ["\\\\server\\share\\b", "/UNC/server/share/b/x"],
    ["\\\\?\\D:\\b", "/D:/b/x"],
    ["b/c", "/C:/Users/dev/b/c/x"],
    ["~", "/C:/Users/dev/~/x"],
  ])("to %j is followed", (target, real) => {
    const files = hermeticFiles({ "/C:/Users/dev/l": { symlink: target } });
    expect(resolvePath("l\\x", place, files).real).toBe(real);
  });
});

describe("any path on a drive", () => {
  const names = fc.constantFrom(
    "..",
    ".",
    "",
    "a",
    "ﬁ",
    "~",
    "UNC",
    "C:",
    "d:",
    "proc",
    "l",
    "x.",
    "PROGRA~1",
    "?",
    "c$",
  );
  const beginnings = fc.constantFrom(
    "",
    "\\",
    "\\\\",
    "/",
    "//",
    "\\/",
    "\\\\?\\",
    "//./",
    "C:",
    "d:\\",
    "~\\",
    "/c/",
    "/UNC/",
  );
  const folders = fc.constantFrom("C:\\Users\\dev\\app", "C:\\", "\\\\server\\share\\x", "/C:/a", "");
  it("stays on its drive or share, and is stable when resolved again", () => {
    const files = hermeticFiles({ "/C:/Users/dev/app/l": { symlink: "..\\.." }, "/C:/a": { symlink: "D:\\b" } });
    fc.assert(
      fc.property(beginnings, fc.array(names, { maxLength: 8 }), folders, (begin, parts, cwd) => {
        const place = { cwd, home: "C:\\Users\\dev", fold: true };
        const { lexical, real } = resolvePath(begin + parts.join("\\"), place, files);
        for (const form of [lexical, real]) expect(form.split("/")).not.toContain("..");
        expect(resolvePath(real, place, files).real).toBe(real);
        const climbed = resolvePath(`${real}/../../../../../../../../../../..`, place, files).lexical;
        expect(climbed.split("/").slice(0, 2)).toEqual(real.split("/").slice(0, 2));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("a path with nothing to clean", () => {
  const part = fc.constantFrom("a", "b", "l", "m", "proc", "dev", "~", "C:", "file:", "x y", ".x", "x.", "*", "?");
  const folder = fc.constantFrom("/home/dev/app", "/a", "/", "", "/proc/self", "/home/dev/../x", "C:\\x", "/a/l");
  it("is what it would be if there were something to clean", () => {
    const files = hermeticFiles({
      "/home/dev/app/l": { symlink: "../.." },
      "/home/dev/app/m": { symlink: "/a/b" },
      "/a/l": { symlink: "/b" },
      "/a/b/x.": { text: "" },
      "/l": { symlink: "a" },
    });
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 5 }),
        folder,
        fc.boolean(),
        fc.boolean(),
        (parts, cwd, absolute, pattern) => {
          // A dot changes nothing, but that the path is cleaned; behind the first name, so that it begins alike.
          const [first = "", ...rest] = parts;
          // A letter with a colon alone is a name, and a drive with more behind it.
          fc.pre(absolute || (first !== "file:" && (first !== "C:" || rest.length > 0)));
          const root = absolute ? "/" : "";
          const place = { cwd, home: "/home/dev", fold: false, pattern };
          const plain = resolvePath(root + parts.join("/"), place, files);
          const dotted = resolvePath(`${root}${first}/${[".", ...rest].join("/")}`, place, files);
          expect({ ...plain, text: "" }).toEqual({ ...dotted, text: "" });
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
