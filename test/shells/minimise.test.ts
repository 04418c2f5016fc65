import { describe, expect, it } from "vitest";
import { classes, generate } from "./classes/classes.ts";
import type { Case, Result } from "./harness.ts";
import { edits, minimise } from "./minimise.ts";
import { assign, define, each, into, quoted, redirect, run, subshell, when } from "./tree/build.ts";
import { printScript } from "./tree/print.ts";
import type { Script } from "./tree/tree.ts";

const own = classes[0] as (typeof classes)[number];

/** A runner that finds a fault where the text has what a test looks for. */
function finding(faulty: (text: string) => boolean): (cases: readonly Case[]) => Promise<readonly Result[]> {
  return async (cases) =>
    cases.map((one) => {
      const text = printScript(one.script);
      const faults = faulty(text) ? ([{ rule: "uncovered", kind: "write", place: "MARK" }] as const) : [];
      return {
        case: one,
        text,
        faults,
        positive: true,
        outcome: () => "allow",
        understanding: "understood",
        unfinished: undefined,
      };
    });
}

async function smallest(script: Script, faulty: (text: string) => boolean): Promise<string> {
  const run = finding(faulty);
  const [small] = await minimise(await run([{ class: own, script }]), run);
  return small?.text ?? "";
}

const long: Script = [
  assign("x", "MARK"),
  define(
    "f",
    when(run("test", "-e", "src.txt"), [run("echo", "ok"), run("touch", quoted("x"))], [run("false")]),
    run("touch", "o"),
  ),
  each("y", ["o", "o2"], subshell(into(run("echo", "t"), redirect(">", quoted("y"))))),
  run("f"),
  run("touch", "b.txt", "c.txt"),
];

describe("the minimiser", () => {
  it("keeps what the fault needs and nothing else", async () => {
    expect(await smallest(long, (text) => text.includes('touch "$x"'))).toBe('touch "$x"\n');
    expect(await smallest(long, (text) => text.includes("x=MARK") && /f\(\)[\s\S]*touch/.test(text))).toMatch(
      /^x=MARK\nf\(\) \{\ntouch[^\n]*\n\}\n$/,
    );
    expect(await smallest(long, (text) => text.includes("c.txt"))).toBe("c.txt\n");
  });

  it("leaves a script alone of which every smaller one is right", async () => {
    const text = printScript(long);
    expect(await smallest(long, (other) => other === text)).toBe(text);
  });

  it("makes edits that are all shorter in nodes and that print", () => {
    for (const { script } of generate(7, 300, () => true))
      for (const edited of edits(script)) {
        expect(JSON.stringify(edited).length).toBeLessThan(JSON.stringify(script).length);
        expect(printScript(edited)).toMatch(/\n$/);
      }
  });
});
