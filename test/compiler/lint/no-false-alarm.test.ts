import { describe, expect, it } from "vitest";
import { wholeText } from "../../../compiler/lint/lint.ts";
import { lintPolicies } from "../../../compiler/lint/run.ts";
import { createRegexEngine } from "../../../facts/regex.ts";
import { compileTexts } from "../../literate/policies.ts";

const regex = createRegexEngine();

/** Codes found in a policy text that must compile. */
function codesIn(text: string): string[] {
  const result = compileTexts({ "policy.yaml": wholeText(text) });
  expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return lintPolicies(result, { regex, now: Date.UTC(2026, 5, 15) }).map(({ code }) => code);
}

const rule = (lines: string, action = "ask"): string =>
  `  - id: r\n    event: [tool_call, user_bash]\n    ${lines.split("\n").join("\n    ")}\n    action: ${action}\n    reason: it has one\n`;
const network = (test: string, part = "unless"): string =>
  rule(`each: { n: effects.network }\n${part}: { n.url.host: ${test} }`);
const deletes = (test: string, part = "when"): string => rule(`each: { d: effects.deletes }\n${part}: ${test}`);
const call = (test: string): string => rule(`tool: bash\nwhen: ${test}`).replace("[tool_call, user_bash]", "tool_call");

/** Texts near to a finding in which there is none. */
const quiet: readonly (readonly [string, string, string])[] = [
  [
    "HW640",
    "the head of a private key alone",
    call('{ args.command: { contains: "-----BEGIN RSA PRIVATE KEY-----" } }'),
  ],
  ["HW640", "a pattern for keys", call("{ args.command: { matches: 'AKIA[0-9A-Z]{16}' } }")],
  ["HW640", "a pattern in an expression", call("'args.command.matches(\"Authorization: Bearer [a-z0-9]{20,}\")'")],
  ["HW641", "many small counts", call("{ args.command: { matches: 'a{1,99}b{1,99}c{1,99}' } }")],
  ["HW641", "a large count behind an anchor", call("{ args.command: { matches: '(?i)^a{1,1000}b' } }")],
  ["HW642", "a block without a human", rule("tool: bash\nwhen: { environment.interactive: false }", "block")],
  ["HW642", "one of two ways", call("{ any: [{ environment.interactive: false }, { environment.user: ci }] }")],
  ["HW642", "a human who is there", call("{ environment.interactive: true }")],
  [
    "HW643",
    "a redaction of one tool's calls",
    `${call("{ some: { secrets: { confidence: high } } }")}  - id: hide\n    event: tool_call\n    tool: fetch\n    action: { redact: { detectors: ["secrets/*"], before_guards: true } }\n`,
  ],
  [
    "HW643",
    "a redaction of something else",
    `${call("{ some: { secrets: { confidence: high } } }")}  - id: hide\n    event: tool_call\n    action: { redact: { detectors: ["text/*"], before_guards: true } }\n`,
  ],
  [
    "HW644",
    "a variable without a secret",
    call("{ environment.user: ci }").replace("it has one", '"{environment.variables.PWD}"'),
  ],
  [
    "HW644",
    "a public key",
    call("{ environment.user: ci }").replace("it has one", '"{environment.variables.PUBLIC_KEY}"'),
  ],
  ["HW645", "a program beside the workspace", rule("tool: bash", "{ run: { command: [../bin/scan] } }")],
  ["HW645", "a name that is looked up", rule("tool: bash", "{ run: { command: [scan, ./x] } }")],
  ["HW646", "one glob", rule('tool: "mcp__*"')],
  ["HW646", "globs that share a beginning", rule('tool: ["mcp__a*", "mcp__*b"]')],
  ["HW649", "a beginning in a rule that stops", deletes("{ d.path: { starts_with: /etc/cron } }")],
  ["HW649", "a negated beginning in `unless`", deletes("{ not: { d.path: { starts_with: /etc/cron } } }", "unless")],
  ["HW649", "the beginning of a name", deletes("{ d.path: { starts_with: /tmp/pytest- } }", "unless")],
  ["HW650", "alternatives", deletes("{ d.path: { matches: '^/srv/(?:a|b)/' } }")],
  ["HW650", "any character", deletes("{ d.path: { matches: '^/srv/.+/' } }")],
  ["HW650", "a beginning that is no folder", deletes("{ d.path: { matches: '^/srv/a' } }")],
  ["HW650", "a pattern on a name", deletes("{ d.path.name: { matches: '^a' } }")],
  ["HW651", "addresses", network("{ matches: '^10\\.1\\.' }")],
  ["HW651", "a run of any characters", network("{ matches: '^a.*b\\.com$' }")],
  ["HW652", "a domain at its dot", network("{ ends_with: .example.com }")],
  ["HW652", "the beginning of an address", network('{ starts_with: "192.168." }')],
  ["HW652", "a word in a rule that stops", network("{ contains: paste.example }", "when")],
  ["HW654", "the element inside a loop", deletes("'effects.writes.exists(w, w.path.name == d.path.name)'")],
  ["HW654", "another list", deletes("{ some: { effects.writes: { path: { is: secret } } } }")],
  [
    "HW654",
    "a named condition",
    `conditions:\n  ours: { d.recursive: true }\nrules:\n${deletes('{ all: [$ours, "effects.deletes.exists(x, x.recursive)"] }')}`,
  ],
  [
    "HW655",
    "`every` as one of two ways",
    call("{ any: [{ every: { effects.network: { direction: upload } } }, { environment.user: ci }] }"),
  ],
  [
    "HW655",
    "`every` beside another list",
    call("{ some: { effects.reads: { path: { is: secret } } }, every: { effects.network: { direction: upload } } }"),
  ],
  ["HW655", "a negated `every`", call("{ not: { every: { effects.network: { direction: upload } } } }")],
  ["HW655", "`none`", call("{ none: { effects.network: { direction: upload } } }")],
  ["HW656", "`not` of `none`", call("{ not: { none: { effects.network: { direction: upload } } } }")],
  ["HW656", "a negated operator under `not`", call("{ not: { environment.branch: { not_equals: main } } }")],
  ["HW657", "a list of one value", call("{ environment.user: [ci] }")],
  ["HW658", "one call", rule("tool: bash\nbudget: { per: session, limit: 1 }")],
  ["HW660", "a catalogue of one's own", rule("tool: bash\ntags: [cis.5.1, attacker.t1, owasp.top10, CWE-78]")],
  ["HW661", "an address in a rule that stops", network("{ matches: 'example' }", "when")],
  ["HW661", "an end of its own", network("{ matches: '^[a-z]+\\.example\\.com\\z' }")],
  ["HW661", "a boundary", network("{ matches: '\\bexample\\.com$' }")],
  [
    "HW308",
    "globs of a tool whose argument is one",
    rule('tool: glob\nwhen: { args.pattern: ["**", "**/*"] }').replace("[tool_call, user_bash]", "tool_call"),
  ],
  [
    "HW614",
    "a change that the policy declares",
    `version: 1\npolicy: example\nprograms:\n  tf: { options: { --stack: value }, effects: [{ config: tf destroy }] }\nrules:\n${rule("each: { k: effects.config }\nwhen: { k.target: tf destroy }")}`,
  ],
  [
    "HW614",
    "a name of a change behind a word of its own",
    rule("each: { k: effects.config }\nwhen: { k.target: { glob: 'sql drop role *' } }"),
  ],
  [
    "HW614",
    "a branch called like the remote",
    rule("each: { p: effects.pushes }\nwhen: { p.remote: [origin, upstream, mainline] }"),
  ],
  [
    "HW658",
    "events of each piece of an answer",
    "  - id: r\n    event: message_update\n    budget: { limit: 20000, per: session }\n    action: { notify: { message: it is long } }\n",
  ],
  ["HW667", "two hosts of which one is well known", network("{ host_in: [crates.io, crate.io] }")],
  ["HW667", "another well-known host", network("[app.slack.com, pypy.org]")],
  ["HW678", "a format of a shell", rule("each: { d: effects.deletes }\nguidance: \"write printf '%s' first\"")],
  [
    "HW697",
    "a command of LaTeX and a folder of Windows",
    call("{ args.command: { matches: 'C:\\\\src\\\\d+|\\\\begin' } }"),
  ],
  [
    "HW801",
    "an absent value by its default",
    rule("each: { c: shell.commands }\nwhen: c.option('-m').orValue('') == ''"),
  ],
  ["HW802", "a negated one in a rule that stops", rule("when: '!effects.deletes.exists_one(d, d.recursive)'")],
  [
    "HW803",
    "a waiver beside the rule",
    `${deletes("{ d.path: { is: home } }")}exceptions:\n  - { rules: [example/r], when: { d.path: { is: workspace } }, owner: us, reason: it is the project, expires: 2026-12-31 }\n`,
  ],
  [
    "HW805",
    "a program of the tables",
    rule("each: { c: shell.commands }\nwhen: c.program == 'chown' && c.operands.size() > 1 && c.operands[1] == '/srv'"),
  ],
  [
    "HW806",
    "what is hidden from the model",
    "  - id: r\n    event: user_bash\n    when: { fields.exclude_from_context: true }\n    action: ask\n    reason: it has one\n",
  ],
  [
    "HW809",
    "names of one list",
    rule("each: { p: effects.pushes }\nwhen: { p.target.branch: [feature/brain, feature/brian] }"),
  ],
  [
    "HW809",
    "hosts that imitate one's own",
    `${network("[gitlab.neuorlab.example]", "when")}${network("[gitlab.neurolab.example]").replace("id: r", "id: s")}`,
  ],
];

/** Spellings that examples of the lints do not show. */
const told: readonly (readonly [string, string, string])[] = [
  ["HW641", "a pattern among several", call("{ args.command: { matches: [a, 'b(?:c{30}d{30}){20}'] } }")],
  ["HW642", "a negated variable", call("'!environment.interactive && environment.user == \"ci\"'")],
  [
    "HW644",
    "a variable by index, in guidance",
    `${call("{ environment.user: ci }")}    guidance: "{environment.variables['X_TOKEN']}"\n`,
  ],
  ["HW649", "an `allow`", rule("each: { d: effects.deletes }\nwhen: { d.path: { starts_with: /tmp/x } }", "allow")],
  ["HW649", "a negated test in a rule that stops", deletes("'!d.path.startsWith(\"/tmp/x\")'")],
  ["HW652", "an expression", rule("each: { n: effects.network }\nunless: n.url.host.endsWith('example.com')")],
  ["HW655", "an expression", call("effects.pushes.all(p, p.forced) && environment.user == 'ci'")],
  [
    "HW661",
    "an `allow`",
    rule("each: { n: effects.network }\nwhen: { n.url.host: { matches: 'example\\.com' } }", "allow"),
  ],
  [
    "HW661",
    "a negated test in a rule that stops",
    network("{ matches: '^example\\.com' }", "when").replace(/when: (.*)/, "when: { not: $1 }"),
  ],
];

describe("lints say nothing where they are not sure", () => {
  it.each(quiet)("%s: %s", (code, _title, text) => {
    expect(codesIn(text)).not.toContain(code);
  });
});

describe("lints see every spelling", () => {
  it.each(told)("%s: %s", (code, _title, text) => {
    expect(codesIn(text)).toContain(code);
  });
});
