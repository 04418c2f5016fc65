import { type Field, unknownField } from "../../shell/fields.ts";
import type { Place } from "../../shell/syntax.ts";
import type { Reporter } from "../program.ts";
import type { Inner } from "../wrapper.ts";
import type { Collector, Finding } from "./findings.ts";
import { fieldsOf, joined, joinedPath, partialText, textValue, type Value } from "./values.ts";

/** What code hands to a shell or runs as words, for the analysis of what is run. */
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
  for (const doubt of found.doubts) to.doubt(`inline ${label} code is not analysed: ${doubt}`);
  if (found.findings.some((finding) => finding.kind === "text" && finding.text.kind === "unknown"))
    to.doubt(`inline ${label} code runs a shell text that is not known`);
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
      for (const path of paths(finding.path)) to.write(path, finding.certain);
      return;
    case "delete":
      for (const path of paths(finding.path)) to.delete(path, finding.recursive);
      return;
    case "network":
      for (const url of fieldsOf(finding.url, place)) to.network(url, finding.direction, finding.certain);
      return;
    case "kill": {
      const [target = unknownField(place, false)] = fieldsOf(finding.target, place);
      to.kill(target.text, target.kind === "literal");
      return;
    }
    default:
  }
}
