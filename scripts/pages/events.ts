import { eventNames, events } from "../../schema/events.ts";
import { type PayloadField, payloadShape } from "../../schema/payloads.ts";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

/** Every event: what may be done about it, the names that hosts give it, its payload, and what a decision may change. */
export const page: Page = {
  path: "docs/reference/events.md",
  render() {
    const rows = eventNames.map((name) => [code(name), events[name].kind, events[name].aliases.map(code).join(", ")]);
    const intro =
      "`decide`: the event waits for allow, ask or block. `transform`: its payload may be rewritten. `observe`: it is only seen.\n" +
      "A policy may use any alias; the canonical name is the one to write. [Hosts](hosts.md) says who delivers what.";
    const payload =
      "A field marked `?` may be absent. What a host adds to these is ignored; in a suite it is an error. A field of another\n" +
      "type does not fit, and the event gets its closed outcome (HW501). *Changes* are the keys that a decision may have in\n" +
      "`changes`; `labels` may be there for every event, and `compaction`, `summary`, `label`, `skip_conversation_restore`,\n" +
      "`context`, `preserve_data` and `resources` come from hook modules alone.";
    return [
      generatedFrom("schema/event-kinds.ts, schema/payloads.ts and schema/hosts.ts"),
      `# Events\n\n${intro}\n`,
      `${table(["event", "kind", "aliases"], rows)}\n`,
      `## Payloads\n\n${payload}\n`,
      ...eventNames.map(section),
    ].join("\n");
  },
};

function section(name: (typeof eventNames)[number]): string {
  const fields = Object.entries(payloadShape(name)).map(([field, shape]) => row(field, shape));
  const { changes } = events[name];
  const payload = fields.length === 0 ? "No payload." : table(["field", "type", "in conditions", "meaning"], fields);
  const changed = changes.length === 0 ? "" : `\nChanges: ${changes.map(code).join(", ")}.\n`;
  return `### ${code(name)}\n\n${payload}\n${changed}`;
}

function row(name: string, field: PayloadField): string[] {
  const sure = field.required === true || field.default !== undefined;
  const type = field.values ? field.values.map(code).join(", ") : code(field.type);
  const place = field.root === "event" ? "" : code(field.root ?? `fields.${name}`);
  return [code(sure ? name : `${name}?`), type, place, field.doc];
}
