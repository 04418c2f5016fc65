import { textValues } from "../claims.ts";
import type { Lint } from "../lint.ts";
import { isWhole } from "../wrong-shape.ts";

/** Lint: a plain name as the target of `kills` is a process, and containers and services have their kind before it. */
export const processByName: Lint = {
  code: "HW815",
  name: "process-by-name",
  why: "The target of `kills` is a process or a service by a plain name, as the command writes it: `nginx`, `nginx.service`. A container is `container/<name>`, so that a rule about the name alone lets it be stopped.",
  advice: "Name all of them, if they are meant.",
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
    when: { k.target: [db, db.service, container/db] }
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
    if (!rule?.catches || field !== "kill.target" || part !== "when" || negated || !isWhole(operator)) return undefined;
    const texts = textValues(claim).map(({ text }) => text);
    const [plain] = texts.filter((text) => /^[a-z][\w.-]*$/i.test(text));
    if (plain === undefined || texts.some((text) => text.includes("/"))) return undefined;
    if (rule.claims.some((other) => other.field === "kill.via" || (other !== claim && other.path === path)))
      return undefined;
    const bare = plain.replace(/\.service$/, "");
    const other = plain === bare ? `${plain}.service` : bare;
    return {
      span,
      message: `this is a process or service called \`${plain}\`; \`${other}\` and a container of this name are other targets`,
      help: `if they are meant, write \`[${bare}, ${bare}.service, container/${bare}]\``,
    };
  },
};
