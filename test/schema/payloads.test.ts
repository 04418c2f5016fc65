import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, expectTypeOf, it } from "vitest";
import { normalise } from "../../engine/normalise.ts";
import { type EventName, eventNames } from "../../schema/events.ts";
import type { ContextPayload, ModelSelectPayload, TurnEndPayload } from "../../schema/generated.ts";
import { ownFields, type PayloadField, payloadShape } from "../../schema/payloads.ts";
import { wireFields } from "../../schema/wire-fields.ts";

const schema = JSON.parse(readFileSync(join(import.meta.dirname, "../../schema/event.schema.json"), "utf8"));
const fitsSchema = new Ajv({ strict: false, ownProperties: true }).compile(schema);

/** Values of every JSON kind, and of the shapes that payloads have. */
const values: readonly unknown[] = [
  null,
  true,
  7,
  0.5,
  "text",
  "new",
  "startup",
  "set",
  {},
  { role: "user", content: "x" },
  { role: "king" },
  { content: [{ type: "text", text: "x" }] },
  [],
  ["a"],
  [1],
  [{ role: "assistant", content: [] }],
  [{ role: 3 }],
];

const fitting: Readonly<Record<PayloadField["type"], unknown>> = {
  string: "text",
  text: ["a", "b"],
  path: "/home/dev/app",
  int: 3,
  bool: true,
  object: {},
  result: { content: [{ type: "text", text: "x" }] },
  message: { role: "assistant", content: "x" },
  "list(message)": [{ role: "user", content: "x" }],
  "list(string)": ["a"],
  "list(dyn)": [1],
  dyn: { any: true },
};

/** An event with every field of its payload. */
function whole(event: EventName): Record<string, unknown> {
  const fields = Object.entries(payloadShape(event)).map(([name, { type, values }]) => [
    name,
    values?.[0] ?? fitting[type],
  ]);
  return { event, ...Object.fromEntries(fields) };
}

const judged = (wire: unknown) => {
  const result = normalise(wire);
  if ("code" in result) throw new Error(result.message);
  return result.event;
};

describe.each(eventNames)("payload of %s", (event) => {
  it("fits with every field, and with those alone that are required", () => {
    const least = Object.entries(whole(event)).filter(
      ([name]) => name === "event" || payloadShape(event)[name]?.required,
    );
    for (const wire of [whole(event), Object.fromEntries(least)]) {
      expect([fitsSchema(wire), judged(wire).event]).toEqual([true, event]);
    }
  });

  it("does not fit without a field that is required", () => {
    for (const [name, { required }] of Object.entries(payloadShape(event))) {
      if (!required) continue;
      const { [name]: _, ...rest } = whole(event);
      expect(normalise(rest)).toMatchObject({ code: "HW501", event });
      expect(fitsSchema(rest)).toBe(false);
    }
  });

  it("the engine and the schema agree on any value of any field", () => {
    for (const name of Object.keys(payloadShape(event))) {
      for (const value of values) {
        const wire = { ...whole(event), [name]: value };
        expect([name, value, !("code" in normalise(wire))]).toEqual([name, value, fitsSchema(wire)]);
      }
    }
  });

  it("conditions see its own fields, and no others", () => {
    const { fields } = judged({ ...whole(event), not_a_field: 1, __extra: { role: "user" } });
    expect(Object.keys(fields).sort()).toEqual(Object.keys(ownFields(event)).sort());
  });
});

describe("payload tables", () => {
  it("a field that has one root in two events has one type there", () => {
    const seen = new Map<string, string>();
    for (const event of eventNames) {
      for (const [name, { root, type }] of Object.entries(payloadShape(event))) {
        if (root === undefined) continue;
        expect([name, seen.get(name) ?? type]).toEqual([name, type]);
        seen.set(name, type);
      }
    }
  });

  it("fields that may only be trusted are no payload", () => {
    for (const event of eventNames) {
      for (const name of ["environment", "session", "labels", "files", "approval", "ignored"])
        expect(Object.hasOwn(payloadShape(event), name)).toBe(false);
      expect(wireFields(event).has("files")).toBe(false);
    }
  });

  it("have generated types", () => {
    expectTypeOf<TurnEndPayload["turn_index"]>().toEqualTypeOf<number>();
    expectTypeOf<ModelSelectPayload["source"]>().toEqualTypeOf<"set" | "cycle" | "restore">();
    expectTypeOf<ContextPayload["messages"][number]["role"]>().toExtend<string>();
  });
});
