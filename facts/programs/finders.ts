import { type Field, literalField, unknownVariable, withText } from "../shell/fields.ts";
import { type Grammar, optionList, readArguments, valuesOf } from "./grammar.ts";
import type { Inner, Wrapper } from "./wrapper.ts";

const grammar: Grammar = {
  options: optionList(
    `-q --query=; -f --filter=; -n --nth=; -d --delimiter=; --with-nth=; -m --multi=?; --preview=; --preview-window=; --bind=; -b=;
    -e --exact; --height=; --prompt=; --header=; --expect=; --with-shell=; --cmd -c=; -i --interactive; -1; -0; --color=; --history=;
    --listen=?; --become=; --layout=; --border=?; --margin=; --padding=; --info=; --pointer=; --marker=; --walker=; --walker-root=`,
  ),
};

/** Placeholders of the chosen line, and of the text that is typed. */
const placeholder = /\{(?:[+sfn]*[-\d.,]*|q|cq|fzf:\w+)\}/g;
const actions = /(?:execute(?:-silent|-multi)?|reload(?:-sync)?|become|preview|transform(?:-[a-z-]+)?|put)/;
const named = new RegExp(`(?:^|[:+,])${actions.source}`, "g");
const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** The texts of a binding: `enter:execute(text)+abort`, `ctrl-r:reload:text`. */
function bound(value: Field): Field[] {
  if (value.kind === "unknown" && value.text === "") return [value];
  return [...value.text.matchAll(named)].flatMap((found): Field[] => {
    const at = found.index + found[0].length;
    const open = value.text[at];
    if (open === undefined) return [];
    if (open === ":") return [withText(value, value.text.slice(at + 1))];
    const close = closing[open] ?? (/[^\w\s]/.test(open) ? open : undefined);
    if (close === undefined) return [];
    const end = close === open ? value.text.indexOf(close, at + 1) : value.text.lastIndexOf(close);
    const text = value.text.slice(at + 1, end < 0 ? undefined : end);
    return [{ ...value, text, verbatim: -1, ...(value.kind === "unknown" ? { template: text } : {}) }];
  });
}

/** Returns a text with an unknown line in place of the placeholder for it. */
function filled(text: Field): Inner {
  const fill = (part: string): string => part.replace(placeholder, () => `"\${${unknownVariable}}"`);
  const known = text.kind !== "unknown";
  const field = known
    ? literalField(fill(text.text), text.place)
    : { ...text, template: fill(text.template ?? text.text) };
  return { kind: "text", text: field, certain: false };
}

/** `fzf --preview text`: finders run texts for the lines that they show. Source: fzf(1), sk(1). */
export const finder: Wrapper = {
  names: ["fzf", "fzf-tmux", "sk", "sk-tmux"],
  unwrap(args) {
    const read = readArguments(grammar, args);
    const texts = [
      ...["--preview", "--cmd", "--become"].flatMap((name) => valuesOf(read, name)),
      ...["--bind", "-b"].flatMap((name) => valuesOf(read, name)).flatMap(bound),
    ].filter((text) => text.text !== "" || text.kind === "unknown");
    return texts.length > 0 ? { self: true, inner: texts.map(filled) } : undefined;
  },
};
