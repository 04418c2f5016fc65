import { describe, expect, it } from "vitest";
import { type BadInput, noFiles, noTexts, World } from "./bad-input.ts";
import { call, demoPolicy, Scratch } from "./run.ts";

const scratch = new Scratch();
const event = call("touch other");
const record = `${event.trimEnd().slice(0, -1)},"seq":0}\n`;

const suite =
  "suite: s\npolicies: [good.yaml]\ncases:\n  - name: one\n    events:\n" +
  "      - { event: tool_call, tool: bash, args: { command: touch FORBIDDEN }, expect: { outcome: block } }\n";

const text = (what: string, content: string): BadInput => ({ what, put: (world, name) => world.put(name, content) });
const nothingUsable = [...noFiles, ...noTexts];
const halfOf = (whole: string): BadInput => text("half of one", whole.slice(0, Math.floor(whole.length * 0.6)));

const suites: readonly BadInput[] = [
  ...nothingUsable,
  halfOf(suite),
  text("a suite that is indented by tabs", suite.replaceAll("  ", "\t")),
  text("a suite with an unknown key", `${suite}cases_more: []\n`),
  text("a suite whose policy is not there", suite.replace("good.yaml", "gone.yaml")),
  text("10 MB of a suite", suite + "# filling\n".repeat(1_048_576)),
];
const configs: readonly BadInput[] = [
  ...nothingUsable.filter(({ what }) => what !== "an empty file"),
  text("a configuration with a tab", "levels:\n\tHW601: off\n"),
  text("half of one", "levels: { HW601: o"),
  text("a code that is none", "levels: { HW999: off }\n"),
];
const events: readonly BadInput[] = [
  ...nothingUsable,
  halfOf(event.trimEnd()),
  text("a line that is no object", "[1]\n"),
  text("one bad line among good ones", `${event}{"event":\n${event}`),
];
/** A trail that a crash cut off is read as far as it goes; replay does not need more either. */
const records: readonly BadInput[] = [
  ...nothingUsable,
  halfOf(record),
  text("lines that are no records", "[1]\n[2]\n"),
];

interface Reading {
  readonly name: string;
  readonly args: readonly string[];
  readonly inputs: readonly BadInput[];
  /** Name that the input stands at. */
  readonly at: string;
  /** Exit codes that say that it cannot be used; 2 alone unless the command has others. */
  readonly codes?: readonly number[];
  /** What it says; a diagnostic with its code unless the command has a report of its own. */
  readonly says?: RegExp;
}

const verifying = [1, 2, 3] as const;
const imports = (["claude", "gitleaks", "hookify", "opta", "sigma"] as const).map((kind): Reading => {
  const inputs = [
    ...nothingUsable,
    text("half of one", '{ "hooks": [ { "x'),
    text("tabs and brackets", "\t[[\n\t}}\n"),
  ];
  return { name: `import ${kind}`, args: ["import", kind, "in/x", "-o", "page.md", "--force"], inputs, at: "in/x" };
});
const readings: readonly Reading[] = [
  { name: "test", args: ["test", "in/s.test.yaml"], inputs: suites, at: "in/s.test.yaml" },
  { name: "test --update", args: ["test", "--update", "in/s.test.yaml"], inputs: suites, at: "in/s.test.yaml" },
  { name: "test --mutate", args: ["test", "--mutate", "in/s.test.yaml"], inputs: suites, at: "in/s.test.yaml" },
  { name: "test of a folder", args: ["test", "in"], inputs: suites.slice(1), at: "in/s.test.yaml" },
  { name: "check --config", args: ["check", "good.yaml", "--config", "in/c.yaml"], inputs: configs, at: "in/c.yaml" },
  {
    name: "check --fix --config",
    args: ["check", "good.yaml", "--fix", "--config", "in/c.yaml"],
    inputs: configs,
    at: "in/c.yaml",
  },
  {
    name: "eval --events",
    args: ["eval", "--policy", "good.yaml", "--events", "in/e.jsonl"],
    // No events are no fault: there is one decision for each.
    inputs: events.filter(({ what }) => what !== "an empty file"),
    at: "in/e.jsonl",
  },
  {
    name: "explain --event",
    args: ["explain", "--policy", "good.yaml", "--event", "in/e.jsonl"],
    inputs: events.slice(0, -1),
    at: "in/e.jsonl",
  },
  {
    name: "explain --events",
    args: ["explain", "--policy", "good.yaml", "--events", "in/e.jsonl"],
    inputs: events,
    at: "in/e.jsonl",
  },
  { name: "replay", args: ["replay", "in/r.jsonl", "--policy", "good.yaml"], inputs: records, at: "in/r.jsonl" },
  { name: "audit show", args: ["audit", "show", "in/r.jsonl"], inputs: records, at: "in/r.jsonl" },
  {
    name: "audit export",
    args: ["audit", "export", "in/r.jsonl", "--to", "csv", "-o", "page.md", "--force"],
    inputs: records,
    at: "in/r.jsonl",
  },
  {
    name: "audit verify",
    args: ["audit", "verify", "in/r.jsonl"],
    inputs: records,
    at: "in/r.jsonl",
    codes: verifying,
    says: /HW704|altered: line 1|incomplete tail: line 1/,
  },
  {
    name: "audit prove --check",
    args: ["audit", "prove", "--check", "in/r.jsonl"],
    inputs: records,
    at: "in/r.jsonl",
    codes: verifying,
  },
  {
    name: "audit prove",
    args: ["audit", "prove", "in/r.jsonl", "--record", "0"],
    inputs: records,
    at: "in/r.jsonl",
    codes: verifying,
  },
  {
    name: "audit prune",
    args: ["audit", "prune", "in/r.jsonl"],
    inputs: records.filter(({ what }) => !what.startsWith("a folder")),
    at: "in/r.jsonl",
  },
  {
    name: "install --config",
    args: ["install", "mcp", "--config", "in/m.json", "--server", "s"],
    inputs: [...nothingUsable, text("half of one", '{ "mcpServers": {')],
    at: "in/m.json",
  },
  {
    name: "uninstall --config",
    args: ["uninstall", "mcp", "--config", "in/m.json", "--server", "s"],
    inputs: [...nothingUsable, text("half of one", '{ "mcpServers": {')],
    at: "in/m.json",
  },
  ...imports,
];

function world(): World {
  const made = new World(scratch);
  made.put("good.yaml", demoPolicy);
  made.put("page.md", "mine\n");
  return made;
}

const cases = readings.flatMap((reading) =>
  reading.inputs.map((input) => [reading.name, input.what, reading, input] as const),
);

describe("a file that cannot be used", () => {
  it.each(cases)("%s of %s: a diagnostic, no success, nothing overwritten", async (_, _what, reading, input) => {
    const made = world();
    input.put(made, reading.at);
    const before = made.snapshot();
    const ran = await made.run(reading.args);
    expect(reading.codes ?? [2], ran.err + ran.out).toContain(ran.code);
    expect(ran.out + ran.err).toMatch(reading.says ?? /HW\d{3}/);
    expect(ran.out + ran.err).not.toMatch(/HW506|internal error|\n {4}at /);
    expect([...made.snapshot()]).toEqual([...before]);
  });
});

describe("a place that cannot be written", () => {
  const places: readonly (readonly [string, readonly string[], (made: World) => void])[] = [
    ["init where `.hookwarden` is a file", ["init"], (made) => made.put(".hookwarden", "mine\n")],
    ["init where its policy is there", ["init"], (made) => made.put(".hookwarden/policy.yaml", "mine\n")],
    ["new policy where it is there", ["new", "policy", "good", "--folder", "."], () => {}],
    ["new policy into a file", ["new", "policy", "more", "--folder", "page.md"], () => {}],
    ["docs over a file of one's own", ["docs", "good.yaml", "--out", "page.md"], () => {}],
    ["docs into a folder", ["docs", "good.yaml", "--out", "."], () => {}],
    ["docs below a file", ["docs", "good.yaml", "--out", "page.md/x.md"], () => {}],
    ["compile over a file of one's own", ["compile", "--policy", "good.yaml", "--out", "page.md"], () => {}],
    ["compile into a folder", ["compile", "--policy", "good.yaml", "--out", ".", "--force"], () => {}],
    ["compile below a file", ["compile", "--policy", "good.yaml", "--out", "page.md/x", "--force"], () => {}],
    ["eval with a trail in a folder", ["eval", "--policy", "good.yaml", "--audit", "."], () => {}],
    [
      "import over a file of one's own",
      ["import", "claude", "in.json", "-o", "page.md"],
      (made) => made.put("in.json", "{}"),
    ],
    [
      "audit export over a file",
      ["audit", "export", "e.jsonl", "--to", "csv", "-o", "page.md"],
      (made) => made.put("e.jsonl", record),
    ],
    ["approve of what is no key", ["approve", "--once", "key"], () => {}],
  ];
  const noState = (made: World): void => made.put("../home/state", "mine\n");
  const stateful: typeof places = [
    ["trust without a place for it", ["trust", "good.yaml"], noState],
    ["reload without a place for it", ["reload", "--policy", "good.yaml"], noState],
    ["approve without a place for it", ["approve", "--once", `sha256:${"0".repeat(64)}`], noState],
    ["audit init without a place for the key", ["audit", "init"], noState],
    ["audit prune without a place for it", ["audit", "prune"], noState],
    ...[".claude", ".codex", ".gemini"].map((name): (typeof places)[number] => {
      const host = name === ".claude" ? "claude-code" : name.slice(1);
      return [`install where ${name} is a file`, ["install", host], (made) => made.put(`../home/${name}`, "mine\n")];
    }),
  ];

  it.each([...places, ...stateful])("%s: a diagnostic, exit code 2, nothing overwritten", async (_, args, prepare) => {
    const made = world();
    prepare(made);
    const before = made.snapshot();
    const ran = await made.run(args, event);
    expect(ran.code, ran.err + ran.out).toBe(2);
    expect(ran.out + ran.err).toMatch(/HW\d{3}/);
    expect(ran.out + ran.err).not.toMatch(/HW506|internal error|\n {4}at /);
    expect([...made.snapshot()]).toEqual([...before]);
  });
});
