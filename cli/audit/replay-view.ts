import type { ChangeKind } from "../../authoring/replay/change.ts";
import type { ChangeGroup, Example, LeftOut, ReplayReport } from "../../authoring/replay/report.ts";
import type { Palette } from "../../diagnostics/render.ts";
import { count, palette } from "../report/pretty.ts";
import { shownLine } from "./shown.ts";

const titles: Readonly<Record<ChangeKind, string>> = {
  newly_blocked: "newly blocked",
  newly_asked: "newly asked",
  no_longer_blocked: "no longer blocked",
  no_longer_asked: "no longer asked",
  reason_changed: "same answer, other rule or reason",
  rewritten_differently: "same answer, rewritten differently",
};

/** Returns the result of a replay, for people: the changes by rule, then the events without a comparison. */
export function prettyReplay(report: ReplayReport, compared: "policy" | "record", color: boolean): string {
  const colors = palette(color);
  const head =
    `${count(report.judged, "event")} of ${count(report.sessions, "session")} judged, compared with ` +
    `${compared === "policy" ? "the other policy" : "what is on record"}: ` +
    (report.changed === 0 ? "nothing would change" : `${count(report.changed, "answer")} would change`);
  const lines = [colors.strong(head)];
  let title: ChangeKind | undefined;
  for (const group of report.groups) {
    if (group.change !== title) lines.push("", colors.strong(titles[group.change]));
    title = group.change;
    lines.push(...groupLines(group, colors));
  }
  const rest = restLines(report, colors);
  if (rest.length > 0) lines.push("", ...rest);
  return `${lines.join("\n")}\n`;
}

function groupLines({ rule, count: n, examples }: ChangeGroup, colors: Palette): string[] {
  return [`  ${colors.info(shownLine(rule))}: ${n}`, ...examples.flatMap((one) => exampleLines(one, colors))];
}

function exampleLines({ file, line, event, tool, about, before, after }: Example, colors: Palette): string[] {
  const what = [tool ?? event, about].filter((part) => part !== "").join(" ");
  return [
    `    ${colors.quiet(`${shownLine(file)}:${line}`)} ${shownLine(what)}`,
    `      ${colors.quiet("before:")} ${said(before)}`,
    `      ${colors.quiet("now:   ")} ${said(after)}`,
  ];
}

function said({ outcome, rule, reason }: Example["before"]): string {
  const by = rule === undefined ? "" : `, ${shownLine(rule)}`;
  return `${outcome}${outcome === "allow" ? "" : by}${reason === undefined ? "" : `: ${shownLine(reason)}`}`;
}

/** Lists events that were not compared, or compared with less data than one might expect. */
function restLines(report: ReplayReport, colors: Palette): string[] {
  const { not_replayable, unknown_lines, unguarded, incomplete, unasked, passed } = report;
  const noted = [
    ...leftOut("not replayable", not_replayable, colors),
    ...leftOut("lines that are not understood", unknown_lines, colors),
  ];
  if (incomplete > 0)
    noted.push(`${count(incomplete, "event")} judged in sessions of which something before could not be replayed`);
  if (unguarded > 0) noted.push(`${count(unguarded, "event")} without a decision on record: compared with no policy`);
  if (unasked > 0) noted.push(`${count(unasked, "answer")} of humans to questions that would not be asked`);
  if (passed > 0) noted.push(colors.quiet(`${count(passed, "line")} without an event`));
  return noted;
}

function leftOut(title: string, groups: readonly LeftOut[], colors: Palette): string[] {
  if (groups.length === 0) return [];
  const all = groups.reduce((sum, group) => sum + group.count, 0);
  return [
    `${colors.strong(title)}: ${all}`,
    ...groups.map(({ why, count: n, examples }) => {
      const places = examples.map(({ file, line }) => `${shownLine(file)}:${line}`).join(", ");
      return `  ${n} × ${shownLine(why)} ${colors.quiet(`(${places}${n > examples.length ? ", …" : ""})`)}`;
    }),
  ];
}

/** Says in a few words why nothing was judged. */
export function summaryOf({ not_replayable }: ReplayReport): string {
  const [first] = not_replayable;
  return first ? `: ${first.why}` : "";
}
