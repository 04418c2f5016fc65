import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { palette } from "../../../cli/report/pretty.ts";
import { plain } from "../../../diagnostics/render.ts";
import { demonstration } from "../../../scripts/demo/demonstration.ts";
import { withoutSequences } from "../../../scripts/picture/screen.ts";

const root = join(import.meta.dirname, "../../..");

/** The lines of a picture's terminal, without the bar of the window. */
function linesOf(svg: string): string[] {
  return [...svg.matchAll(/^<text x="[\d.]+" y="\d+" textLength="[\d.]+" xml:space="preserve">(.*)<\/text>$/gm)].map(
    ([, text = ""]) =>
      text
        .replace(/<[^>]*>/g, "")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&"),
  );
}

describe("the demonstration", () => {
  const printed = { plain: "", coloured: "" };
  let held: boolean[] = [];
  beforeAll(async () => {
    held = [
      await demonstration((text) => {
        printed.plain += text;
      }, plain),
      await demonstration((text) => {
        printed.coloured += text;
      }, palette(true)),
    ];
  });

  it("keeps its promises", () => {
    expect(held).toEqual([true, true]);
    expect(printed.plain.endsWith("\nevery promise held\n")).toBe(true);
  });

  it("prints the same words with colours and without, but for the digest of its notes", () => {
    const told = (text: string): string => text.replace(/(?<=policy note )[0-9a-f]{16}/g, "…");
    expect(told(withoutSequences(printed.coloured))).toBe(told(printed.plain));
    expect(printed.plain).not.toMatch(/[^\P{C}\n]/u);
  });

  it("names no folder of the machine", () => {
    expect(printed.plain).not.toContain(tmpdir());
    expect(printed.plain).toContain('"~/FORBIDDEN" must not be written');
  });

  it.each(["light", "dark"])("is what the %s picture shows: whole lines in their order, and no other", (theme) => {
    const shown = linesOf(readFileSync(join(root, `docs/pictures/demo-${theme}.svg`), "utf8"));
    expect(shown.slice(0, 2)).toEqual(["$ npm run demo", "⋮"]);
    expect(shown.at(-1)).toBe("⋮");
    const lines = printed.plain.split("\n").map((line) => line.trim());
    const from = lines.findIndex((line) => line.startsWith("3. "));
    const to = lines.findIndex((line) => line.startsWith("6. "));
    expect(shown.slice(2, -1)).toEqual(lines.slice(from, to).filter((line) => line !== ""));
    expect(shown.length).toBeLessThanOrEqual(30);
  });
});
