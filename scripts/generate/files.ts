import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AnySchemaObject } from "ajv";
import { builtinModule, builtinPath } from "./builtin.ts";
import { causesModule, causesPath } from "./causes.ts";
import { editorSchema, editorSchemaPath } from "./editor-schema.ts";
import { eventSchema, messageSchema, sharedSchema } from "./event-schema.ts";
import { lintsModule, lintsPath } from "./lints.ts";
import type { Page } from "./page.ts";
import { generateTypes } from "./types.ts";
import {
  documentValidatorDeclarations,
  generateDocumentValidators,
  generateValidators,
  validatorDeclarations,
} from "./validators.ts";

/** Schemas in the order in which their types are emitted. */
const schemaNames = [
  "policy",
  "event",
  "decision",
  "audit-record",
  "suite",
  "check-config",
  "opta-config",
  "gastown-hooks",
] as const;
/** Validators that the run time needs, by the schema they check. */
const validators = {
  validateEvent: "event",
  validateDecision: "decision",
  validateAuditRecord: "audit-record",
  validateOptaConfig: "opta-config",
  validateGastownHooks: "gastown-hooks",
} as const;

/** Validators of documents that people write, by the schema they check. */
const documents = { validatePolicy: "policy", validateSuite: "suite", validateCheckConfig: "check-config" } as const;

/** Every generated file by its path from `root`, with the text it has to have. */
export async function generatedFiles(root: string): Promise<Map<string, string>> {
  const schemas = new Map<string, AnySchemaObject>();
  for (const name of schemaNames) {
    schemas.set(name, JSON.parse(await readFile(join(root, "schema", `${name}.schema.json`), "utf8")));
  }
  const event = eventSchema(schemas.get("event") as AnySchemaObject);
  schemas.set("event", event);
  const checked = named(validators, schemas);
  const written = named(documents, schemas);
  checked["validateEvent"] = sharedSchema(event);
  checked["validateMessage"] = messageSchema(event);
  const files = new Map([
    ["schema/event.schema.json", `${JSON.stringify(event, null, 2)}\n`],
    ["schema/generated.ts", await generateTypes([...schemas.values()])],
    ["schema/validators.generated.js", await generateValidators(checked)],
    ["schema/validators.generated.d.ts", validatorDeclarations(checked)],
  ]);
  files.set("schema/document-validators.generated.js", await generateDocumentValidators(written));
  files.set("schema/document-validators.generated.d.ts", documentValidatorDeclarations(written));
  files.set(editorSchemaPath, `${JSON.stringify(editorSchema(schemas.get("policy") as AnySchemaObject), null, 2)}\n`);
  files.set(builtinPath, await builtinModule(root));
  files.set(lintsPath, await lintsModule(root));
  files.set(causesPath, await causesModule(root));
  for (const page of await pages(join(root, "scripts/pages"))) files.set(page.path, await page.render());
  return files;
}

function named(
  names: Readonly<Record<string, string>>,
  schemas: ReadonlyMap<string, AnySchemaObject>,
): Record<string, AnySchemaObject> {
  return Object.fromEntries(Object.entries(names).map(([name, s]) => [name, schemas.get(s) as AnySchemaObject]));
}

async function pages(folder: string): Promise<Page[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".ts")).sort();
  const modules = await Promise.all(names.map((name) => import(pathToFileURL(join(folder, name)).href)));
  return modules.flatMap((module: { page?: Page; pages?: readonly Page[] }) => module.pages ?? module.page ?? []);
}
