import { textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";
import { isWhole } from "../wrong-shape.ts";

/** Lint: a plain name as the target of `kills` is a process, and containers and services have their kind before it. */
export const processByName: Lint = {
  code: "HW815",
  name: "process-by-name",
  why: "The target of `kills` is a process by a plain name. A container is `container/<name>` and a service `service/<name>`, so that a rule about the name alone lets them be stopped.",
  advice: "Name the container and the service as well, if they are meant.",
  bad: [
    {
      title: "the name of what may be a container",
      at: ["k.target: db"],
      policy: `  - id: database
    event: [tool_call, user_bash]
    each: { k: effects.kills }
    when: { k.target: db }
    action: block
    reason: others use it
`,
    },
  ],
  good: [
    {
      title: "every kind of it, and the kills of one program",
      policy: `  - id: database
    event: [tool_call, user_bash]
    each: { k: effects.kills }
    when: { k.target: [db, container/db, service/db] }
    action: block
    reason: others use it
  - id: processes
    event: [tool_call, user_bash]
    each: { k: effects.kills }
    when: { k.via: pkill, k.target: db }
    action: block
    reason: others use it
`,
    },
  ],
  claim(claim, { rule }) {
    const { field, operator, part, negated, path, span } = claim;
    if (!rule?.guards || field !== "kill.target" || part !== "when" || negated || !isWhole(operator)) return undefined;
    const texts = textValues(claim).map(({ text }) => text);
    const [plain] = texts.filter((text) => /^[a-z][\w.-]*$/i.test(text));
    if (plain === undefined || texts.some((text) => text.includes("/"))) return undefined;
    if (rule.claims.some((other) => other.field === "kill.via" || (other !== claim && other.path === path)))
      return undefined;
    return {
      span,
      message: `this is the process \`${plain}\`; a container or service of this name is another target`,
      help: `if they are meant, write \`[${plain}, container/${plain}, service/${plain}]\``,
    };
  },
};
