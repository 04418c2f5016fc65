import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { generatedFiles } from "../../scripts/generate/files.ts";
import { generateTypes } from "../../scripts/generate/types.ts";

const root = join(import.meta.dirname, "../..");

describe("generated files", async () => {
  const files = await generatedFiles(root);

  it.each([...files])("%s is what `npm run generate` writes", async (path, text) => {
    expect(await readFile(join(root, path), "utf8")).toBe(text);
  });

  it("the validators import nothing", () => {
    expect(files.get("schema/validators.generated.js")).not.toMatch(/^import\b|\bimport\(|[^"']require\("/m);
  });
});

describe("types of schemas", () => {
  const schema = (title: string, name: object) => ({
    title,
    description: "x",
    type: "object",
    properties: {},
    definitions: { Name: name },
  });
  const text = { description: "A name.", type: "string" };

  it("emits a definition that two schemas share once", async () => {
    const types = await generateTypes([schema("A", text), schema("B", text)]);
    expect(types.match(/export type Name = string;/g)).toHaveLength(1);
  });

  it("refuses one name for two shapes", async () => {
    const other = { description: "A name.", type: "number" };
    await expect(generateTypes([schema("A", text), schema("B", other)])).rejects.toThrow("define `Name` differently");
  });

  it("refuses a definition without a description", async () => {
    await expect(generateTypes([schema("A", { type: "string" })])).rejects.toThrow("`Name` has no description");
  });
});
