import { Engine, type RuleProperties } from "json-rules-engine";
import type { MixRule, Test } from "./mix.ts";
import type { Peer } from "./peer.ts";

type Condition = { readonly fact: string; readonly operator: string; readonly value: unknown };

/** One rule each, with operators for texts, which the engine does not have of its own. */
export const jsonRules: Peer = {
  name: "json-rules-engine",
  package: "json-rules-engine",
  load(rules) {
    const engine = new Engine(rules.map(ruleOf));
    engine.addOperator("has", (value: string, text: string) => value.includes(text));
    engine.addOperator("lacks", (value: string, text: string) => !value.includes(text));
    engine.addOperator("begins", (value: string, text: string) => value.startsWith(text));
    engine.addOperator("ends", (value: string, text: string) => value.endsWith(text));
    engine.addOperator("pattern", (value: string, pattern: RegExp) => pattern.test(value));
    engine.addOperator("longer", (value: string, length: number) => value.length > length);
    return {
      for: (event) => async () => {
        const { events } = await engine.run({ ...event });
        return events.length > 0 ? "block" : "allow";
      },
    };
  },
};

function ruleOf({ id, groups }: MixRule): RuleProperties {
  const bash: Condition = { fact: "tool", operator: "equal", value: "bash" };
  const all = groups.map((group) => ({ any: group.map(condition) }));
  return { name: id, conditions: { all: [bash, ...all] }, event: { type: "block" } };
}

function condition(one: Test): Condition {
  const fact = one.of;
  switch (one.op) {
    case "contains":
      return { fact, operator: "has", value: one.text };
    case "not_contains":
      return { fact, operator: "lacks", value: one.text };
    case "starts_with":
      return { fact, operator: "begins", value: one.text };
    case "ends_with":
      return { fact, operator: "ends", value: one.text };
    case "equals":
      return { fact, operator: "equal", value: one.text };
    case "in_order":
      return { fact, operator: "pattern", value: new RegExp(one.parts.join(".*")) };
    case "longer":
      return { fact, operator: "longer", value: one.length };
  }
}
