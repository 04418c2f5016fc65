import { cut, linesOfEffects, pathText } from "../../../authoring/effect-lines.ts";
import { type Palette, visible } from "../../../diagnostics/render.ts";
import type { Explanation } from "../../../engine/explain.ts";
import { shownText } from "../../../schema/approximation.ts";
import type { ShellCommand, Word } from "../../../schema/facts.ts";
import type { JudgedEvent } from "../../../schema/judged-event.ts";
import { count } from "../pretty.ts";

/** Maximum lines shown of each sort. */
export interface FactBounds {
  readonly doubts: number;
  /** Lines of commands; with a limit each command takes one line, its text. */
  readonly commands: number;
  readonly effects: number;
  /** Lines of all other facts. */
  readonly others: number;
}

/** Limits for an explanation on one screen. */
export const few: FactBounds = { doubts: 3, commands: 5, effects: 6, others: 3 };

/**
 * Returns the facts of an event, for people: the event, commands, effects, and every doubt with its reason. With limits,
 * long lists are cut and give the number of the rest.
 */
export function factLines(explanation: Explanation, colors: Palette, bounds?: FactBounds): string[] {
  const { event, facts, readings } = explanation;
  const lines = [`${colors.strong("event")}  ${eventLine(event)}`];
  if (readings > 1) lines.push(`  its arguments disagree: ${count(readings, "reading")}, all of which are judged`);
  const texts = bounded(textLines(explanation), bounds?.others);
  if (event.tool === undefined) return [...lines, ...texts];
  lines.push(`${colors.strong("understanding")}  ${facts.understanding}: ${meaning[facts.understanding]}`);
  const doubts = facts.doubts.map(
    ({ reason, span }) => `  doubt: ${visible(reason)}${span ? ` (characters ${span.start} to ${span.end})` : ""}`,
  );
  lines.push(...bounded(doubts, bounds?.doubts));
  if (facts.shell) {
    const detail = bounds ? commandLine : commandLines;
    const commands = facts.shell.commands.map(detail);
    lines.push(colors.strong("commands"), ...bounded(commands, bounds?.commands).flat());
  }
  return [
    ...lines,
    ...declaredLines(explanation, colors, bounds),
    ...effectLines(explanation, colors, bounds),
    ...texts,
  ];
}

/** Returns at most `most` lines, and the number of the rest. */
function bounded<T extends string | readonly string[]>(lines: readonly T[], most = Infinity): readonly (T | string)[] {
  return lines.length > most ? [...lines.slice(0, most), `  … ${lines.length - most} more`] : lines;
}

const meaning = {
  understood: "all effects are listed",
  opaque: "it may have effects beside those listed",
  unknown: "no effect is known; the policy's answer for unknown calls holds",
} as const;

function eventLine(event: JudgedEvent): string {
  const host =
    event.tool && event.tool.host_name !== event.tool.name ? ` (given as ${visible(event.tool.host_name)})` : "";
  return `${event.event}${event.tool ? `, tool ${visible(event.tool.name)}${host}` : ""}, in ${visible(event.environment.cwd)}`;
}

function commandLine(command: ShellCommand, index: number): string[] {
  const sure = command.certain ? "" : "  [possible]";
  return [`  [${index}] ${cut(visible(shownText(command.text)))}${sure}`];
}

function commandLines(command: ShellCommand, index: number): string[] {
  const lines = commandLine(command, index);
  const parts = [
    `program ${command.program === "" ? "(not known)" : visible(shownText(command.program))}`,
    ...(command.subcommand === undefined ? [] : [`subcommand ${visible(shownText(command.subcommand))}`]),
    ...(command.wrappers.length > 0
      ? [`behind ${command.wrappers.map((wrapper) => visible(shownText(wrapper))).join(", ")}`]
      : []),
    ...(command.piped_to >= 0 ? [`piped to [${command.piped_to}]`] : []),
    `in ${command.cwd === "" ? "(unknown folder)" : visible(command.cwd)}`,
  ];
  lines.push(`      ${parts.join("; ")}`);
  if (command.words.length > 0) lines.push(`      words ${cut(command.words.map(wordText).join(" "))}`);
  for (const redirect of command.redirects)
    lines.push(`      redirect ${redirect.operator} ${redirect.path ? pathText(redirect.path) : "(not known)"}`);
  return lines;
}

function wordText(word: Word): string {
  const text = JSON.stringify(visible(shownText(word.text)));
  return word.kind === "literal" ? text : `${text} (${word.kind})`;
}

/** Lists the user's own programs and tools, and whether their declarations are trusted. */
function declaredLines({ declared }: Explanation, colors: Palette, bounds: FactBounds | undefined): string[] {
  if (!declared) return [];
  const lines = declared.map(({ of, name, standing }) => {
    const fate = standing === "possible" ? ": by the project, so that it only adds what is possible" : "";
    return `  ${of} ${visible(name)}${fate}`;
  });
  return [colors.strong("declared"), ...bounded(lines, bounds?.others)];
}

function effectLines(
  { facts: { effects }, further }: Explanation,
  colors: Palette,
  bounds: FactBounds | undefined,
): string[] {
  if (!effects) return [];
  const lines = linesOfEffects(effects, bounds?.effects);
  const added = further
    ? [colors.strong("effects by what the project declares"), ...linesOfEffects(further, bounds?.others)]
    : [];
  return [colors.strong("effects"), ...(lines.length > 0 ? lines : ["  none"]), ...added];
}

function textLines({ facts }: Explanation): string[] {
  const found = facts.secrets.map(
    (secret) => `  secret: ${secret.detector} in ${visible(secret.where)}, ${secret.confidence} confidence`,
  );
  const { invisible, bidi, ansi, tags, controls, overwrites, mixed_scripts, places } = facts.text;
  const odd = [
    invisible > 0 ? count(invisible, "invisible character") : "",
    bidi > 0 ? count(bidi, "bidirectional control") : "",
    ansi > 0 ? count(ansi, "terminal escape") : "",
    tags > 0 ? count(tags, "tag character") : "",
    controls > 0 ? count(controls, "control character") : "",
    overwrites > 0 ? count(overwrites, "carriage return") : "",
    mixed_scripts ? "mixed scripts" : "",
  ];
  const said = odd.filter((text) => text !== "");
  const first = places.slice(0, 5).map(({ where, offset, code, name }) => {
    const what = code === "" ? name : `${code} ${name}`;
    return `    ${visible(where)} at ${offset}: ${what}`;
  });
  return said.length > 0 ? [...found, `  text: ${said.join(", ")}`, ...first] : found;
}
