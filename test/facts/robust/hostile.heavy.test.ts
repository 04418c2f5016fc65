import { describe, expect, it } from "vitest";
import { createEngine } from "../../../runtime.ts";
import { limits } from "../../../schema/limits.ts";
import { shapes } from "../../corpus/growth.ts";
import { compileTexts } from "../../literate/policies.ts";
import { bash } from "../effects/judge.ts";
import { faultsOf } from "./answers.ts";

/** Input that nobody writes: not understood at once, or an error value, hence the strict side; never a crash. */

const deep = 100_000;
const megabyte = 1_048_576;

const { plan } = compileTexts({
  "policy.yaml": `version: 1
policy: p
unknown: block
rules:
  - { id: r, event: tool_call, each: { d: effects.deletes }, when: { d.recursive: true }, action: block, reason: no }
`,
});
const engine = createEngine(plan);

/** The decision about a shell call with these arguments; a fault inside the engine fails the test. */
function decided(args: unknown): string {
  const { decision } = engine.decide({ event: "tool_call", tool: "bash", args });
  expect(decision.errors.map(({ code }) => code)).not.toContain("HW506");
  return decision.outcome;
}

const nested = (open: string, middle: string, close: string): string => open.repeat(deep) + middle + close.repeat(deep);

describe("texts over the bounds are not understood and blocked", () => {
  it.each<[string, string]>([
    ["nested substitutions", nested("$(", "ls", ")")],
    ["open substitutions", "$(".repeat(deep)],
    ["nested quoted substitutions", nested('"$(', "ls", ')"')],
    ["nested backticks", nested("`", "ls", "`")],
    ["nested process substitutions", nested("<(", "ls", ")")],
    ["nested expansions", nested("${X:-", "y", "}")],
    ["nested sums", nested("$((", "1", "))")],
    ["nested parentheses", nested("(", "ls", ")")],
    ["nested groups", nested("{ ", "ls", "; }")],
    ["nested braces", nested("{a,", "b", "}")],
    ["nested quotes", `echo ${"'\"".repeat(deep)}`],
    ["nested ifs", nested("if a; then ", "ls", "; fi")],
    ["nested loops", nested("for i in a; do ", "ls", "; done")],
    ["nested cases", nested("case a in a) ", "ls", ";; esac")],
    ["nested functions", nested("f() { ", "ls", "; }")],
    ["nested tests", `[[ ${nested("( ", "a", " )")} ]]`],
    ["here-documents", "cat <<E\nx\nE\n".repeat(deep)],
    ["here-documents on one line", `cat${" <<E".repeat(deep)}\n`],
    ["escapes of escapes", `echo "${"\\".repeat(2 * deep)}"`],
    ["a pipeline", "cat|".repeat(deep)],
    ["wrappers", "env ".repeat(deep)],
    ["a megabyte of words", "ls ".repeat(megabyte / 3)],
    ["a megabyte in one word", "x".repeat(megabyte)],
    ["a megabyte in quotes", `echo '${"x".repeat(megabyte)}'`],
    ["a megabyte of lines", "\n".repeat(megabyte)],
    ["a megabyte of lone surrogates", "\ud800".repeat(megabyte)],
    ["one unit over the bound", `echo ${"x".repeat(limits.shellLength - 4)}`],
  ])("%s", (_, command) => {
    const { understanding, effects, doubts } = bash(command);
    expect([understanding, effects, doubts.length]).toEqual(["unknown", undefined, 1]);
    expect(faultsOf(command)).toEqual([]);
    expect(decided({ command })).toBe("block");
  });
});

/** An object inside itself so many times. */
function inside(levels: number): unknown {
  let value: unknown = "ls";
  for (let i = 0; i < levels; i++) value = { command: value };
  return value;
}

const circle: Record<string, unknown> = {};
circle["command"] = circle;

describe("commands that are no text", () => {
  it.each<[string, unknown]>([
    ["an empty list", []],
    ["a list of numbers", [1, 2]],
    ["a list of lists", [["ls"], ["-l"]]],
    ["a long list", Array.from({ length: deep }, () => "ls")],
    ["a list with a hole", [undefined, "ls"]],
    ["a number", 7],
    ["true", true],
    ["null", null],
    ["an object", { text: "ls" }],
    ["an object with a string's methods", { toString: () => "ls", length: 2 }],
    ["a String object", new String("ls")],
    ["a text deep inside", inside(deep)],
    ["an object that holds itself", circle],
    ["a symbol", Symbol("ls")],
    ["a function", () => "ls"],
    ["a big number", 10n],
    ["an argument that throws", Object.defineProperty({}, "x", { enumerable: true, get: () => fault() })],
    [
      "a proxy that throws",
      new Proxy({}, { get: () => fault(), ownKeys: () => fault(), getOwnPropertyDescriptor: () => fault() }),
    ],
  ])("%s is not understood and never allowed", (_, command) => {
    expect(bash(command as string).understanding).toBe("unknown");
    expect(faultsOf(command)).toEqual([]);
    expect(decided({ command })).toBe("block");
  });

  it.each<[string, unknown]>([
    ["no arguments", undefined],
    ["no command", {}],
    ["a list of arguments", ["ls"]],
    ["a text for arguments", "ls"],
    ["a command of the prototype", Object.create({ command: "ls" })],
    ["a working directory that is no text", { command: "ls", cwd: ["/"] }],
    ["variables that are no texts", { command: "ls", env: { A: 1 } }],
  ])("%s", (_, args) => {
    expect(decided(args)).toBe("block");
  });
});

function fault(): never {
  throw new Error("a getter failed");
}

describe("lone surrogates", () => {
  it.each([
    "\ud800",
    "ls \udfff",
    "r\udc00m -r x",
    "cat <<\ud800\nx\n\ud800",
    "\ud800=1; ls $\ud800",
    "echo '\ud83d' | sh",
    "cat {\ud800,\udc00}",
    "git push origin +\ud800:main",
    "curl https://\ud800.example/\udc00",
    "find . -name '*\udc00' -exec ls {} \\;",
  ])("%j is answered", (command) => {
    expect(faultsOf(command)).toEqual([]);
    expect(["allow", "ask", "block"]).toContain(decided({ command }));
  });
});

describe("commands that grow to the bound and over it", () => {
  it.each(shapes.map((shape) => [shape.name, shape] as const))("%s", (_, shape) => {
    for (const size of [256, 4_096, limits.shellLength - 1, limits.shellLength, limits.shellLength + 64])
      expect(faultsOf(shape.of(size))).toEqual([]);
    expect(bash(`${shape.of(limits.shellLength)}${"\n".repeat(limits.shellLength)} `).understanding).toBe("unknown");
  });
});
