import type { Lint } from "../lint.ts";

/** Lint: a rule that stops calls looks at one element of a list by its number. */
export const firstAlone: Lint = {
  code: "HW821",
  name: "first-alone",
  why: "A call has as many effects and commands as its author wrote, in any order. A rule that looks at the first one lets all others pass.",
  advice: "Bind the list with `each`, or write `some`.",
  bad: [
    {
      title: "the first write, and the first command",
      at: ["effects.writes[0].path", "shell.commands[0].program"],
      policy: `  - id: pipeline
    event: [tool_call, user_bash]
    when: effects.writes.size() > 0 && effects.writes[0].path.within("ci")
    action: block
    reason: people change it
  - id: releases
    event: [tool_call, user_bash]
    when: shell.commands.size() > 0 && shell.commands[0].program == "semantic-release"
    action: ask
    reason: it is for everybody to see
`,
    },
  ],
  good: [
    {
      title: "each of them, some of them, and a list of one",
      policy: `  - id: pipeline
    event: [tool_call, user_bash]
    each: { w: effects.writes }
    when: { w.path: { within: ci } }
    action: block
    reason: people change it
  - id: releases
    event: [tool_call, user_bash]
    when: { some: { shell.commands: { program: semantic-release } } }
    action: ask
    reason: it is for everybody to see
  - id: alone
    event: [tool_call, user_bash]
    when: shell.commands.size() == 1 && shell.commands[0].program == "make"
    action: ask
    reason: nothing stands beside it
`,
    },
  ],
  rule({ claims, guards, typed }) {
    if (!guards || !typed) return [];
    const told = new Set<string>();
    return claims.flatMap(({ path, part, span, negated, values }) => {
      const list = /^(effects\.\w+|shell\.commands|secrets)\[\d+\]/.exec(path)?.[1];
      if (list === undefined || part !== "when" || told.has(list)) return [];
      // What a script must begin with has its place.
      if (list === "shell.commands" && (negated || values?.every((value) => beginnings.has(String(value))))) return [];
      const isCounted = claims.some(
        (other) =>
          other.path.startsWith(list) &&
          (other.operator === "size" || other.path === `${list}.size`) &&
          other.operator !== "gt" &&
          other.operator !== "ge",
      );
      if (isCounted || (typed.tools.length > 0 && typed.tools.every((tool) => single.has(tool)))) return [];
      told.add(list);
      const help = `bind it: \`each: { x: ${list} }\` with \`x\` in place of the number, or write \`some: { ${list}: { … } }\``;
      return [{ span, message: "this looks at one of them by its number, and lets the others pass", help }];
    });
  },
};

/** Tools whose calls have one effect. */
const single: ReadonlySet<string> = new Set(["read", "write", "edit", "fetch"]);

/** Programs that stand at the beginning of a script. */
const beginnings: ReadonlySet<string> = new Set(["cd", "set", "source", "export", "pushd"]);
