import type { Lint } from "../lint.ts";

/** Note: the default of an optional passes the test, so that what is absent counts as present. */
export const defaultMeetsTest: Lint = {
  code: "HW801",
  name: "default-meets-test",
  why: 'The default stands for a value that is absent. In `c.option("--replicas").orValue("0") == "0"` every command without the option passes.',
  advice: "Write a default that the test does not ask for, or ignore the note where absence is meant as well.",
  bad: [
    {
      title: "an option and a variable",
      at: ['c.option("--replicas").orValue("0") == "0"', 'c.env[?"STAGE"].orValue("prod") in ["prod", "live"]'],
      policy: `  - id: scaled
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: 'c.program == "kubectl" && c.option("--replicas").orValue("0") == "0"'
    action: ask
    reason: nothing of it runs any more
  - id: stage
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: 'c.program == "terraform" && c.env[?"STAGE"].orValue("prod") in ["prod", "live"]'
    action: ask
    reason: customers use it
`,
    },
  ],
  good: [
    {
      title: "another default, and a test that must not hold",
      policy: `  - id: scaled
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: 'c.program == "kubectl" && c.option("--replicas").orValue("") == "0"'
    action: ask
    reason: nothing of it runs any more
  - id: stage
    event: [tool_call, user_bash]
    each: { c: shell.commands }
    when: 'c.program == "terraform" && c.env[?"STAGE"].orValue("dev") != "dev"'
    action: ask
    reason: customers use it
`,
    },
  ],
  claim({ subject, operator, values, negated, part, span }, { rule, policy }) {
    if (!rule?.catches || part !== "when" || negated || (operator !== "equals" && operator !== "in")) return undefined;
    if (subject.k !== "call" || subject.fn !== "optional.or_value") return undefined;
    const fallback = subject.args[1];
    if (fallback?.k !== "const" || !values?.includes(fallback.value)) return undefined;
    // An empty value is most often asked for as the absent one.
    if (fallback.value === "" || fallback.value === false) return undefined;
    const at = subject.args[0]?.at;
    const of = at ? policy.textAt({ start: at[0], end: at[1] }) : "";
    return {
      span,
      message: `this holds as well where ${of === "" || of.length > 60 ? "the value" : `\`${of}\``} is absent: the default passes the test`,
      help: `write a default that the test does not ask for, such as \`.orValue(${typeof fallback.value === "string" ? '""' : "…"})\``,
    };
  },
};
