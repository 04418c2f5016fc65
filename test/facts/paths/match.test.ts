import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { glob, globError, within } from "../../../facts/paths/match.ts";
import type { PathValue } from "../../../schema/facts.ts";

const at = (lexical: string, more: Partial<PathValue> = {}): PathValue => ({
  kind: "path",
  text: lexical,
  lexical,
  real: lexical,
  pattern: false,
  fold: false,
  ...more,
});
const any = { forms: "any", home: "/home/dev" } as const;
const all = { forms: "all", home: "/home/dev" } as const;

describe("glob of a literal path", () => {
  it.each([
    ["/tmp/x", "/tmp/*", true],
    ["/tmp/x/y", "/tmp/*", false],
    ["/tmp/x/y", "/tmp/**", true],
    ["/tmp", "/tmp/**", false],
    ["/tmp", "/tmp", true],
    ["/tmp", "/tmp/", true],
    ["/", "/", true],
    ["/x", "/", false],
    ["/", "**", true],
    ["/a/b/c", "/a/**/c", true],
    ["/a/c", "/a/**/c", true],
    ["/a/b/d", "/a/**/c", false],
    ["/w/.env", ".env", true],
    ["/w/.env.local", ".env", false],
    ["/w/a/k.pem", "*.pem", true],
    ["/w/.hidden", "*", true],
    ["/w/src/x", "src/**", true],
    ["/w/src/x", "./src/x", true],
    ["/w/x/.cache/y", "**/.cache/**", true],
    ["/home/dev/.ssh/id", "~/.ssh/*", true],
    ["/home/dev", "~", true],
    ["/home/eve/.ssh/id", "~/.ssh/*", false],
    ["/a/b1", "/a/b[0-9]", true],
    ["/a/bx", "/a/b[!0-9]", true],
    ["/a/bx", "/a/b[^0-9x]", false],
    ["/a/b-", "/a/b[a-]", true],
    ["/a/b]", "/a/b[]]", true],
    ["/a/b5", "/a/b[[:digit:]]", true],
    ["/a/[x", "/a/[x", true],
    ["/a/bc", "/a/b?", true],
    ["/a/b𝄞", "/a/b?", true],
    ["/a/b", "/a/{b,c}", true],
    ["/a/c/d", "/a/{b,c}/{d,e}", true],
    ["/a/cd", "/a/{b,c{d,e}}", true],
    ["/a/{b}", "/a/{b}", true],
    ["/a/*", "/a/\\*", true],
    ["/a/x", "/a/\\*", false],
    ["/a/{b,c}", "/a/\\{b,c\\}", true],
    ["/C:/x", "C:\\x", true],
    ["/ABC", "/abc", false],
  ])("%s by %s: %s", (path, pattern, expected) => {
    expect([glob(at(path), pattern, any), glob(at(path), pattern, all)]).toEqual([expected, expected]);
  });

  it.each([
    ["/w/.CURSOR/MCP.JSON", "**/.cursor/mcp.json"],
    ["/w/cafe\u0301", "/w/caf\u00e9"],
    ["/w/\u212aey", "/w/key"],
    ["/w/ab", "/w/[A-Z]B"],
  ])("%s by %s where the volume folds", (path, pattern) => {
    expect(glob(at(path, { fold: true }), pattern, all)).toBe(true);
    expect(glob(at(path), pattern, any)).toBe(false);
  });
});

describe("glob of a glob", () => {
  it.each([
    ["/b?n/rm", "/bin/*", true, false],
    ["/etc/*", "/etc/passwd", true, false],
    ["/etc/*", "/etc/*", true, true],
    ["/etc/*", "/etc/**", true, true],
    ["/etc/*.conf", "/etc/*", true, true],
    ["/etc/*.conf", "/etc/*.d", false, false],
    ["/e*/x", "/e*/*", true, true],
    ["/tmp/[ab]", "/tmp/[a-c]", true, true],
    ["/tmp/[ad]", "/tmp/[a-c]", true, false],
    ["/tmp/[de]", "/tmp/[a-c]", false, false],
    ["/w/*", "/w/.env", false, false],
    ["/w/.*", "/w/.env", true, false],
    ["/w/**/x", "/w/a/b/x", true, false],
    ["/**", "/etc/shadow", true, false],
    ["/w/a*", "**/.env", false, false],
    ["/w/?.pem", "*.pem", true, true],
  ])("%s by %s: may %s, surely %s", (path, pattern, may, surely) => {
    const value = at(path, { pattern: true });
    expect([glob(value, pattern, any), glob(value, pattern, all)]).toEqual([may, surely]);
  });
});

describe("forms", () => {
  const link = at("/w/tmp/x", { real: "/etc/passwd" });
  it("any takes either form, all needs both", () => {
    expect([
      glob(link, "/etc/*", any),
      glob(link, "/w/**", any),
      glob(link, "/w/**", all),
      glob(link, "{/w,/etc}/**", all),
    ]).toEqual([true, true, false, true]);
  });
  it("a folder given as a path counts in both its forms", () => {
    const folder = at("/w", { real: "/data/w" });
    expect(within(at("/w/x", { real: "/data/w/x" }), folder, all)).toBe(true);
    expect(within(at("/w/x", { real: "/etc/x" }), folder, all)).toBe(false);
  });
});

describe("within", () => {
  it.each([
    ["/a/b", "/a", true],
    ["/a", "/a", true],
    ["/a", "/a/", true],
    ["/ab", "/a", false],
    ["/x", "/", true],
    ["/home/dev/x", "~", true],
    ["/a/*", "/a/*", false],
  ])("%s in %s: %s", (path, folder, expected) => {
    expect([within(at(path.replace("*", "x")), folder, any), within(at(path.replace("*", "x")), folder, all)]).toEqual([
      expected,
      expected,
    ]);
  });
  it("of a glob path may hold or surely holds", () => {
    const value = at("/a/b*", { pattern: true });
    expect([
      within(value, "/a", all),
      within(value, "/a/bc", any),
      within(value, "/a/bc", all),
      within(value, "/a/c", any),
    ]).toEqual([true, true, false, false]);
  });
  it("of an unknown home is possible and never sure", () => {
    expect([
      within(at("/x"), "~/y", { forms: "any", home: "" }),
      within(at("/x"), "~/y", { forms: "all", home: "" }),
    ]).toEqual([true, false]);
  });
});

describe("bounds", () => {
  it("refuses braces that stand for too much", () => {
    const pattern = "{a,b}".repeat(20);
    expect(globError(pattern)).toMatch(/more than 256/);
    expect([glob(at("/x"), pattern, any), glob(at("/x"), pattern, all)]).toEqual([true, false]);
    expect([globError("*.ts"), globError(""), globError("a\0")].map((e) => e === undefined)).toEqual([
      true,
      false,
      false,
    ]);
  });
  it("stays quick on patterns that make backtracking matchers slow", () => {
    const path = at(`/${"a".repeat(2_000)}b`, { pattern: false });
    expect(glob(path, `/${"*a".repeat(50)}c`, any)).toBe(false);
    expect(glob(at(`/${"a/".repeat(300)}b`), `/${"**/a/".repeat(30)}c`, any)).toBe(false);
  });
  it("surely implies may, and a literal expansion of a glob is never missed", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 4 });
    const wild = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 3 }),
        fc.array(wild, { minLength: 1, maxLength: 3 }),
        fc.array(wild, { minLength: 1, maxLength: 3 }),
        (names, first, second) => {
          const literal = at(`/${names.join("/")}`);
          const path = at(`/${first.join("/")}`, { pattern: true });
          const [left, right] = [
            `/${first.join("/").replaceAll("**", "*")}`,
            `/${second.join("/").replaceAll("**", "*")}`,
          ];
          const shell = { ...path, lexical: left, real: left };
          if (glob(shell, right, all)) expect(glob(shell, right, any)).toBe(true);
          if (glob(literal, left, any) && glob(literal, right, any)) expect(glob(shell, right, any)).toBe(true);
          if (glob(literal, left, any) && glob(shell, right, all)) expect(glob(literal, right, any)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
