import type { Tag } from "./html-tag.ts";

/** A style longer than this hides its element: no page needs one, and a reader would not find what is in it. */
const longest = 8_192;

/** Units from which an element counts as moved off the screen. */
const far = 500;

/** True for an element that a browser does not show, judged by its own tag. Source: threats section 6. */
export function isHiddenTag({ name, attributes }: Tag): boolean {
  if (attributes.has("hidden")) return true;
  if (name === "input" && (attributes.get("type") ?? "").trim().toLowerCase() === "hidden") return true;
  const style = attributes.get("style");
  if (style === undefined) return false;
  return style.length > longest || hides(declarations(style));
}

/** Returns the properties of a style, in lower case and without blanks; of a repeated one the last counts. */
function declarations(style: string): ReadonlyMap<string, string> {
  const plain = withoutComments(decoded(style)).toLowerCase().replace(/\s/g, "");
  const found = new Map<string, string>();
  for (const part of plain.split(";")) {
    const colon = part.indexOf(":");
    if (colon > 0) found.set(part.slice(0, colon), part.slice(colon + 1).replace("!important", ""));
  }
  return found;
}

/** Character references of HTML, then escapes of CSS. */
function decoded(style: string): string {
  return style
    .replace(/&#x([0-9a-f]{1,6});?|&#(\d{1,7});?/gi, (_, hex, decimal) => character(hex ?? decimal, hex ? 16 : 10))
    .replace(/&(colon|semi|lpar|rpar|sol|ast|num|nbsp|tab|newline);/gi, (_, name: string) => named(name))
    .replace(/\\([0-9a-f]{1,6})\s?/gi, (_, hex: string) => character(hex, 16))
    .replace(/\\(.)/g, "$1");
}

function character(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}

function named(name: string): string {
  const of: Readonly<Record<string, string>> = {
    colon: ":",
    semi: ";",
    lpar: "(",
    rpar: ")",
    sol: "/",
    ast: "*",
    num: "#",
  };
  const found = name.toLowerCase();
  return Object.hasOwn(of, found) ? (of[found] as string) : " ";
}

function withoutComments(style: string): string {
  const parts = style.split("/*");
  return parts.map((part, i) => (i === 0 ? part : (part.split("*/", 2)[1] ?? ""))).join("");
}

function hides(style: ReadonlyMap<string, string>): boolean {
  const is = (name: string, ...values: readonly string[]): boolean => values.includes(style.get(name) ?? "\0");
  const zero = (name: string, under: number): boolean => size(style.get(name)) < under;
  return (
    is("display", "none") ||
    is("visibility", "hidden", "collapse") ||
    is("content-visibility", "hidden") ||
    is("mso-hide", "all") ||
    zero("opacity", 0.05) ||
    zero("font-size", 2) ||
    /^(?:0|[01](?:px|pt))\//.test(style.get("font") ?? "") ||
    (is("overflow", "hidden", "clip") && ["width", "height", "max-width", "max-height"].some((n) => zero(n, 2))) ||
    isFar(style) ||
    isClipped(style) ||
    isUncoloured(style)
  );
}

/** Returns a length or number; infinity for other values and for ones relative to something larger, since these are not small. */
function size(value: string | undefined): number {
  const found = /^(-?[\d.]{1,12})(px|pt|em|rem|%|)$/.exec(value ?? "");
  if (!found) return Number.POSITIVE_INFINITY;
  const number = Number(found[1]);
  const unit = found[2] as string;
  return number > 0 && (unit === "em" || unit === "rem" || unit === "%") ? number * 16 : number;
}

function isFar(style: ReadonlyMap<string, string>): boolean {
  const placed = ["absolute", "fixed", "relative"].includes(style.get("position") ?? "");
  const sides = placed ? ["left", "top", "right", "bottom"] : [];
  const away = [...sides, "text-indent", "margin-left", "margin-top"].some((name) => {
    const value = /^(-?\d{1,9})/.exec(style.get(name) ?? "");
    return value !== null && Number(value[1]) <= -far;
  });
  const moved = /translate[xy3d]{0,2}\(-(\d{1,9})/.exec(style.get("transform") ?? "");
  return away || (moved !== null && Number(moved[1]) >= far) || /scale\(0?\.?0*[,)]/.test(style.get("transform") ?? "");
}

function isClipped(style: ReadonlyMap<string, string>): boolean {
  return (
    /^rect\((?:0|1)(?:px)?,(?:0|1)(?:px)?,(?:0|1)(?:px)?,(?:0|1)(?:px)?\)$/.test(style.get("clip") ?? "") ||
    /^inset\((?:50|100)%/.test(style.get("clip-path") ?? "") ||
    style.get("clip-path") === "circle(0)"
  );
}

/** True for text in the colour of its background. */
function isUncoloured(style: ReadonlyMap<string, string>): boolean {
  const colour = style.get("color");
  if (colour === undefined) return false;
  const ground = style.get("background-color") ?? style.get("background");
  return colour === "transparent" || colour === ground || /^rgba\([\d.,]{1,40},0?\.?0+\)$/.test(colour);
}
