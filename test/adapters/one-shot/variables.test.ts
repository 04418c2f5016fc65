import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readVariables } from "../../../adapters/one-shot/variables.ts";

const root = join(import.meta.dirname, "../../..");

describe("the variables of a hook", () => {
  it.each([
    ["of dash", "export A='it'\\''s'\nexport B\nexport C='two\nlines '", { A: "it's", C: "two\nlines " }],
    ["of bash", 'declare -x A="a\\"b"\ndeclare -x C=$\'\\303\\251\'', { A: 'a"b', C: "é" }],
    ["of nothing", "", {}],
  ])("are what the client handed on, as the text %s", (_, text, variables) => {
    expect(readVariables({ HOOKWARDEN_VARIABLES: text, PATH: "/bin" })).toEqual({ variables });
  });

  it.each(["export A=$(touch x)", "A=1", "export A='open", "@4", "export A='b'; touch x"])(
    "refuses a text that no shell wrote: %s",
    (text) => {
      expect(readVariables({ HOOKWARDEN_VARIABLES: text })).toEqual({
        variables: {},
        refuse: "the variables of the hook cannot be read",
      });
    },
  );

  it("are the environment where no client stands before the launcher", () => {
    expect(readVariables({ A: "1" })).toEqual({ variables: { A: "1" } });
  });

  it("stand where Node's own environment is read, which nothing else of a hook does", () => {
    const folder = join(root, "adapters/one-shot");
    const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) => name.endsWith(".ts"));
    const reading = files.filter((name) => /process\.env\b/.test(readFileSync(join(folder, name), "utf8")));
    // The program hands it to `readVariables`; the launcher and what begins it look where their own code is kept.
    expect(reading.sort()).toEqual(["launcher.ts", "program.ts", "start/begin-program.ts"]);
    const program = readFileSync(join(folder, "program.ts"), "utf8");
    expect(program.match(/process\.env\b/g)).toHaveLength(1);
    expect(program).toContain("readVariables(process.env)");
  });

  it("stand in the words of no command, which every user of the machine can read", () => {
    const client = readFileSync(join(root, "adapters/one-shot/hookwarden-client.sh"), "utf8");
    const uses = client.split("\n").filter((line) => /\$\{?#?variables\b/.test(line) && !line.startsWith("#"));
    // A length, what a builtin writes into a pipe, and an assignment before a command.
    for (const line of uses)
      expect(line).toMatch(
        /^ *(?:if \[ "\$\{#variables\}"|printf '%s\\n' "\$variables" \||HOOKWARDEN_VARIABLES=\$variables \/)/,
      );
    expect(uses).toHaveLength(3);
  });
});
