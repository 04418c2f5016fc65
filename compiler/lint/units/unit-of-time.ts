import type { Lint } from "../lint.ts";
import { isWhole } from "../wrong-shape.ts";

/** Lint: a field in milliseconds is compared with a number that reads as seconds. */
export const unitOfTime: Lint = {
  code: "HW672",
  name: "unit-of-time",
  why: "A field whose name ends in `_ms` counts milliseconds. `{ gt: 30 }` is 30 of them, which nearly every call takes.",
  advice: "Write the milliseconds: 30 seconds are `30000`.",
  bad: [
    {
      title: "half a minute",
      at: ["fields.duration_ms: { gt: 30 }"],
      policy: `  - id: slow
    event: tool_result
    when: { fields.duration_ms: { gt: 30 } }
    action: { notify: { message: "{tool.name} was slow" } }
`,
    },
  ],
  good: [
    {
      title: "milliseconds, and none at all",
      policy: `  - id: slow
    event: tool_result
    when: { fields.duration_ms: { gt: 30000 } }
    action: { notify: { message: "{tool.name} was slow" } }
  - id: timed
    event: tool_result
    when: { fields.duration_ms: { gt: 0 } }
    action: { notify: { message: "{tool.name} was timed" } }
`,
    },
  ],
  claim({ subject, path, operator, values, source, span }) {
    const [amount] = values ?? [];
    if (subject.k === "call" && subject.fn === "timestamp.day_of_month" && isWhole(operator) && amount !== 0)
      return {
        span,
        message: `\`getDayOfMonth()\` counts from 0, so that ${amount} is day ${Number(amount) + 1} of the month`,
        help: "write `getDate()`, which counts from 1",
      };
    if (!/_ms$/.test(path) || !["gt", "ge"].includes(operator)) return undefined;
    if (typeof amount !== "number" || amount <= 0 || !readsAsSeconds(amount, source)) return undefined;
    return {
      span,
      message: `\`${path}\` is in milliseconds`,
      help: `write \`${amount * 1_000}\` for ${amount} seconds`,
    };
  },
};

/** Numbers up to a minute read as seconds, and so do one and a half and two, and any under a name that says so. */
function readsAsSeconds(amount: number, name = ""): boolean {
  return amount <= 60 || amount === 90 || amount === 120 || (/sec|minute/i.test(name) && amount < 1_000);
}
