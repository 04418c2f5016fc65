import { describe, expect, it } from "vitest";
import { fieldWords } from "../../../compiler/check/other-fields.ts";
import { environmentOf } from "../../../rules/environment.ts";
import type { RecordType, Type } from "../../../rules/types.ts";
import { eventNames } from "../../../schema/events.ts";

/** Every record that conditions of some event can see, by its name. */
function records(): ReadonlyMap<string, RecordType> {
  const found = new Map<string, RecordType>();
  const visit = (type: Type): void => {
    if (type.kind === "list") visit(type.element);
    else if (type.kind === "optional") visit(type.of);
    else if (type.kind === "record" && !found.has(type.name)) {
      found.set(type.name, type);
      for (const { type: field } of type.fields().values()) visit(field);
    }
  };
  for (const event of eventNames) for (const { type } of environmentOf([event], []).variables.values()) visit(type);
  return found;
}

describe("what others call fields", () => {
  const all = records();
  const rows = Object.entries(fieldWords).flatMap(([record, own]) =>
    Object.entries(own).map(([field, others]) => [record, field, others.split(" ")] as const),
  );

  it.each(rows)("%s has the field %s that stands for %s", (record, own, others) => {
    const type = all.get(record);
    expect(type, "there is such a record").toBeDefined();
    let at: Type | undefined = type;
    if (!own.startsWith("{"))
      for (const part of own.split(".")) at = at?.kind === "record" ? at.fields().get(part)?.type : undefined;
    expect(at, own).toBeDefined();
    // A word that is a field means that field.
    for (const other of others) expect(type?.fields().has(other), other).toBe(false);
  });
});
