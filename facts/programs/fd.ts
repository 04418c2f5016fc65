import { type Field, literalField, patternField } from "../shell/fields.ts";
import { withoutEnd } from "../text/ends.ts";
import type { Inner } from "./wrapper.ts";

/** Reading of an `fd` command: the files it finds, and the commands it runs on them. */
export interface FdPlan {
  /** All below its folders, and of hidden files those that its pattern or ending names. */
  readonly selected: readonly Field[];
  readonly inner: readonly Inner[];
}

const executing = /^(?:-x|-X|--exec|--exec-batch)$/;
const valued =
  /^(?:-[edtEScjog]|--(?:extension|max-depth|min-depth|exact-depth|type|exclude|size|changed-within|changed-before|owner|color|threads|base-directory|search-path|format|max-results|path-separator|ignore-file|batch-size))$/;
const hiding = /^(?:-[A-GI-Za-tv-z]*[Hu][A-Za-z]*|--hidden|--unrestricted)$/;

/** Reads the words of `fd`: options, a regular expression, folders. Source: fd(1). */
export function planFd(args: readonly Field[]): FdPlan {
  const at = args.findIndex((word) => executing.test(word.text));
  const behind = at < 0 ? [] : args.slice(at + 1);
  const end = behind.findIndex((word) => word.text === ";");
  const command = end < 0 ? behind : behind.slice(0, end);
  const own = [...(at < 0 ? args : args.slice(0, at)), ...(end < 0 ? [] : behind.slice(end + 1))];
  const free = own.filter((word, i) => !word.text.startsWith("-") && !valued.test(own[i - 1]?.text ?? ""));
  const place = args[0]?.place ?? { start: 0, end: 0 };
  const starts = free.length > 1 ? free.slice(1) : [literalField(".", place)];
  const names = own.some((word) => hiding.test(word.text)) ? hidden(own, free[0]) : [];
  const selected = starts.flatMap((start) => below(start, ["**", ...names]));
  return { selected, inner: command.length === 0 ? [] : [executed(command, selected)] };
}

function below(start: Field, names: readonly string[]): Field[] {
  const folder = withoutEnd(start.text, "/");
  return names.map((name) =>
    start.kind === "unknown"
      ? { ...start, text: `${folder}/${name}`, glob: true }
      : patternField(`${folder}/${name}`, start.place),
  );
}

/** Returns names of hidden files as globs: by an ending, or by a constant expression. */
function hidden(own: readonly Field[], pattern: Field | undefined): string[] {
  const ending = own.find((_, i) => /^(?:-\w*e|--extension)$/.test(own[i - 1]?.text ?? ""))?.text;
  if (ending !== undefined) return [`**/*.${ending}`];
  const text = pattern?.kind === "literal" ? pattern.text.slice(0, 256) : "";
  const core = text.replace(/^\^/, "").replace(/\$$/, "").replace(/\\(.)/gs, "$1");
  if (core === "" || /[*+?[\](){}|/\\]/.test(core)) return [];
  const plain = core.replace(/^\.+/, "");
  if (plain === "") return [];
  const exact = /^\^/.test(text) && /\$$/.test(text);
  return exact ? [`**/${core}`] : [`**/*${plain}*`, `**/.${plain}*`, `**/${core}`];
}

function executed(command: readonly Field[], selected: readonly Field[]): Inner {
  const marked = command.some((word) => /\{(?:|\.|\/|\/\/|\/\.)\}/.test(word.text));
  const fields = marked
    ? command.flatMap((word) => (word.text === "{}" ? selected : [word]))
    : [...command, ...selected];
  return { kind: "words", fields, external: true };
}
