import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { exampleEvents } from "../../authoring/examples.ts";
import { sharedFacts } from "../../authoring/shared-facts.ts";
import { readYaml } from "../../compiler/read.ts";
import { child, text, type YamlNode } from "../../compiler/yaml-node.ts";
import { normalise } from "../../engine/normalise.ts";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import type { FactSet } from "../../schema/facts.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";

const noFiles = hermeticFiles(undefined);

function judged(wire: unknown): JudgedEvent {
  const normalised = normalise(wire);
  if ("code" in normalised) throw new Error(normalised.message);
  return normalised.event;
}

const listOf = (node: YamlNode | undefined): readonly YamlNode[] => (node?.kind === "list" ? node.items : []);
const doing = ({ understanding, doubts, shell, effects }: FactSet) => ({ understanding, doubts, shell, effects });

describe("what a command would do", () => {
  it("is the same for the agent's call and for the human's command, in every example of every pack", () => {
    const folder = join(import.meta.dirname, "../../policies");
    const texts = readdirSync(folder).flatMap((name) => {
      const { root } = readYaml(name, readFileSync(join(folder, name, "policy.yaml")));
      return listOf(child(root, "rules")).flatMap((rule) =>
        ["match", "no_match"].flatMap((side) =>
          listOf(child(child(rule, "examples"), side)).flatMap((example) => text(example) ?? []),
        ),
      );
    });
    expect(texts.length).toBeGreaterThan(300);
    for (const one of texts) {
      const [call, command] = exampleEvents(one, ["tool_call", "user_bash"]).map(judged) as [JudgedEvent, JudgedEvent];
      const shared = sharedFacts(facts.of, noFiles);
      const first = shared(call, noFiles);
      const second = shared(command, noFiles);
      const alone = facts.of(command, noFiles);
      expect([one, second.doubts === first.doubts]).toEqual([one, true]);
      expect([one, isDeepStrictEqual(doing(second), doing(alone))]).toEqual([one, true]);
      expect([one, isDeepStrictEqual(second.secrets, alone.secrets)]).toEqual([one, true]);
    }
  });
});
