import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { alike, noPolicies, World } from "./bad-input.ts";
import { call, demoPolicy, Scratch } from "./run.ts";

const scratch = new Scratch();
const event = call("touch other");
const suite = (policy: string): string =>
  `suite: s\npolicies: [${policy}]\ncases:\n  - name: one\n    events:\n      - { event: tool_call, tool: bash, args: { command: touch FORBIDDEN }, expect: { outcome: block } }\n`;

/** Every command that reads a policy, by the policy that it is given; what it would write is there already. */
const commands: readonly (readonly [string, (policy: string) => readonly string[], string?])[] = [
  ["check", (p) => ["check", p]],
  ["check --fix", (p) => ["check", "--fix", p]],
  ["check --format json", (p) => ["check", "--format", "json", p]],
  ["check --format sarif", (p) => ["check", "--format", "sarif", p]],
  ["check --format junit", (p) => ["check", "--format", "junit", p]],
  ["check --format github", (p) => ["check", "--format", "github", p]],
  ["check --host", (p) => ["check", "--host", "codex", p]],
  ["fmt", (p) => ["fmt", p]],
  ["fmt --check", (p) => ["fmt", "--check", p]],
  ["fmt --to", (p) => ["fmt", "--to", "expr", p]],
  ["docs", (p) => ["docs", p]],
  ["docs --out", (p) => ["docs", p, "--out", "page.md", "--force"]],
  ["docs --check", (p) => ["docs", p, "--out", "page.md", "--check"]],
  ["compile", (p) => ["compile", "--policy", p, "--out", "plan.json", "--force"]],
  ["compile --target", (p) => ["compile", "--policy", p, "--target", "pi", "--out", "guard.mjs", "--force"]],
  ["eval", (p) => ["eval", "--policy", p], event],
  ["eval --audit", (p) => ["eval", "--policy", p, "--audit", "trail.jsonl"], event],
  ["explain", (p) => ["explain", "--policy", p, "--event", "-"], event],
  ["explain --why-not", (p) => ["explain", "--policy", p, "--event", "-", "--why-not", "no-forbidden"], event],
  ["replay", (p) => ["replay", "events.jsonl", "--policy", p]],
  ["replay --against", (p) => ["replay", "events.jsonl", "--policy", "good.yaml", "--against", p]],
  ["new rule", (p) => ["new", "rule", "more", "--policy", p]],
  ["trust", (p) => ["trust", p]],
  ["reload", (p) => ["reload", "--policy", p]],
  ["install", (p) => ["install", "claude-code", "--policy", p]],
  ["install --dry-run", (p) => ["install", "gemini", "--policy", p, "--dry-run"]],
  ["test", () => ["test", "s.test.yaml"]],
  ["test --update", () => ["test", "--update", "s.test.yaml"]],
  ["test --coverage --mutate", () => ["test", "--coverage", "--mutate", "--jobs", "1", "s.test.yaml"]],
];

/** What commands that write would write over. */
const own = ["page.md", "plan.json", "guard.mjs", "trail.jsonl"] as const;

function worldFor(policy: string): World {
  const world = new World(scratch);
  for (const name of own) world.put(name, "mine\n");
  world.put("good.yaml", demoPolicy.replace("demo", "good"));
  world.put("events.jsonl", event);
  world.put("s.test.yaml", suite(policy));
  return world;
}

const cases = commands.flatMap(([name, args, stdin]) =>
  noPolicies.map((input) => [name, input.what, input, args, stdin] as const),
);

describe("a policy that cannot be used", () => {
  it.each(cases)("%s of %s: a diagnostic, exit code 2, nothing overwritten", async (_, _what, input, args, stdin) => {
    const world = worldFor("given/p.yaml");
    input.put(world, "given/p.yaml");
    const before = world.snapshot();
    const ran = await world.run(args("given/p.yaml"), stdin);
    expect(ran.code, ran.err + ran.out).toBe(2);
    expect(ran.out + ran.err).toMatch(/HW\d{3}/);
    expect(ran.out + ran.err).not.toMatch(/HW506|internal error|\n {4}at /);
    expect([...world.snapshot()]).toEqual([...before]);
  });

  /** The same where no policy is named: the project's own. */
  const unnamed: readonly (readonly [string, readonly string[], string?])[] = [
    ["check", ["check"]],
    ["check --fix", ["check", "--fix"]],
    ["fmt", ["fmt"]],
    ["docs", ["docs", "--out", "page.md", "--force"]],
    ["compile", ["compile", "--out", "plan.json", "--force"]],
    ["eval", ["eval"], event],
    ["explain", ["explain", "--event", "-"], event],
    ["replay", ["replay", "events.jsonl"]],
    ["new rule", ["new", "rule", "more"]],
    ["trust", ["trust"]],
    ["reload", ["reload"]],
    ["doctor", ["doctor"]],
  ];
  const found = unnamed.flatMap(([name, args, stdin]) =>
    noPolicies.slice(1).map((input) => [name, input.what, input, args, stdin] as const),
  );
  it.each(found)("%s here, where it is %s", async (_, _what, input, args, stdin) => {
    const world = worldFor("good.yaml");
    input.put(world, ".hookwarden/policy.yaml");
    const before = world.snapshot();
    const ran = await world.run(args, stdin);
    expect(ran.code, ran.err + ran.out).toBe(2);
    expect(ran.out + ran.err).toMatch(/HW\d{3}/);
    expect(ran.out + ran.err).not.toMatch(/HW506|internal error|\n {4}at /);
    expect([...world.snapshot()]).toEqual([...before]);
  });
});

describe("a policy with other line ends", () => {
  const readers = commands.filter(
    ([name]) => !/^(install|trust|reload|new|compile|eval --audit|docs --|fmt --to)/.test(name),
  );
  const each = readers.flatMap(([name, args, stdin]) =>
    alike.map(([how, spell]) => [name, how, spell, args, stdin] as const),
  );
  it.each(each)("%s takes %s as it takes the policy itself", async (_, _how, spell, args, stdin) => {
    const world = worldFor("given/p.yaml");
    world.put("given/p.yaml", demoPolicy);
    const plain = await world.run(args("given/p.yaml"), stdin);
    world.put("given/p.yaml", spell(demoPolicy));
    const ran = await world.run(args("given/p.yaml"), stdin);
    expect({ code: ran.code, err: ran.err }).toEqual({ code: plain.code, err: plain.err });
    expect(readFileSync(world.path("given/p.yaml"), "utf8")).toBe(spell(demoPolicy));
  });
});

describe("a hook whose policy cannot be used", () => {
  it.each(noPolicies.map((input) => [input.what, input] as const))("refuses the call: %s", async (_, input) => {
    const world = worldFor("given/p.yaml");
    input.put(world, "given/p.yaml");
    const payload = {
      session_id: "s",
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "touch other" },
      cwd: world.path("."),
    };
    const ran = await world.run(["hook", "claude-code", "--policy", "given/p.yaml"], JSON.stringify(payload));
    expect(ran.out).toMatch(/"permissionDecision":"deny".*HW508/);
  });
});
