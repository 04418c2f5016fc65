import { type Field, unknownField } from "../../shell/fields.ts";
import type { Place } from "../../shell/syntax.ts";
import type { Reporter } from "../program.ts";
import { sqlMeaning, sqlStatements } from "../sql.ts";
import type { Inner } from "../wrapper.ts";
import type { Collector, Finding } from "./findings.ts";
import { fieldsOf, joined, joinedPath, partialText, textValue, unknown, type Value } from "./values.ts";

/** Returns the texts that code hands to a shell and the words it runs, to be analysed as commands. */
export function innerOf(found: Collector, place: Place): readonly Inner[] {
  return found.findings.flatMap((finding): readonly Inner[] => {
    if (finding.kind === "words") {
      const fields = finding.words.flatMap((word) => fieldsOf(word, place, true));
      return fields.length === 0 ? [] : [{ kind: "words", fields, external: true, ...folder(finding, place) }];
    }
    if (finding.kind !== "text") return [];
    // A text has no folder of its own: it is changed first.
    const moved = finding.cwd === undefined ? finding.text : joined(changed(finding.cwd), finding.text);
    return fieldsOf(moved, place).map((text): Inner => {
      return { kind: "text", text };
    });
  });
}

/** `cd folder && `, the folder in quotes. */
function changed(cwd: Value): Value {
  const home = cwd.kind === "text" && cwd.home === true;
  const text = partialText(cwd).split("'").join(`'\\''`);
  return textValue(home ? `cd ${text} && ` : `cd '${text}' && `);
}

function folder(finding: Finding, place: Place): { cwd?: Field } {
  const [field] = finding.cwd === undefined ? [] : fieldsOf(finding.cwd, place);
  return field ? { cwd: field } : {};
}

/** Reports all other effects of code, and why not all of it is known. */
export function reportCode(found: Collector, label: string, place: Place, to: Reporter): void {
  for (const finding of found.findings) reportOne(finding, place, to);
  reportOrigin(found, label, to);
  for (const doubt of found.doubts) to.doubt(`inline ${label} code is not analysed: ${doubt}`);
  if (found.findings.some((finding) => finding.kind === "text" && isUnknown(finding.text)))
    to.doubt(`inline ${label} code runs a shell text that is not known`);
}

/** True for an unknown value, or a name without a value. */
function isUnknown(value: Value): boolean {
  return value.kind === "unknown" || value.kind === "name";
}

/** A shell and nothing for it to do. */
const bareShell = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|z|k|a)?sh(?: +-[il]+)*$|^(?:cmd|powershell)(?:\.exe)?$/;

function isBareShell(finding: Finding): boolean {
  const words =
    finding.kind === "words"
      ? finding.words.map(partialText)
      : finding.kind === "text"
        ? [partialText(finding.text)]
        : [];
  return bareShell.test(words.join(" ").trim());
}

/**
 * Reports the origin of code that code runs. It fetches something and runs unnamed code, gives a shell to a connection, or
 * decodes something and runs a text. Source: threats page, classes 7, 8 and 17.
 */
function reportOrigin(found: Collector, label: string, to: Reporter): void {
  const fetched = found.findings.some((one) => one.kind === "network" && one.direction !== "upload");
  const joined = found.findings.some((one) => one.kind === "network" && one.direction === "both");
  const unknownText = found.findings.some(
    (one) =>
      (one.kind === "text" && isUnknown(one.text)) || (one.kind === "words" && isUnknown(one.words[0] ?? unknown)),
  );
  if ((fetched && (found.runsUnknown || unknownText)) || (joined && found.findings.some(isBareShell)))
    to.run(label, true, "network");
  else if (found.decodes && (found.evaluates || unknownText)) to.run(label, true, "decoded");
}

function reportOne(finding: Finding, place: Place, to: Reporter): void {
  const paths = (path: Value): readonly Field[] =>
    fieldsOf(
      finding.cwd === undefined || (path.kind === "text" && path.home) ? path : joinedPath([finding.cwd, path]),
      place,
    );
  switch (finding.kind) {
    case "read":
      for (const path of paths(finding.path)) to.read(path, finding);
      return;
    case "write":
      for (const path of paths(finding.path)) {
        to.write(path, finding.certain);
        if (finding.tree !== undefined) to.tree(path, finding.tree);
      }
      return;
    case "delete":
      for (const path of paths(finding.path)) to.delete(path, finding.recursive);
      return;
    case "network":
      for (const url of fieldsOf(finding.url, place)) to.network(url, finding.direction, finding.certain);
      return;
    case "install":
      to.install(finding.manager, finding.source, finding.name);
      return;
    case "kill": {
      const [target = unknownField(place, false)] = fieldsOf(finding.target, place);
      to.kill(target.text, target.kind === "literal");
      return;
    }
    case "load":
      for (const module of paths(finding.module)) to.run(module.text, module.kind !== "unknown", "file");
      return;
    case "sql":
      reportSql(finding.text, to);
      return;
    default:
  }
}

function reportSql(text: string, to: Reporter): void {
  for (const one of sqlStatements(text, "") ?? [])
    if (one.kind === "sql") for (const target of sqlMeaning(one.tokens).targets) to.config(`sql ${target}`, false);
}
