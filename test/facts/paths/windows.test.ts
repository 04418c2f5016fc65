import { win32 } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import { type PathBase, resolvePath } from "../../../facts/paths/resolve.ts";
import { seed } from "../../properties/seed.ts";

/** Paths of Windows: the root of a drive, of a share and of a device is a floor for `..`, and what is resolved stays so. */
const empty = hermeticFiles(undefined);
const onDrive: PathBase = { cwd: "C:\\Users\\dev\\app", home: "C:\\Users\\dev", fold: true };
const onShare: PathBase = { cwd: "\\\\server\\share\\app", home: "\\\\server\\homes\\dev", fold: true };

const lexicalOf = (text: string, base: PathBase): string => resolvePath(text, base, empty).lexical;

describe("a root is a floor", () => {
  it.each([
    ["\\\\server\\share\\..", "/UNC/server/share"],
    ["\\\\server\\share\\a\\..\\..\\..\\b", "/UNC/server/share/b"],
    ["//server\\share/..\\../b", "/UNC/server/share/b"],
    ["\\/server/share/..", "/UNC/server/share"],
    ["\\\\server\\\\share\\..", "/UNC/server/share"],
    ["\\\\.server\\share\\..\\x", "/UNC/.server/share/x"],
    ["\\\\?\\UNC\\server\\share\\..\\..\\x", "/UNC/server/share/x"],
    ["\\\\.\\unc\\server\\share\\..\\..\\x", "/UNC/server/share/x"],
    ["//?/UNC/localhost/c$/Users/../..", "/C:"],
    ["\\\\127.0.0.1\\C$\\..\\..\\x", "/C:/x"],
    ["C:\\..", "/C:"],
    ["c:/..\\..\\Windows", "/C:/Windows"],
    ["\\\\?\\C:\\..", "/C:"],
    ["\\\\?\\c:\\Users\\..\\..\\x", "/C:/x"],
    ["\\\\.\\C:\\..\\x", "/C:/x"],
    ["\\??\\C:\\..\\x", "/C:/x"],
    ["\\\\?\\Volume{1-2}\\..\\..\\x", "/UNC/?/Volume{1-2}/x"],
    ["\\\\.\\pipe\\..\\docker_engine", "/UNC/?/pipe/docker_engine"],
    ["\\..\\..\\x", "/C:/x"],
    ["/c/../../x", "/C:/x"],
    ["..\\..\\..\\..\\..", "/C:"],
    ["C:..", "/C:/Users/dev"],
    ["c:..\\..\\..\\..\\x", "/C:/x"],
    ["C:x\\..\\..\\.ssh\\id_rsa", "/C:/Users/dev/.ssh/id_rsa"],
    ["D:..\\x", "/D:/x"],
    ["d:x", "/D:/x"],
    ["~eve\\..\\..\\..\\x", "/C:/x"],
  ])("on a drive: %j is %s", (text, lexical) => {
    expect(lexicalOf(text, onDrive)).toBe(lexical);
    expect(lexicalOf(lexical, onDrive)).toBe(lexical);
  });

  it.each([
    ["..\\..\\..", "/UNC/server/share"],
    ["..\\x", "/UNC/server/share/x"],
    ["\\Windows", "/UNC/server/share/Windows"],
    ["\\..\\x", "/UNC/server/share/x"],
    ["~\\..\\..\\..", "/UNC/server/homes"],
    ["~eve", "/UNC/server/homes/eve"],
    ["~root\\x", "/UNC/server/homes/root/x"],
    ["C:..\\x", "/C:/x"],
    ["d:\\..", "/D:"],
  ])("on a share: %j is %s", (text, lexical) => {
    expect(lexicalOf(text, onShare)).toBe(lexical);
    expect(lexicalOf(lexical, onShare)).toBe(lexical);
  });

  it.each([
    ["\\\\?\\C:\\Users\\dev", "/C:/Users"],
    ["\\\\?\\UNC\\server\\share\\a", "/UNC/server/share"],
    ["\\\\localhost\\c$\\a", "/C:"],
    ["\\\\server\\share", "/UNC/server/share"],
  ])("above a working folder of %j is %s", (cwd, above) => {
    expect(lexicalOf("..", { cwd, home: "C:\\Users\\dev", fold: true })).toBe(above);
  });

  it.each([
    ["H:", "/H:/eve"],
    ["H:\\", "/H:/eve"],
    ["\\\\server\\share", "/UNC/server/share/eve"],
    ["\\\\server\\share\\", "/UNC/server/share/eve"],
    ["", "/?home/eve"],
  ])("beside a home of %j is another's %s", (home, path) => {
    expect(lexicalOf("~eve", { cwd: "C:\\Users\\dev", home, fold: true })).toBe(path);
  });

  it("where nothing is known of the home", () => {
    expect(lexicalOf("~\\..\\..\\x", { cwd: "C:\\a", home: "", fold: true })).toBe("/?home/x");
    expect(lexicalOf("~/../x", { cwd: "/a", home: "", fold: false })).toBe("/?home/x");
  });
});

const slash = fc.constantFrom("\\", "\\", "/", "\\\\", "/\\");
const folders = fc.constantFrom("C:\\Users\\dev\\app", "C:\\", "d:/x", "\\\\server\\share\\x", "\\\\server\\share");

describe("any path of Windows", () => {
  const beginning = fc.constantFrom(
    ..."|\\|\\\\|/|//|\\/|\\\\\\|\\\\?\\|//./|//?/|\\??\\|\\\\?\\UNC\\|//./unc/|\\\\localhost\\c$\\|C:|d:|C:\\|d:/|~|~\\|~+/|~-/|~eve\\|~root/|/c/|/UNC/|/?/|/?home/|file:///C:/".split(
      "|",
    ),
  );
  const name = fc.constantFrom(
    ..."..|..|..|.|a|b|l|m|~|UNC|unc|C:|d:|c|x.|x. .|...|.. |x:y|?|?home|c$|proc|dev|root|PROGRA~1|Volume{1}|server|é|".split(
      "|",
    ),
  );
  const homes = fc.constantFrom("C:\\Users\\dev", "C:\\", "H:", "\\\\server\\homes\\dev", "\\\\server\\homes", "");
  const files = hermeticFiles({
    "/C:/Users/dev/app/l": { symlink: "..\\.." },
    "/C:/Users/dev/app/m": { symlink: "\\\\server\\share\\..\\b" },
    "/C:/a": { symlink: "D:\\b" },
    "/UNC/server/share/x/l": { symlink: "..\\..\\..\\a" },
    "/UNC/server/share/a": { symlink: "\\b" },
  });

  it("is the same resolved once and twice, and stays below its root", () => {
    fc.assert(
      fc.property(
        beginning,
        fc.array(fc.tuple(name, slash), { maxLength: 8 }),
        folders,
        homes,
        (begin, names, cwd, home) => {
          const base = { cwd, home, fold: true };
          const { lexical, real } = resolvePath(begin + names.flat().join(""), base, files);
          for (const form of [lexical, real]) {
            expect(form).toMatch(/^\/(?:UNC(?:\/|$)|[A-Z]:(?:\/|$)|\?(?:home)?(?:\/|$))/);
            expect(form).not.toMatch(/\/\/|\/$|\/\.\.?(?:\/|$)/);
            expect(resolvePath(form, base, empty)).toMatchObject({ lexical: form, real: form });
            const climbed = resolvePath(`${form}${"\\..".repeat(12)}`, base, empty).lexical;
            const root = form.split("/").slice(0, form.startsWith("/UNC") ? 4 : 2);
            expect(climbed).toBe(root.join("/"));
          }
          expect(resolvePath(real, base, files).real).toBe(real);
        },
      ),
      { seed, numRuns: 1_500 },
    );
  });

  it("is what the platform makes of it", () => {
    const plainBegin = fc.constantFrom("", "\\", "/", "C:\\", "c:/", "D:\\", "C:", "\\\\server\\share\\", "//other/x/");
    const plainName = fc.constantFrom("..", "..", ".", "a", "b c", ".x", "");
    const inOurForm = (path: string): string =>
      path
        .replaceAll("\\", "/")
        .replace(/^\/\//, "/UNC/")
        .replace(/^([a-z]):/i, (_, drive: string) => `/${drive.toUpperCase()}:`)
        .replace(/\/$/, "");
    fc.assert(
      fc.property(plainBegin, fc.array(fc.tuple(plainName, slash), { maxLength: 8 }), folders, (begin, names, cwd) => {
        const text = begin + names.flat().join("");
        // A name of one letter behind the root is a drive for the shells of Windows, and `C:` alone is the drive.
        fc.pre(!/^(?:[\\/][\\/]|[\\/][A-Za-z](?:[\\/]|$)|C:$)/.test(text) || /^(?:\\\\server|\/\/other)/.test(text));
        // On another drive than ours it asks the process where it stands.
        fc.pre(!/^C:(?![\\/])/.test(text) || cwd.startsWith("C:"));
        expect(lexicalOf(text, { cwd, home: "C:\\Users\\dev", fold: true })).toBe(inOurForm(win32.resolve(cwd, text)));
      }),
      { seed, numRuns: 1_000 },
    );
  });
});
