import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { executedPages, renew } from "../../scripts/transcript/renew.ts";
import { run, Scratch } from "./run.ts";

const scratch = new Scratch();
const guide = join(import.meta.dirname, "..", "..", "docs", "guide");
const page = join(guide, "five-minutes.md");

describe("pages that are carried out", () => {
  it.each(executedPages)("%s says what its commands print", async (name) => {
    const home = join(scratch.path, "home");
    const folder = join(scratch.path, "shop");
    for (const each of [home, folder]) mkdirSync(each);
    const before = readFileSync(join(guide, name), "utf8");
    const after = await renew(before, folder, async (args, stdin) => {
      const { code, out, err } = await run(args, {
        cwd: folder,
        home,
        env: { HOME: home },
        ...(stdin !== undefined && { stdin }),
      });
      return { code, text: out + err };
    });
    expect(after).toBe(before);
  });
});

describe("docs/guide/five-minutes.md", () => {
  it("goes from nothing to a rule that blocks", () => {
    const text = readFileSync(page, "utf8");
    const commands = [...text.matchAll(/^\$ hookwarden (\w+)/gm)].map(([, name]) => name);
    expect(commands).toEqual(["init", "new", "check", "check", "fmt", "test", "test", "explain", "hook"]);
    expect(text).toContain("error[HW302]");
    expect(text).toContain('"permissionDecision":"deny"');
    // A first reader takes an error inside a rule that won for a fault of the page.
    expect(text).not.toMatch(/\bHW5\d\d\b/);
  });
});

describe("renewing a page", () => {
  const nothing = () => Promise.resolve({ code: 0, text: "" });

  it("writes output and exit codes, whatever stood there before", async () => {
    const given = "a\n```console\n$ hookwarden x 'b c'\nold\n```\nb\n";
    const said: unknown[] = [];
    const after = await renew(given, scratch.path, async (args) => {
      said.push(args);
      return { code: 2, text: `${scratch.path}/p: new\n` };
    });
    expect(said).toEqual([["x", "b c"]]);
    expect(after).toBe("a\n```console\n$ hookwarden x 'b c'\n/home/dev/shop/p: new\n[exit code 2]\n```\nb\n");
  });

  it("runs nothing but hookwarden, and makes no change that does not fit", async () => {
    await expect(renew("```console\n$ touch FORBIDDEN\n```\n", scratch.path, nothing)).rejects.toThrow(
      "hookwarden only",
    );
    scratch.put("f", "one\n");
    await expect(renew("```diff f\n-two\n+three\n```\n", scratch.path, nothing)).rejects.toThrow("does not fit");
  });
});
