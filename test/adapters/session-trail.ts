import { readFileSync } from "node:fs";
import type { AuditBody } from "../../schema/generated.ts";
import { segmentsOf } from "../../store/segments.ts";

/** Bodies of a session's records in a folder of sessions, in their order, without the headers of segments. */
export function bodiesOf(folder: string, session: string): readonly AuditBody[] {
  return segmentsOf(folder, session)
    .flatMap(({ path }) => readFileSync(path, "utf8").split("\n"))
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { body: AuditBody }).body)
    .filter(({ event }) => event !== "segment");
}
