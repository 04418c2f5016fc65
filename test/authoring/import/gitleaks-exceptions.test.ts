import { describe, expect, it } from "vitest";
import { importText, left, redacted } from "./imported.ts";

describe("what a pattern leaves alone", () => {
  const key = "[[rules]]\nid = 'r'\nregex = 'key=([0-9a-z_]+);'\n";
  const whole = "[[rules]]\nid = 'r'\nregex = 'key_[0-9a-z]+'\n";
  const alternatives = "[[rules]]\nid = 'r'\nregex = 'key=([0-9a-z]+)|q'\n";
  const cases: readonly [string, string, string, string, readonly string[]][] = [
    ["a secret with too little entropy", `${key}entropy = 3`, "key=aaaab;", "key=a8f3kz0q2m;", []],
    [
      "an expression of the rule",
      `${key}[[rules.allowlists]]\nregexes = ['^test_']`,
      "key=test_1;",
      "key=a_test_1;",
      [],
    ],
    [
      "an expression about the match",
      `${whole}allowlist = { regexTarget = 'match', regexes = ['_0$'] }`,
      "key_0",
      "key_1",
      [],
    ],
    [
      "a word in any letter case",
      `${key}[rules.allowlist]\nstopwords = ['DUMMY', 'a.b']`,
      "key=xdummyx;",
      "key=a1b;",
      [],
    ],
    ["an expression for all rules", `[allowlist]\nregexes = ['^x']\n${key}`, "key=xy;", "key=yx;", []],
    [
      "one of several lists",
      `[[allowlists]]\nregexes = ['^x']\n[[allowlists]]\nstopwords = ['q']\n${key}`,
      "key=zq;",
      "key=yz;",
      [],
    ],
    [
      "a list for this rule among others",
      `[[allowlists]]\ntargetRules = ['r']\nregexes = ['^x']\n[[allowlists]]\ntargetRules = ['s']\nregexes = ['^y']\n${key}`,
      "key=xy;",
      "key=yx;",
      [],
    ],
    [
      "nothing where the secret cannot be told",
      `${alternatives}entropy = 3\nallowlist = { regexes = ['^x'], stopwords = ['w'] }`,
      "",
      "key=xw",
      [
        "3 r secretGroup replaces_more",
        "4 r entropy finds_more",
        "5 r allowlists.regexes finds_more",
        "5 r allowlists.stopwords finds_more",
      ],
    ],
    [
      "nothing where the match is asked about, and the secret is a part of it",
      `${key}allowlist = { regexTarget = 'match', regexes = ['^key'] }`,
      "",
      "key=xy;",
      ["4 r allowlists.regexes finds_more"],
    ],
  ];
  it.each(cases)("%s", (_, toml, alone, found, expected) => {
    const imported = importText(toml);
    expect(imported.diagnostics).toEqual([]);
    expect(left(imported)).toEqual(expected);
    expect(redacted(imported, `a ${alone} b`)).toBe(`a ${alone} b`);
    expect(redacted(imported, `a ${found} b`)).toContain("[REDACTED:r]");
  });

  it("thousands of words are a few exceptions", () => {
    const words = Array.from({ length: 3_000 }, (_, i) => `'word${i}'`).join(", ");
    const imported = importText(`${key}allowlist = { stopwords = [${words}] }`);
    expect(redacted(imported, "key=xword2999x;")).toBe("key=xword2999x;");
    expect(redacted(imported, "key=xwordx;")).toBe("key=[REDACTED:r];");
  });
});
