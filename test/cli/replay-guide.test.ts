import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readDocument } from "../literate/document.ts";
import { run, Scratch } from "./run.ts";

/** The examples of the guide's page about replay, executed: files by the names behind their language, then the commands. */
const scratch = new Scratch();
const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "guide", "replay.md"), "utf8");

it("prints what the guide says", async () => {
  const blocks = [...page.matchAll(/^```(\S+) ?(\S*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", name = "", text = ""]) => ({
      language,
      name,
      text,
    }),
  );
  for (const { name, text } of blocks) if (name !== "") scratch.put(name, text);
  const commands = blocks.filter(({ language }) => language === "console");
  expect(commands).toHaveLength(2);
  for (const { text } of commands) {
    const [line = "", ...output] = text.split("\n");
    const [program, ...args] = line.replace(/^\$ /, "").split(" ");
    expect(program).toBe("hookwarden");
    expect(await run(args, { cwd: scratch.path })).toEqual({ code: 1, out: output.join("\n"), err: "" });
  }
});

it("has no table beside a policy, which would be taken for decisions", () => {
  const judged = readDocument(page).filter(
    ({ rows, blocks }) => rows.length > 0 && blocks.some(({ language }) => language === "yaml"),
  );
  expect(judged.map(({ title }) => title)).toEqual([]);
});
