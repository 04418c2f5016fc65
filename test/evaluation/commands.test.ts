import { describe, expect, it } from "vitest";
import type { Plan } from "../../engine/plan.ts";
import { createEngine } from "../../runtime.ts";
import { bash, planOf } from "../engine/actions/engine.ts";

const each = "event: [tool_call, user_bash], each: { c: shell.commands }";
const plan: Plan = planOf(`- { id: program, ${each}, when: { c.program: rm }, action: block, reason: "{c.text}" }
- { id: sub, ${each}, when: { c.program: git, c.subcommand: push }, action: block, reason: "{c.subcommand}" }
- { id: operand, ${each}, when: { c.operands: { contains: prod } }, action: block, reason: "{c.operands}" }
- { id: part, ${each}, when: 'c.operands.exists(o, o.contains("danger"))', action: ask, reason: "{c.operands[0]}" }
- { id: option, ${each}, when: { c.program: docker, c: { has_option: --privileged } }, action: block, reason: "{c.text}" }
- { id: value, ${each}, when: 'c.option("--namespace").orValue("") == "prod"', action: ask, reason: "no" }
- { id: names, ${each}, when: 'c.options.exists(o, o.names.contains("--force"))', action: ask, reason: "no" }
- { id: variable, ${each}, when: 'c.env[?"STAGE"].orValue("") == "prod"', action: ask, reason: "no" }
- { id: words, ${each}, when: 'c.words.exists(w, w.text == "danger")', action: ask, reason: "no" }
- { id: waived, ${each}, when: { c.program: [cat, echo] }, unless: 'c.operands.all(o, o.startsWith("ok"))', action: block, reason: "no" }
- { id: some, event: tool_call, when: { some: { shell.commands: { program: psql, operands: { contains: prod } } } }, action: block, reason: "no" }
`);

const commands = [
  '"$T" -rf x',
  "$T -rf x",
  "r$X x",
  "/bin/r? x",
  "./bin/$X",
  'git "$S"',
  "git $S origin",
  "git -C $D push",
  'git "pu$X"',
  'psql "$DB"',
  'psql "pr$DB"',
  "psql $ARGS",
  "docker run $OPTS image",
  'docker run "--priv$X" image',
  'docker run -v "$PWD:/x" "$IMAGE"',
  'kubectl -n "$NS" get pods',
  "kubectl $O -n prod get",
  'STAGE="$S" make',
  'echo "ok-$X"',
  "echo ok-$X",
  'PATH=/tmp/x cat ok "$X"',
  'for f in a b; do cat "$f" "$G"; done',
  'sudo "$T" x | "$U"',
  "ls",
];

describe("commands that are known in part", () => {
  it.each(commands)(
    "are decided and recorded alike without the index, and by an engine for one event: %s",
    (command) => {
      const seen = [{}, { index: false }, { once: true }].map((options) => {
        const { decision, record } = createEngine(plan, options).decide(bash(command)) as {
          decision: unknown;
          record?: unknown;
        };
        return { decision, record };
      });
      expect(seen[1]).toEqual(seen[0]);
      expect(seen[2]).toEqual(seen[0]);
    },
  );

  it("are shown by their author's words", () => {
    const reason = (command: string): string | undefined => createEngine(plan).decide(bash(command)).decision.reason;
    expect(reason('rm "$A" b')).toContain("rm ⟨$A⟩ b");
    expect(reason('"$T" -rf x')).toContain("⟨$T⟩");
    expect(reason('git push "$R" prod')).toContain("push");
    expect(reason('psql "prod" "${DB}x"')).toContain("⟨$DB⟩x");
  });
});
