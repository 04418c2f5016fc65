import type { MixEvent, MixRule, Test } from "./mix.ts";
import type { Peer } from "./peer.ts";

type Check = (event: MixEvent) => boolean;

/** The floor: one function per test, made beforehand, nothing around it. */
export const closures: Peer = {
  name: "closures",
  load(rules) {
    const checks = rules.map(checkOf);
    return {
      for: (event) => () => {
        let blocked = false;
        for (const check of checks) if (event.tool === "bash" && check(event)) blocked = true;
        return blocked ? "block" : "allow";
      },
    };
  },
};

function checkOf({ groups }: MixRule): Check {
  const all = groups.map((group) => either(group.map(testOf)));
  const [first, ...others] = all;
  if (first && others.length === 0) return first;
  return (event) => all.every((check) => check(event));
}

function either(tests: readonly Check[]): Check {
  const [first, ...others] = tests;
  if (first && others.length === 0) return first;
  return (event) => tests.some((check) => check(event));
}

function testOf(one: Test): Check {
  const { of } = one;
  switch (one.op) {
    case "contains":
      return (event) => event[of].includes(one.text);
    case "not_contains":
      return (event) => !event[of].includes(one.text);
    case "starts_with":
      return (event) => event[of].startsWith(one.text);
    case "ends_with":
      return (event) => event[of].endsWith(one.text);
    case "equals":
      return (event) => event[of] === one.text;
    case "in_order": {
      const pattern = new RegExp(one.parts.join(".*"));
      return (event) => pattern.test(event[of]);
    }
    case "longer":
      return (event) => event[of].length > one.length;
  }
}
