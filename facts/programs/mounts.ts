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

/**
 * Returns the mounts of folders of this machine that `-v` and `--mount` of a container or service ask for; named volumes do not
 * count, unless their driver binds a folder. Source: docker-run(1), docker-service-create(1), podman-run(1).
 */
export function mountsOf(args: Arguments): Mount[] {
  return [
    ...valuesOf(args, "--volume").flatMap(volume),
    ...[...valuesOf(args, "--mount"), ...valuesOf(args, "--mount-add")].flatMap(mount),
  ];
}

/** Returns the folder that `docker volume create --opt device=/folder` makes the volume's content. */
export function deviceOf(args: Arguments): Field | undefined {
  for (const option of valuesOf(args, "--opt")) {
    const device = /^device=(.*)$/s.exec(spelled(known(option)))?.[1];
    if (device?.startsWith("/") || device?.startsWith(hole)) return sourceIn(known(option), device);
  }
  return undefined;
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
  // Of `-v=/folder:/x` the sign is no part of the value.
  const [source = "", target = "", flags = ""] = spelled(value).replace(/^=/, "").split(":");
  if (!(/^[/.~]/.test(source) || source.startsWith(hole)) || target === "") return [];
  return [{ source: sourceIn(value, source), target: trimmed(target), readonly: flags.split(",").includes("ro") }];
}

/** Parts of a list with commas, where quotes keep a part with commas together. */
function parts(text: string): readonly string[] {
  spend(text.length >> 4);
  return text.includes('"')
    ? [...text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
        quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
      )
    : text.split(",");
}

/** Mounts of a type other than these bind nothing of this machine, or a volume by its name. */
const binding = /^(?:bind|glob|npipe)$/;

function mount(given: Field): Mount[] {
  const value = known(given);
  const all = parts(spelled(value)).map((part): readonly [string, string] => {
    const equals = part.indexOf("=");
    return equals < 0
      ? [part.trim().toLowerCase(), "true"]
      : [part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1)];
  });
  const named = new Map(all);
  const device = all.find(([name, text]) => name === "volume-opt" && text.startsWith("device="))?.[1].slice(7);
  const isBind = binding.test(named.get("type")?.toLowerCase() ?? "");
  const source = isBind ? (named.get("source") ?? named.get("src")) : device?.startsWith("/") ? device : undefined;
  // Of a glob the folder counts in which it begins.
  const place = named.get("type")?.toLowerCase() === "glob" ? source?.replace(/(?:^|\/)[^/]*[*?[].*$/s, "") : source;
  const target = named.get("target") ?? named.get("destination") ?? named.get("dst");
  if (place === undefined || target === undefined) return [];
  const flag = named.get("readonly") ?? named.get("ro") ?? "false";
  return [{ source: sourceIn(value, place), target: trimmed(target), readonly: !/^(?:false|0)$/i.test(flag) }];
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
