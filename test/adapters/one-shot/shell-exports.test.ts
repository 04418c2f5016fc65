import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readExports } from "../../../adapters/one-shot/shell-exports.ts";
import { execFileSync } from "../../bounded-process.ts";

const shells = ["/bin/sh", "/bin/dash", "/bin/bash"].filter((shell) => existsSync(shell));

/** What a shell lists of variables that it was started with. */
function listed(shell: string, variables: Record<string, string>): string {
  const given = shell.endsWith("bash") ? ["--norc", "--posix", "-c", "export -p"] : ["-c", "export -p"];
  return execFileSync(shell, given, { env: variables, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

describe("variables as a shell lists them", () => {
  it.each<[string, string, Record<string, string>]>([
    ["single quotes", "export A='b c'\n", { A: "b c" }],
    ["a quote in single quotes", `export A='it'"'"'s'\n`, { A: "it's" }],
    ["double quotes", 'export A="a \\"b\\" \\$c \\\\d \\`e\\`"\n', { A: 'a "b" $c \\d `e`' }],
    ["other backslashes in double quotes", 'declare -x A="a\\nb"\n', { A: "a\\nb" }],
    ["the quotes of `$'…'`", "declare -x A=$'a\\tb\\nc\\'\\\\\\033\\x41'\n", { A: "a\tb\nc'\\\x1bA" }],
    ["bytes by their numbers", "declare -x A=$'k\\303\\251 \\xc3\\xa9'\n", { A: "ké é" }],
    ["a variable that cannot be changed", 'declare -rx A="b"\ndeclare -ix B="1"\n', { A: "b", B: "1" }],
    ["line breaks", "export A='1\n2'\nexport B='3'\n", { A: "1\n2", B: "3" }],
    ["no quotes", "export A=b\\ c\n", { A: "b c" }],
    ["no value", "export A\nexport B=''\n", { B: "" }],
    ["a name of objects", "export constructor='x'\n", { constructor: "x" } as unknown as Record<string, string>],
    ["none", "", {}],
  ])("are read with %s", (_, text, variables) => {
    expect(readExports(text)).toEqual(variables);
  });

  it.each([
    ["no list", "hello\n"],
    ["a quote that is not closed", "export A='b\n"],
    ["something behind the value", "export A='b' c\n"],
    ["a substitution", "export A=$(b)\n"],
    ["bytes that are no text", "export A=$'\\377'\n"],
    ["no end of line", "export A='b'"],
    ["a name that is none", "export 1A='b'\n"],
  ])("are not guessed where there is %s", (_, text) => {
    expect(readExports(text)).toBeUndefined();
  });

  it.each(shells)("are what %s was given", (shell) => {
    const value = fc.string({
      unit: fc.constantFrom(..."ab '\"\\$`\n\t!#&;()<>|*?[]{}~=é😀".split(""), "$(", "\\n"),
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        fc.array(
          value.map((text) => text.toWellFormed()),
          { minLength: 1, maxLength: 20 },
        ),
        (values) => {
          const variables = Object.fromEntries(values.map((text, i) => [`V${i}`, text]));
          expect(readExports(listed(shell, variables))).toMatchObject(variables);
        },
      ),
      { numRuns: 25 },
    );
  });
});
