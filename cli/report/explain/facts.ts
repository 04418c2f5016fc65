import { type Palette, visible } from "../../../diagnostics/render.ts";
import type { Explanation } from "../../../engine/explain.ts";
import { Approximation, shownText, shownUrl, type Text } from "../../../schema/approximation.ts";
import {
  type Effects,
  effectKinds,
  type PathValue,
  type ShellCommand,
  type UrlValue,
  type Word,
} from "../../../schema/facts.ts";
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
  const lines = linesOf(effects, bounds?.effects);
  const added = further
    ? [colors.strong("effects by what the project declares"), ...linesOf(further, bounds?.others)]
    : [];
  return [colors.strong("effects"), ...(lines.length > 0 ? lines : ["  none"]), ...added];
}

/** Returns one line an effect, by kind. Of too many, each kind keeps its first ones, so that reads do not hide a delete. */
function linesOf(effects: Effects, most = Infinity): string[] {
  const sizes = sharesOf(effects, most);
  const lines = effectKinds.flatMap((kind, i) =>
    effects[kind].slice(0, sizes[i]).map((effect) => `  ${kind.padEnd(9)} ${cut(effectText(effect))}`),
  );
  const left = effectKinds.flatMap((kind, i) => {
    const more = effects[kind].length - (sizes[i] ?? 0);
    return more > 0 ? [`${more} ${kind}`] : [];
  });
  return left.length > 0 ? [...lines, `  … more: ${left.join(", ")}`] : lines;
}

/** Returns how many effects of each kind are shown: one of each in turn, up to the limit. */
function sharesOf(effects: Effects, most: number): readonly number[] {
  const all = effectKinds.map((kind) => effects[kind].length);
  if (all.reduce((sum, n) => sum + n, 0) <= most) return all;
  const shares = all.map(() => 0);
  for (let left = most; left > 0; )
    for (let i = 0; i < all.length && left > 0; i++)
      if ((shares[i] ?? 0) < (all[i] ?? 0)) {
        shares[i] = (shares[i] ?? 0) + 1;
        left -= 1;
      }
  return shares;
}

/** Describes an effect: its path, URL or target, then any own field that is true or a text. */
function effectText(effect: object): string {
  const fields: Record<string, unknown> = { ...effect };
  const { path, url, target, via, certain, command } = fields as {
    path?: PathValue;
    url?: UrlValue;
    target?: unknown;
    via: string;
    certain: boolean;
    command: number;
  };
  const named = isText(target) ? target : undefined;
  const on = path
    ? pathText(path)
    : url
      ? visible(shownUrl(url))
      : named === undefined
        ? ""
        : visible(shownText(named));
  const rest = Object.keys(fields).filter(
    (key) => !["path", "url", "via", "certain", "command"].includes(key) && !(key === "target" && named !== undefined),
  );
  const notes = rest.flatMap((key) => note(key, fields[key]));
  const cause = command >= 0 ? `${visible(via)} [${command}]` : visible(via);
  return [on, ...notes, certain ? "certain" : "possible", `by ${cause}`].filter((part) => part !== "").join(", ");
}

function note(key: string, value: unknown): string[] {
  if (value === true) return [key.replace("_", " ")];
  if (isText(value)) return value === "" ? [] : [`${key} ${visible(shownText(value))}`];
  const branch = typeof value === "object" && value !== null ? (value as { branch?: unknown }).branch : undefined;
  return isText(branch) && branch !== "" ? [`branch ${visible(shownText(branch))}`] : [];
}

function isText(value: unknown): value is Text {
  return typeof value === "string" || value instanceof Approximation;
}

function pathText(path: PathValue): string {
  const real = path.real === path.lexical ? "" : ` -> ${visible(path.real)}`;
  return `${visible(path.lexical)}${real}${path.pattern ? " (pattern)" : ""}`;
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

function cut(text: string): string {
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
}
