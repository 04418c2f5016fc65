import { expect, it } from "vitest";
import { callOf } from "../scaling/shape.ts";
import { engineOf, judged, planFrom } from "../scaling/subject.ts";

const reading = `effects.reads.exists(r, r.path.glob("**/{a,b,c}*.pem"))`;

it.each([
  ["a glob", "wc -l src/*.ts"],
  ["a folder", "rm -r build"],
  ["a path", "cat a.txt"],
])("the first call of a tool under a plan takes as much work as the next ones: %s", (_, command) => {
  const plan = planFrom(`- { id: r, event: tool_call, when: '${reading}', action: block }`);
  const units = [1, 2, 3].map(() => judged(engineOf(plan), callOf("bash", { command })).units);
  expect(units).toEqual([units[0], units[0], units[0]]);
});
