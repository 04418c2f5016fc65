import type { ParameterPart, Sequence } from "./syntax.ts";

/** A parameter as its author writes it, for people. */
export function wordOfParameter({ name, prefix, operator }: ParameterPart): string {
  return prefix === "" && operator === "" ? `$${name}` : `\${${prefix}${name}${operator === "" ? "" : `${operator}…`}}`;
}

/** A substitution as its author writes it, for people. */
export function wordOfScript({ items }: Sequence): string {
  const [first] = items;
  const words = first?.kind === "simple" ? first.words : [];
  const shown = words.slice(0, 3).map((word) => (word.kind === "word" ? word.raw : word.name));
  return `$(${shown.length > 0 ? shown.join(" ") : "…"}${words.length > 3 || items.length > 1 ? " …" : ""})`;
}
