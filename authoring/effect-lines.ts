import { visible } from "../diagnostics/render.ts";
import { Approximation, shownText, shownUrl, type Text } from "../schema/approximation.ts";
import { type Effects, effectKinds, type PathValue, type UrlValue } from "../schema/facts.ts";

/**
 * Returns one line an effect, by kind, for people. Of too many, each kind keeps its first ones, so that reads do not hide a
 * delete.
 */
export function linesOfEffects(effects: Effects, most = Infinity): string[] {
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

/** Returns a path for people: as written, what it leads to, and whether it is a pattern. */
export function pathText(path: PathValue): string {
  const real = path.real === path.lexical ? "" : ` -> ${visible(path.real)}`;
  return `${visible(path.lexical)}${real}${path.pattern ? " (pattern)" : ""}`;
}

/** Names the first effects of a call in one line, `deletes build, certain, by rm [0]; …`; `none` if it has none. */
export function effectsInLine(effects: Effects, most: number): string {
  const lines = linesOfEffects(effects, most).map((line) => line.trim().replace(/ {2,}/, " "));
  return lines.length === 0 ? "none" : lines.join("; ");
}

/** Cuts a text to the length of a line. */
export function cut(text: string): string {
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
}
