/** One fenced block of a literate document. */
export interface Block {
  /** The word after the fence, e.g. `yaml` or `text`. */
  readonly language: string;
  /** The rest of the fence line, e.g. `as p.yaml`. */
  readonly info: string;
  readonly text: string;
  /** Offsets of the text in the document, so that an expectation can be written back. */
  readonly start: number;
  readonly end: number;
}

/** A section: a heading with the blocks and tables under it, up to the next heading. */
export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
  /** Rows of every table of the section, as cells, without the heading and rule rows. */
  readonly rows: readonly (readonly string[])[];
}

/** Reads a literate document (Markdown) as the data of a test. Prose is for people. */
export function readDocument(markdown: string): Section[] {
  const sections: { title: string; blocks: Block[]; rows: string[][]; header: boolean }[] = [];
  let section = { title: "", blocks: [] as Block[], rows: [] as string[][], header: true };
  let offset = 0;
  let open: { language: string; info: string; fence: string; start: number } | undefined;
  for (const line of markdown.split(/(?<=\n)/)) {
    const bare = line.replace(/\n$/, "");
    const fence = /^(`{3,})(\S*) ?(.*)$/.exec(bare);
    if (open) {
      if (bare === open.fence) {
        const { language, info, start } = open;
        section.blocks.push({ language, info, text: markdown.slice(start, offset), start, end: offset });
        open = undefined;
      }
    } else if (fence) {
      open = {
        fence: fence[1] as string,
        language: fence[2] as string,
        info: fence[3] as string,
        start: offset + line.length,
      };
    } else if (/^#{1,6} /.test(bare)) {
      section = { title: bare.replace(/^#+ /, ""), blocks: [], rows: [], header: true };
      sections.push(section);
    } else if (bare.startsWith("|")) {
      if (/^\|[\s|:-]+\|$/.test(bare)) section.header = false;
      else if (!section.header) section.rows.push(cells(bare));
    } else section.header = true;
    offset += line.length;
  }
  if (open) throw new Error(`a fence is not closed: ${open.fence}`);
  return sections.map(({ title, blocks, rows }) => ({ title, blocks, rows }));
}

function cells(row: string): string[] {
  return row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** The text of a cell that is wholly code, without its back-ticks. */
export function code(cell: string): string {
  const match = /^(`+) ?([\s\S]*?) ?\1$/.exec(cell);
  return match ? (match[2] as string) : cell;
}
