import type { AuditRecord } from "../../schema/generated.ts";
import { trailEvents } from "../../store/trail-notes.ts";
import type { Io } from "../io.ts";
import { count } from "../report/pretty.ts";
import { noFaults, selectedRecords } from "./selection.ts";
import { shownLine } from "./shown.ts";

/** One kind of failed delivery in a trail, with its count: what, on which host, at which event, and where first. */
export interface Gap {
  readonly host: string;
  readonly event: string;
  readonly action: string;
  /** `no`: not delivered; `weaker`: in a weaker form; `lost`: records that could not be written. */
  readonly delivered: "no" | "weaker" | "lost";
  readonly why: string;
  times: number;
  /** Session and number of the first record that reports it. */
  readonly first: { readonly session: string; readonly seq: number };
}

/** Returns the gaps of the trails at these paths, those that were not delivered at all first. */
export async function gapsIn(paths: readonly string[], io: Io): Promise<readonly Gap[]> {
  const gaps = new Map<string, Gap>();
  for await (const record of selectedRecords(paths, () => true, io.cwd, noFaults()))
    for (const gap of gapsOf(record)) {
      const key = JSON.stringify([gap.host, gap.event, gap.action, gap.delivered, gap.why]);
      const known = gaps.get(key);
      if (known) known.times += gap.times;
      else gaps.set(key, gap);
    }
  const order = ["lost", "no", "weaker"];
  return [...gaps.values()].sort(
    (a, b) => order.indexOf(a.delivered) - order.indexOf(b.delivered) || b.times - a.times,
  );
}

function gapsOf({ body, seal }: AuditRecord): Gap[] {
  const first = { session: body.session, seq: seal.seq };
  const { host, event } = body;
  const short = (body.on_host?.short ?? []).map(
    ({ action, delivered, why = "" }): Gap => ({ host, event, action, delivered, why, times: 1, first }),
  );
  if (body.event !== trailEvents.gap) return short;
  const { lost, why } = (body.observations["gap"] ?? {}) as { readonly lost?: unknown; readonly why?: unknown };
  const times = typeof lost === "number" ? lost : 1;
  return [{ host, event, action: "record", delivered: "lost", why: typeof why === "string" ? why : "", times, first }];
}

/** Returns gaps for people: one line each. */
export function gapsText(gaps: readonly Gap[]): string {
  if (gaps.length === 0) return "no gaps: what was decided was delivered in full, as far as records say\n";
  const words = { no: "not delivered", weaker: "delivered in a weaker form", lost: "not recorded" } as const;
  return gaps
    .map(({ host, event, action, delivered, why, times, first }) => {
      const on = host === "" ? "" : ` on ${shownLine(host)}`;
      const where = `first: ${shownLine(first.session || "no session")} #${first.seq}`;
      return `${words[delivered]}: ${shownLine(action)} at ${shownLine(event)}${on}, ${count(times, "time")}; ${shownLine(why)} (${where})\n`;
    })
    .join("");
}
