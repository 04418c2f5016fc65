import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import type { Plan } from "../../engine/plan.ts";
import { stanceOf } from "../../engine/stance.ts";
import { createEngine } from "../../runtime.ts";
import type { Decision } from "../../schema/generated.ts";
import { bash, home } from "../engine/actions/engine.ts";

const rule = (more: string): string => `version: 1
policy: p
${more}
rules:
  - id: no-main
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: main }
    action: block
    reason: "{p.target.branch} is for humans"
`;

function planFor(policy: string): Plan {
  const file = { name: "p.yaml", path: "/p.yaml", bytes: new TextEncoder().encode(policy) };
  const { plan, diagnostics } = compile({ files: [file], resolveImport: () => undefined });
  if (!plan) throw new Error(JSON.stringify(diagnostics));
  return plan;
}

function eventOf(command: string, environment: object = {}): unknown {
  const { branch, ...others }: Readonly<Record<string, unknown>> = { ...home, branch: "feature/x", ...environment };
  const known = branch === undefined ? others : { ...others, branch };
  return { ...bash(command), environment: known, files: {} };
}

function decide(policy: string, command: string, environment: object = {}): Decision {
  return createEngine(planFor(policy)).decide(eventOf(command, environment)).decision;
}

const plain = rule("");

describe("nobody pushes to main", () => {
  it.each([
    ["git push origin main"],
    ["git push origin HEAD:main"],
    ["git push origin HEAD:refs/heads/main"],
    ["git push origin $X:main"],
    ["git push --all origin"],
    ["git push --branches origin"],
    ["git push --mirror origin"],
    ["git push origin 'refs/heads/*'"],
    ["git push origin 'refs/heads/m*:refs/heads/m*'"],
    ["git push origin 'refs/*:refs/*'"],
    ["git push origin :"],
    ["git checkout main && git push"],
    ["git switch main && git commit -m x && git push origin HEAD"],
    ["git branch -m main && git push"],
    ["git checkout main >/dev/null 2>&1 &&\n  git push"],
    ["B=main; git push origin $B"],
    ['git push origin "ma$X"'],
    ["sudo git push --all"],
    ["hg push"],
  ])("blocks %s", (command) => {
    expect(decide(plain, command)).toMatchObject({ outcome: "block", rule: "p/no-main" });
  });

  it.each([
    ["git push", { branch: undefined }],
    ["git push origin HEAD", { branch: undefined }],
    ["git push origin $B", {}],
    ['git push origin "$(git branch --show-current)"', {}],
    ["git checkout main; git push", {}],
    ["git checkout - && git push", {}],
    ["git checkout $B && git push", {}],
    ["git checkout -b fix/a\ngit push", {}],
    ["git symbolic-ref HEAD refs/heads/main && git push", {}],
    ["git stash branch main && git push", {}],
    ["git bisect reset && git push", {}],
    ["gh pr checkout 12 && git push", {}],
    ["gh repo clone a/b && cd b && git push", {}],
    ["printf 'ref: refs/heads/main' > .git/HEAD && git push", {}],
    ["git -c push.default=matching push", {}],
    ["GIT_DIR=/srv/x.git git push", {}],
    ["git -C ../other push", {}],
    ["git --git-dir=/srv/x.git push", {}],
    ["cd /srv/other && git push", {}],
    ["git clone https://example.com/a/b.git && cd b && git push", {}],
    ["git worktree add ../w main && cd ../w && git push", {}],
  ])("asks about %s, of which the branch is not known", (command, environment) => {
    const decision = decide(plain, command, environment);
    expect(decision).toMatchObject({ outcome: "ask", rule: "p/no-main" });
    const [match] = decision.matched;
    expect(match).toMatchObject({ outcome: "ask", grade: "open" });
    expect(match?.unknown?.[0]).toMatch(/^⟨.+⟩$/);
    expect(decision.reason).toContain("is not known");
  });

  it.each([
    ["git push"],
    ["git push origin HEAD"],
    ["git push -u origin feature/y"],
    ["git push origin main:review/main"],
    ["git checkout -b fix/a && git add -A && git commit -m x && git push -u origin HEAD"],
    ["git checkout main -- src/a.ts && git push"],
    ["cd packages/x && git push"],
    ["git -C packages/x push"],
    ["git push --tags"],
    ["git push origin v1.0"],
    ['git push origin "release/$N"'],
    ["git push origin 'refs/heads/rel-*'"],
    ["git push --dry-run --all"],
  ])("lets %s through", (command) => {
    expect(decide(plain, command)).toMatchObject({ outcome: "allow", matched: [] });
  });
});

describe("`unsure`", () => {
  const unknown = 'git push origin "$B"';
  it.each([
    ["unsure: ask", "ask"],
    ["unsure: match", "block"],
    ["unsure: ignore", "allow"],
  ])("of a policy: %s", (setting, outcome) => {
    expect(decide(rule(setting), unknown).outcome).toBe(outcome);
    // Where what is known points there it changes nothing.
    expect(decide(rule(setting), "git push --all").outcome).toBe("block");
    expect(decide(rule(setting), "git push").outcome).toBe("allow");
  });

  it("of a rule stands above the policy's", () => {
    const own = rule("unsure: ignore").replace("    action: block", "    unsure: match\n    action: block");
    expect(decide(own, unknown)).toMatchObject({ outcome: "block", matched: [{ grade: "open", unknown: ["⟨$B⟩"] }] });
  });

  it("of ignored matches leaves that nothing was done", () => {
    expect(decide(rule("unsure: ignore"), unknown).matched).toEqual([
      {
        rule: "p/no-main",
        outcome: "block",
        element: "effects.pushes[0]",
        grade: "open",
        unknown: ["⟨$B⟩"],
        done: false,
      },
    ]);
  });

  it.each([
    [undefined, "open", false, "ask"],
    [undefined, "open", true, "ask"],
    ["match", "open", false, "act"],
    ["ignore", "open", false, "nothing"],
    ["ignore", "open", true, "ask"],
    ["ignore", "telling", false, "act"],
    ["ignore", "all", false, "act"],
  ] as const)(
    "%s makes a guard at a match that is %s (only the waiver unknown: %s) %s",
    (unsure, grade, waiver, wanted) => {
      const setting = unsure ? { unsure } : {};
      expect(stanceOf(setting, { grade, unknown: [], waiver }, "guard")).toBe(wanted);
      expect(stanceOf(setting, { grade, unknown: [], waiver }, "redact")).toBe("act");
      const other = grade === "open" && unsure !== "match" ? "nothing" : "act";
      expect(stanceOf(setting, { grade, unknown: [], waiver }, "other")).toBe(other);
    },
  );

  it("asks once, and no answer is remembered", () => {
    const asks = plain.replace("action: block", "action: { ask: { remember: session } }");
    expect(decide(asks, "git push origin main").ask).toMatchObject({ remember: "session" });
    const { ask } = decide(asks, unknown);
    expect(ask).toMatchObject({ remember: "never" });
    expect(ask?.prompts[0]).toContain("⟨$B⟩");
  });

  it("lets no allow hold for what is not known", () => {
    const allows = `version: 1
policy: p
default: block
rules:
  - id: features
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: { glob: "feature/**" } }
    action: { allow: { opaque: true } }
`;
    const pushed = decide(allows, "git push --all");
    expect(pushed).toMatchObject({ outcome: "block", matched: [] });
  });

  it("marks and injects nothing for what is not known, and records that", () => {
    const marks = `version: 1
policy: p
labels: { pushed: { kind: taint } }
rules:
  - id: mark
    event: tool_call
    each: { p: effects.pushes }
    when: { p.target.branch: main }
    action: { label: { add: pushed } }
`;
    const open = decide(marks, unknown);
    expect(open.changes.labels ?? []).toEqual([]);
    expect(open.matched).toMatchObject([{ rule: "p/mark", outcome: "label", grade: "open", done: false }]);
    expect(decide(marks, "git push --all").changes.labels).toEqual(["pushed"]);
  });
});

describe("an event whose facts are known in part", () => {
  const commands = [
    "git push --all",
    'git push origin "$B"',
    'git push origin "ma$X"',
    "git push",
    "git push origin main",
    "ls",
  ];
  it.each(commands)(
    "is decided and recorded alike without the index, and by an engine for one event: %s",
    (command) => {
      const rules = [plain, rule("unsure: ignore"), rule("mode: monitor")];
      for (const policy of rules) {
        const plan = planFor(policy);
        const seen = [{}, { index: false }, { once: true }].map((options) => {
          const { decision, record } = createEngine(plan, options).decide(eventOf(command)) as {
            decision: unknown;
            record?: unknown;
          };
          return { decision, record };
        });
        expect(seen[1]).toEqual(seen[0]);
        expect(seen[2]).toEqual(seen[0]);
      }
    },
  );

  it("says in monitor mode how far a rule would have applied", () => {
    const { would, outcome } = decide(rule("mode: monitor"), 'git push origin "$B"');
    expect(outcome).toBe("allow");
    expect(would).toMatchObject([{ rule: "p/no-main", outcome: "ask", grade: "open", unknown: ["⟨$B⟩"] }]);
  });

  it("hides secrets in what it shows of an author's word", () => {
    const key = `${"AKIA"}${"Q3EGR5T7YHJKLMNP"}`;
    const decision = decide(plain, `git push origin "\${B:-${key}}\${C}"`);
    expect(JSON.stringify(decision)).not.toContain(key);
  });
});
