import type { CharacterKind } from "./clean.ts";

/** Kinds of content that can be made harmless in untrusted text, by the name behind `text/`. */
export type TextKind = CharacterKind | "hidden-html" | "boundaries";

/** One kind of untrusted text. */
export interface TextDetector {
  readonly id: `text/${TextKind}`;
  readonly kind: TextKind;
  readonly title: string;
  /** Describes what it finds, what stays, and what replaces a finding. */
  readonly doc: string;
}

/**
 * Detectors of untrusted text, for `redact`. They make a text show what it holds; they do not make it trustworthy.
 * Source: threats section 6.
 */
export const textDetectors: readonly TextDetector[] = [
  {
    id: "text/invisible",
    kind: "invisible",
    title: "Invisible characters",
    doc: "Zero width characters, fillers, soft hyphens, variation selectors. Joiners of Persian, Indic and other scripts, of emoji and of ideographs stay, and a mark at the very start.",
  },
  {
    id: "text/bidi",
    kind: "bidi",
    title: "Controls of direction",
    doc: "Embeddings, overrides and isolates, and marks away from text that is written right to left.",
  },
  {
    id: "text/tags",
    kind: "tags",
    title: "Tag characters",
    doc: "U+E0000 to U+E007F, which can spell a hidden text; flags of regions stay. `mark` shows what they spell.",
  },
  {
    id: "text/ansi",
    kind: "ansi",
    title: "Terminal sequences",
    doc: "Escape sequences and C1 controls, links of a terminal (OSC 8) with their address; the text of a link stays. `mark` names the sequence.",
  },
  {
    id: "text/controls",
    kind: "controls",
    title: "Controls",
    doc: "C0 controls but tab and line feed, delete, and a carriage return that would overwrite its line: it becomes a line feed.",
  },
  {
    id: "text/hidden-html",
    kind: "hidden-html",
    title: "Hidden markup",
    doc: "Comments, elements that their own tag hides (`hidden`, `display: none`, no size, off the screen, no colour), `data:` addresses, Markdown images with data in their address, Markdown definitions used as comments. Each becomes a note of its length. For pages: in source files comments are what a reader wants.",
  },
  {
    id: "text/boundaries",
    kind: "boundaries",
    title: "Forged boundaries",
    doc: "What passes for a delimiter of a host, of a model's template or of our own notes gets a backslash: `<\\|im_start|>`.",
  },
];

/** Detectors of untrusted text by id or glob (`text/*`). */
export function selectTextDetectors(name: string): readonly TextDetector[] {
  const [head = "", ...rest] = name.split("*");
  if (rest.length === 0) return textDetectors.filter(({ id }) => id === name);
  return textDetectors.filter(({ id }) => {
    let at = head.length;
    if (!id.startsWith(head)) return false;
    for (const [i, part] of rest.entries()) {
      const found = i === rest.length - 1 ? id.lastIndexOf(part) : id.indexOf(part, at);
      if (found < at || (i === rest.length - 1 && found + part.length !== id.length)) return false;
      at = found + part.length;
    }
    return true;
  });
}
