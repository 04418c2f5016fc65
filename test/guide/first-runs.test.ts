import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const page = (name: string): string => readFileSync(join(import.meta.dirname, "../../docs/guide", name), "utf8");
/** The first percentage behind each place where a word stands. */
const figures = (text: string, before: RegExp): string[] => [...text.matchAll(before)].map(([, figure = ""]) => figure);

it("the guide to packs quotes every first run that is on record, in its order, and no other", () => {
  const runs = page("evaluation.md")
    .split(/^(?=- )/m)
    .filter((item) => /^- The .*set, first run/.test(item));
  const recall = runs.flatMap((item) => figures(item, /recall \*\*(\d+\.\d) %\*\*/g));
  const friction = runs.flatMap((item) => figures(item, /friction\s+(\d+\.\d) %/g).slice(0, 1));
  expect(recall.length).toBeGreaterThanOrEqual(4);
  const quoted = /caught ([^.]*(?:\.\d[^.]*)*) of the dangerous calls, and asked about ([\s\S]*?) of the everyday/.exec(
    page("packs.md"),
  );
  const listed = (text = ""): string[] => figures(text, /(\d+\.\d) %/g);
  expect([listed(quoted?.[1]), listed(quoted?.[2])]).toEqual([recall, friction]);
});
