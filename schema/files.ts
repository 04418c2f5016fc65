/** Entry of the file system at a path. */
export type Entry =
  | { readonly kind: "absent" }
  | { readonly kind: "file" | "directory" | "other" }
  | { readonly kind: "symlink"; readonly target: string };

/** Entries of one folder: names alone, in no order. */
export interface Listing {
  readonly entries: readonly { readonly name: string; readonly kind: Entry["kind"] }[];
  /** Set if entries are missing: there are more than requested, or names that are not valid text. */
  readonly missing?: "more" | "unreadable names";
}

/** The file system as facts ask about it; hermetic from an event's `files`, or the live machine behind an adapter. */
export interface FileSystem {
  /** Looks up the entry at an absolute path whose parents are already real; never follows a final link. */
  lookup(path: string): Entry;
  /** Text of a small file, or undefined (absent, too large, not UTF-8). */
  readText(path: string, maxBytes: number): string | undefined;
  /** At most `most` names of a folder; undefined where it cannot be read. Absent where the content of folders is not known. */
  list?(folder: string, most: number): Listing | undefined;
}
