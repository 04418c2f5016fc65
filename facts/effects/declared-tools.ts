import type { DeclaredEffect, DeclaredHole } from "../../schema/declarations.ts";
import type { JudgedEvent } from "../../schema/judged-event.ts";
import type { FileSystem } from "../../schema/ports.ts";
import { spend } from "../meter.ts";
import { declaredTool } from "../programs/declared.ts";
import { type Fill, nameOf, reportClaim } from "../programs/declared-effects.ts";
import { missingField } from "../programs/declared-texts.ts";
import type { Field } from "../shell/fields.ts";
import { argumentField, own } from "./arguments.ts";
import { hasFileTable } from "./file-tools.ts";
import { reportGuarded } from "./guarded.ts";
import { notKnown, type Reading } from "./reading.ts";
import { Sink } from "./sink.ts";

/**
 * Reads a tool that a policy of the user or the machine declares, and that no table has; undefined for any other. Where a table
 * has it, `reportAddedTool` adds to what the table says.
 */
export function readDeclaredTool(name: string, event: JudgedEvent, files: FileSystem): Reading | undefined {
  const declared = declaredTool(name);
  if (declared?.standing !== "known" || hasFileTable(name)) return undefined;
  const sink = new Sink(event.environment, files);
  sink.begin({ via: name, command: -1, cwd: event.environment.cwd, certain: true });
  sink.run(name);
  reportAll(declared.effects ?? [], event, sink);
  reportGuarded(sink, event.environment);
  if (sink.over !== undefined) return notKnown(sink.over);
  const unsure = sink.uncertain > 0 && sink.doubts.length === 0;
  const doubts = unsure ? [{ reason: "an argument that its declaration needs is not known" }] : sink.doubts;
  return {
    understanding: doubts.length > 0 ? "opaque" : "understood",
    doubts,
    shell: undefined,
    effects: sink.effects(),
  };
}

/** Reports the effects that policies declare for a tool, in addition to what the tables say. A project's are only possible. */
export function reportAddedTool(name: string, event: JudgedEvent, sink: Sink): void {
  const declared = declaredTool(name);
  if (!declared) return;
  sink.begin({ via: name, command: -1, cwd: event.environment.cwd, certain: declared.standing === "known" });
  reportAll(declared.effects ?? [], event, sink);
}

function reportAll(effects: readonly DeclaredEffect[], event: JudgedEvent, sink: Sink): void {
  const fill: Fill = (hole) => ({ words: argumentsOf(hole, event), sure: true });
  for (const effect of effects) {
    if (sink.overflown) break;
    reportClaim(effect, fill, sink);
  }
}

/** Reads the words of an argument: one, or one for each item of a list. A value that is no text and no number is unknown. */
function argumentsOf(hole: DeclaredHole, { args }: JudgedEvent): readonly Field[] {
  const lost = missingField(nameOf(hole));
  let value: unknown = "args" in hole ? args : undefined;
  for (const name of "args" in hole ? hole.args : []) value = isRecord(value) ? own(value, name) : undefined;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  spend(4 * items.length);
  return items.map((item) => {
    if (typeof item === "number" || typeof item === "boolean") return argumentField(String(item));
    return typeof item === "string" && !item.includes("\0") ? argumentField(item) : lost;
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
