import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../engine/canonical.ts";
import { linkPlan } from "../../engine/link-plan.ts";
import type { Plan } from "../../engine/plan.ts";
import { Rejudging, type ReplayPorts, replay } from "../../engine/replay.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { createEngine, vocabularyFor } from "../../runtime.ts";
import type { AuditBody } from "../../schema/generated.ts";
import { limits } from "../../schema/limits.ts";
import { EvaluationError, type FileSystem } from "../../schema/ports.ts";
import { engineVersion } from "../../schema/version.ts";
import { compileTexts, withHead } from "../literate/policies.ts";

/** Floating tests ask the disk once, within bounds, and the answer is an observation (decision 27). */
const app = "/home/dev/app";
const environment = { cwd: app, workspace: app, home: "/home/dev", interactive: true };
const regex = createRegexEngine();

const keepEnv = `- id: env
  event: [tool_call, user_bash]
  each: { r: effects.reads }
  when: { r.path: { glob: "**/.env" }, r.metadata_only: false }
  action: block
  reason: "{r.path} is not read"
`;
const keepMigrations = `- id: migrations
  event: [tool_call, user_bash]
  each: { d: effects.deletes }
  when: { d.path: { glob: ["**/migrations/**", "**/*.sql"] } }
  action: block
  reason: "{d.path} stays"
`;
const elsewhere = `- id: fixed
  event: [tool_call, user_bash]
  each: { r: effects.reads }
  when: { r.path: { glob: ["/etc/**", "~/.ssh/**"] } }
  unless: { r.path: { glob: "**/public/**" } }
  action: block
  reason: "{r.path}"
`;

function planOf(rules: string, head = "audit: { keep: events }\n"): Plan {
  const { plan, diagnostics } = compileTexts({
    "policy.yaml": withHead(`version: 1\npolicy: p\n${head}rules:\n${rules}`),
  });
  if (!plan) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return plan;
}

const call = (command: string, more: object = {}) => ({
  event: "tool_call",
  id: "1",
  tool: "bash",
  args: { command },
  environment: { ...environment, ...more },
});

/** A disk as an adapter has one, and how often it was asked to list a folder. */
function disk(paths: readonly string[]): FileSystem & { readonly listed: string[]; entries: number } {
  const files = hermeticFiles(Object.fromEntries(paths.map((path) => [`${app}/${path}`, {}])));
  const made = {
    ...files,
    listed: [] as string[],
    entries: 0,
    list(folder: string, most: number) {
      made.listed.push(folder);
      const given = files.list?.(folder, most);
      made.entries += given?.entries.length ?? 0;
      return given;
    },
  };
  return made;
}

function judged(plan: Plan, command: string, files?: FileSystem, index = true) {
  const { decision, body } = createEngine(plan, { regex, index, ...(files && { files }) }).decide(call(command));
  if (!body) throw new Error("no record");
  return { decision, body };
}

const treesOf = (body: AuditBody) => body.observations.trees;

describe("the look at the disk", () => {
  it("is an observation: the root, the tests by their digest, the first path of each, and whether all was seen", () => {
    const files = disk([".env", "a/.env", "b/c.txt"]);
    const { decision, body } = judged(planOf(keepEnv), "tar czf /tmp/x.tgz .", files);
    expect(decision.outcome).toBe("block");
    expect(treesOf(body)).toEqual([
      { root: app, tests: expect.stringMatching(/^sha256:/), found: [".env"], complete: true },
    ]);
  });

  it("says why not all was seen", () => {
    const files = disk(Array.from({ length: limits.treeEntries + 1 }, (_, i) => `a/${i}.txt`));
    const { decision, body } = judged(planOf(keepEnv), "tar czf /tmp/x.tgz a", files);
    expect(decision.outcome).toBe("ask");
    expect(decision.reason).toContain("it has more than 4096 entries");
    expect(treesOf(body)?.[0]).toMatchObject({ complete: false, why: "it has more than 4096 entries" });
  });

  it("does not happen where no rule could care", () => {
    const files = disk([".env"]);
    for (const rules of [elsewhere, keepMigrations])
      for (const command of ["tar czf /tmp/x.tgz .", "grep -r x src", "grep x .env", "ls -R ."]) {
        const { body } = judged(planOf(rules), command, files);
        expect(treesOf(body), command).toBeUndefined();
      }
    judged(planOf(keepEnv + keepMigrations), "cat a b; rg x .; rm a.txt; grep -r --include='*.ts' x .", files);
    expect(files.listed).toEqual([]);
  });

  it("leaves the record as it was where none happens", () => {
    const { body } = judged(planOf(keepEnv), "ls", disk([".env"]));
    expect(Object.keys(body.observations)).toEqual(["regex"]);
  });

  it("is one walk for each root, whatever number of tests, effects and ways to take it", () => {
    const files = disk(["a/.env", "a/b/c.sql", "d/x"]);
    const { body } = judged(
      planOf(keepEnv + keepMigrations),
      "grep -r x a; tar czf /tmp/x.tgz a; rm -rf a; grep -r --exclude='*.o' x a",
      files,
    );
    expect(files.listed).toEqual([`${app}/a`, `${app}/a/b`]);
    expect(treesOf(body)?.map(({ root }) => root)).toEqual([`${app}/a`, `${app}/a`]);
  });

  it("ends as soon as each test has found something", () => {
    const files = disk([".env", "a/b/c.txt", "d/e.txt"]);
    judged(planOf(keepEnv), "grep -r x .", files);
    expect(files.listed).toEqual([app]);
  });

  it("looks into at most eight folders, and says so", () => {
    const names = Array.from({ length: 10 }, (_, i) => `d${i}`);
    const files = disk(names.map((name) => `${name}/x`));
    const { decision, body } = judged(planOf(keepEnv), `tar czf /tmp/x.tgz ${names.join(" ")}`, files);
    expect(decision.outcome).toBe("ask");
    expect(decision.reason).toContain("more than 8 folders");
    expect(files.listed).toHaveLength(limits.trees);
    expect(treesOf(body)).toHaveLength(limits.trees);
  });

  it("does not enter folders that others made, but where the walk begins there or a test names one", () => {
    const files = disk(["node_modules/x/.env", ".git/config", "target/y/.env", "web/.venv/.env", "src/a"]);
    expect(judged(planOf(keepEnv), "grep -r x .", files).decision.outcome).toBe("allow");
    expect(files.listed).toEqual([app, `${app}/src`, `${app}/web`]);
    expect(judged(planOf(keepEnv), "grep -r x node_modules", files).decision.outcome).toBe("block");
    const named = keepEnv.replace("**/.env", "**/node_modules/**/.env");
    expect(judged(planOf(named), "grep -r x .", files).decision.outcome).toBe("block");
  });

  it("asks nothing of a built-in rule's own tests", () => {
    const files = disk([".claude/settings.json"]);
    judged(planOf(elsewhere), "rm -rf build", files);
    expect(files.listed).toEqual([]);
  });

  it("decides for a rule in monitor mode as well", () => {
    const { decision, body } = judged(planOf(keepEnv, "mode: monitor\n"), "grep -r x .", disk([".env"]));
    expect(decision.would).toEqual([expect.objectContaining({ rule: "p/env", outcome: "block" })]);
    expect(treesOf(body)).toHaveLength(1);
  });
});

const commands = [
  ...["grep -r x .", "rg x .", "tar czf /tmp/x.tgz a b", "rm -rf a", "find . -name '*.sql' -delete", "rm -rf *"],
  ...["cp -r a z && grep -r x z", "mv a z && tar czf /tmp/x.tgz z", "git clone https://a.example/x.git z && rm -rf z"],
  ...["echo > a/.env; grep -r x a", "ls -R", "cat a/x", "sudo sh -c 'rm -rf a'", "for d in a b; do rm -rf $d; done"],
  ...["rm -rf d0 d1 d2 d3 d4 d5 d6 d7 d8 d9", 'grep -r x "$D"', "grep -r --include='*.e*' x ."],
];
const disks: Readonly<Record<string, readonly string[] | undefined>> = {
  unknown: undefined,
  empty: [],
  harmless: ["a/x", "b/y", "src/a.ts"],
  full: ["a/.env", "a/migrations/1.sql", "b/x.sql", ".env"],
  large: Array.from({ length: 5_000 }, (_, i) => `a/${i % 70}/${i}.txt`),
};
const rows = Object.keys(disks).flatMap((name) => commands.map((command) => [name, command] as const));
const both = planOf(keepEnv + keepMigrations + elsewhere);
const filesOf = (name: string): FileSystem | undefined => {
  const paths = disks[name];
  return paths && disk(paths);
};

describe.each(rows)("on a disk that is %s, `%s`", (name, command) => {
  it("is decided and recorded alike without an index", () => {
    const [one, other] = [true, false].map((index) => judged(both, command, filesOf(name), index));
    expect(canonicalJson(one?.body)).toBe(canonicalJson(other?.body));
    expect(one?.decision).toEqual(other?.decision);
  });

  it("is judged again from its record to the byte, with no disk", () => {
    const { body, decision } = judged(both, command, filesOf(name));
    const linked = linkedOf(both);
    const recorded = JSON.parse(canonicalJson(body)) as AuditBody;
    expect([...replay(linked, [{ body: recorded, decision }], ports)]).toEqual([{ kind: "same" }]);
  });
});

const ports: ReplayPorts = {
  factsOf: (event, files) => facts.of(event, files),
  filesOf: hermeticFiles,
  regex,
  tables: facts.versions,
  engine: engineVersion,
  sessionKey: "",
};

function linkedOf(plan: Plan) {
  const linked = linkPlan(plan, vocabularyFor(regex), regex);
  if (linked instanceof EvaluationError) throw new Error(linked.message);
  return linked;
}

describe("a replay", () => {
  const { body } = judged(planOf(keepEnv), "grep -r x .", disk(["a"]));

  it("tells a decision that rests on another answer", () => {
    const found = [{ ...treesOf(body)?.[0], found: [".env"] }] as AuditBody["observations"]["trees"];
    const other = { ...body, observations: { ...body.observations, trees: found } } as AuditBody;
    expect([...replay(linkedOf(planOf(keepEnv)), [{ body: other }], ports)]).toMatchObject([{ kind: "different" }]);
  });

  it("knows nothing of an answer that is on record in part", () => {
    const partial = [{ ...treesOf(body)?.[0], partial: true }] as AuditBody["observations"]["trees"];
    const other = { ...body, observations: { ...body.observations, trees: partial } } as AuditBody;
    expect([...replay(linkedOf(planOf(keepEnv)), [{ body: other }], ports)]).toMatchObject([{ kind: "unknown" }]);
  });

  it("by another plan takes the answer where that asks the same, and says where it does not know", () => {
    const again = (rules: string) => {
      const judgement = new Rejudging(linkedOf(planOf(rules)), ports).judge(call("grep -r x ."), body);
      if (typeof judgement === "string") throw new Error(judgement);
      return [judgement.decision.outcome, judgement.unseen];
    };
    expect(again(keepEnv)).toEqual(["allow", false]);
    expect(again(keepEnv.replace("**/.env", "**/.env*"))).toEqual(["ask", true]);
    expect(again(elsewhere)).toEqual(["allow", false]);
  });
});
