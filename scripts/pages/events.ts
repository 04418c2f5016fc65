import { eventNames, events } from "../../schema/events.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

/** Every event with what may be done about it and the names that hosts give it. */
export const page: Page = {
  path: "docs/reference/events.md",
  render() {
    const rows = eventNames.map((name) => [code(name), events[name].kind, events[name].aliases.map(code).join(", ")]);
    const intro =
      "`decide`: the event waits for allow, ask or block. `transform`: its payload may be rewritten. `observe`: it is only seen.\n" +
      "A policy may use any alias; the canonical name is the one to write.";
    return `${generatedFrom("schema/events.ts")}\n# Events\n\n${intro}\n\n${table(["event", "kind", "aliases"], rows)}\n`;
  },
};
