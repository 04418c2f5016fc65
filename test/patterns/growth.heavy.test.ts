import { describe, expect, it, vi } from "vitest";
import { slowText } from "./growth.ts";
import { literalsIn, madeBy } from "./literals.ts";
import { stepsOf } from "./steps.ts";
import { readPattern } from "./syntax.ts";

/** Patterns that backtrack, with their bounds: the caller limits the length of the text. */
const bounded: readonly (readonly [file: string, head: string, bound: string])[] = [
  [
    "facts/effects/ended-processes.ts",
    "\\/((?:[^/\\\\\\n]|\\\\.){1,128})\\/",
    "4,096 signs, and what it reads is spent",
  ],
  ["facts/effects/later-environment.ts", "\\bSetEnvironmentVariable", "1,024 signs of a value, 64 blanks behind each"],
  ["rules/functions/time-values.ts", "(\\d+)(?:\\.(\\d*))?(ms|us|", "100 signs"],
];

/** Rooms whose code reads what an agent or a repository wrote. */
const rooms = ["facts", "rules", "engine", "adapters", "store", "schema"];

const boundOf = ({ file, source }: { readonly file: string; readonly source: string }): string | undefined =>
  bounded.find(([name, head]) => name === file && source.startsWith(head))?.[2];

/**
 * Native regular expressions backtrack; no unit counts that, and nothing interrupts it. So each must take time linear in the
 * length of its text, or read a text of bounded length.
 */
describe("the platform's patterns", () => {
  it.each(rooms)(
    "take steps in line with the text: %s",
    (room) => {
      const all = literalsIn(room);
      expect(all.length).toBeGreaterThan(5);
      const slow = all.flatMap((one) => {
        const text = slowText(one.source, one.flags);
        return text === undefined || boundOf(one) !== undefined ? [] : [{ ...one, text }];
      });
      expect(slow).toEqual([]);
    },
    60_000,
  );

  it("take steps in line with the text where code puts them together", async () => {
    vi.resetModules();
    const made = await madeBy("facts", async () => {
      const { measured } = await import("../facts/scaling.ts");
      const command =
        "expect -c 'send x'; osascript -e x; python3 -c 'import pty; os.write(x)'; vim -c x y; xargs sh -c x";
      measured({ tool: "bash", args: { command } });
    });
    expect(made.length).toBeGreaterThan(10);
    expect(made.flatMap(({ source, flags }) => slowText(source, flags) ?? [])).toEqual([]);
  }, 60_000);

  it.each(bounded)("have a bound only where they need one: %s, %s", (file, head) => {
    const one = literalsIn(file.split("/")[0] as string).find(
      (each) => each.file === file && each.source.startsWith(head),
    );
    expect(one && slowText(one.source, one.flags)).toBeDefined();
  });
});

describe("slowText", () => {
  it.each([
    ["\\s+$", ""],
    ["a+b", ""],
    ["(?:a|a)*$", ""],
    ["^(?:a+)+$", ""],
    ["^-[a-z]*r[a-z]*$", ""],
    ["^\\s*(?:[\\w\\s]*=)?!", ""],
    ["^\\s*use", "m"],
    ['"(?:[^"\\\\]|\\\\.)*"', "g"],
    ["(?<=x.*)y\\s*z", "s"],
    ["[ab]{0,500}c", ""],
    ["^a=[ ]*(.*)$", ""],
    ["(['\"])[^z]*z\\1", ""],
    // A reader steps over the text, and what has no end is read again from each beginning.
    ["'''(?:[^\\\\']|\\\\[^]|'(?!''))*(?:'''|$)|'(?:[^'\\\\\\n]|\\\\[^])*'?|[^]", "gy"],
    ["<[^>]*>|[^]", "gy"],
  ])("finds one for /%s/%s", (source, flags) => {
    expect(slowText(source, flags)).toBeDefined();
  });

  it.each([
    ["^\\s+", ""],
    ["^\\s*a\\s*$", ""],
    ["^-[a-qs-z]*r[a-z]*$", ""],
    ["[a-z]+", "g"],
    ['"(?:[^"\\\\]|\\\\.)*("?)', "g"],
    ["^[^\\S\\n\\r\\u2028\\u2029]*use", "m"],
    ["\\.ya?ml$(?<=/x/.*)", ""],
    ["[ab]{0,20}c", ""],
    ["^(?=.*$)a=[ ]*(.*)$", ""],
    ["\\s+$", "y"],
    ["'''(?:[^\\\\']|\\\\[^]|'(?!''))*(?:'''|\\\\?$)|'(?:[^'\\\\\\n]|\\\\[^])*'?|[^]", "gy"],
    ["<[^>]*>?|[^]", "gy"],
    ["<[^>]*>|[^<]", "gy"],
  ])("finds none for /%s/%s", (source, flags) => {
    expect(slowText(source, flags)).toBeUndefined();
  });
});

describe("stepsOf", () => {
  it.each([
    ["^a*b", "", "aaa", 8],
    ["b", "", "aab", 3],
    ["a", "g", "aab", 4],
    ["(?<=a)b", "", "ab", 3],
    ["(a)\\1", "", "aa", 2],
    ["\\bb", "", "ab b", 3],
    ["b", "y", "ab", 1],
    ["a", "gy", "aaba", 3],
    ["a*", "gy", "aab", 4],
  ])("counts the signs that /%s/%s compares in %j: %i", (source, flags, text, steps) => {
    expect(stepsOf(readPattern(source, flags), text, 1_000)).toBe(steps);
  });
});
