import { describe, expect, it } from "vitest";
import { demoPolicy, run, Scratch } from "./run.ts";

const scratch = new Scratch();

describe("usage errors", () => {
  const cases: readonly [string, string[], RegExp, RegExp][] = [
    ["an unknown command", ["chek"], /unknown command `chek`/, /did you mean `check`\?/],
    ["an unknown option", ["eval", "--polcy", "x"], /unknown option `--polcy`/, /did you mean `--policy`\?/],
    ["an unknown format", ["check", "--format", "xml"], /`xml` is invalid. Allowed choices are pretty, json/, /--help/],
    ["an unknown target", ["compile", "-o", "x", "--target", "pie"], /Allowed choices are plan, pi/, /--help/],
    ["a missing argument", ["replay"], /missing required argument `records`|required option/, /--help/],
    ["a missing option", ["compile"], /required option `-o, --out <file>` not specified/, /--help/],
    ["a setting without a value", ["eval", "--set", "name"], /name=value/, /--help/],
    ["an unknown scope", ["eval", "--scope", "builtin"], /Allowed choices are managed, user, project/, /--help/],
    ["two ways to give an event", ["explain", "--tool", "bash", "--event", "x"], /cannot be used with/, /--help/],
    ["no event to explain", ["explain", "--policy", "POLICY"], /no event was given/, /--tool/],
    [
      "arguments that are no object",
      ["explain", "--policy", "POLICY", "--tool", "bash", "--args", "[1]"],
      /`--args` is not a JSON object/,
      /--args/,
    ],
  ];
  it.each(cases)("%s: exit code 2, a code and help", async (_, args, message, help) => {
    const policy = scratch.put("policy.yaml", demoPolicy);
    const ran = await run(args.map((arg) => (arg === "POLICY" ? policy : arg)));
    expect(ran.code).toBe(2);
    expect(ran.out).toBe("");
    expect(ran.err).toMatch(/^error\[HW701\]: /);
    expect(ran.err).toMatch(message);
    expect(ran.err.split("help: ")[1]).toMatch(help);
  });

  it("no command at all: exit code 2 with the list of commands", async () => {
    const ran = await run([]);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/check .*[\s\S]*eval /);
  });
});

describe("help and version", () => {
  it("are no errors and go to standard output", async () => {
    const help = await run(["--help"]);
    expect(help).toMatchObject({ code: 0, err: "" });
    for (const command of ["check", "eval", "explain", "compile", "audit"]) expect(help.out).toContain(`  ${command} `);
    expect(await run(["--version"])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect((await run(["eval", "--help"])).out).toContain("--events <file>");
  });
});

describe("internal errors", () => {
  it("are exit code 3 and ask for a report", async () => {
    const broken = (async function* () {
      yield new Uint8Array();
      throw new TypeError("broken stream");
    })();
    const { runCommandLine } = await import("../../cli/program.ts");
    let err = "";
    const policy = scratch.put("policy.yaml", demoPolicy);
    const io = {
      cwd: scratch.path,
      env: {},
      color: false,
      stdin: broken,
      out: async () => {},
      err: (text: string) => void (err += text),
    };
    expect(await runCommandLine(["eval", "--policy", policy], io)).toBe(3);
    expect(err).toContain("broken stream");
    expect(err).toContain("please report this");
  });
});
