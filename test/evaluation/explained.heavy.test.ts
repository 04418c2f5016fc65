import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compile } from "../../compiler/compile.ts";
import { explain } from "../../engine/explain.ts";
import { linkPlan } from "../../engine/link-plan.ts";
import { SessionState } from "../../engine/session-state.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { createRegexEngine } from "../../facts/regex.ts";
import { vocabularyFor } from "../../runtime.ts";
import { EvaluationError } from "../../schema/ports.ts";
import { policyFile } from "../literate/policies.ts";
import { callSets, readCalls } from "./calls.ts";

/** `explain` goes through every fact of a call, so that it must be able to show each kind of fact. */
const regex = createRegexEngine();
const environment = { cwd: "/home/dev/app", workspace: "/home/dev/app", home: "/home/dev", os: "linux" };

const lists = [
  "shell.commands",
  ...["reads", "writes", "deletes", "network", "pushes", "runs"].map((kind) => `effects.${kind}`),
];
const rules = lists
  .map(
    (list, i) =>
      `  - { id: r${i}, event: tool_call, each: { x: ${list} }, unless: { environment.user: nobody }, action: ask, reason: no }\n`,
  )
  .join("");
const policy = `version: 1\npolicy: p\nrules:\n${rules}`;

function linkedPolicy() {
  const { plan, diagnostics } = compile({ files: [policyFile(policy)], resolveImport: () => undefined });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const linked = plan ? linkPlan(plan, vocabularyFor(regex), regex) : undefined;
  if (!linked || linked instanceof EvaluationError) throw new Error("the policy does not compile");
  return linked;
}

const linked = linkedPolicy();

/** Calls with a part that is not known, and of the others one in eight. */
const picked = <T>(calls: readonly T[]): readonly T[] =>
  calls.filter((call, i) => i % 8 === 0 || /[$*`]/.test(JSON.stringify(call)));

function explained(event: object): string {
  const found = explain(linked, event, {
    regex,
    factsOf: (judged, files, share, declared) => facts.of(judged, files, share, declared),
    filesOf: hermeticFiles,
    sessionOf: (judged) => new SessionState().view(judged),
  });
  return JSON.stringify(found);
}

const bash = (command: string): object => ({
  event: "tool_call",
  id: "e",
  tool: "bash",
  args: { command },
  environment,
});

describe("calls of the corpora are explained", () => {
  it.each(callSets.map((set) => [set.name, set.folder] as const))("%s", (_, folder) => {
    for (const call of picked(readCalls(folder))) expect(explained(call.events.at(-1) as object)).toContain('"rules"');
  });

  it("calls with words that nobody knows", () => {
    const file = join(import.meta.dirname, "unknown-words/calls.json");
    const cells = JSON.parse(readFileSync(file, "utf8")) as Record<"block" | "ask" | "allow", (string | object)[]>[];
    const given = cells.flatMap(({ block = [], ask = [], allow = [] }) => [...block, ...ask, ...allow]);
    expect(given.length).toBeGreaterThan(800);
    for (const one of picked(given)) {
      const event = typeof one === "string" ? bash(one) : { event: "tool_call", id: "e", ...one };
      expect(explained(event)).toContain('"rules"');
    }
  });

  it.each([
    ['rm "$X"', "$X"],
    ["cat l | xargs sed -i s/a/b/", "xargs"],
    ['git push origin "$B"', "$B"],
    ['curl "https://$H/x"', "$H"],
  ])("%s shows what is not known", (command, shown) => expect(explained(bash(command))).toContain(shown));
});
