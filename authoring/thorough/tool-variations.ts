import type { FactSet, PathValue } from "../../schema/facts.ts";
import { otherForm, throughLink, withDots } from "./path-spellings.ts";
import type { VariationName } from "./variation.ts";

/** A variation of a tool's arguments. */
export interface ToolVariation {
  readonly name: VariationName;
  readonly args: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, object>>;
}

/** A path among the arguments: its key and, inside a list, its index. */
interface PlacedPath {
  readonly key: string;
  readonly index: number | undefined;
  readonly text: string;
  readonly path: PathValue;
  readonly recursive: boolean;
}

/** Returns the other spellings of a path in a tool's arguments, for each argument that the facts take as the path of an effect. */
export function toolVariations(
  args: Readonly<Record<string, unknown>>,
  facts: FactSet,
  cwd: string,
): readonly ToolVariation[] {
  return pathsIn(args, facts).flatMap((placed) => {
    const { text, path, recursive } = placed;
    const made: ToolVariation[] = [];
    const add = (name: VariationName, spelling: string | undefined, files?: Readonly<Record<string, object>>): void => {
      if (spelling !== undefined && spelling !== text)
        made.push({ name, args: withText(args, placed, spelling), ...(files && { files }) });
    };
    if (path.pattern || cwd === "") return made;
    add("other form", otherForm(text, path.lexical, cwd));
    add("dots", withDots(text, cwd));
    const through = recursive ? undefined : throughLink(path.lexical, cwd);
    if (through) add("link", through.path, through.files);
    return made;
  });
}

function pathsIn(args: Readonly<Record<string, unknown>>, { effects }: FactSet): PlacedPath[] {
  const used = Object.values(effects ?? {}).flatMap((list: readonly object[]) =>
    list.flatMap((effect) => {
      const {
        path,
        recursive = false,
        command,
      } = effect as Partial<{ path: PathValue; recursive: boolean; command: number }>;
      return path && command === -1 && !path.partly ? [{ path, recursive }] : [];
    }),
  );
  const placed = (key: string, index: number | undefined, text: unknown): PlacedPath[] => {
    // A URL or a program's option may also be a path of an effect, but has other spellings.
    if (typeof text !== "string" || text === "" || text.includes("://") || text.startsWith("-")) return [];
    const found = used.filter(({ path }) => path.text === text);
    const [first] = found;
    return first ? [{ key, index, text, path: first.path, recursive: found.some(({ recursive }) => recursive) }] : [];
  };
  return Object.entries(args).flatMap(([key, value]) =>
    Array.isArray(value) ? value.flatMap((item, i) => placed(key, i, item)) : placed(key, undefined, value),
  );
}

function withText(
  args: Readonly<Record<string, unknown>>,
  { key, index }: PlacedPath,
  text: string,
): object & Record<string, unknown> {
  const value = args[key];
  if (index === undefined || !Array.isArray(value)) return { ...args, [key]: text };
  return { ...args, [key]: value.map((item: unknown, i) => (i === index ? text : item)) };
}
