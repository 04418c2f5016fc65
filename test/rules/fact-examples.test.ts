import { describe, expect, it } from "vitest";
import { facts } from "../../facts/facts.ts";
import { hermeticFiles } from "../../facts/paths/files.ts";
import { pathClassAbout, urlClassAbout } from "../../rules/classes.about.ts";
import { environmentOf } from "../../rules/environment.ts";
import { fieldExample, recordExamples } from "../../rules/fact-examples.ts";
import { rootsOf } from "../../rules/roots.ts";
import type { RecordType, Type } from "../../rules/types.ts";
import { evaluate, event, frameOf } from "./evaluate.ts";

/** Every field that conditions see of a call has words and an example in the reference, and the example holds. */

function recordsIn(types: readonly Type[]): readonly RecordType[] {
  const found = new Map<string, RecordType>();
  const open = [...types];
  for (let type = open.shift(); type; type = open.shift()) {
    if (type.kind === "list") open.push(type.element);
    if (type.kind === "map") open.push(type.value);
    if (type.kind !== "record" || found.has(type.name)) continue;
    found.set(type.name, type);
    for (const field of type.fields().values()) open.push(field.type);
  }
  return [...found.values()];
}

const roots = rootsOf([], []).filter(({ name }) => ["shell", "effects", "text"].includes(name));
const records = recordsIn(roots.map(({ type }) => type));
const fields = records.flatMap((record) =>
  [...record.fields()].map(([name, field]) => ({ record: record.name, name, field })),
);
const environment = environmentOf(["tool_call"], ["bash"]);

function valueOf(call: string, expression: string): unknown {
  const judged = { ...event, args: { command: call } };
  const files = hermeticFiles(undefined);
  return evaluate(expression, environment, { ...frameOf({ event: judged }), facts: facts.of(judged, files) });
}

describe("classes", () => {
  it.each(Object.entries(pathClassAbout))("%s of paths has an example that is of it", (name, { example }) => {
    expect(evaluate(`path(${JSON.stringify(example)}).is(${JSON.stringify(name)})`)).toBe(true);
  });
  it.each(Object.entries(urlClassAbout))("%s of URLs has an example that is of it", (name, { example }) => {
    expect(evaluate(`url(${JSON.stringify(example)}).is(${JSON.stringify(name)})`)).toBe(true);
  });
});

describe("fields of a call", () => {
  it("are described", () => {
    expect(fields.filter(({ field }) => field.doc.length < 3).map(({ record, name }) => `${record}.${name}`)).toEqual(
      [],
    );
  });

  it("have an example each, and no example is of a field that is gone", () => {
    const known = fields.map(({ record, name }) => `${record}.${name}`).sort();
    const shown = Object.entries(recordExamples).flatMap(([record, example]) =>
      Object.keys(example.fields).map((name) => `${record}.${name}`),
    );
    expect(shown.sort()).toEqual(known);
  });

  for (const [record, example] of Object.entries(recordExamples)) {
    for (const name of Object.keys(example.fields)) {
      const [expression, gives] = fieldExample(example, name) ?? ["", ""];
      it(`${record}: ${expression} is ${gives}`, () => {
        expect(valueOf(example.call, expression)).toEqual(valueOf(example.call, gives));
        expect(valueOf(example.call, gives)).not.toHaveProperty("refused");
      });
    }
  }
});
