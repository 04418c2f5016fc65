import { describe, expect, it } from "vitest";
import { codes, isLint } from "../../diagnostics/codes.ts";
import { type Diagnostic, diagnostic, hasErrors, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { Source } from "../../diagnostics/source.ts";

const source = new Source("a.yaml", "version: 1\n");
const at = { start: 0, end: 7 };

const finding = (code: keyof typeof codes, start: number, name = "a.yaml"): Diagnostic =>
  diagnostic(code, new Source(name, " ".repeat(20)), { start, end: start + 1 }, "x", "y");

describe("a diagnostic", () => {
  it("has the severity of its code", () => {
    expect(diagnostic("HW101", source, at, "unknown key", "remove it").severity).toBe("error");
    expect(diagnostic("HW604", source, at, "expired", "renew it").severity).toBe("warning");
  });

  it("points into the file, also for text inside it", () => {
    const inner = source.embed("version", [{ inner: { start: 0, end: 7 }, outer: { start: 2, end: 9 } }]);
    expect(diagnostic("HW201", inner, { start: 1, end: 3 }, "x", "y")).toEqual({
      code: "HW201",
      severity: "error",
      message: "x",
      source: "a.yaml",
      span: { start: 3, end: 5 },
      help: "y",
    });
  });

  it("errors forbid loading, warnings do not", () => {
    expect(hasErrors([finding("HW604", 0)])).toBe(false);
    expect(hasErrors([finding("HW604", 0), finding("HW101", 0)])).toBe(true);
    expect(hasErrors([])).toBe(false);
  });

  it("findings are told by file, place and code", () => {
    const sorted = [finding("HW102", 4), finding("HW101", 4), finding("HW604", 1), finding("HW001", 9, "B.yaml")];
    const order = sortDiagnostics(sorted).map((d) => `${d.source} ${d.span.start} ${d.code}`);
    expect(order).toEqual(["B.yaml 9 HW001", "a.yaml 1 HW604", "a.yaml 4 HW101", "a.yaml 4 HW102"]);
  });
});

describe("the list of codes", () => {
  it.each(Object.entries(codes))("%s is numbered and titled as the others", (code, { title, severity }) => {
    expect(code).toMatch(/^HW[0-8]\d{2}$/);
    expect(title).not.toMatch(/\.$/);
    expect(isLint(code) ? ["warning", "info"] : ["error"]).toContain(severity);
  });

  it("no two codes have one title", () => {
    const titles = Object.values(codes).map((entry) => entry.title);
    expect(new Set(titles).size).toBe(titles.length);
  });
});
