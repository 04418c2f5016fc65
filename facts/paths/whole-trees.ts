import type { Component, Part } from "./pattern.ts";
import { mayMeet, surelyCovers } from "./pattern.ts";

/** Any number of folders and files beneath, hidden ones too. */
const beneath: Component = { kind: "deep", hidden: true };

/** Returns the components of a folder with everything below it. */
export function treeOf(folder: readonly Component[]): Component[] {
  return [...folder, beneath];
}

/**
 * True if a restricting test holds for a folder with everything below it. For a pattern with a fixed place (literal up to its
 * last name), the place must lie below the folder, or the folder below the place. A pattern for many places, such as `.env` in
 * any folder, says nothing about this folder's content. `X/**` includes X. Source: reach page, section 2.
 */
export function meetsTree(folder: readonly Component[], pattern: readonly Component[]): boolean {
  const { fixed, folders } = shapeOf(pattern);
  return fixed ? mayMeet(treeOf(folder), pattern) : folders !== undefined && mayMeet(folder, folders);
}

/** True for a pattern without a fixed place: its matches may lie in many folders. */
export function floats(pattern: readonly Component[]): boolean {
  return !shapeOf(pattern).fixed;
}

/** True if the pattern surely matches a folder and everything in it. A pattern that matches a folder matches its content. */
export function coversTree(folder: readonly Component[], pattern: readonly Component[]): boolean {
  const { folders, isName } = shapeOf(pattern);
  if (isName && surelyCovers(folder, pattern)) return true;
  return surelyCovers(treeOf(folder), folders ?? pattern);
}

interface Shape {
  readonly fixed: boolean;
  /** The folders whose whole content the pattern names, themselves too, where it ends in `**`. */
  readonly folders: readonly Component[] | undefined;
  /** True where the last name of the pattern is known. */
  readonly isName: boolean;
}

/** Shapes by their patterns; only ever a repetition of the same pure work. */
const shapes = new WeakMap<readonly Component[], Shape>();

function shapeOf(pattern: readonly Component[]): Shape {
  const known = shapes.get(pattern);
  if (known) return known;
  const last = pattern.at(-1);
  const isName = last?.kind === "part" && last.literal !== undefined;
  const made = { fixed: isFixed(pattern), folders: foldersOf(pattern), isName };
  shapes.set(pattern, made);
  return made;
}

function isFixed(pattern: readonly Component[]): boolean {
  const telling = pattern.findLastIndex((one) => one.kind === "part" && tells(one));
  return pattern.slice(0, Math.max(0, telling)).every((one) => one.kind === "part" && one.literal !== undefined);
}

/** True if some character of a name is known. */
function tells(part: Part): boolean {
  return part.literal !== undefined || part.items().some((item) => item !== "star" && isOne(item));
}

function isOne(set: readonly (readonly [number, number])[]): boolean {
  return set.length === 1 && set[0]?.[0] === set[0]?.[1];
}

function foldersOf(pattern: readonly Component[]): readonly Component[] | undefined {
  const last = pattern.at(-1);
  if (last?.kind !== "part" || pattern.at(-2)?.kind !== "deep") return undefined;
  return last.items().every((item) => item === "star") ? pattern.slice(0, -1) : undefined;
}
