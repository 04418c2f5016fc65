import { describe, expect, it } from "vitest";
import { optionVerdict, programVerdict, subcommandVerdict } from "../../../compiler/lint/open-names.ts";
import { subcommandLines } from "../../../compiler/lint/subcommand-lines.ts";
import { readWords, subcommandPaths } from "../../../compiler/lint/subcommand-paths.ts";
import { operandVerdict } from "../../../compiler/lint/subcommand-words.ts";
import type { Verdict } from "../../../compiler/lint/verdict.ts";
import { knownNames } from "../../../facts/programs/registry.ts";
import { allSubcommandSynonyms } from "../../../facts/programs/subcommand-synonyms.ts";
import { foundIn } from "./found.ts";

const rule = (when: string, more = ""): string => `${more}rules:
  - id: r
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: ${when}
    action: ask
    reason: why
`;

const shortly = (verdict: Verdict): string =>
  verdict.kind === "near"
    ? `near ${verdict.near}`
    : verdict.kind === "dead"
      ? `dead ${verdict.instead ?? ""}`.trim()
      : verdict.kind;

describe("programs", () => {
  it.each([
    ["git", "known"],
    ["bat", "known"],
    ["bsh", "near bash"],
    ["gti", "near git"],
    ["kubctl", "near kubectl"],
    ["dockre", "near docker"],
    ["/usr/bin/npm", "dead npm"],
    ["./bin/python3.11", "dead python"],
    ["git.exe", "dead git"],
    ["shipit", "unlisted"],
    ["our-deploy", "unlisted"],
  ])("%s is %s", (name, expected) => {
    expect(shortly(programVerdict(name))).toBe(expected);
  });

  it("takes every name of the tables, by itself and in a rule", () => {
    expect(knownNames.filter((name) => !/\s/.test(name) && programVerdict(name).kind !== "known")).toEqual([]);
  });
});

describe("subcommands", () => {
  it.each([
    ["git", "push", "known"],
    ["git", "psuh", "near push"],
    ["git", "our-alias", "unlisted"],
    ["npm", "instal", "near install"],
    ["systemctl", "enable", "dead"],
    ["make", "deploy", "dead"],
    ["redis-cli", "flushall", "dead"],
    ["shipit", "now", "dead"],
    ["gh", "pr", "dead"],
    ["gh", "pr merge", "known"],
    ["gh", "merge", "dead pr merge"],
    ["gh", "delete", "dead"],
    ["gh", "status", "known"],
    ["gh", "api", "known"],
    ["glab", "rotate", "dead token rotate"],
    ["aws", "create-role", "dead iam create-role"],
    ["aws", "describe-clusters", "dead"],
    ["aws", "logs describe-log-groups", "known"],
    ["gcloud", "clusters delete", "dead container clusters delete"],
    ["az", "storage delete", "dead"],
    ["doctl", "droplet delete", "dead compute droplet delete"],
    ["docker", "run", "known"],
    ["docker", "prune", "dead"],
    ["docker", "up", "dead compose up"],
    ["terraform", "select", "dead workspace select"],
    ["uv", "tree", "dead pip tree"],
    ["kubectl", "undo", "dead"],
    ["heroku", "destroy", "known"],
  ])("%s %s is %s", (program, name, expected) => {
    expect(shortly(subcommandVerdict(name, [program]))).toBe(expected);
  });

  it("of several programs one is enough, and of none nothing is said", () => {
    expect(subcommandVerdict("push", ["make", "git"]).kind).toBe("known");
    expect(subcommandVerdict("push", []).kind).toBe("known");
  });
});

describe("other words for a subcommand", () => {
  it.each(allSubcommandSynonyms())("of %s are known where the advice is to name them: %j", (program, words) => {
    expect(words.filter((word) => subcommandVerdict(word, [program]).kind !== "known")).toEqual([]);
  });
});

describe("words of a subcommand among operands", () => {
  it.each([
    ["gh", "issue close", "dead"],
    ["gh", "issue", "dead"],
    ["gh", "delete-asset", "dead"],
    ["gh", "view", "dead"],
    ["gh", "production", "known"],
    ["gh", "deploy", "known"],
    ["fly", "destroy", "dead"],
    ["git", "rebase", "dead"],
    ["git", "main", "known"],
    ["git", "main origin", "known"],
    ["docker", "rm", "dead"],
    ["docker", "ls", "known"],
    ["docker", "prune", "dead"],
    ["npm", "test", "known"],
    ["npm", "publish", "dead"],
    ["kubectl", "events", "known"],
    ["kubectl", "namespace", "known"],
    ["systemctl", "enable", "known"],
    ["shipit", "delete", "known"],
  ])("%s: %s is %s", (program, text, expected) => {
    expect(operandVerdict(text, [program], [text]).kind).toBe(expected);
  });

  it("takes what must be there together", () => {
    const helpOf = (program: string, together: readonly string[]): readonly string[] =>
      together.flatMap((text) => {
        const verdict = operandVerdict(text, [program], together, "c.");
        return verdict.kind === "dead" ? [verdict.help] : [];
      });
    expect(helpOf("gh", ["secret", "set"])).toEqual(["write `c.subcommand: secret set`"]);
    expect(helpOf("az", ["delete", "account", "storage"])).toEqual(["write `c.subcommand: storage account delete`"]);
    expect(helpOf("git", ["stash", "drop"])).toEqual(["write `c.subcommand: stash, c.operands: { contains: drop }`"]);
    expect(helpOf("npm", ["run", "test"])).toEqual(["write `c.subcommand: run, c.operands: { contains: test }`"]);
    expect(helpOf("kubectl", ["events", "x"])).toEqual([]);
  });

  it("of several programs all must have subcommands", () => {
    expect(operandVerdict("push", ["git", "make"], ["push"]).kind).toBe("known");
    expect(operandVerdict("push", ["git", "hg"], ["push"]).kind).toBe("dead");
  });
});

describe("subcommands that no row lists", () => {
  it.each(subcommandLines.flatMap(([programs]) => programs.split(" ")))(
    "%s reads them as one subcommand",
    (program) => {
      const { begun, byWord } = subcommandPaths(program);
      const paths = [...new Set([...byWord.values()].flat())];
      const wrong = paths.filter((path) => {
        const { subcommand, operands } = readWords(program, path);
        return `${subcommand} ${operands.join(" ")}`.trim() !== path.join(" ") || subcommand === "";
      });
      expect(wrong).toEqual([]);
      expect([...begun].filter((one) => !/^[a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*$/.test(one))).toEqual([]);
    },
  );
});

describe("options", () => {
  it.each([
    ["git", "--hard", "known"],
    ["git", "--hrad", "near --hard"],
    ["git", "--frce", "near --force"],
    ["git", "hard", "dead --hard"],
    ["git", "f", "dead -f"],
    ["git", "--message=x", "dead"],
    ["git", "--nothing-like-it", "unlisted"],
    ["shipit", "--env", "known"],
    ["shipit", "env", "dead --env"],
  ])("%s %s is %s", (program, name, expected) => {
    expect(shortly(optionVerdict(name, [program]))).toBe(expected);
  });
});

describe("in a policy", () => {
  const rows: readonly (readonly [string, string, string, string])[] = [
    ["a program", "{ c.program: bsh }", "HW667", "bsh"],
    ["one of a list of the policy", "{ c.program: $ones }", "HW667", "bsh"],
    ["a comparison from the other side", `'"bsh" == c.program'`, "HW667", '"bsh"'],
    ["a subcommand of the program beside it", "{ c.program: git, c.subcommand: psuh }", "HW667", "psuh"],
    ["an option of the program beside it", "{ c.program: git, c: { has_option: [--hrad, -f] } }", "HW667", "--hrad"],
    ["the same as an expression", `'c.program == "git" && c.has_option("--hrad")'`, "HW667", `"--hrad"`],
    [
      "the value of an option",
      `'c.program == "git" && c.option("--mesage").orValue("") == "x"'`,
      "HW667",
      `"--mesage"`,
    ],
    [
      "a word of the subcommand, in what waives",
      "{ c.program: gh }\n    unless: { c.operands: { contains: view } }",
      "HW614",
      "view",
    ],
    [
      "the beginning of a verb without its service",
      '{ c.program: aws, c.subcommand: { glob: "delete-*" } }',
      "HW614",
      '"delete-*"',
    ],
    ["a dead subcommand", "{ c.program: systemctl, c.subcommand: enable }", "HW614", "enable"],
    ["an option without dashes, of any program", "{ c: { has_option: force } }", "HW614", "force"],
    ["a program by its place", "{ c.program: /usr/bin/npm }", "HW614", "/usr/bin/npm"],
    ["a beginning with a version", "{ c.program: { starts_with: python3 } }", "HW614", "python3"],
    ["a glob with a version", '{ c.program: { glob: "python3*" } }', "HW614", '"python3*"'],
    ["a version", "{ c.program: python3.11 }", "HW602", "python3.11"],
    ["a program that no table has", "{ c.program: shipit }", "HW668", "shipit"],
    [
      "a glob that ends in a slash",
      '{ some: { effects.writes: { path: { glob: "secrets/" } } } }',
      "HW614",
      '"secrets/"',
    ],
    ["a ref", "{ some: { effects.pushes: { target.branch: refs/heads/main } } }", "HW614", "refs/heads/main"],
  ];
  it.each(rows)("%s", (_title, when, code, at) => {
    const found = foundIn(`version: 1\npolicy: p\nlists: { ones: [bash, bsh] }\n${rule(when)}`);
    expect(found.filter((d) => d.code === code).map((d) => d.at)).toEqual([at]);
  });

  it("a natural version folds without a word", () => {
    const found = foundIn(`version: 1\npolicy: p\n${rule("{ c.program: [python3, pip3] }")}`);
    expect(found.filter(({ code }) => !/^HW63[23]$/.test(code))).toEqual([]);
  });

  it("a negated dead test always holds, and the finding says so", () => {
    const [first] = foundIn(`version: 1\npolicy: p\n${rule("{ not: { c: { has_option: force } } }")}`).filter(
      (d) => d.code === "HW614",
    );
    expect(first?.message).toContain("always holds");
  });

  it("stands beside the errors of the same policy", () => {
    const found = foundIn(`version: 1\npolicy: p\n${rule("{ c.program: bsh, host: gemni, nosuch: 1 }")}`);
    expect(found.map(({ code }) => code)).toEqual(expect.arrayContaining(["HW305", "HW301", "HW667"]));
  });

  it("servers are called as their users like, but for a slip of a well-known one", () => {
    const tools = (name: string): string =>
      `  - id: r\n    event: tool_call\n    tool: "${name}"\n    action: ask\n    reason: why\n`;
    const codesOf = (name: string): string[] =>
      foundIn(tools(name))
        .map(({ code }) => code)
        .filter((code) => !/^HW63[23]$/.test(code));
    expect(codesOf("mcp__gihub__*")).toEqual(["HW613"]);
    expect(codesOf("mcp__github__*")).toEqual([]);
    expect(codesOf("mcp__our_hub__run")).toEqual([]);
  });
});
