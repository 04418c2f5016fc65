import { indexOfText } from "../find-text.ts";
import { spend } from "../meter.ts";
import { type Field, unknownVariable, withText } from "../shell/fields.ts";
import { withoutEnd } from "../text/ends.ts";
import { type Arguments, valuesOf } from "./grammar.ts";

const hole = `\${${unknownVariable}}`;

/** A folder of this machine that a container sees at `target`. */
export interface Mount {
  readonly source: Field;
  readonly target: string;
  readonly readonly: boolean;
}

/** Returns the bind mounts that `-v` and `--mount` of a container ask for; named volumes do not count. Source: docker-run(1). */
export function mountsOf(args: Arguments): Mount[] {
  return [...valuesOf(args, "--volume").flatMap(volume), ...valuesOf(args, "--mount").flatMap(mount)];
}

/** An empty source is no mount, so a word that is one text or empty counts as that text. */
function known(value: Field): Field {
  const { likely, ...rest } = value;
  return likely === undefined ? value : { ...rest, text: likely, kind: "literal" };
}

/** Returns the text of a word, with a hole for each unknown part. A word that does not tell where they are begins with one. */
function spelled({ kind, template, text }: Field): string {
  if (kind !== "unknown") return text;
  return template !== undefined && template.split(hole).join("") === text ? template : hole + text;
}

/** Returns a part of a word's text as a word. */
function sourceIn(value: Field, part: string): Field {
  if (!part.includes(hole)) return { ...withText(value, part), kind: value.kind === "pattern" ? "pattern" : "literal" };
  return { ...withText(value, part.split(hole).join("")), template: part };
}

function volume(given: Field): Mount[] {
  const value = known(given);
  const [source = "", target = "", flags = ""] = spelled(value).split(":");
  if (!(/^[/.~]/.test(source) || source.startsWith(hole)) || target === "") return [];
  return [{ source: sourceIn(value, source), target: trimmed(target), readonly: flags.split(",").includes("ro") }];
}

function mount(given: Field): Mount[] {
  const value = known(given);
  const parts = new Map(
    spelled(value)
      .split(",")
      .map((part) => {
        const equals = part.indexOf("=");
        return equals < 0 ? ([part, "true"] as const) : ([part.slice(0, equals), part.slice(equals + 1)] as const);
      }),
  );
  const source = parts.get("source") ?? parts.get("src");
  const target = parts.get("target") ?? parts.get("destination") ?? parts.get("dst");
  if (parts.get("type") !== "bind" || source === undefined || target === undefined) return [];
  const flag = parts.get("readonly") ?? parts.get("ro") ?? "false";
  return [{ source: sourceIn(value, source), target: trimmed(target), readonly: flag !== "false" }];
}

function trimmed(path: string): string {
  return path === "/" ? path : withoutEnd(path, "/");
}

/**
 * Returns a word of a container's command with mounted paths replaced by their paths on this machine. The text may be a path,
 * an option with one, or a shell text: a mount's path counts where it appears as a whole.
 */
export function onHost(field: Field, mounts: readonly Mount[]): Field {
  let text = field.text;
  for (const { source, target } of mounts) {
    spend(1 + ((text.length + target.length) >> 6));
    if (source.kind === "literal" && target !== "/") text = replaced(text, target, source.text);
  }
  return text === field.text ? field : { ...field, text, verbatim: -1 };
}

function replaced(text: string, target: string, source: string): string {
  const from = trimmed(source);
  let result = "";
  let at = 0;
  for (let found = indexOfText(text, target); found >= 0; found = indexOfText(text, target, found + target.length)) {
    spend(1);
    const before = found === 0 ? " " : (text[found - 1] as string);
    const after = text[found + target.length] ?? " ";
    if (!/[\s"'=:,;(|&<>`]/.test(before) || !/[\s"'/:,;)|&<>`*]/.test(after)) continue;
    result += text.slice(at, found) + (from === "/" && after === "/" ? "" : from);
    at = found + target.length;
  }
  return result + text.slice(at);
}
