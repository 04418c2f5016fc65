import { describe, expect, it } from "vitest";
import { limits } from "../../schema/limits.ts";
import { nativeWork } from "../native-work.ts";
import { searches } from "../scaling/facts/searches.ts";
import { command as bash, type FactCall } from "../scaling/facts/shape.ts";
import { measured } from "./scaling.ts";

/** Values with long runs in which patterns look for an end that is not there. */
const runs: readonly (readonly [string, FactCall])[] = [
  [
    "values cut by open classes",
    bash(`x=${"[".repeat(9_000)}; y=${"[".repeat(6_000)}b; ${'cat "${x#$y}"; '.repeat(2_000)}`),
  ],
  ["a word that is nearly an option", bash(`export -${"p".repeat(60_000)}!`)],
  ["a file of perl between blanks", bash(`perl -e '${`open(F, "0,2${" ".repeat(3_900)}!"); `.repeat(14)}'`)],
  ["lines of an editor", bash(`vim -c '${"0".repeat(60_000)}' f`)],
  ["a setting of apt", bash(`apt -o DPkg::Pre-Invoke::='{ ${" ".repeat(60_000)}a'`)],
  ["the source of a package", bash(`npm install 'a${" ".repeat(60_000)}b'`)],
  ["a word that is nearly a verb", bash(`jar ${"x".repeat(60_000)}! a`)],
  [
    "settings of ssh that are empty lines",
    { tool: "write", args: { path: "/home/dev/.ssh/config", content: "\n".repeat(1_000_000) } },
  ],
];

/** Calls whose work native code did in one step, for seconds up to hours. How often a pattern goes back `test/patterns/` counts. */
const native = [
  ...searches.flatMap(({ name, of }) => [15_000, 60_000].map((length) => [`${name}, ${length}`, of(length)] as const)),
  ...runs,
];

/** A unit of work is 64 characters of text: native code may look at so many elements for it. */
const perUnit = 64;

describe("work of native code", () => {
  it.each(native)("is no more than what is spent: %s", (_, call) => {
    const { units } = measured(call);
    expect(units).toBeLessThan(1.25 * limits.readingWork);
    expect(nativeWork(() => measured(call)) / units).toBeLessThan(perUnit);
  });
});
