import { describe, expect, it } from "vitest";
import { importGitleaks } from "../../../authoring/import/gitleaks.ts";
import { isImported } from "../../../authoring/import/redact-policy.ts";
import { compile } from "../../../compiler/compile.ts";
import { limits } from "../../../schema/limits.ts";
import { Counted, fasterThanLinear } from "../../work.ts";
import { bytes, importText, left, redacted, regex } from "./imported.ts";

const small = `title = "Keys of our company"

[[rules]]
id = "acme-key"
description = "Key of the Acme service"
regex = '''acme_[0-9a-f]{8}'''
keywords = ["acme_"]
entropy = 2.5
tags = ["acme", "key"]

[[rules]]
id = "beta-secret"
regex = '''(?i)beta[\\w.-]{0,20}[ =:"']{1,4}([0-9a-z]{12})(?:["'\\s]|$)'''

[[rules]]
id = "paths-only"
path = '''\\.p12$'''
`;

describe("import gitleaks", () => {
  it("gives a policy of patterns, with where each comes from", () => {
    const imported = importText(small);
    expect(imported.diagnostics).toEqual([]);
    expect(imported).toMatchObject({ rules: 3, carried: 2 });
    expect(imported.policy).toBe(`# Written by \`hookwarden import\` from .gitleaks.toml; the next import overwrites it.
version: 1
policy: gitleaks
title: 'Keys of our company'
description: '2 of 3 rules of \`.gitleaks.toml\`, imported from gitleaks.'

rules:
  - id: redact-secrets
    title: Secrets in text for the model
    severity: high
    tags: [attack.t1552, owasp.asi03]
    references: ['.gitleaks.toml']
    event: [tool_result, context, input]
    action:
      redact:
        patterns:
          # line 3: Key of the Acme service
          - name: 'acme-key'
            regex: 'acme_[0-9a-f]{8}'
            replacement: '[REDACTED:acme-key]'
            min_entropy: 2.5
          # line 11
          - name: 'beta-secret'
            regex: '((?i)beta[\\w.-]{0,20}[ =:"'']{1,4})(?i)([0-9a-z]{12})((?i)(?:["''\\s]|$))'
            replacement: '{match[1]}[REDACTED:beta-secret]{match[3]}'
`);
    expect(isImported(imported.policy ?? "")).toBe(true);
  });

  it("says what was not carried over, rule by rule, with its line and what it means", () => {
    expect(left(importText(small))).toEqual([
      "7 acme-key keywords finds_more",
      "9 acme-key tags none",
      "15 paths-only rule finds_less",
    ]);
  });

  it("redacts the group of the secret only, and twice is once", () => {
    const imported = importText(small);
    const once = redacted(imported, 'x acme_0123abcd y\nBETA_KEY = "abc123def456" # z');
    expect(once).toBe('x [REDACTED:acme-key] y\nBETA_KEY = "[REDACTED:beta-secret]" # z');
    expect(redacted(imported, once)).toBe(once);
  });

  it("compiles without any finding", () => {
    const file = { name: "p.yaml", path: "/p.yaml", bytes: bytes(importText(small).policy ?? "") };
    expect(compile({ files: [file], regex }).diagnostics).toEqual([]);
  });

  it("gives the same text each time", () => {
    expect(importText(small)).toEqual(importText(small));
  });

  it.each([
    [".gitleaks.toml", "gitleaks"],
    ["conf/My Rules (2).TOML", "my-rules-2"],
    ["7.toml", "gitleaks"],
    ["ключи.toml", "gitleaks"],
  ])("names the policy after the file: %s", (name, id) => {
    expect(importText(small, name).policy).toContain(`\npolicy: ${id}\n`);
  });
});

describe("what a pattern cannot say", () => {
  const rule = (more: string): string => `[[rules]]\nid = "r"\nregex = 'key_[a-z]{4}'\n${more}`;
  const cases: readonly [string, string, readonly string[]][] = [
    [
      "an allow-list of files and commits",
      rule("[rules.allowlist]\ncommits = ['c0ffee']\npaths = ['test/']"),
      ["5 r allowlists.commits none", "6 r allowlists.paths finds_more"],
    ],
    [
      "an allow-list about lines",
      rule("[[rules.allowlists]]\nregexTarget = 'line'\nregexes = ['key']"),
      ["6 r allowlists.regexes finds_more"],
    ],
    [
      "an allow-list of which all parts must hold",
      rule("[[rules.allowlists]]\ncondition = 'AND'\nregexes = ['key']\nstopwords = ['abcd']"),
      ["6 r allowlists.regexes finds_more", "7 r allowlists.stopwords finds_more"],
    ],
    [
      "an exception that RE2 refuses",
      rule("allowlists = [{ regexes = ['key(?=x)'] }]"),
      ["4 r allowlists.regexes finds_more"],
    ],
    [
      "allow-lists for all",
      `[[allowlists]]\ntargetRules = ["r"]\npaths = ['x']\n${rule("")}`,
      ["3 - allowlists.paths finds_more"],
    ],
    ["an allow-list that lets nothing through", rule("[rules.allowlist]\ndescription = 'x'"), ["4 r allowlists none"]],
    ["a path beside a pattern", rule("path = '''\\.env$'''"), ["4 r path finds_more"]],
    ["required findings", rule("[[rules.required]]\nid = 'other'"), ["4 r required finds_more"]],
    ["a field that nobody knows", rule("colour = 'blue'"), ["4 r colour none"]],
    ["key names in another case", rule("KeyWords = ['key_']\nEntropy = 2"), ["4 r keywords finds_more"]],
    ["no keywords, no entropy, no tags", rule("keywords = []\nentropy = 0\ntags = []"), []],
    [
      "a file that is extended",
      `[extend]\npath = "base.toml"\ndisabledRules = ["a"]\n${rule("")}`,
      ["2 - extend.path finds_less", "3 - extend.disabledRules none"],
    ],
    ["a rule that changes another", `${rule("")}\n[[rules]]\nid = "base"\nkeywords = ["x"]`, ["5 base rule none"]],
    [
      "a rule that only supports others",
      `${rule("")}\n[[rules]]\nid = "s"\nregex = 'a'\nskipReport = true`,
      ["5 s rule none"],
    ],
    ["an unknown part of the file", `[output]\nformat = "json"\n${rule("")}`, ["1 - output none"]],
  ];
  it.each(cases)("%s", (_, toml, expected) => {
    const imported = importText(toml);
    expect(imported.diagnostics).toEqual([]);
    expect(left(imported)).toEqual(expected);
    expect(redacted(imported, "a key_abcd b")).toBe("a [REDACTED:r] b");
  });

  it("takes all detectors where gitleaks' own rules are asked for", () => {
    const imported = importText("[extend]\nuseDefault = true\ndisabledRules = ['x']\n");
    expect(left(imported)).toEqual(["2 - extend.useDefault none", "3 - extend.disabledRules finds_more"]);
    expect(imported.policy).toContain("detectors: ['secrets/*']");
  });

  it("says once what an allow-list for all rules cannot carry, and of detectors that none of it holds", () => {
    const two = `${rule("")}\n[[rules]]\nid = "s"\nregex = 'z'\n`;
    expect(left(importText(`[allowlist]\npaths = ['x']\n${two}`))).toEqual(["2 - allowlists.paths finds_more"]);
    const own = importText(`[extend]\nuseDefault = true\n[allowlist]\nregexes = ['x']\n${two}`);
    expect(left(own)).toEqual(["2 - extend.useDefault none", "3 - allowlists finds_more"]);
  });
});

describe("patterns that RE2 refuses", () => {
  const other = "[[rules]]\nid = 'ok'\nregex = 'a'\n";
  const cases: readonly [string, string, RegExp][] = [
    ["look-ahead", "key(?=x)", /look/],
    ["look-behind", "(?<!a)key", /look/],
    ["a back-reference", "(a)\\1", /back-?reference/],
    ["free spacing", "(?x) key # comment", /flag/],
    ["an open bracket", "key(", /./],
    ["too long", "a".repeat(limits.patternLength + 1), /longer than/],
  ];
  it.each(cases)("%s: the rule is left out, with the place in the pattern", (_, pattern, why) => {
    const imported = importText(`${other}[[rules]]\nid = "r"\nregex = '${pattern}'`);
    expect(imported).toMatchObject({ carried: 1, diagnostics: [] });
    expect(left(imported)).toEqual(["6 r regex finds_less"]);
    const [item] = imported.notCarried;
    expect(item?.reason).toMatch(why);
    expect(imported.source?.position(item?.span.start ?? 0).column).toBeGreaterThanOrEqual("regex = '".length);
  });

  it("points at the place inside a pattern over several lines", () => {
    const imported = importText(`${other}[[rules]]\nid = "r"\nregex = '''\nabc(?=d)'''`);
    const span = imported.notCarried[0]?.span;
    expect(imported.source?.position(span?.start ?? 0)).toMatchObject({ line: 7, column: 4 });
  });
});

describe("the group of the secret", () => {
  const cases: readonly [string, string, string, string, string, string[]][] = [
    ["the whole match without a group", "k_[0-9]+", "", "a k_12 b", "a [REDACTED:r] b", []],
    ["the only group", "k=([0-9]+);", "", "a k=12; b", "a k=[REDACTED:r]; b", []],
    ["a group by number", "(k)=([0-9]+)", "secretGroup = 2", "a k=12 b", "a k=[REDACTED:r] b", []],
    ["a named group", "k=(?P<secret>[0-9]+)", "", "a k=12 b", "a k=[REDACTED:r] b", []],
    ["flags before it", "(?i)k=([a-f]+)", "", "a K=AB z", "a K=[REDACTED:r] z", []],
    ["flags between", "k(?i)=([a-f]+)(x)?", "secretGroup = 1", "a k=ABX z", "a k=[REDACTED:r]X z", []],
    ["groups inside it", "k=((?:a|(b))+)", "", "a k=ab c", "a k=[REDACTED:r] c", []],
    [
      "brackets in classes and escapes",
      "[(]\\(([0-9]+)[])]",
      "",
      "a ((12) b",
      "a ([REDACTED:r]) b".replace("([", "((["),
      [],
    ],
    [
      "a group in an alternative",
      "k=([0-9]+)|q=x",
      "",
      "a k=12 q=x b",
      "a [REDACTED:r] [REDACTED:r] b",
      ["3 r secretGroup replaces_more"],
    ],
    ["a repeated group", "k=([0-9])+", "", "a k=12 b", "a [REDACTED:r] b", ["3 r secretGroup replaces_more"]],
    ["a nested group", "(?:k=([0-9]+))?z", "", "a k=12z b", "a [REDACTED:r] b", ["3 r secretGroup replaces_more"]],
    ["one of several groups", "(k)=([0-9]+)", "", "a k=12 b", "a [REDACTED:r] b", ["3 r secretGroup replaces_more"]],
    [
      "a group that is not there",
      "k=([0-9]+)",
      "secretGroup = 7",
      "a k=12 b",
      "a [REDACTED:r] b",
      ["4 r secretGroup replaces_more"],
    ],
    ["a flag alone before it", "(?i)(k[0-9]+);", "", "a K12; b", "a [REDACTED:r]; b", []],
  ];
  it.each(cases)("%s", (_, pattern, more, before, after, expected) => {
    const imported = importText(`[[rules]]\nid = 'r'\nregex = '''${pattern}'''\n${more}\n`);
    expect(redacted(imported, before)).toBe(after);
    expect(left(imported)).toEqual(expected);
  });
});

describe("files that cannot be used", () => {
  const cases: readonly [string, string | Uint8Array, string, string][] = [
    ["not TOML", "rules:\n  - id: x\n", "HW705", "1:"],
    ["an open string", "[[rules]]\nid = 'x\n", "HW705", "2:"],
    ["a key given twice", "[[rules]]\nid = 'x'\nid = 'y'\n", "HW705", "3:"],
    ["an empty file", " \n", "HW002", "1:"],
    ["not UTF-8", new Uint8Array([0x69, 0xff, 0xfe]), "HW003", "1:"],
    ["too many bytes", new Uint8Array(limits.policyBytes + 1).fill(35), "HW004", "1:"],
    ["rules that are no list", "rules = 5\n", "HW102", "1:"],
    ["rules that are one table", "[rules]\nid = 'x'\n", "HW102", "1:"],
    ["a pattern that is a number", "[[rules]]\nid = 'x'\nregex = 5\n", "HW102", "3:"],
    ["keywords that are numbers", "[[rules]]\nid = 'x'\nregex = 'a'\nkeywords = [1]\n", "HW102", "4:"],
    ["a group below zero", "[[rules]]\nid = 'x'\nregex = 'a'\nsecretGroup = -1\n", "HW102", "4:"],
    ["entropy as text", "[[rules]]\nid = 'x'\nregex = 'a'\nentropy = 'high'\n", "HW102", "4:"],
    [
      "an allow-list of the wrong type",
      "[[rules]]\nid = 'x'\nregex = 'a'\n[rules.allowlist]\nregexes = [1]\n",
      "HW102",
      "5:",
    ],
    ["a rule without id", "[[rules]]\nregex = 'a'\n", "HW103", "1:"],
    ["an id given twice", "[[rules]]\nid = 'x'\nregex = 'a'\n[[rules]]\nid = 'x'\nregex = 'b'\n", "HW401", "5:"],
    ["no rules", "title = 'x'\n", "HW705", "1:"],
    ["nothing that can be carried over", "[[rules]]\nid = 'x'\npath = 'a'\n", "HW705", "1:"],
    ["nesting without end", `x = ${"[".repeat(100_000)}`, "HW705", "1:"],
    ["a number beyond all numbers", "x = 99999999999999999999\n", "HW705", "1:"],
  ];
  it.each(cases)("%s: a diagnostic with place and help, no policy", (_, content, code, place) => {
    const given = typeof content === "string" ? bytes(content) : content;
    const { policy, diagnostics, source } = importGitleaks("x.toml", given, regex);
    expect(policy).toBeUndefined();
    expect(diagnostics[0]).toMatchObject({ code, severity: "error", source: "x.toml" });
    expect(diagnostics[0]?.help).not.toBe("");
    if (source) expect(`${source.position(diagnostics[0]?.span.start ?? 0).line}:`).toBe(place);
  });

  it("reports every wrong type, not only the first", () => {
    const { diagnostics } = importText("[[rules]]\nid = 5\nregex = 6\n[[rules]]\nid = 'y'\ntags = 7\n");
    expect(diagnostics.map(({ code }) => code)).toEqual(["HW102", "HW102", "HW103", "HW102"]);
  });
});

describe("text that wants to be more than text", () => {
  it.each([
    ["line breaks and YAML in a description", "a\\nrules: []\\n# b"],
    ["controls and directions", "\\u001b[31m\\u202eb\\u0085c\\u2028d"],
    ["quotes", `it's a \\"key\\"`],
    ["characters of other planes", "\\U0001F511 ключ"],
  ])("%s stays text", (_, description) => {
    const imported = importText(
      `title = "${description}"\n[[rules]]\nid = "r{match[0]} x"\ndescription = "${description}"\nregex = "k_[0-9]+"\n`,
    );
    expect(redacted(imported, "a k_12 b")).toBe("a [REDACTED:r-match-0-x] b");
  });

  it("names of prototypes are names", () => {
    const imported = importText("[[rules]]\nid = '__proto__'\nregex = 'k_[0-9]+'\n__proto__ = 1\nconstructor = 2\n");
    expect(redacted(imported, "k_1")).toBe("[REDACTED:__proto__]");
    expect(left(imported)).toEqual(["4 __proto__ __proto__ none", "5 __proto__ constructor none"]);
  });

  it("patterns with line breaks, controls and quotes are the same patterns", () => {
    const imported = importText(`[[rules]]\nid = "r"\nregex = "k\\n\\u0007'\\"[0-9]"\n`);
    expect(redacted(imported, "a k\n\u0007'\"1 b")).toBe("a [REDACTED:r] b");
  });
});

describe("size", () => {
  it("a file of a thousand rules is imported in seconds, with every line right", () => {
    const rules = Array.from(
      { length: 1_000 },
      (_, i) => `[[rules]]\nid = "r${i}"\nregex = '''k${i}=([a-z]{4})'''\ntags = ["t"]\n`,
    );
    const imported = importText(rules.join("\n"));
    expect(imported).toMatchObject({ rules: 1_000, carried: 1_000, diagnostics: [] });
    expect(left(imported).at(-1)).toBe(`${999 * 5 + 4} r999 tags none`);
  });

  it("a policy that would be too large is refused", () => {
    const rule = (i: number): string => `[[rules]]\nid="r${i}"\nregex="a"\n`;
    const imported = importText(Array.from({ length: 12_000 }, (_, i) => rule(i)).join(""));
    expect(imported.policy).toBeUndefined();
    expect(imported.diagnostics[0]).toMatchObject({ code: "HW705", message: "the policy would be too large" });
  });

  it("long dotted keys and deep headers take no more than their length", () => {
    const counted = new Counted<typeof import("../../../authoring/import/gitleaks.ts")>("authoring/import/gitleaks.ts");
    const work = (count: number): number => {
      const key = Array.from({ length: count }, () => "a").join(".");
      const text = `[${key}]\n${Array.from({ length: count }, (_, i) => `k${i} = 1`).join("\n")}\n`;
      return counted.blocks(() => {
        expect(counted.modules.importGitleaks(".gitleaks.toml", bytes(text), regex).policy).toBeUndefined();
      });
    };
    try {
      expect(fasterThanLinear(work, 2_000)).toBeUndefined();
    } finally {
      counted.end();
    }
  });
});
