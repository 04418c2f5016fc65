import type { TreeChange } from "../program.ts";
import { partialText, type Value } from "./values.ts";

/** One thing that code does. Paths are seen from `cwd`, which is undefined where the code has not changed it. */
export type Finding = { readonly cwd: Value | undefined } & (
  | { readonly kind: "text"; readonly text: Value }
  | { readonly kind: "words"; readonly words: readonly Value[] }
  | {
      readonly kind: "read";
      readonly path: Value;
      readonly recursive: boolean;
      readonly metadata: boolean;
      readonly certain: boolean;
    }
  | { readonly kind: "write"; readonly path: Value; readonly certain: boolean; readonly tree?: TreeChange }
  | { readonly kind: "delete"; readonly path: Value; readonly recursive: boolean }
  | {
      readonly kind: "network";
      readonly url: Value;
      readonly direction: "upload" | "download" | "both";
      readonly certain: boolean;
    }
  | { readonly kind: "install"; readonly manager: string; readonly source: string; readonly name: string }
  | { readonly kind: "kill"; readonly target: Value }
  | { readonly kind: "sql"; readonly text: string }
  | { readonly kind: "load"; readonly module: Value }
);

type Body<F> = F extends unknown ? Omit<F, "cwd"> : never;

// More is not listed, and a doubt says so.
const findingCount = 512;
const doubtCount = 8;

/** Collects what code does, in the order of the text. */
export class Collector {
  readonly findings: Finding[] = [];
  readonly doubts: string[] = [];
  /** True if the code runs a text as code; the next two: if it runs an unknown one, and if it decodes something. */
  evaluates = false;
  runsUnknown = false;
  decodes = false;
  /** Above 0 while a value is only looked up: nothing is collected. */
  muted = 0;
  cwd: Value | undefined;

  add(finding: Body<Finding>, cwd: Value | undefined = this.cwd): void {
    if (this.muted > 0) return;
    if (this.findings.length >= findingCount) this.doubt("it does more than can be listed");
    else this.findings.push({ ...finding, cwd } as Finding);
  }

  read(path: Value, options: { recursive?: boolean; metadata?: boolean; certain?: boolean } = {}): void {
    const { recursive = false, metadata = false, certain = true } = options;
    this.add({ kind: "read", path, recursive, metadata, certain });
  }

  write(path: Value, certain = true): void {
    this.add({ kind: "write", path, certain });
  }

  /** Reports a folder whose whole content comes from elsewhere. */
  tree(path: Value, how: TreeChange = "replaced"): void {
    this.add({ kind: "write", path, certain: true, tree: how });
  }

  delete(path: Value, recursive: boolean): void {
    this.add({ kind: "delete", path, recursive });
  }

  network(url: Value, direction: "upload" | "download" | "both", certain = true): void {
    this.add({ kind: "network", url, direction, certain });
  }

  /** Reports that the code of another file runs, if the module is a path and not a package. */
  load(module: Value): void {
    if (/^(?:[./~]|file:)|\//.test(partialText(module))) this.add({ kind: "load", module });
  }

  /** Records why the code is not fully known. */
  doubt(reason: string): void {
    if (this.muted > 0 || this.doubts.length >= doubtCount || this.doubts.includes(reason)) return;
    this.doubts.push(reason);
  }
}
