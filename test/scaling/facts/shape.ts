import type { Environment } from "../../../schema/judged-event.ts";

/** A call as facts read it, with the files that it meets. */
export interface FactCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly environment?: Partial<Environment>;
  /** Files as `environment.files` describes them; nothing stands anywhere where there are none. */
  readonly files?: Readonly<Record<string, unknown>>;
}

/** An input that grows: `of` gives one whose texts have about so many UTF-16 units together. */
export interface FactShape {
  readonly name: string;
  /** Two lists of the input meet, each item of the one with each of the other: work grows with their product. */
  readonly product?: true;
  of(length: number): FactCall;
}

/** Pieces by their number, as many as fit into a length. */
export function piecesOf(length: number, piece: (i: number) => string): string[] {
  const pieces: string[] = [];
  for (let i = 0, size = 0; size < length; i++) {
    const one = piece(i);
    pieces.push(one);
    size += one.length + 1;
  }
  return pieces;
}

/** As many pieces as fit into a length, one after the other. */
export function joined(length: number, piece: (i: number) => string, between = ""): string {
  return piecesOf(length, piece).join(between);
}

/** A call of the shell. */
export function command(text: string): FactCall {
  return { tool: "bash", args: { command: text } };
}

/** A command of pieces between a head and a tail. */
export function shell(name: string, head: string, piece: (i: number) => string, tail = ""): FactShape {
  return {
    name,
    of: (length) => command(head + joined(Math.max(1, length - head.length - tail.length), piece) + tail),
  };
}

/** A command whose pieces nest. */
export function nested(name: string, head: string, middle: string, tail: string, most: number): FactShape {
  return {
    name,
    of: (length) => {
      const texts: string[] = [];
      // What may not nest deeper is repeated, the last as deep as there is room.
      for (let left = length; left > 0; left -= (texts.at(-1) as string).length + 2) {
        const depth = Math.min(most, Math.max(1, Math.floor(left / (head.length + tail.length))));
        texts.push(head.repeat(depth) + middle + tail.repeat(depth));
      }
      return command(texts.join("; "));
    },
  };
}

/** A file that is written with a text of pieces. */
export function file(path: string, head: string, piece: (i: number) => string, tail = ""): FactShape {
  return {
    name: `writes ${path}: ${piece(1).trim().slice(0, 40)}`,
    of: (length) => ({ tool: "write", args: { path, content: head + joined(length, piece) + tail } }),
  };
}

/** A call of a tool whose arguments grow. */
export function made(name: string, tool: string, of: (length: number) => Readonly<Record<string, unknown>>): FactShape {
  return { name, of: (length) => ({ tool, args: of(length) }) };
}

/** An object with keys by their number, as many as fit into a length. */
export const numbered = (length: number, piece: (i: number) => string, value: unknown): Record<string, unknown> =>
  Object.fromEntries(piecesOf(length, piece).map((key) => [key, value]));

type Pieces = (i: number) => string;

/** A command of two lists of pieces, each half of it, that meet: `between` ends the first and begins the second. */
export function paired(
  name: string,
  open: string,
  first: Pieces,
  between: string,
  second: Pieces,
  end = "",
): FactShape {
  return {
    name,
    product: true,
    of: (length) => command(open + joined(length / 2, first) + between + joined(length / 2, second) + end),
  };
}

/** A shape in which each piece meets what the pieces before it left behind: a text that grows, up to a bound of its own. */
export function meeting(shape: FactShape): FactShape {
  return { ...shape, product: true };
}
