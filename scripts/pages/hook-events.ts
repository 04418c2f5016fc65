import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { code, generatedFrom, type Page, table } from "../generate/page.ts";

const folder = join(import.meta.dirname, "../../adapters/hooks");

/** One declared interface: what its comment says, and its fields. */
interface Declared {
  readonly doc: string;
  readonly fields: readonly (readonly [name: string, type: string, doc: string])[];
}

/** Page of the events that a hook module can register for, with their fields and the possible results of a handler. */
export const page: Page = {
  path: "docs/reference/hook-events.md",
  async render() {
    const events = await readFile(join(folder, "events.ts"), "utf8");
    const declared = declaredIn(events + (await readFile(join(folder, "results.ts"), "utf8")));
    const rows = [...events.matchAll(/^ {2}"?([\w.]+)"?: Row<(\w+)(?:, (\w+))?>;$/gm)];
    const sections = new Map<string, { readonly names: string[]; readonly result: string | undefined }>();
    for (const [, name = "", event = "", result] of rows) {
      const section = sections.get(event) ?? { names: [], result };
      section.names.push(name);
      sections.set(event, section);
    }
    const text = [...sections].map(([event, { names, result }]) => sectionOf(names, event, result, declared));
    const intro =
      "What a module gets with `pi.on(name, (event, ctx) => …)`, and what it may return; a field marked `?` may be absent. An event\n" +
      "without *May return* is for information. Where the hosts differ, the [profiles](../../test/spec/profiles.md) say how, each row\n" +
      "executed. [The guide](../guide/hook-modules.md) has whole modules.";
    return `${generatedFrom("adapters/hooks/events.ts and results.ts")}\n# Events of hook modules\n\n${intro}\n\n${text.join("\n\n")}\n`;
  },
};

function sectionOf(
  names: readonly string[],
  event: string,
  result: string | undefined,
  declared: ReadonlyMap<string, Declared>,
): string {
  const { doc, fields } = found(event, declared);
  const title = `## ${names.map(code).join(", ")}`;
  const own = fields.filter(([name]) => name !== "type" && !name.startsWith("["));
  const payload = own.length === 0 ? [] : [tableOf(own)];
  const answer = result === undefined ? [] : ["May return:", answerOf(result, declared)];
  return [title, doc, ...payload, ...answer].join("\n\n");
}

/** The fields of an answer; one that has several forms shows each. */
function answerOf(result: string, declared: ReadonlyMap<string, Declared>): string {
  if (result === "InputEventResult")
    return [
      '- pi: `{ action: "continue" }`, `{ action: "transform", text, images? }` or `{ action: "handled" }`',
      "- omp: `{ handled?, text?, images? }`",
    ].join("\n");
  const { doc, fields } = found(result, declared);
  return `${doc}\n\n${tableOf(fields)}`;
}

function tableOf(fields: Declared["fields"]): string {
  return table(
    ["field", "type", "meaning"],
    fields.map(([name, type, doc]) => [code(name), code(type), doc]),
  );
}

function found(name: string, declared: ReadonlyMap<string, Declared>): Declared {
  const one = declared.get(name);
  if (!one) throw new Error(`adapters/hooks declares no interface \`${name}\``);
  return one;
}

function declaredIn(text: string): ReadonlyMap<string, Declared> {
  const interfaces = text.matchAll(
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport interface (\w+)(?:<[^{]*>)? \{\n([\s\S]*?)\n\}/g,
  );
  return new Map(
    [...interfaces].map(([, doc = "", name = "", body = ""]) => [name, { doc: plain(doc), fields: fieldsIn(body) }]),
  );
}

function fieldsIn(body: string): Declared["fields"] {
  return [
    ...`${body}\n`.matchAll(
      /(?: {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)? {2}(\[?\w[^:\n]*?\??):\s([\s\S]*?);\n(?= {2}\S|$)/g,
    ),
  ].map(
    ([, doc = "", name = "", type = ""]) =>
      [name.trim(), type.replace(/\s+/g, " ").replace(/^\| /, ""), plain(doc)] as const,
  );
}

/** Returns the text of a comment, without its stars and its source. */
function plain(doc: string): string {
  return doc
    .replace(/\n\s*\*/g, " ")
    .replace(/\s+/g, " ")
    .replace(/ ?\(?[Ss](?:ource: seed|eed) [^.)]*[.)]+/g, "")
    .replace(/ ?Source: [^.]*\./g, "")
    .trim();
}
