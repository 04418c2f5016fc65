import { describe, expect, it } from "vitest";
import { diagnostic } from "../../diagnostics/diagnostic.ts";
import { type Palette, renderDiagnostic, visible } from "../../diagnostics/render.ts";
import { Source } from "../../diagnostics/source.ts";

/** The rendering of an unknown key over `marked` in `text`. */
function render(text: string, marked: string, palette?: Palette): string {
  const source = new Source("policy.yaml", text);
  const start = text.indexOf(marked);
  const found = diagnostic(
    "HW101",
    source,
    { start, end: start + marked.length },
    "unknown key `evnt`",
    "did you mean `event`?",
  );
  return renderDiagnostic(found, new Map([[source.name, source]]), palette);
}

/** Column and width of the carets under the excerpt. */
function carets(rendered: string): { under: string } {
  const lines = rendered.split("\n");
  const excerpt = (lines[2] as string).replace(/^ *\d+ \| /, "");
  const marks = (lines[3] as string).replace(/^ *\| /, "");
  return { under: excerpt.slice(marks.indexOf("^"), marks.lastIndexOf("^") + 1) };
}

describe("a rendered diagnostic", () => {
  it("frames the line with carets, then says the next step", () => {
    expect(render("rules:\n  - id: a\n    evnt: tool_call\n", "evnt")).toMatchInlineSnapshot(`
      "error[HW101]: unknown key \`evnt\`
         --> policy.yaml:3:5
        3 |     evnt: tool_call
          |     ^^^^
        help: did you mean \`event\`?"
    `);
  });

  it("keeps the frame straight for longer line numbers", () => {
    expect(render(`${"#\n".repeat(119)}evnt: 1\n`, "evnt")).toMatchInlineSnapshot(`
      "error[HW101]: unknown key \`evnt\`
           --> policy.yaml:120:1
        120 | evnt: 1
            | ^^^^
        help: did you mean \`event\`?"
    `);
  });

  it("shows a second place as a note", () => {
    const text = "- id: a\n- id: a\n";
    const source = new Source("policy.yaml", text);
    const related = [{ message: "first given here", source: "policy.yaml", span: { start: 6, end: 7 } }];
    const found = diagnostic(
      "HW401",
      source,
      { start: 14, end: 15 },
      "duplicate id `a`",
      "rename one of them",
      related,
    );
    expect(renderDiagnostic(found, new Map([["policy.yaml", source]]))).toMatchInlineSnapshot(`
      "error[HW401]: duplicate id \`a\`
         --> policy.yaml:2:7
        2 | - id: a
          |       ^
        note: first given here
         --> policy.yaml:1:7
        1 | - id: a
          |       ^
        help: rename one of them"
    `);
  });

  it("names a file that could not be read", () => {
    const found = diagnostic(
      "HW001",
      new Source("gone.yaml", ""),
      { start: 0, end: 0 },
      "no such file",
      "check the path",
    );
    expect(renderDiagnostic(found, new Map())).toMatchInlineSnapshot(`
      "error[HW001]: no such file
        --> gone.yaml
        help: check the path"
    `);
  });

  it("shows what an author wrote into a message, and repaints nothing", () => {
    const source = new Source("a\u001b[2J.yaml", "x: 1\n");
    const found = diagnostic(
      "HW101",
      source,
      { start: 0, end: 1 },
      "unknown key `\u001b[31m\nerror`",
      "remove `\u202e`",
    );
    expect(renderDiagnostic(found, new Map([[source.name, source]]))).toMatchInlineSnapshot(`
      "error[HW101]: unknown key \`\\u{1b}[31m\\nerror\`
         --> a\\u{1b}[2J.yaml:1:1
        1 | x: 1
          | ^
        help: remove \`\\u{202e}\`"
    `);
  });

  it("colours parts, never the frame's width", () => {
    const mark = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
    const palette = { error: mark("e"), warning: mark("w"), info: mark("i"), quiet: mark("q"), strong: mark("s") };
    expect(render("evnt: 1\n", "evnt", palette)).toMatchInlineSnapshot(`
      "<e>error[HW101]</e><s>: unknown key \`evnt\`</s>
      <q>   --> policy.yaml:1:1</q>
        <q>1 |</q> evnt: 1
        <q>  |</q> <e>^^^^</e>
        <i>help</i>: did you mean \`event\`?"
    `);
  });
});

describe("carets stand under what they mark", () => {
  it.each<readonly [what: string, text: string, marked: string, under: string]>([
    ["in a short line", "a: b\n", "b", "b"],
    ["behind a tab", "\ta:\tb\n", "b", "b"],
    ["at the end of the file", "a: b", "b", "b"],
    ["over a control character", "a: x\u0007y\n", "x\u0007y", "x\\u{7}y"],
    ["behind one", "a: \u001b[31mb\n", "b", "b"],
    ["behind a bidirectional override", "a: \u202eb\n", "b", "b"],
    ["behind an astral character", "a: 😀b\n", "b", "b"],
    ["in the middle of a very long line", `${"x".repeat(500)}HERE${"y".repeat(500)}\n`, "HERE", "HERE"],
    ["at the end of a very long line", `${"x".repeat(500)}HERE`, "HERE", "HERE"],
    ["of several lines, under the first", "a: b\nc: d\n", "b\nc", "b"],
  ])("%s", (_, text, marked, under) => {
    expect(carets(render(text, marked)).under).toBe(under);
  });

  it("an empty span has one caret", () => {
    const source = new Source("policy.yaml", "a: b\n");
    const found = diagnostic("HW103", source, { start: 4, end: 4 }, "missing key `rules`", "add it");
    expect(renderDiagnostic(found, new Map([["policy.yaml", source]])).split("\n")[3]).toBe("    |     ^");
  });
});

describe("an excerpt", () => {
  it("shows everything behind a marked control character", () => {
    expect(render("a: x\u0007y and the rest\n", "x\u0007y").split("\n")[2]).toBe("  1 | a: x\\u{7}y and the rest");
  });
});

describe("a very long line", () => {
  it("is cut on both sides round the caret", () => {
    const excerpt = render(`${"x".repeat(500)}HERE${"y".repeat(500)}\n`, "HERE").split("\n")[2] as string;
    expect(excerpt).toMatch(/\| …x+HEREy+…$/);
    expect(excerpt.length).toBeLessThan(180);
  });

  it("that is marked whole is cut too", () => {
    const lines = render("x".repeat(100_000), "x".repeat(100_000)).split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(180);
  });
});

describe("text for a terminal", () => {
  it.each([
    ["escape sequences", "\u001b[2J", "\\u{1b}[2J"],
    ["C1 controls", "\u009b31m", "\\u{9b}31m"],
    ["carriage return", "a\rb", "a\\u{d}b"],
    ["bidirectional marks", "\u202ea\u2066", "\\u{202e}a\\u{2066}"],
    ["zero-width characters", "a\u200bb\ufeff", "a\\u{200b}b\\u{feff}"],
    ["tag characters", "a\u{e0041}", "a\\u{e0041}"],
    ["a tab as a blank", "a\tb", "a b"],
    ["other scripts as they are", "é 漢 😀", "é 漢 😀"],
  ])("%s", (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});
