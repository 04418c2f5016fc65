import { canonicalJson } from "../../engine/canonical.ts";
import type { AuditBody, AuditRecord } from "../../schema/generated.ts";
import type { Io } from "../io.ts";
import { noFaults, selectedRecords, usualTrails } from "./selection.ts";
import { shownLine } from "./shown.ts";

/** A call that a policy asked about, and that nobody has answered yet. */
export interface WaitingCall {
  readonly key: string;
  /** Time, author and content, as lines for a terminal. */
  readonly told: string;
}

const day = 86_400_000;

/** Maximum calls listed; older ones are available by key. */
const most = 16;

/** Returns the calls of the last day that wait for a human, the newest first; unreadable parts of the trail are left out. */
export async function waitingCalls(io: Io, now: number): Promise<readonly WaitingCall[]> {
  const waiting = new Map<string, WaitingCall>();
  const recent = ({ seal }: AuditRecord): boolean => Date.parse(seal.written) >= now - day;
  for await (const record of selectedRecords([usualTrails(io)], recent, io.cwd, noFaults())) {
    const { approval, outcome, state } = record.body;
    if (approval) waiting.delete(approval.key);
    const key = state?.question?.key;
    if (key === undefined || outcome !== "ask") continue;
    // Of several records the newest comes last.
    waiting.delete(key);
    waiting.set(key, { key, told: toldOf(record) });
  }
  return [...waiting.values()].reverse().slice(0, most);
}

function toldOf({ body, seal }: AuditRecord): string {
  const asking = [...new Set(body.matched.filter((match) => match.outcome === "ask").map((match) => match.rule))];
  const lines = [
    `${seal.written}  ${body.host}  ${body.session}`,
    `${body.tool ?? body.event} ${argumentsOf(body)}`,
    `asked by ${asking.join(", ") || body.answered}: ${body.reason ?? body.doubts?.[0] ?? "no reason is on record"}`,
  ];
  return lines.map((line) => `  ${shownLine(line)}\n`).join("");
}

function argumentsOf({ view }: AuditBody): string {
  const args = typeof view === "object" && view !== null && "args" in view ? view.args : undefined;
  return args === undefined ? "(its arguments are not on record)" : canonicalJson(args);
}
