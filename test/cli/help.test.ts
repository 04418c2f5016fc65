import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, describe, expect, it } from "vitest";
import { completionScript } from "../../cli/commands/completion.ts";
import { helpExamples } from "../../cli/help.ts";
import { wantsColor } from "../../cli/io.ts";
import { outputOptions } from "../../cli/output-options.ts";
import { spawnSync } from "../bounded-process.ts";
import { run } from "./run.ts";

const scratch = mkdtempSync(join(tmpdir(), "hookwarden-help-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe("--help", () => {
  it("groups the commands in the order in which somebody meets them", async () => {
    const { out, code } = await run(["--help"]);
    const heads = [...out.matchAll(/^(\S.*):$/gm)].map((match) => match[1]);
    expect(heads).toEqual(["Options", "Start", "Write", "Look", "Decide", "For hosts", "Shell", "A first hour"]);
    expect([code, out]).toEqual([0, expect.not.stringContaining("Commands:")]);
  });
  it.each(Object.entries(helpExamples))("of `%s` ends with an example of that command", async (path, example) => {
    const { out } = await run([...path.split(" "), "--help"]);
    expect(out.trimEnd().endsWith(`Example:\n  ${example}`)).toBe(true);
    expect(example.startsWith(`hookwarden ${path}`)).toBe(true);
  });
  it.each(Object.entries(helpExamples))("of `%s` names only options that the command has", async (path, example) => {
    const { out } = await run([...path.split(" "), "--help"]);
    const own = (example.split(" -- ")[0] ?? "").replace(/'[^']*'/g, "");
    for (const [option] of own.matchAll(/(?<= )--?[a-z][\w-]*/g)) expect(out).toMatch(new RegExp(`${option}[ ,]`));
  });
  it("gives every command an example", async () => {
    const words = (await run(["completion", "bash"])).out;
    const paths = [...(/in ('check'.*?|'init'.*?)\) path=/.exec(words)?.[1] ?? "").matchAll(/'([^']+)'/g)].map(
      (m) => m[1],
    );
    const parents = new Set(paths.flatMap((path) => (path?.includes(" ") ? [path.split(" ")[0]] : [])));
    expect(paths.filter((path) => !parents.has(path) && !Object.hasOwn(helpExamples, path ?? ""))).toEqual([]);
    expect(paths.length).toBeGreaterThan(30);
  });
});

describe("completion", () => {
  const program = new Command("tool");
  program.option("--color <when>", "colour");
  const audit = program.command("audit").summary("it's trails: read them");
  audit.command("show").summary("read").option("--all", "everything");
  program.command("check").summary("check").option("--config <file>", "file");

  /** What bash proposes for a line whose last word is being typed; only the script of this test is run. */
  function proposed(...words: readonly string[]): string[] {
    const file = join(scratch, "completion.bash");
    writeFileSync(file, completionScript("bash", program));
    const text =
      'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tool; printf "%s\\n" "${COMPREPLY[@]}"';
    const { stdout } = spawnSync("bash", ["--norc", "-c", text, "bash", file, "tool", ...words], {
      encoding: "utf8",
      cwd: scratch,
    });
    return stdout.split("\n").filter((line) => line !== "");
  }

  it.each([
    [[""], ["audit", "check", "--color", "--help"]],
    [["au"], ["audit"]],
    [
      ["audit", ""],
      ["show", "--color", "--help"],
    ],
    [["audit", "show", "--a"], ["--all"]],
    [["--color", "ne"], []],
    [["check", "--config", "compl"], ["completion.bash"]],
    [["check", "compl"], ["completion.bash"]],
  ])("of %j in bash proposes %j", (words, expected) => expect(proposed(...words)).toEqual(expected));

  it.each(["bash", "zsh", "fish"] as const)("for %s names every command and option", async (shell) => {
    const { out, code } = await run(["completion", shell]);
    expect(code).toBe(0);
    for (const word of ["init", "audit show", "fail-level", "github", "completion"]) expect(out).toContain(word);
  });
  it("for another shell is refused, with the shells that there are", async () => {
    const { code, err } = await run(["completion", "tcsh"]);
    expect([code, err]).toEqual([2, expect.stringContaining("bash, zsh, fish")]);
  });
});

describe("colours", () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ TERM: "dumb" }, true, false],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "false" }, true, false],
    [{ FORCE_COLOR: "" }, false, false],
    [{ FORCE_COLOR: "1", TERM: "dumb" }, false, true],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
  ])("with %j, on a terminal: %s, are on: %s", (env, terminal, on) => expect(wantsColor(env, terminal)).toBe(on));
  it.each([
    [["check"], "auto"],
    [["--color", "never", "check"], "never"],
    [["check", "--color=always"], "always"],
    [["check", "--color", "sometimes"], "auto"],
    [["mcp", "--", "server", "--color", "never"], "auto"],
  ])("of %j are %s", (given, color) => expect(outputOptions(given).color).toBe(color));
  it("are what --color says, and what it cannot say is refused", async () => {
    writeFileSync(join(scratch, "p.yaml"), "version: 1\npolicy: p\nrules: []\n");
    const coloured = await run(["check", "p.yaml", "--color", "always"], { cwd: scratch });
    const plain = await run(["check", "p.yaml", "--color", "never"], { cwd: scratch, color: true });
    expect([coloured.out + coloured.err, plain.out + plain.err]).toEqual([
      expect.stringContaining("\u001b["),
      expect.not.stringContaining("\u001b["),
    ]);
    expect((await run(["check", "--color", "red"])).code).toBe(2);
  });
});

describe("--quiet", () => {
  const good = "version: 1\npolicy: p\nrules: []\n";
  it("prints nothing where all is well, and everything where it is not", async () => {
    writeFileSync(join(scratch, "q.yaml"), good);
    const fine = await run(["fmt", "--check", "q.yaml", "--quiet"], { cwd: scratch });
    expect(fine).toMatchObject({ code: 0, out: "", err: "" });
    writeFileSync(join(scratch, "q.yaml"), good.replace("policy: p", "policy: P!"));
    const [bad, loud] = [
      await run(["check", "-q", "q.yaml"], { cwd: scratch }),
      await run(["check", "q.yaml"], { cwd: scratch }),
    ];
    expect(bad).toEqual(loud);
    expect(bad.code).toBe(2);
  });
  it("keeps what a command was asked for", async () => {
    const { out } = await run(["completion", "fish", "--quiet"]);
    expect(out).toContain("complete -c hookwarden");
  });
});
