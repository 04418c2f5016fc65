import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { firstUncovered } from "../../engine/coverage.ts";
import { explain } from "../../engine/explain.ts";
import { linkPlan } from "../../engine/link-plan.ts";
import { SessionState } from "../../engine/session-state.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { vocabularyFor } from "../../runtime.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { policyFile } from "../literate/policies.ts";
import { bash, home } from "./actions/engine.ts";

const rules = `version: 1
policy: p
default: block
rules:
  - { id: look, event: tool_call, each: { c: shell.commands }, when: { c.program: [cat, ls] }, action: allow, reason: looks }
`;

const linked = linkPlan(planOf(), vocabularyFor(createRegexEngine()), createRegexEngine());

function planOf() {
  const { plan } = compile({ files: [policyFile(rules)], resolveImport: () => undefined });
  if (!plan) throw new Error("the policy does not compile");
  return plan;
}

function uncovered(command: string) {
  if (linked instanceof EvaluationError) throw linked;
  const found = explain(
    linked,
    { ...bash(command), environment: home, files: {} },
    {
      regex: createRegexEngine(),
      factsOf: (event, files, share, declared) => facts.of(event, files, share, declared),
      filesOf: hermeticFiles,
      sessionOf: (event) => new SessionState().view(event),
    },
  );
  return "uncovered" in found ? found.uncovered : undefined;
}

describe("explain says what no allow covers", () => {
  it.each([
    ["cat a > b", "the write to `/home/dev/app/b` by `cat a`", "effects.writes"],
    ["cat a > /dev/tcp/192.0.2.1/80", "the connection to `tcp://192.0.2.1:80` by `cat a`", "effects.network"],
    ["cat a; touch b", "the write to `/home/dev/app/b` by `touch b`", "effects.writes"],
    ["sudo cat a", "`cat a`: `sudo` runs it as another user or on another machine", "c.wrappers"],
    ["ls; /srv/ls", "`/srv/ls`: its program is called from `/srv/ls`", "c.path"],
    ["GIT_TRACE=/srv/x ls", "`ls`: `GIT_TRACE` makes it another run", "c.env"],
  ])("%s", (command, what, next) => {
    expect(uncovered(command)).toMatchObject({ what, next: expect.stringContaining(next) });
  });

  it("and nothing where all of it is covered", () => {
    expect(uncovered("cat a | cat")).toBeUndefined();
    expect(firstUncovered([], { understanding: "understood" } as never)).toEqual({ kind: "nothing" });
  });
});
