import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRegexEngine } from "../../../facts/regex.ts";
import { isSecret } from "../../../facts/secrets/checks.ts";
import { findNamed } from "../../../facts/secrets/edits.ts";
import { createScanner } from "../../../facts/secrets/scan.ts";
import { detectors } from "../../../facts/secrets/table.ts";
import type { RegexEngine } from "../../../schema/ports.ts";
import "../../properties/seed.ts";
import { scannerFor, secretSamples } from "./made.ts";

const engine = createRegexEngine();
const worded = detectors.filter(({ noPath }) => noPath === true);

/** Patterns that are compiled to look through a text. */
function compiledFor(text: string): readonly string[] {
  const compiled: string[] = [];
  const counting: RegexEngine = {
    ...engine,
    compile: (pattern) => {
      compiled.push(pattern);
      return engine.compile(pattern);
    },
  };
  const scanner = createScanner(counting, ["secrets/*"]);
  if (scanner.kind !== "scanner") throw new Error("unknown detectors");
  expect(scanner.find(text)).toEqual([]);
  for (const [name] of text.matchAll(/\w+/g)) expect(findNamed(scanner, "/srv/x1", name)).toEqual([]);
  return compiled;
}

describe("a path behind a name that tells of a secret", () => {
  it("is told without a pattern, as the folders that every shell names", () => {
    const environment = {
      HOME: "/srv/ada",
      LANG: "C.UTF-8",
      OLDPWD: "/srv/ada",
      PATH: "/usr/local/bin:/usr/bin",
      PWD: "/srv/ada/project-2",
      SHLVL: "1",
      SSH_AUTH_SOCK: "/run/user/1000/keyring/ssh",
    };
    expect(compiledFor(JSON.stringify({ environment }))).toEqual([]);
    expect(compiledFor(JSON.stringify({ inner: JSON.stringify(environment) }))).toEqual([]);
    expect(compiledFor("GOOGLE_APPLICATION_CREDENTIALS: /srv/keys/account-7.json")).toEqual([]);
  });

  it.each([
    ["password=Zk3vT9xQ2mW7", "secrets/generic-password"],
    ['db_token: "Zk3v/T9xQ2mW7rL5"', "secrets/generic-key"],
    ['{"PWD":"/srv/x1","password":"Zk3vT9xQ2mW7"}', "secrets/generic-password"],
    ["Server=db;pwd=Zk3v/T9x", "secrets/connection-string"],
    ["Cookie: path=/srv/x1; session=Zk3vT9xQ2mW7rL5nB8cY1dF6", "secrets/cookie"],
  ])("hides nothing else: %s", (text, detector) => {
    expect(scannerFor(["secrets/*"]).find(text)).toMatchObject([{ detector }]);
  });

  it("is refused by the checks of each row that leaves it out, whose values are never too long for them", () => {
    expect(worded.length).toBeGreaterThan(3);
    for (const row of worded) {
      expect(isSecret(row, "/Zk3vT9xQ2mW7&rL5nB8cY1dF6", false)).toBe(false);
      const bounds = [...row.pattern.matchAll(/,(\d+)\}/g)].map(([, bound]) => Number(bound));
      expect(Math.max(...bounds)).toBeLessThan(512);
    }
  });

  it("is no question for the patterns where only the name is asked for", () => {
    const scanner = scannerFor(["secrets/*"]);
    const name = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        ...secretSamples,
        "PWD",
        "user_password",
        "eyJ",
        "%41%42%43%44",
        "pass\u200bword",
        "a".repeat(400),
      ),
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 3 }), (names) => {
        const asked = names.join("");
        expect(scanner.tells(asked)).toBe(!scanner.survey(`"${asked}": "`).quiet);
      }),
    );
  });

  const part = (...texts: readonly string[]) => fc.constantFrom(...texts);
  const value = part("/srv/x1", "/Zk3vT9xQ2mW7&rL5", "Zk3vT9xQ2mW7", "p4ss/W0rd,", "=/Zk3vT9xQ2mW7", "~/Zk3vT9xQ2mW7");
  const assignment = fc
    .tuple(
      part("", "my_", "Server=db;", '{"', "\n", "- "),
      part("PWD", "pwd", "password", "API_KEY", "token", "db_pass", "credentials", "OLDPWD", "secret"),
      part("", '"', "'", '\\"', '"]', "_2", ".x"),
      part("", " ", "\t", "    "),
      part("=", ":", ":=", "=>", "==", " = "),
      part("", " ", "\n", "     ", "      "),
      part("", '"', "'", "`", '\\"', "\\", '""'),
      value,
      part("", '"', "\n", "(", " ", "&", ";", "token=Zk3vT9xQ2mW7"),
    )
    .map((parts) => parts.join(""));

  it("leaves out nothing that the row itself takes for a secret", () => {
    const scanner = scannerFor(["secrets/*"]);
    const patterns = worded.map((row) => {
      const regex = engine.compile(row.pattern);
      if ("kind" in regex) throw new Error(row.id);
      return { row, regex };
    });
    fc.assert(
      fc.property(fc.array(assignment, { minLength: 1, maxLength: 3 }), (parts) => {
        const text = parts.join("");
        const found = scanner.find(text);
        for (const { row, regex } of patterns) {
          for (const { start, groups } of regex.matches(text)) {
            const [whole = "", secret = "", call = ""] = groups;
            if (secret === "" || !isSecret(row, secret, call !== "")) continue;
            const at = start + whole.lastIndexOf(secret);
            const covered = found.some((one) => one.start <= at && one.end >= at + secret.length);
            expect({ text, row: row.id, secret, covered }).toMatchObject({ covered: true });
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
